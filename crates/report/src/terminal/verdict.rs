//! The verdict, what it stands on, and what to do when it is not `passed`.

use loadgen_model::Report;
use loadgen_model::report::{Status, Task};

use super::mark_of;
use crate::quantile::{Level, Reading};
use crate::{Style, name, number, prose};

/// Reasons shown; the rest are counted.
const REASONS: usize = 6;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let status = report.verdict.status;
    let mark = mark_of(status);
    let word = match status {
        Status::Passed => "PASSED",
        Status::Failed => "FAILED",
        Status::Invalid => "INVALID",
        Status::Interrupted => "INTERRUPTED",
    };
    let lead = format!("VERDICT  {word} {}  ", style.symbol(mark));
    let mut lines = prose::hang(&lead, &headline(report), style);
    let shown = format!("{word} {}", style.symbol(mark));
    lines[0] = lines[0].replacen(&shown, &style.paint(mark, &shown), 1);
    if status == Status::Passed {
        return lines;
    }
    for reason in report.verdict.reasons.iter().take(REASONS) {
        lines.extend(reason_lines(reason, report, style));
    }
    let more = report.verdict.reasons.len().saturating_sub(REASONS);
    if more > 0 {
        lines.push(format!("         {} and {more} more", style.ellipsis()));
    }
    if status == Status::Invalid {
        let advice = "to do: give the generator more CPU or threads, or ask for less load, and run again";
        lines.extend(prose::hang("         ", advice, style));
    }
    lines
}

fn reason_lines(reason: &str, report: &Report, style: &Style) -> Vec<String> {
    let mark = mark_of(report.verdict.status);
    let lead = format!("         {} ", style.symbol(mark));
    let mut lines = prose::hang(&lead, reason, style);
    lines[0] = lines[0].replacen(style.symbol(mark), &style.mark(mark), 1);
    lines
}

fn headline(report: &Report) -> String {
    let totals = &report.totals;
    let requests = format!("{} requests", number::count(totals.requests));
    let elapsed = number::seconds(report.run.elapsed_s);
    let rate = number::significant(totals.rate_per_s);
    match report.verdict.status {
        Status::Invalid => {
            format!("{requests} in {elapsed}; the generator was the bottleneck, not the target")
        }
        Status::Interrupted => {
            format!("{requests} in {elapsed}, {rate}/s; stopped early, the figures are partial")
        }
        Status::Passed | Status::Failed => {
            let failed = match totals.failed + totals.skipped {
                0 => String::new(),
                _ => format!(", {} failed", number::percent_of(totals.failed, totals.requests)),
            };
            let early = if report.run.interrupted { "; stopped early, the figures are partial" } else { "" };
            format!("{requests} in {elapsed}, {rate}/s{failed}{}{early}", slowest(report))
        }
    }
}

/// The highest known p99 of a task: the one that an objective on latency would speak of.
fn slowest(report: &Report) -> String {
    let known = |task: &Task| match Level::P99.read(&task.response_ms) {
        Reading::Known(value) => Some(value),
        _ => None,
    };
    let tasks = report.tasks.iter().filter(|task| task.phase == "main");
    let names = report.tasks.iter().map(|task| (task.name.as_str(), task.workload.as_str()));
    tasks
        .filter_map(|task| known(task).map(|value| (value, task)))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(value, task)| {
            let name = name::of(&task.name, &task.workload, names);
            format!(", p99 {} ms ({name})", number::significant(value))
        })
        .unwrap_or_default()
}
