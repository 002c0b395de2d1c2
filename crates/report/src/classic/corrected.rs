//! What the original's figures leave out: real throughput, percentiles, skipped apart from failed.

use loadgen_model::Report;
use loadgen_model::report::{Status, Task};

use super::row::Row;
use super::{figure, ratio, service_rate};
use crate::grid::{Column, Grid};
use crate::quantile::{self, Level};
use crate::{Style, name, number, prose};

/// The original's table is wider than any terminal; these lines need not be narrower.
const WIDTH: usize = 140;

const LEVELS: [Level; 3] = [Level::P50, Level::P95, Level::P99];

pub(super) fn lines(report: &Report, rows: &[Row]) -> Vec<String> {
    let style = Style { color: false, unicode: false, width: WIDTH };
    let mut lines = vec!["Corrected figures".to_owned()];
    for (label, text) in facts(report, rows) {
        lines.extend(prose::hang(&format!("{label:<24}"), &text, &style));
    }
    lines.push(String::new());
    lines.extend(tasks(report, rows, &style).lines(&style));
    let times = report.tasks.iter().filter(|task| is_shown(task)).map(|task| &task.response_ms);
    lines.extend(quantile::legend(&LEVELS, &times, &style));
    lines
}

fn facts(report: &Report, rows: &[Row]) -> Vec<(&'static str, String)> {
    let (run, load, totals) = (&report.run, &report.load, &report.totals);
    let actual: u64 = rows.iter().map(|row| row.passed).sum();
    let passed_s: f64 = rows.iter().map(|row| row.passed_s).sum();
    let successful = service_rate(load.users, actual, passed_s);
    let concurrency = ratio(passed_s, load.users as f64 * run.elapsed_s);
    let mut facts = vec![
        (
            "Real throughput =",
            format!(
                "{:.3} passed/s over the steady window, {} to {}",
                totals.passed_per_s,
                number::seconds(load.steady_from_s),
                number::seconds(load.steady_to_s)
            ),
        ),
        (
            "Service-time rate =",
            format!(
                "{} Successful ops/s, likewise CbdPsOps for each task: threads x passed / pass time; think time is left out, so this is not the throughput",
                figure(successful, 3, "")
            ),
        ),
        (
            "Concurrency u =",
            format!(
                "{} Passed Accum time / (threads x lapsed): the share of their time that threads waited on passed requests",
                figure(concurrency, 5, "")
            ),
        ),
    ];
    let skipped: u64 = rows.iter().map(|row| row.skipped).sum();
    let failed: u64 = rows.iter().map(|row| row.failed).sum();
    if skipped > 0 {
        facts.push((
            "TxFail =",
            format!(
                "{failed} failed, {skipped} skipped: never sent, because an earlier task failed or exceeded"
            ),
        ));
    }
    if load.ramp_group > 0 && load.ramp_every_ms > 0.0 {
        facts.push(("Ramp-up", "CbdPsOps and Successful ops/s are not valid".to_owned()));
    }
    match report.verdict.status {
        Status::Invalid => {
            let text =
                "not valid: the generator was the bottleneck; no figure here is a statement on the target";
            facts.push(("Verdict =", text.to_owned()));
        }
        _ if run.interrupted => {
            facts.push(("Verdict =", "stopped early: all figures are partial".to_owned()));
        }
        Status::Passed | Status::Failed | Status::Interrupted => {}
    }
    facts.push(("Seed =", run.seed.to_string()));
    facts
}

fn tasks(report: &Report, rows: &[Row], style: &Style) -> Grid {
    let mut columns =
        vec![Column::flexible("Operation"), Column::right("requests/s"), Column::right("CbdPsOps")];
    columns.extend(LEVELS.map(|level| Column::right(&format!("{} ms", level.label()))));
    columns.extend([Column::right("failed"), Column::right("skipped")]);
    let mut grid = Grid::new(columns);
    let names = report.tasks.iter().map(|task| (task.name.as_str(), task.workload.as_str()));
    for task in report.tasks.iter().filter(|task| is_shown(task)) {
        let service_rate = rows.iter().find(|row| row.name == task.name);
        let mut cells = vec![
            name::of(&task.name, &task.workload, names.clone()).into(),
            format!("{:.3}", task.rate_per_s).into(),
            service_rate.map_or("-".to_owned(), |row| row.service_rate(report.load.users)).into(),
        ];
        cells.extend(LEVELS.map(|level| level.read(&task.response_ms).text(style).into()));
        cells.extend([task.failed, task.skipped].map(|count| count.to_string().into()));
        grid.row(cells);
    }
    grid
}

fn is_shown(task: &Task) -> bool {
    task.phase == "main" && task.requests + task.skipped > 0
}
