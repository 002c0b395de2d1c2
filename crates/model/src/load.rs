//! When: how many users, how they start, when they stop, how long they think.

use rand::Rng;
use rand::distr::Distribution;
use std::time::Duration;

/// How iterations arrive.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Load {
    /// A fixed number of users, each beginning its next iteration when the last one ended.
    Closed(Closed),
    // An open load (starts by the clock) and a replayed one take their place here.
}

/// A fixed number of users.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// Virtual users, at least 1.
    pub users: u64,
    /// How they start.
    pub ramp: Ramp,
    /// When they stop.
    pub until: Until,
    /// After the ramp, left out of the steady figures.
    pub warm_up: Duration,
}

/// How users start: `group` at once, then a pause of `every`, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ramp {
    /// Users that start together; 0: all at once.
    pub group: u64,
    /// Pause between groups; 0: all at once.
    pub every: Duration,
}

impl Ramp {
    /// When user `index` starts, from the start of the run.
    pub fn start_of(&self, index: u64) -> Duration {
        if self.is_off() {
            return Duration::ZERO;
        }
        self.every.saturating_mul(u32::try_from(index / self.group).unwrap_or(u32::MAX))
    }

    /// Whether all users start at once: either figure is 0.
    pub fn is_off(&self) -> bool {
        self.group == 0 || self.every.is_zero()
    }
}

/// When users stop: at whichever comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Until {
    /// Iterations of each user. With a mix by iterations this is none: the mix is then the end.
    pub iterations: Option<u64>,
    /// Length of the run, counted from its start, ramp included.
    pub duration: Option<Duration>,
}

impl Load {
    /// Virtual users.
    pub fn users(&self) -> u64 {
        match self {
            Load::Closed(closed) => closed.users,
        }
    }
}

/// How long a user thinks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThinkTime {
    /// Always the same.
    Fixed(Duration),
    /// Each length between the two as likely.
    Uniform(Duration, Duration),
    /// Exponential with this mean.
    Exponential(Duration),
    /// Normal with mean and standard deviation, cut off at 0.
    Normal(Duration, Duration),
}

impl ThinkTime {
    /// Draws one think time.
    pub fn draw(&self, random: &mut impl Rng) -> Duration {
        match *self {
            ThinkTime::Fixed(time) => time,
            ThinkTime::Uniform(low, high) => random.random_range(low..=high),
            ThinkTime::Exponential(mean) => {
                let unit: f64 = rand_distr::Exp1.sample(random);
                mean.mul_f64(unit)
            }
            ThinkTime::Normal(mean, deviation) => {
                let unit: f64 = rand_distr::StandardNormal.sample(random);
                Duration::from_secs_f64((mean.as_secs_f64() + unit * deviation.as_secs_f64()).max(0.0))
            }
        }
    }

    /// Its mean, for what is to be expected of a plan; the cut at 0 is neglected.
    pub fn mean(&self) -> Duration {
        match *self {
            ThinkTime::Fixed(time) | ThinkTime::Exponential(time) | ThinkTime::Normal(time, _) => time,
            ThinkTime::Uniform(low, high) => (low + high) / 2,
        }
    }
}
