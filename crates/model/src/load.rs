//! When: how many users, how they start, when they stop, how long they think.

use crate::arrivals::Process;
use crate::profile::Profile;
use rand::Rng;
use rand::distr::Distribution;
use std::fmt;
use std::time::Duration;

/// How iterations arrive.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Load {
    /// A fixed number of users, each beginning its next iteration when the last one ended.
    Closed(Closed),
    /// Iterations begin by the clock, however long the target takes.
    Open(Open),
    // A replayed load takes its place here.
}

/// Iterations begin by the clock: each finds an idle user, or a new one, or waits for one.
///
/// The steps inside of an iteration are closed, with think times: a partly-open model (Schroeder, Wierman and
/// Harchol-Balter, "Open versus closed: a cautionary tale", NSDI 2006).
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// How many begin a second.
    pub profile: Profile,
    /// How their starts are spread.
    pub process: Process,
    /// Iterations in all; as many as the profile has when none.
    pub most: Option<u64>,
    /// Users at a time, at least 1. An iteration that is due when all of them are busy waits.
    pub max_users: u64,
    /// From the first constant stage on, left out of the steady figures.
    pub warm_up: WarmUp,
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
    pub warm_up: WarmUp,
}

/// Time after the ramp that is left out of the steady figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WarmUp {
    /// So long.
    Fixed(Duration),
    /// Until rate and response times no longer change.
    Auto,
}

impl Default for WarmUp {
    fn default() -> Self {
        Self::Fixed(Duration::ZERO)
    }
}

impl WarmUp {
    /// The least time that it takes.
    pub fn least(self) -> Duration {
        match self {
            WarmUp::Fixed(length) => length,
            WarmUp::Auto => Duration::ZERO,
        }
    }
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

impl fmt::Display for Open {
    /// `poisson 250/s for 1m`; stages one after another.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.process {
            Process::Even => "even ",
            Process::Poisson => "poisson ",
        })?;
        for (index, stage) in self.profile.stages().iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{stage}")?;
        }
        match self.most {
            Some(most) => write!(f, ", {most} in all"),
            None => Ok(()),
        }
    }
}

impl Load {
    /// Virtual users; of an open load, the most that there can be.
    pub fn users(&self) -> u64 {
        match self {
            Load::Closed(closed) => closed.users,
            Load::Open(open) => open.max_users,
        }
    }

    /// The length of the run, when the load fixes it.
    pub fn length(&self) -> Option<Duration> {
        match self {
            Load::Closed(closed) => closed.until.duration,
            Load::Open(open) => open.profile.length(),
        }
    }

    /// What is left out after the ramp.
    pub fn warm_up(&self) -> WarmUp {
        match self {
            Load::Closed(closed) => closed.warm_up,
            Load::Open(open) => open.warm_up,
        }
    }

    /// When ramp and a fixed warm-up are over.
    pub fn steady_from(&self) -> Duration {
        match self {
            Load::Closed(closed) => {
                closed.ramp.start_of(closed.users.saturating_sub(1)).saturating_add(closed.warm_up.least())
            }
            Load::Open(open) => open.profile.constant_from().saturating_add(open.warm_up.least()),
        }
    }

    /// When the load begins to fade; never when it ends at once.
    pub fn steady_to(&self) -> Option<Duration> {
        match self {
            Load::Closed(_) => None,
            Load::Open(open) => open.profile.constant_to(),
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
