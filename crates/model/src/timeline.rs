//! A run second by second: the whole of it, its steady window, and a bounded number of intervals.

use crate::histogram::{Histogram, Packed};
use crate::report::Interval;
use crate::series::{Join, Series};
use crate::snapshot::{RowStats, Snapshot};
use crate::statistics::{Batches, Tally};
use crate::window::Window;
use std::time::Duration;

/// Intervals kept, so that the longest run stays small.
const INTERVALS_KEPT: usize = 1_200;
/// Counts of a row kept to see how they vary.
const TALLIES_KEPT: usize = 120;

/// A run second by second.
pub struct Timeline {
    whole: Snapshot,
    steady: Option<Snapshot>,
    /// By row of the plan: what was due in the steady window and ended after the run was over by its plan.
    drained: Vec<RowStats>,
    window: Window,
    /// By row of the plan: how its figures varied over the steady window.
    courses: Vec<Course>,
    /// Arrivals that were due and not begun, and for how many ticks that has grown.
    backlog: Backlog,
    finished: u64,
    started: u64,
    intervals: Series<Entry>,
}

/// An interval with its histogram, so that two can become one without averaging a percentile.
struct Entry {
    counts: Interval,
    from: Duration,
    to: Duration,
    response: Packed,
}

impl Timeline {
    /// An empty run.
    pub fn new(rows: usize, scenarios: usize, window: Window) -> Self {
        Self {
            whole: Snapshot::new(rows, scenarios, Duration::ZERO),
            steady: None,
            drained: vec![RowStats::default(); rows],
            window,
            courses: vec![Course::default(); rows],
            backlog: Backlog::default(),
            finished: 0,
            started: 0,
            intervals: Series::new(INTERVALS_KEPT),
        }
    }

    /// Adds the next stretch, merged over all threads.
    pub fn add(&mut self, tick: &Snapshot) {
        self.whole.merge_stretch(tick);
        self.started += tick.users_started;
        let all_at_work = self.window.was_changed()
            || self.finished == 0 && (tick.users_finished == 0 || self.window.ends_with(tick));
        self.finished += tick.users_finished;
        self.backlog.add(tick);
        let is_steady = self.window.holds(tick) && all_at_work;
        if is_steady {
            match &mut self.steady {
                Some(steady) => steady.merge_stretch(tick),
                None => self.steady = Some(tick.clone()),
            }
            for (course, row) in self.courses.iter_mut().zip(&tick.rows) {
                course.add(row);
            }
        }
        if !is_steady && self.steady.is_some() && self.window.is_over_in(tick) {
            for (row, late) in self.drained.iter_mut().zip(&tick.rows) {
                row.merge(late);
            }
        }
        self.intervals.push(Entry::of(tick, self.started - self.finished));
    }

    /// What became of the requests of a row that were due in the steady window: those that ended after it are the
    /// slow ones, and those that never started are only known at the end of the run. Their waits are response times.
    pub fn due_in_steady(&self, row: usize) -> RowStats {
        let whole = &self.whole.rows[row];
        let mut stats = self.steady().rows[row].clone();
        if self.steady.is_some() {
            stats.merge(&self.drained[row]);
            stats.never_started = whole.never_started;
        }
        if let Some(waits) = &whole.never_waits {
            stats.response.merge(waits);
        }
        stats
    }

    /// The load was changed by hand at `at`; `pauses` when there is none from then on.
    pub fn change(&mut self, at: Duration, pauses: bool) {
        self.window.change(at, pauses);
    }

    /// Whether the stretch that was added last belongs to the steady window.
    pub fn is_steady(&self) -> bool {
        self.steady.as_ref().is_some_and(|steady| steady.to == self.whole.to)
    }

    /// The steady window as it was asked for, and what was found of it.
    pub fn window(&self) -> &Window {
        &self.window
    }

    /// How the figures of a row varied over the steady window.
    pub fn course(&self, row: usize) -> &Course {
        &self.courses[row]
    }

    /// Adds what set-up or tear-down counted: it belongs to the run, but not to its time.
    pub fn add_aside(&mut self, mut counts: Snapshot) {
        counts.from = self.whole.from;
        counts.to = self.whole.to;
        self.whole.merge_stretch(&counts);
    }

    /// The whole run.
    pub fn whole(&self) -> &Snapshot {
        &self.whole
    }

    /// The steady window: all users at work, warm-up over. The whole run when it was too short for one.
    pub fn steady(&self) -> &Snapshot {
        self.steady.as_ref().unwrap_or(&self.whole)
    }

    /// Whether there was a steady window.
    pub fn has_steady_window(&self) -> bool {
        self.steady.is_some()
    }

    /// The longest time for which arrivals that found no user grew in number.
    pub fn backlog_grew_for(&self) -> Duration {
        self.backlog.longest
    }

    /// Arrivals that are due and wait for a user now.
    pub fn backlog(&self) -> u64 {
        self.backlog.waiting
    }

    /// Users at work now.
    pub fn users(&self) -> u64 {
        self.started - self.finished
    }

    /// The run in intervals.
    pub fn intervals(&self) -> Vec<Interval> {
        self.intervals.iter().map(Entry::interval).collect()
    }
}

/// How the figures of a row varied over the steady window: what an interval of confidence is made of.
#[derive(Clone)]
pub struct Course {
    /// Response times of stretches of equal length, in time order.
    pub response: Batches,
    counts: Series<Counts>,
}

/// Outcomes in a stretch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    requests: u64,
    failed: u64,
    exceeded: u64,
}

impl Default for Course {
    fn default() -> Self {
        Self { response: Batches::default(), counts: Series::new(TALLIES_KEPT) }
    }
}

impl Course {
    fn add(&mut self, row: &RowStats) {
        self.response.push(&row.response);
        self.counts.push(Counts { requests: row.requests(), failed: row.failed, exceeded: row.exceeded });
    }

    /// Failed ones of all, by stretch.
    pub fn failed(&self) -> Vec<Tally> {
        self.counts.iter().map(|counts| Tally::share(counts.failed, counts.requests)).collect()
    }

    /// Those over their threshold of all, by stretch.
    pub fn exceeded(&self) -> Vec<Tally> {
        self.counts.iter().map(|counts| Tally::share(counts.exceeded, counts.requests)).collect()
    }
}

impl Join for Counts {
    fn join(self, later: Self) -> Self {
        Self {
            requests: self.requests + later.requests,
            failed: self.failed + later.failed,
            exceeded: self.exceeded + later.exceeded,
        }
    }
}

impl Entry {
    fn of(tick: &Snapshot, users: u64) -> Self {
        let sum = |count: fn(&RowStats) -> u64| tick.rows.iter().map(count).sum();
        let mut response = Histogram::with_digits(2);
        for row in &tick.rows {
            response.absorb(&row.response);
        }
        Self {
            counts: Interval {
                users,
                requests: sum(RowStats::requests),
                passed: sum(|row| row.passed),
                exceeded: sum(|row| row.exceeded),
                failed: sum(|row| row.failed),
                skipped: sum(|row| row.skipped),
                bytes_sent: sum(|row| row.bytes_sent),
                bytes_received: sum(|row| row.bytes_received),
                ..Interval::default()
            },
            from: tick.from,
            to: tick.to,
            response: response.pack(),
        }
    }

    fn interval(&self) -> Interval {
        let response = self.response.unpack();
        let length_s = self.to.saturating_sub(self.from).as_secs_f64();
        Interval {
            t_s: self.to.as_secs_f64(),
            length_s,
            rate_per_s: per_second(self.counts.requests, length_s),
            p50_ms: response.quantile_ms(0.5),
            p99_ms: response.quantile_ms(0.99),
            max_ms: response.max().as_secs_f64() * 1e3,
            ..self.counts.clone()
        }
    }
}

/// Arrivals that are due and not begun.
#[derive(Default)]
struct Backlog {
    waiting: u64,
    growing: Duration,
    longest: Duration,
}

impl Backlog {
    fn add(&mut self, tick: &Snapshot) {
        let arrivals = &tick.arrivals;
        let waiting = (self.waiting + arrivals.due).saturating_sub(arrivals.begun + arrivals.never_begun);
        let grows = waiting > self.waiting && arrivals.never_begun == 0;
        self.growing = if grows { self.growing + tick.to.saturating_sub(tick.from) } else { Duration::ZERO };
        self.longest = self.longest.max(self.growing);
        self.waiting = waiting;
    }
}

impl Join for Entry {
    fn join(self, later: Entry) -> Entry {
        let mut response = self.response.unpack();
        response.merge(&later.response.unpack());
        let (a, b) = (self.counts, later.counts);
        Entry {
            counts: Interval {
                users: b.users,
                requests: a.requests + b.requests,
                passed: a.passed + b.passed,
                exceeded: a.exceeded + b.exceeded,
                failed: a.failed + b.failed,
                skipped: a.skipped + b.skipped,
                bytes_sent: a.bytes_sent + b.bytes_sent,
                bytes_received: a.bytes_received + b.bytes_received,
                ..Interval::default()
            },
            from: self.from,
            to: later.to,
            response: response.pack(),
        }
    }
}

/// A count per second; 0 for a stretch of no length.
pub fn per_second(count: u64, seconds: f64) -> f64 {
    if seconds > 0.0 { count as f64 / seconds } else { 0.0 }
}
