//! Statistics against tables, theory and simulated platforms whose truth is known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod batches;
mod calibration;
mod confidence;
mod histogram;
mod little;
mod steady;
mod student;
mod trend;
