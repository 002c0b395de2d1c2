//! One request that was due: when, and what became of it.

use crate::failure::Failure;
use std::time::Duration;

/// Index of a row in [`crate::Plan::rows`]: what a sample is counted under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowId(pub u16);

/// One request. Times count from the start of the run; `intended ≤ ready ≤ started ≤ finished`.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// What it is counted under.
    pub row: RowId,
    /// When it was due.
    pub intended: Duration,
    /// When everything was ready for it: when it was due, or when a user was free for it if that was later.
    pub ready: Duration,
    /// When it began: just before the connection is opened or the first byte is sent.
    pub started: Duration,
    /// When the last byte of its last response had come, or it was given up.
    pub finished: Duration,
    /// What became of it.
    pub outcome: Outcome,
    /// Whether it ran into its timeout: its true time is longer than the recorded one.
    pub censored: bool,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Entries that a search found.
    pub entries: u64,
}

/// What became of a request: the three-way split of the original LoadGen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Answered correctly within the threshold.
    Passed,
    /// Answered correctly, but after the threshold; or, in a job of the original format, timed out.
    Exceeded,
    /// Not answered, or not correctly.
    Failed(Failure),
}

impl Sample {
    /// From the intended start to the end.
    pub fn response_time(&self) -> Duration {
        self.finished.saturating_sub(self.intended)
    }

    /// From the send to the end.
    pub fn service_time(&self) -> Duration {
        self.finished.saturating_sub(self.started)
    }

    /// How late the generator started it: what it waited for a user to be free is not in it.
    pub fn lag(&self) -> Duration {
        self.started.saturating_sub(self.ready)
    }
}
