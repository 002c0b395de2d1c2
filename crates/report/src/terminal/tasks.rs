//! The table of tasks: how many, how fast, how they ended. Set-up and tear-down stand apart below.

use loadgen_model::Report;
use loadgen_model::report::{Status, Task};

use crate::grid::{Cell, Column, Grid};
use crate::quantile::{self, Level};
use crate::style::Mark;
use crate::{Style, name, number, prose};

/// Response and service time part when the one is so much longer, and by so many ms.
const PARTED_RATIO: f64 = 1.1;
const PARTED_MS: f64 = 1.0;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    if report.tasks.is_empty() {
        return Vec::new();
    }
    let (main, apart): (Vec<_>, Vec<_>) = report.tasks.iter().partition(|task| task.phase == "main");
    let mut grid = Grid::new(columns());
    for task in &main {
        grid.row(row(task, report, style));
    }
    for (phase, heading) in [("setup", "set-up"), ("teardown", "tear-down")] {
        let tasks: Vec<_> = apart.iter().filter(|task| task.phase == phase).collect();
        if !tasks.is_empty() {
            grid.heading(&format!("  {heading}"));
        }
        for task in tasks {
            grid.row(row(task, report, style));
        }
    }
    let mut lines = grid.lines(style);
    if is_withheld(report) {
        let note = "?: withheld, the generator's own delays are in these times; a JSON report has them";
        lines.extend(prose::hang("  ", note, style));
    } else {
        let times = report.tasks.iter().map(|task| &task.response_ms);
        for note in quantile::legend(&Level::ALL, &times, style) {
            lines.extend(prose::hang("  ", &note, style));
        }
        if let Some(note) = parted(&main) {
            lines.extend(prose::hang("  ", &note, style));
        }
    }
    lines
}

/// Where the time since a request was due and the time since it was sent part: what users waited for before.
fn parted(tasks: &[&Task]) -> Option<String> {
    let waited = |task: &Task| task.response_ms.p99 - task.service_ms.p99;
    let parts =
        |task: &&&Task| waited(task) > PARTED_MS && task.response_ms.p99 > PARTED_RATIO * task.service_ms.p99;
    let task = tasks.iter().filter(parts).max_by(|a, b| waited(a).total_cmp(&waited(b)))?;
    Some(format!(
        "{}: p99 is {} since it was due and {} since it was sent: the rest it waited before it could be sent",
        task.name,
        number::millis(task.response_ms.p99),
        number::millis(task.service_ms.p99),
    ))
}

/// What leaves first when the line is narrow has the lowest number.
fn columns() -> Vec<Column> {
    vec![
        Column::left(""),
        Column::flexible("TASKS (ms)"),
        Column::right("count"),
        Column::right("rate/s").leaves(6),
        Column::right("p50"),
        Column::right("p90").leaves(4),
        Column::right("p95").leaves(1),
        Column::right("p99"),
        Column::right("p99.9").leaves(3),
        Column::right("max").leaves(5),
        Column::right("sent p99").leaves(2),
        Column::right("passed"),
        Column::right("exceeded"),
        Column::right("failed"),
        Column::right("skipped"),
        Column::right("bytes").leaves(0),
    ]
}

fn row(task: &Task, report: &Report, style: &Style) -> Vec<Cell> {
    let names = report.tasks.iter().map(|task| (task.name.as_str(), task.workload.as_str()));
    let mark = match task {
        Task { requests: 0, .. } => Mark::Unknown,
        Task { failed: 1.., .. } => Mark::Failed,
        Task { exceeded: 1.., .. } | Task { skipped: 1.., .. } => Mark::Warning,
        _ => Mark::Passed,
    };
    let mut cells: Vec<Cell> = vec![
        Cell::marked(style.symbol(mark), mark),
        name::of(&task.name, &task.workload, names).into(),
        number::count(task.requests).into(),
        number::significant(task.rate_per_s).into(),
    ];
    cells.extend(times(task, is_withheld(report), style));
    cells.extend(
        [task.passed, task.exceeded, task.failed, task.skipped].map(|count| number::count(count).into()),
    );
    cells.push(number::bytes(task.bytes_sent.saturating_add(task.bytes_received)).into());
    cells
}

/// Times that the generator itself delayed are not shown.
fn is_withheld(report: &Report) -> bool {
    report.verdict.status == Status::Invalid
}

/// Response times, which count from when a request was due, and the p99 of the time since it was sent.
fn times(task: &Task, withheld: bool, style: &Style) -> Vec<Cell> {
    let times = &task.response_ms;
    let shown = Level::ALL.into_iter().map(|level| level.read(times));
    let shown = shown.chain([quantile::longest(times), Level::P99.read(&task.service_ms)]);
    shown.map(|reading| if withheld { "?".into() } else { reading.text(style).into() }).collect()
}
