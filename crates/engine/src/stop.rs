//! When and how a run is to end before its plan does.

use std::cell::Cell;
use tokio::time::Instant;

/// What the users of a thread look at before each step.
#[derive(Default)]
pub(crate) struct Stop {
    requested: Cell<bool>,
}

impl Stop {
    /// Asks all users to end after the request that they are at.
    pub(crate) fn request(&self) {
        self.requested.set(true);
    }

    /// Whether all users were asked to end.
    pub(crate) fn is_requested(&self) -> bool {
        self.requested.get()
    }

    /// Whether a user is to end now.
    pub(crate) fn is_due(&self, end: Option<Instant>, now: Instant) -> bool {
        self.requested.get() || end.is_some_and(|end| now >= end)
    }
}
