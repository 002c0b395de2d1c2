//! The end summary: the verdict first, then what it rests on, in at most 40 lines for six tasks.
//!
//! Order: verdict and reasons, objectives, tasks, load, failures, generator, notes, which run. No line is
//! wider than the style; the table of tasks gives way as `grid` says: bytes first, then p95, then p99.9.

mod failures;
mod health;
mod load;
mod objectives;
mod run;
mod tasks;
mod verdict;

use loadgen_model::Report;
use loadgen_model::report::Status;

use crate::Style;
use crate::style::Mark;

/// The end summary of a run, ending with a line break.
pub fn summary(report: &Report, style: &Style) -> String {
    let blocks = [
        verdict::lines(report, style),
        objectives::lines(report, style),
        tasks::lines(report, style),
        load::lines(report, style),
        failures::lines(report, style),
        [health::lines(report, style), run::lines(report, style)].concat(),
    ];
    let mut text = String::new();
    for block in blocks.iter().filter(|block| !block.is_empty()) {
        if !text.is_empty() {
            text.push('\n');
        }
        for line in block {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

/// The blanks that a block's label takes up.
const INDENT: &str = "           ";

/// A label in front of a block's lines, as wide as the indent.
fn label(text: &str) -> String {
    format!("{text:<width$}", width = INDENT.len())
}

fn mark_of(status: Status) -> Mark {
    match status {
        Status::Passed => Mark::Passed,
        Status::Failed => Mark::Failed,
        Status::Invalid => Mark::Unknown,
        Status::Interrupted => Mark::Warning,
    }
}
