//! What the platform is told to do: service times, servers, stalls and faults, as data.
//!
//! [`simulation`] acts on it. Neither knows of a socket or a clock.

mod parse;
mod queue;
mod service_time;
mod simulation;
mod stall;

pub use self::parse::BehaviorError;
pub(crate) use self::service_time::ServiceTime;
pub(crate) use self::simulation::{Fault, Simulation};
pub(crate) use self::stall::{Stall, Stalls};
use crate::operation::Operation;

/// How the simulated platform behaves: its service times, capacity, stalls and faults.
///
/// The default answers everything at once and never fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Behavior {
    /// Servers that all operations share; `None` for as many as there are requests.
    pub(crate) servers: Option<u32>,
    /// What holds where an operation's own settings are silent.
    pub(crate) general: Settings,
    /// One for each operation, by its number.
    pub(crate) operations: [Settings; Operation::COUNT],
    /// Times without work.
    pub(crate) stalls: Vec<Stall>,
    /// A connection is closed after so many answers.
    pub(crate) close_after: Option<u64>,
}

/// The settings of one operation, or of all; `None` where nothing was said.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Settings {
    /// Distribution of the time in service.
    pub(crate) service_time: Option<ServiceTime>,
    /// Servers of its own.
    pub(crate) servers: Option<u32>,
    /// Share of requests answered 503, or busy, 0 to 1.
    pub(crate) errors: Option<f64>,
    /// Share of requests whose connection is closed instead, 0 to 1.
    pub(crate) drops: Option<f64>,
}

impl Default for Behavior {
    fn default() -> Self {
        Self {
            servers: None,
            general: Settings::default(),
            operations: [Settings::default(); Operation::COUNT],
            stalls: Vec::new(),
            close_after: None,
        }
    }
}

impl Behavior {
    /// Reads settings as they stand on a command line, one in each string; the later of two wins.
    ///
    /// | form | meaning |
    /// |---|---|
    /// | `OPERATION=SERVICE`, `default=SERVICE` | `none`, `fixed:1ms`, `exponential:MEAN`, `lognormal:MEDIAN,SIGMA`, `bimodal:USUAL,SLOW,SHARE` |
    /// | `servers=4`, `OPERATION.servers=2` | first come, first served at so many servers: shared, or its own |
    /// | `errors=0.01`, `OPERATION.errors=0.3` | this share is answered 503 at once, over LDAP busy (51) or unavailable (52, binds) |
    /// | `drops=0.001`, `OPERATION.drops=0.1` | for this share the connection is closed without an answer |
    /// | `stall=10s+2s`, `stall=every:10s+2s` | no work from 10 s after the start for 2 s; or at each 10 s |
    /// | `close_after=100` | a connection is closed after so many answers |
    ///
    /// The error names every problem of the input, not just the first.
    pub fn parse(specs: &[String]) -> Result<Self, BehaviorError> {
        parse::parse(specs)
    }

    /// What holds for an operation: its own settings before the general ones.
    pub(crate) fn settings(&self, operation: Operation) -> Settings {
        let own = self.operations[operation as usize];
        if operation.is_exempt() {
            return own;
        }
        Settings {
            service_time: own.service_time.or(self.general.service_time),
            servers: own.servers,
            errors: own.errors.or(self.general.errors),
            drops: own.drops.or(self.general.drops),
        }
    }
}
