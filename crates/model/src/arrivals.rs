//! When iterations of an open load are due: an iterator of intended starts.

use crate::load::Open;
use crate::profile::Stage;
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

/// The intended starts of an open load, in their order.
///
/// Starts lie at the points of a process of rate 1, stretched by the profile: at n + ½ for an even pace (so that a
/// stretch of N starts has N), at sums of Exp(1) for a Poisson process (time change of a Poisson process; Çinlar
/// 1975, chapter 4.7). `skip(index).step_by(of)` splits them exactly among threads and machines.
#[derive(Debug, Clone)]
pub struct Arrivals<R> {
    stages: Vec<Stage>,
    process: Process,
    random: R,
    left: u64,
    index: u64,
    /// Where the process of rate 1 stands.
    point: f64,
    stage: usize,
    /// The point and the time, in seconds, at which that stage begins.
    stage_point: f64,
    stage_begin: f64,
}

impl<R: Rng> Arrivals<R> {
    /// The starts of a load; `random` decides a Poisson process.
    pub fn new(open: &Open, random: R) -> Self {
        Self {
            stages: open.profile.stages().to_vec(),
            process: open.process,
            random,
            left: open.most.unwrap_or(u64::MAX),
            index: 0,
            point: 0.0,
            stage: 0,
            stage_point: 0.0,
            stage_begin: 0.0,
        }
    }

    /// Moves on to the next point.
    fn step(&mut self) {
        self.point = match self.process {
            Process::Even => self.index as f64 + 0.5,
            Process::Poisson => {
                let gap: f64 = rand_distr::Exp1.sample(&mut self.random);
                self.point + gap
            }
        };
        self.index += 1;
        self.left -= 1;
    }
}

impl<R: Rng> Iterator for Arrivals<R> {
    type Item = Arrival;

    fn next(&mut self) -> Option<Arrival> {
        if self.left == 0 {
            return None;
        }
        self.step();
        loop {
            let stage = self.stages.get(self.stage)?;
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

    /// Leaves out `count` of them without working out when they were due.
    fn nth(&mut self, count: usize) -> Option<Arrival> {
        for _ in 0..count {
            if self.left == 0 {
                return None;
            }
            self.step();
        }
        self.next()
    }
}
