//! The steady window of a run: from the end of ramp and warm-up until the load fades or the first user is done.

use crate::load::WarmUp;
use crate::plan::Plan;
use crate::snapshot::{RowStats, Snapshot};
use crate::statistics::steady::{self, Decision};
use std::time::Duration;

/// The steady window of a run.
#[derive(Debug, Clone, Default)]
pub struct Window {
    /// When the ramp and a fixed warm-up are over.
    from: Duration,
    /// When the load begins to fade; never when none.
    to: Option<Duration>,
    /// When the run ends by its plan; when its users are done when none.
    end: Option<Duration>,
    /// Finds the end of a warm-up that was not fixed.
    search: Option<Box<Search>>,
    /// When the load was changed by hand, and whether it then paused.
    changes: Vec<(Duration, bool)>,
}

/// What was in flight before a change of the load, and what users did, is over after this.
const SETTLING: Duration = Duration::from_secs(5);

/// The last stretch of a run may be longer than its plan by this: threads tell of it when its last answers have come.
const LAST_ANSWERS: Duration = Duration::from_millis(100);

/// Watches whether the platform has warmed up.
#[derive(Debug, Clone, Default)]
struct Search {
    detector: steady::WarmUp,
    /// The window of the detector that is being filled.
    begun: Option<Duration>,
    requests: u64,
    time: Duration,
    /// When it was decided, and how.
    decided: Option<(Duration, Decision)>,
}

impl Window {
    /// From `from` until `to`.
    pub fn fixed(from: Duration, to: Option<Duration>) -> Self {
        Self { from, to, end: None, search: None, changes: Vec::new() }
    }

    /// The one that all loads of a plan have in common.
    pub fn of(plan: &Plan) -> Self {
        let loads = || plan.groups.iter().map(|group| &group.load);
        Self {
            from: loads().map(crate::Load::steady_from).max().unwrap_or_default(),
            to: loads().filter_map(crate::Load::steady_to).min(),
            end: loads().filter_map(crate::Load::length).min(),
            search: loads().any(|load| load.warm_up() == WarmUp::Auto).then(Box::default),
            changes: Vec::new(),
        }
    }

    /// Whether a stretch belongs to the window; stretches are asked for in their order.
    pub(crate) fn holds(&mut self, tick: &Snapshot) -> bool {
        if tick.from < self.from {
            return false;
        }
        let found = self.search.as_mut().is_none_or(|search| search.add(tick));
        found && self.to.is_none_or(|to| tick.to <= to) && !self.is_unsettled(tick)
    }

    /// The load was changed by hand at `at`.
    pub(crate) fn change(&mut self, at: Duration, pauses: bool) {
        self.changes.push((at, pauses));
    }

    /// Whether the load was changed by hand: users may then come and go.
    pub(crate) fn was_changed(&self) -> bool {
        !self.changes.is_empty()
    }

    fn is_unsettled(&self, tick: &Snapshot) -> bool {
        let last = self.changes.iter().rev().find(|(at, _)| *at < tick.to);
        last.is_some_and(|(at, pauses)| *pauses || tick.from < *at + SETTLING)
    }

    /// Whether the run ends by its plan with this stretch: users that are then done were at work in all of it.
    pub(crate) fn ends_with(&self, tick: &Snapshot) -> bool {
        self.end.is_some_and(|end| (end..=end + LAST_ANSWERS).contains(&tick.to))
    }

    /// Whether the run is over by its plan in this stretch: what ends in it was due before.
    pub(crate) fn is_over_in(&self, tick: &Snapshot) -> bool {
        self.end.is_some_and(|end| tick.to >= end)
    }

    /// When the ramp and a fixed warm-up are over.
    pub fn begins(&self) -> Duration {
        self.search.as_ref().and_then(|search| search.decided).map_or(self.from, |(at, _)| at)
    }

    /// How the search for the end of the warm-up ended; none when there was none or it never did.
    pub fn decision(&self) -> Option<Decision> {
        self.search.as_ref().and_then(|search| search.decided).map(|(_, decision)| decision)
    }

    /// Whether the end of the warm-up is still searched for.
    pub fn is_searching(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.decided.is_none())
    }
}

impl Search {
    /// Adds a stretch; true when it comes after the decision.
    fn add(&mut self, tick: &Snapshot) -> bool {
        if self.decided.is_some() {
            return true;
        }
        let begun = *self.begun.get_or_insert(tick.from);
        let sum = |part: fn(&RowStats) -> Duration| tick.rows.iter().map(part).sum::<Duration>();
        self.requests += tick.rows.iter().map(RowStats::requests).sum::<u64>();
        self.time += sum(|row| row.passed_time + row.exceeded_time + row.failed_time);
        let length = tick.to.saturating_sub(begun);
        if length >= steady::WINDOW {
            let rate = self.requests as f64 / length.as_secs_f64();
            let mean = self.time.as_secs_f64() / self.requests.max(1) as f64;
            self.decided = self.detector.observe(rate, mean).map(|decision| (tick.to, decision));
            (self.begun, self.requests, self.time) = (None, 0, Duration::ZERO);
        }
        false
    }
}
