//! Little's law as an audit: what was counted must fit together, whatever the platform did (Little, A Proof for
//! the Queuing Formula L = λW, 1961). A run that breaks the law measured something else than it says.

use std::time::Duration;

/// Deviation that counting and rounding may bring about.
const TOLERANCE: f64 = 0.01;
/// Standard deviations that the ends of a window may be off by.
const SIGMAS: f64 = 3.0;

/// Whether figures of a window fit together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Audit {
    /// What there was, on average: users, or requests in flight.
    pub counted: f64,
    /// What there must have been by Little's law.
    pub accounted: f64,
    /// How far the ratio of both may be from 1: 1 %, or more in a window that is short against a cycle.
    pub tolerance: f64,
}

/// Figures of a window of a closed load, all of the same users.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cycles {
    /// Mean number of users.
    pub users: f64,
    /// Cycles that were completed: iterations, or requests when `response` and `think` are those of requests.
    pub completed: u64,
    /// Mean response time of a cycle.
    pub response: Duration,
    /// Mean think time of a cycle, with all else that users wait for between requests.
    pub think: Duration,
    /// Length of the window.
    pub elapsed: Duration,
}

impl Cycles {
    /// N = X(R + Z): every user is either waiting for a response or thinking.
    pub fn audit(&self) -> Audit {
        let cycle_s = (self.response + self.think).as_secs_f64();
        let accounted = ratio(self.completed as f64 * cycle_s, self.elapsed.as_secs_f64());
        Audit { counted: self.users, accounted, tolerance: TOLERANCE + self.ends(cycle_s) }
    }

    /// A cycle that was under way when the window began counts whole, one that is when it ends does not count.
    /// Users in step are off by up to a cycle; users that are not, by √(2N) cycles together, were the length of
    /// the cycles exponential: of the N·elapsed seconds that all users had.
    fn ends(&self, cycle_s: f64) -> f64 {
        let per_window = ratio(cycle_s, self.elapsed.as_secs_f64());
        per_window * (SIGMAS * (2.0 / self.users.max(1.0)).sqrt()).max(1.0)
    }
}

impl Audit {
    /// L = accumulated response time ÷ elapsed: `in_flight` is the mean number of requests under way over the same
    /// time, measured by itself, and `response` the summed response time of those that completed. The ends of
    /// the window are treated as for [`Cycles`], with each request in flight for a user.
    pub fn of_flight(in_flight: f64, response: Duration, completed: u64, elapsed: Duration) -> Self {
        let mean = response.div_f64(completed.max(1) as f64);
        let audited = Cycles { users: in_flight, completed, response: mean, think: Duration::ZERO, elapsed };
        Self { accounted: ratio(response.as_secs_f64(), elapsed.as_secs_f64()), ..audited.audit() }
    }

    /// Accounted ÷ counted: below 1, time is missing; above 1, time was counted twice. None: nothing was counted.
    pub fn ratio(&self) -> Option<f64> {
        (self.counted > 0.0).then(|| self.accounted / self.counted)
    }

    /// Whether the law holds within the tolerance. Nothing accounted for nothing holds.
    pub fn holds(&self) -> bool {
        match self.ratio() {
            Some(ratio) => (ratio - 1.0).abs() <= self.tolerance,
            None => self.accounted <= 0.0,
        }
    }
}

fn ratio(numerator: f64, denominator: f64) -> f64 {
    if denominator > 0.0 { numerator / denominator } else { 0.0 }
}
