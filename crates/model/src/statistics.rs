//! How sure a figure is, when a run is steady, and whether its figures fit together: pure functions of counts.
//!
//! Samples of a load test are not independent: a queue that is long now is long a moment later. Nothing here
//! assumes that they are; what comes in time order is cut into batches, and the batches tell.

pub mod batches;
pub mod confidence;
pub mod little;
pub mod steady;
pub mod student;
pub mod tally;
pub mod trend;

pub use batches::Batches;
pub use confidence::{Confidence, Unknown};
pub use little::Audit;
pub use steady::{Decision, WarmUp};
pub use tally::Tally;
