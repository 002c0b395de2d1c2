//! While a run lasts: a block that is redrawn in place on a terminal, a line at a time elsewhere.
//!
//! Both write to what they are given and take no notice of errors there: nobody reading along is no
//! reason to end a run.

mod block;
mod frame;
mod lines;
mod screen;

pub use block::LiveBlock;
pub use lines::LiveLines;
pub(crate) use screen::Screen;

use loadgen_model::progress::Progress;
use std::time::Duration;

/// Requests of an interval, as far as its rate tells.
fn requests_in(rate_per_s: f64, interval: Duration) -> u64 {
    (rate_per_s * interval.as_secs_f64()).round() as u64
}

/// The names of a run's tasks with their workloads.
fn names(progress: &Progress) -> impl Iterator<Item = (&str, &str)> {
    progress.tasks.iter().map(|task| (task.name.as_str(), task.workload.as_str()))
}
