//! What was counted in a stretch of time: merges over threads, seconds and machines in any order.

use crate::connections::Connections;
use crate::failure::{Detail, Failure};
use crate::histogram::Histogram;
use crate::mix::ScenarioId;
use crate::sample::{Outcome, RowId, Sample};
use crate::starts::Arrivals;
use crate::variable::Slot;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Distinct reasons for failures that are kept; further ones are counted as one.
const REASONS_KEPT: usize = 256;
/// A request that starts later than this counts as started late.
const LATE: Duration = Duration::from_millis(1);

/// What was counted in a stretch of time.
#[derive(Clone)]
pub struct Snapshot {
    /// Start of the stretch, from the start of the run.
    pub from: Duration,
    /// Its end.
    pub to: Duration,
    /// By row of the plan.
    pub rows: Vec<RowStats>,
    /// How late requests started for which everything was ready: the generator's own delay.
    pub lag: Histogram,
    /// Requests that started late, whatever they waited for.
    pub late: u64,
    /// Starts by the clock.
    pub arrivals: Arrivals,
    /// Requests under way × time: divided by the length of the stretch it is their mean number.
    pub in_flight: Duration,
    /// Why requests failed.
    pub failures: BTreeMap<(RowId, Failure), u64>,
    /// Iterations begun, by scenario.
    pub iterations: Vec<u64>,
    /// Users that started.
    pub users_started: u64,
    /// Users that ended.
    pub users_finished: u64,
    /// Sleeps.
    pub sleeps: Sleeps,
    /// Connections.
    pub connections: Connections,
    /// CPU time of the busiest generator thread: the greatest within a second, summed over seconds.
    pub busiest: Duration,
    /// CPU time of all generator threads in this stretch.
    pub cpu: Duration,
    /// Variables whose data was used up.
    pub exhausted: BTreeSet<Slot>,
}

/// What was counted for a row.
#[derive(Clone, Default)]
pub struct RowStats {
    /// Started; those that were given up when the run was stopped are in no other count.
    pub started: u64,
    /// Of those, starts that were taken back, perhaps of an earlier stretch: they are parts of the request behind
    /// them, or there was no data for them.
    pub withdrawn: u64,
    /// Within the threshold.
    pub passed: u64,
    /// After the threshold.
    pub exceeded: u64,
    /// Not answered, or not correctly.
    pub failed: u64,
    /// Never sent, because an earlier task of the iteration failed.
    pub skipped: u64,
    /// Due by the clock, and never sent because no user was free for it before the run ended.
    pub never_started: u64,
    /// Ran into the timeout.
    pub censored: u64,
    /// Summed response times of the passed ones.
    pub passed_time: Duration,
    /// Summed response times of the exceeded ones.
    pub exceeded_time: Duration,
    /// Summed response times of the failed ones.
    pub failed_time: Duration,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Entries that searches found.
    pub entries: u64,
    /// Summed times from the send to the end, of all that ended.
    pub service_time: Duration,
    /// How long what never started waited.
    pub never_waits: Option<Box<Histogram>>,
    /// Response times of all that were answered or timed out.
    pub response: Histogram,
    /// Service times of the same.
    pub service: Histogram,
    /// Response times of the failed ones that did not time out.
    pub failed_response: Option<Box<Histogram>>,
}

/// Think times.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Sleeps {
    /// Carried out.
    pub done: u64,
    /// Left out, because an earlier task of the iteration failed.
    pub skipped: u64,
    /// Summed length of those carried out.
    pub time: Duration,
}

impl Snapshot {
    /// An empty stretch at `from` for a plan of so many rows and scenarios.
    pub fn new(rows: usize, scenarios: usize, from: Duration) -> Self {
        Self {
            from,
            to: from,
            rows: vec![RowStats::default(); rows],
            lag: Histogram::default(),
            late: 0,
            arrivals: Arrivals::default(),
            in_flight: Duration::ZERO,
            failures: BTreeMap::new(),
            iterations: vec![0; scenarios],
            users_started: 0,
            users_finished: 0,
            sleeps: Sleeps::default(),
            connections: Connections::default(),
            busiest: Duration::ZERO,
            cpu: Duration::ZERO,
            exhausted: BTreeSet::new(),
        }
    }

    /// Counts a request.
    pub fn record(&mut self, sample: Sample) {
        self.lag.record(sample.lag());
        self.late += u64::from(sample.started.saturating_sub(sample.intended) > LATE);
        self.rows[usize::from(sample.row.0)].record(&sample);
        if let Outcome::Failed(failure) = sample.outcome {
            self.count_failure((sample.row, failure), 1);
        }
    }

    /// Counts the start of a request.
    pub fn start(&mut self, row: RowId) {
        self.rows[usize::from(row.0)].started += 1;
    }

    /// Takes a start back: there was no data left for the request.
    pub fn take_back(&mut self, row: RowId, exhausted: Slot) {
        self.exhausted.insert(exhausted);
        self.withdraw(row);
    }

    /// Takes a start back: the request is a part of the one behind it.
    pub fn withdraw(&mut self, row: RowId) {
        self.rows[usize::from(row.0)].withdrawn += 1;
    }

    /// Counts a request that was not sent because an earlier one failed.
    pub fn skip(&mut self, row: RowId) {
        self.rows[usize::from(row.0)].skipped += 1;
    }

    /// Counts a request that was due and never started, after it had waited so long.
    pub fn never_start(&mut self, row: RowId, waited: Duration) {
        let row = &mut self.rows[usize::from(row.0)];
        row.never_started += 1;
        row.never_waits.get_or_insert_default().record(waited);
    }

    /// Counts the begin of an iteration.
    pub fn begin(&mut self, scenario: ScenarioId) {
        self.iterations[usize::from(scenario.0)] += 1;
    }

    /// Adds what another thread counted in the same stretch.
    pub fn merge_thread(&mut self, other: &Snapshot) {
        self.merge(other);
        self.busiest = self.busiest.max(other.busiest);
    }

    /// Adds what was counted in another stretch.
    pub fn merge_stretch(&mut self, other: &Snapshot) {
        self.merge(other);
        self.busiest += other.busiest;
    }

    fn merge(&mut self, other: &Snapshot) {
        self.from = self.from.min(other.from);
        self.to = self.to.max(other.to);
        for (row, added) in self.rows.iter_mut().zip(&other.rows) {
            row.merge(added);
        }
        self.lag.merge(&other.lag);
        self.late += other.late;
        self.arrivals.merge(&other.arrivals);
        self.in_flight += other.in_flight;
        for (key, count) in &other.failures {
            self.count_failure(key.clone(), *count);
        }
        for (sum, added) in self.iterations.iter_mut().zip(&other.iterations) {
            *sum += added;
        }
        self.users_started += other.users_started;
        self.users_finished += other.users_finished;
        self.sleeps.done += other.sleeps.done;
        self.sleeps.skipped += other.sleeps.skipped;
        self.sleeps.time += other.sleeps.time;
        self.connections.merge(&other.connections);
        self.cpu += other.cpu;
        self.exhausted.extend(&other.exhausted);
    }

    fn count_failure(&mut self, key: (RowId, Failure), count: u64) {
        let key = if self.failures.len() < REASONS_KEPT || self.failures.contains_key(&key) {
            key
        } else {
            (key.0, Failure { kind: key.1.kind, detail: Detail::Static("other reasons") })
        };
        *self.failures.entry(key).or_insert(0) += count;
    }
}

impl RowStats {
    /// passed + exceeded + failed.
    pub fn requests(&self) -> u64 {
        self.passed + self.exceeded + self.failed
    }

    fn record(&mut self, sample: &Sample) {
        let response = sample.response_time();
        self.bytes_sent += sample.bytes_sent;
        self.bytes_received += sample.bytes_received;
        self.entries += sample.entries;
        self.censored += u64::from(sample.censored);
        self.service_time += sample.service_time();
        match sample.outcome {
            Outcome::Passed => {
                self.passed += 1;
                self.passed_time += response;
            }
            Outcome::Exceeded => {
                self.exceeded += 1;
                self.exceeded_time += response;
            }
            Outcome::Failed(_) => {
                self.failed += 1;
                self.failed_time += response;
                if !sample.censored {
                    self.failed_response.get_or_insert_default().record(response);
                    return;
                }
            }
        }
        self.response.record(response);
        self.service.record(sample.service_time());
    }

    /// Adds what was counted elsewhere.
    pub(crate) fn merge(&mut self, other: &RowStats) {
        self.started += other.started;
        self.withdrawn += other.withdrawn;
        self.passed += other.passed;
        self.exceeded += other.exceeded;
        self.failed += other.failed;
        self.skipped += other.skipped;
        self.never_started += other.never_started;
        self.censored += other.censored;
        self.passed_time += other.passed_time;
        self.exceeded_time += other.exceeded_time;
        self.failed_time += other.failed_time;
        self.service_time += other.service_time;
        if let Some(waits) = &other.never_waits {
            self.never_waits.get_or_insert_default().merge(waits);
        }
        self.bytes_sent += other.bytes_sent;
        self.bytes_received += other.bytes_received;
        self.entries += other.entries;
        self.response.merge(&other.response);
        self.service.merge(&other.service);
        if let Some(failed) = &other.failed_response {
            self.failed_response.get_or_insert_default().merge(failed);
        }
    }
}
