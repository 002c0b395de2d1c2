//! What an examination of the generator's machine found, before any run.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an examination of the generator's machine found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "LoadGen examination, version 1")]
pub struct Examination {
    /// Version of this format: 1.
    pub loadgen_doctor: u32,
    /// What was looked at; what the system does not tell is left out.
    pub checks: Vec<Check>,
    /// What the generator can do on this machine.
    pub calibration: Vec<Calibration>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// How good it is.
    pub grade: Grade,
    /// The figure, and what it means for a run.
    pub found: String,
    /// What to do about it; none when it is ok.
    pub advice: Option<String>,
}

/// How good something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// Nothing to do.
    Ok,
    /// May make figures doubtful, or limits what can be run.
    Warn,
    /// Makes figures void, or a run impossible.
    Bad,
}

/// What one generator thread did against the built-in platform for about a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Virtual users.
    pub users: u64,
    /// Mean think time of a user between two requests, ms; 0 for the maximum.
    pub think_ms: f64,
    /// Requests a second that both together did; the platform has one thread too.
    pub requests_per_s: f64,
    /// CPU time of the generator's thread per request, µs.
    pub cpu_us_per_request: f64,
    /// Requests a second that a core could do if it did nothing else: 1 ÷ CPU time per request. None with think
    /// times: a thread that sleeps between requests pays for each wake-up, and one at its maximum does not.
    pub core_requests_per_s: Option<f64>,
    /// How late requests started, median, ms.
    pub lag_p50_ms: f64,
    /// How late requests started, 99 % are at or below, ms.
    pub lag_p99_ms: f64,
}

impl Examination {
    /// The version that `loadgen_doctor` carries.
    pub const VERSION: u32 = 1;

    /// The worst grade of all.
    pub fn worst(&self) -> Grade {
        self.checks.iter().map(|check| check.grade).max().unwrap_or(Grade::Ok)
    }
}
