//! Where results go while a run lasts and when it ends.

use crate::{Progress, Report, Snapshot};

/// A receiver of results: terminal, file, page. Implementations live outside of this crate.
pub trait Sink {
    /// A second of the run has passed.
    fn progress(&mut self, _progress: &Progress) {}

    /// What was counted in a second of the run; the last one is shorter.
    fn second(&mut self, _second: &Snapshot) {}

    /// Something that the user should know at once, such as a stop that was asked for.
    fn notice(&mut self, _message: &str) {}

    /// The run is over. An error must leave what was written before intact.
    fn finish(&mut self, _report: &Report) -> Result<(), SinkError> {
        Ok(())
    }
}

/// A result that could not be delivered.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {what}: {cause}; {advice}")]
pub struct SinkError {
    /// The file or stream.
    pub what: String,
    /// What the system said.
    pub cause: std::io::Error,
    /// What to do.
    pub advice: String,
}
