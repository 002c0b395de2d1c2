//! What a load test is, as data and pure functions, in reading order: a plan (what), a load (when),
//! samples and snapshots (how long did it take), and the report (so what).
//!
//! Nothing here reads a clock, a file, a socket or the environment; random numbers come from a seed.

pub mod arrivals;
pub(crate) mod audit;
pub mod capture;
pub mod check;
pub mod churn;
pub mod connections;
pub mod diagnostic;
pub mod expectation;
pub mod failure;
pub mod format;
pub mod histogram;
pub mod json_path;
pub mod ldap;
pub mod ldif;
pub mod load;
pub mod mix;
pub mod objective;
mod permutation;
pub mod plan;
pub mod profile;
pub mod progress;
pub mod report;
pub mod request;
pub mod response;
pub mod sample;
pub(crate) mod series;
pub mod sink;
pub mod snapshot;
pub mod starts;
pub mod statistics;
pub mod store;
pub mod summary;
pub mod template;
pub mod timeline;
pub mod variable;
pub mod verdict;
pub mod window;

pub use arrivals::{Arrival, Arrivals, Process};
pub use capture::Capture;
pub use check::Check;
pub use churn::Churn;
pub use diagnostic::Diagnostic;
pub use failure::{Failure, FailureKind};
pub use load::{Closed, Load, Open, Ramp, ThinkTime, Until};
pub use mix::Mix;
pub use plan::{Plan, Scenario, Step};
pub use profile::{Profile, Stage};
pub use progress::Progress;
pub use report::Report;
pub use request::Request;
pub use sample::{Outcome, Sample};
pub use sink::Sink;
pub use snapshot::Snapshot;
pub use template::Template;
pub use timeline::Timeline;
pub use variable::Variable;
