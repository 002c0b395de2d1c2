//! Where a run stands: what the live display reads each second.

use std::time::Duration;

/// Where a run stands at the end of an interval.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Progress {
    /// Since the start of the run.
    pub elapsed: Duration,
    /// Length of the last interval.
    pub interval: Duration,
    /// `set-up`, `ramp`, `steady`, `drain`, `purge` or `tear-down`.
    pub phase: &'static str,
    /// How far deleting what was added is; none before it begins.
    pub purge: Option<crate::churn::Purge>,
    /// Share of the plan that is done, 0–1; none when it cannot be known.
    pub done: Option<f64>,
    /// Users at work now.
    pub users: u64,
    /// Users that the plan asks for.
    pub users_planned: u64,
    /// Requests a second in the last interval.
    pub rate_per_s: f64,
    /// All tasks together, since the start.
    pub totals: Counts,
    /// All tasks together, in the last interval.
    pub interval_totals: TaskProgress,
    /// Each task that was asked for so far.
    pub tasks: Vec<TaskProgress>,
    /// Busiest generator thread in the last interval, 0–1.
    pub cpu_share: f64,
    /// 99th percentile of lag in the last interval, ms.
    pub lag_p99_ms: f64,
}

/// Outcomes so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Within the threshold.
    pub passed: u64,
    /// After the threshold.
    pub exceeded: u64,
    /// Not answered, or not correctly.
    pub failed: u64,
    /// Never sent, because an earlier task of the iteration failed.
    pub skipped: u64,
}

impl Counts {
    /// passed + exceeded + failed.
    pub fn requests(&self) -> u64 {
        self.passed + self.exceeded + self.failed
    }
}

/// One task, for the live display.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskProgress {
    /// The task.
    pub name: String,
    /// Its workload.
    pub workload: String,
    /// Its threshold, ms.
    pub threshold_ms: Option<f64>,
    /// Since the start.
    pub counts: Counts,
    /// Requests a second in the last interval.
    pub rate_per_s: f64,
    /// Median response time in the last interval, ms.
    pub p50_ms: f64,
    /// 99th percentile in the last interval, ms.
    pub p99_ms: f64,
    /// Longest in the last interval, ms.
    pub max_ms: f64,
}
