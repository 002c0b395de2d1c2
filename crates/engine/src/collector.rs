//! Merges what the threads counted, second by second, and tells where the run stands.

use loadgen_model::churn::Purge;
use loadgen_model::objective::Watches;
use loadgen_model::plan::{Phase, Plan};
use loadgen_model::progress::{Counts, Progress, TaskProgress};
use loadgen_model::snapshot::{RowStats, Snapshot};
use loadgen_model::timeline::{Timeline, per_second};
use loadgen_model::window::Window;
use loadgen_model::{Load, histogram::Histogram};
use std::collections::VecDeque;
use std::time::Duration;

/// Merges what the threads counted.
pub(crate) struct Collector {
    threads: Vec<Thread>,
    pub(crate) timeline: Timeline,
    /// The objectives.
    pub(crate) watches: Watches,
}

/// What else is known of where a run stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// Whether it was asked to stop.
    pub(crate) stopping: bool,
    /// How far deleting what it added is.
    pub(crate) purge: Option<Purge>,
}

#[derive(Default)]
struct Thread {
    waiting: VecDeque<Snapshot>,
    done: bool,
}

impl Collector {
    pub(crate) fn new(plan: &Plan, threads: usize) -> Self {
        Self {
            threads: (0..threads).map(|_| Thread::default()).collect(),
            timeline: Timeline::new(plan.rows.len(), plan.scenarios.len(), Window::of(plan)),
            watches: Watches::new(plan),
        }
    }

    /// Takes a thread's counts of a second, or its last ones.
    pub(crate) fn take(&mut self, thread: usize, counts: Snapshot, done: bool) {
        self.threads[thread].waiting.push_back(counts);
        self.threads[thread].done = done;
    }

    /// Whether all threads have told their last.
    pub(crate) fn is_done(&self) -> bool {
        self.threads.iter().all(|thread| thread.done && thread.waiting.is_empty())
    }

    /// The next second that all threads have told of, added to the timeline.
    pub(crate) fn merge(&mut self) -> Option<Snapshot> {
        if self.threads.iter().any(|thread| thread.waiting.is_empty() && !thread.done) {
            return None;
        }
        let mut parts = self.threads.iter_mut().filter_map(|thread| thread.waiting.pop_front());
        let mut second = parts.next()?;
        for part in parts {
            second.merge_thread(&part);
        }
        second.arrivals.close(second.to.saturating_sub(second.from));
        self.timeline.add(&second);
        Some(second)
    }

    /// Looks at the objectives after this second. Some reason when the run is to stop.
    pub(crate) fn watch(&mut self, plan: &Plan, second: &Snapshot) -> Option<String> {
        self.watches.add(plan, second, &self.timeline)
    }

    fn phase(&self, second: &Snapshot, standing: &Standing) -> &'static str {
        let window = self.timeline.window();
        let Standing { stopping, purge } = *standing;
        match second.to {
            _ if purge.is_some() => "purge",
            _ if stopping => "drain",
            now if now <= window.begins() => "ramp",
            _ if window.is_searching() => "warm-up",
            _ => "steady",
        }
    }

    /// Where the run stands after this second.
    pub(crate) fn progress(&self, plan: &Plan, second: &Snapshot, standing: &Standing) -> Progress {
        let interval = second.to.saturating_sub(second.from);
        let whole = self.timeline.whole();
        let mut all = Histogram::default();
        let mut totals = Counts::default();
        let mut now = Counts::default();
        let mut tasks = Vec::new();
        for ((row, stats), sum) in plan.rows.iter().zip(&second.rows).zip(&whole.rows) {
            if row.phase != Phase::Main {
                continue;
            }
            all.merge(&stats.response);
            add(&mut totals, &counts(sum));
            add(&mut now, &counts(stats));
            tasks.push(TaskProgress {
                name: row.task.clone(),
                workload: row.workload.clone(),
                threshold_ms: row.threshold.map(|limit| limit.as_secs_f64() * 1e3),
                ..times(counts(sum), stats.requests(), &stats.response, interval)
            });
        }
        let rate_per_s = per_second(now.requests(), interval.as_secs_f64());
        Progress {
            elapsed: second.to,
            interval,
            phase: self.phase(second, standing),
            purge: standing.purge,
            done: done(plan, whole),
            users: self.timeline.users(),
            users_planned: plan.users(),
            rate_per_s,
            totals,
            interval_totals: times(now, now.requests(), &all, interval),
            tasks,
            cpu_share: second.busiest.as_secs_f64() / interval.as_secs_f64().max(1e-9),
            lag_p99_ms: second.lag.quantile_ms(0.99),
        }
    }
}

/// Share of the plan that is done: of its time or of its iterations, whichever is further.
fn done(plan: &Plan, whole: &Snapshot) -> Option<f64> {
    let shares = plan.groups.iter().filter_map(|group| {
        let share = |length: Duration| whole.to.as_secs_f64() / length.as_secs_f64();
        let by_time = group.load.length().map(share);
        let planned = match &group.load {
            Load::Closed(closed) => {
                let each = group.mix.iterations().or(closed.until.iterations);
                each.map(|each| each.saturating_mul(closed.users))
            }
            Load::Open(open) => open.most,
            _ => None,
        };
        let begun: u64 = group.mix.scenarios().iter().map(|id| whole.iterations[usize::from(id.0)]).sum();
        let by_count = planned.map(|planned| begun as f64 / planned as f64);
        by_time.into_iter().chain(by_count).reduce(f64::max)
    });
    // The run is as far as the group that has furthest to go.
    shares.reduce(f64::min).map(|share| share.min(1.0))
}

fn counts(stats: &RowStats) -> Counts {
    Counts { passed: stats.passed, exceeded: stats.exceeded, failed: stats.failed, skipped: stats.skipped }
}

fn add(sum: &mut Counts, more: &Counts) {
    sum.passed += more.passed;
    sum.exceeded += more.exceeded;
    sum.failed += more.failed;
    sum.skipped += more.skipped;
}

fn times(counts: Counts, requests: u64, response: &Histogram, interval: Duration) -> TaskProgress {
    TaskProgress {
        counts,
        rate_per_s: per_second(requests, interval.as_secs_f64()),
        p50_ms: response.quantile_ms(0.5),
        p99_ms: response.quantile_ms(0.99),
        max_ms: response.max().as_secs_f64() * 1e3,
        ..TaskProgress::default()
    }
}
