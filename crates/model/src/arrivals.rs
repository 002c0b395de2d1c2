//! When iterations of an open load are due: an iterator of intended starts.

use crate::load::Open;
use crate::profile::Profile;
use rand::Rng;
use rand::distr::Distribution;
use std::time::Duration;

/// How starts are spread along the rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// At equal distances.
    Even,
    /// As if each came from somebody who knows of no other: a Poisson process.
    Poisson,
}

/// One intended start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Which of the whole load it is, from 0.
    pub index: u64,
    /// When it is due, from the start of the run.
    pub at: Duration,
}

/// Which part of a load it is: every `of`-th start, from `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// From 0.
    pub index: u64,
    /// At least 1.
    pub of: u64,
}

impl Share {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };
}

/// The intended starts of an open load, in their order.
///
/// Starts lie at the points of a process of rate 1, stretched by the profile: at n + ½ for an even pace (so that a
/// stretch of N starts has N), at sums of Exp(1) for a Poisson process (time change of a Poisson process; Çinlar
/// 1975, chapter 4.7). All shares draw the same points, and each takes its own of them: together they are the whole.
#[derive(Debug, Clone)]
pub struct Arrivals<R> {
    /// The rate as it was planned, and as it was and will be.
    planned: Profile,
    profile: Profile,
    process: Process,
    random: R,
    share: Share,
    left: u64,
    index: u64,
    /// Where the process of rate 1 stands.
    point: f64,
    /// Whether the start at that point is still to come.
    is_pending: bool,
    stage: usize,
    /// The point and the time, in seconds, at which that stage begins.
    stage_point: f64,
    stage_begin: f64,
}

impl<R: Rng> Arrivals<R> {
    /// The starts of a share of a load; `random` decides a Poisson process.
    pub fn new(open: &Open, share: Share, random: R) -> Self {
        Self {
            planned: open.profile.clone(),
            profile: open.profile.clone(),
            process: open.process,
            random,
            share,
            left: open.most.unwrap_or(u64::MAX),
            index: 0,
            point: 0.0,
            is_pending: false,
            stage: 0,
            stage_point: 0.0,
            stage_begin: 0.0,
        }
    }

    /// The next one, which stays the next one. None when the profile has no more.
    pub fn peek(&mut self) -> Option<Arrival> {
        if !self.is_pending {
            self.advance()?;
        }
        loop {
            let stage = self.profile.stages().get(self.stage)?;
            let inside = self.point - self.stage_point;
            if inside < stage.starts() {
                let at = self.stage_begin + stage.seconds_until(inside);
                let at = Duration::try_from_secs_f64(at).unwrap_or(Duration::MAX);
                return Some(Arrival { index: self.index - 1, at });
            }
            self.stage_point += stage.starts();
            self.stage_begin += stage.length.unwrap_or_default().as_secs_f64();
            self.stage += 1;
        }
    }

    /// The next one if it is due at `now`.
    pub fn take_due(&mut self, now: Duration) -> Option<Arrival> {
        let arrival = self.peek().filter(|arrival| arrival.at <= now)?;
        self.is_pending = false;
        Some(arrival)
    }

    /// From `at` on the rate is `factor` times what was planned; what was due before stays as it was.
    pub fn retune(&mut self, at: Duration, factor: f64) {
        self.profile = self.profile.followed_by(at, &self.planned, factor);
        (self.stage, self.stage_point, self.stage_begin) = (0, 0.0, 0.0);
    }

    /// Moves on to the next point of this share.
    fn advance(&mut self) -> Option<()> {
        loop {
            if self.left == 0 {
                return None;
            }
            self.point = match self.process {
                Process::Even => self.index as f64 + 0.5,
                Process::Poisson => {
                    let gap: f64 = rand_distr::Exp1.sample(&mut self.random);
                    self.point + gap
                }
            };
            self.index += 1;
            self.left -= 1;
            if (self.index - 1) % self.share.of == self.share.index {
                self.is_pending = true;
                return Some(());
            }
        }
    }
}

impl<R: Rng> Iterator for Arrivals<R> {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        self.take_due(Duration::MAX)
    }
}
