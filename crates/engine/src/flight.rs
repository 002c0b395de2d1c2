//! How many requests are under way, summed over time: measured apart from how long each of them takes, so that
//! the two can be held against each other (Little's law).

use std::cell::Cell;
use std::time::Duration;

/// Requests under way on a thread.
#[derive(Default)]
pub(crate) struct Flight {
    now: Cell<u64>,
    /// Until when it is summed, from the start of the run.
    until: Cell<Duration>,
    /// Requests × nanoseconds.
    area: Cell<u128>,
}

impl Flight {
    /// One more since `at`.
    pub(crate) fn begin(&self, at: Duration) {
        self.sum(at);
        self.now.set(self.now.get() + 1);
    }

    /// One less since `at`.
    pub(crate) fn end(&self, at: Duration) {
        self.sum(at);
        self.now.set(self.now.get().saturating_sub(1));
    }

    /// Requests × time since this was last asked.
    pub(crate) fn take(&self, at: Duration) -> Duration {
        self.sum(at);
        let area = self.area.replace(0);
        Duration::from_nanos(u64::try_from(area).unwrap_or(u64::MAX))
    }

    fn sum(&self, at: Duration) {
        let passed = at.saturating_sub(self.until.get());
        self.area.set(self.area.get() + u128::from(self.now.get()) * passed.as_nanos());
        self.until.set(self.until.get().max(at));
    }
}
