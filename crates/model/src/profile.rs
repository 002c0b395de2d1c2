//! A rate over time: stages one after another, each of them linear.

use crate::format::time::show;
use std::fmt;
use std::time::Duration;

/// A rate over time.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    stages: Vec<Stage>,
}

/// A stretch in which the rate is constant or changes linearly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stage {
    /// Rate at its start, 1/s, finite and at least 0.
    pub from: f64,
    /// Rate at its end, 1/s, finite and at least 0.
    pub to: f64,
    /// Its length; endless when none, and then constant.
    pub length: Option<Duration>,
}

impl Profile {
    /// Stages one after another; nothing comes after an endless one.
    pub fn new(stages: Vec<Stage>) -> Self {
        Self { stages }
    }

    /// The same until `at`, then `after` from there on, at `factor` times its rates.
    #[must_use]
    pub fn followed_by(&self, at: Duration, after: &Profile, factor: f64) -> Self {
        let scaled = |stage: &Stage| Stage { from: stage.from * factor, to: stage.to * factor, ..*stage };
        let rest = after.cut(at).1;
        Self { stages: self.cut(at).0.into_iter().chain(rest.iter().map(scaled)).collect() }
    }

    /// What is before `at` and what is after it.
    fn cut(&self, at: Duration) -> (Vec<Stage>, Vec<Stage>) {
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let mut begin = Duration::ZERO;
        for stage in &self.stages {
            let inside = at.saturating_sub(begin);
            match stage.length {
                Some(length) if length <= inside => before.push(*stage),
                _ if inside.is_zero() => after.push(*stage),
                length => {
                    let share = length.map_or(0.0, |length| inside.as_secs_f64() / length.as_secs_f64());
                    let middle = stage.from + (stage.to - stage.from) * share;
                    before.push(Stage { from: stage.from, to: middle, length: Some(inside) });
                    let left = length.map(|length| length.saturating_sub(inside));
                    after.push(Stage { from: middle, to: stage.to, length: left });
                }
            }
            begin = begin.saturating_add(stage.length.unwrap_or(Duration::MAX));
        }
        (before, after)
    }

    /// Its stages in order.
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Its length; none when it is endless.
    pub fn length(&self) -> Option<Duration> {
        self.stages.iter().try_fold(Duration::ZERO, |sum, stage| Some(sum.saturating_add(stage.length?)))
    }

    /// Starts that it has; infinite when it is endless.
    pub fn starts(&self) -> f64 {
        self.stages.iter().map(Stage::starts).sum()
    }

    /// The highest rate, 1/s.
    pub fn peak(&self) -> f64 {
        self.stages.iter().flat_map(|stage| [stage.from, stage.to]).fold(0.0, f64::max)
    }

    /// The one rate that it has all the time, 1/s; none when it changes.
    pub fn constant_rate(&self) -> Option<f64> {
        let first = self.stages.first()?.from;
        self.stages.iter().all(|stage| same(stage.from, first) && same(stage.to, first)).then_some(first)
    }

    /// When the first constant stage begins: what comes before it is a ramp. 0 when there is none.
    pub fn constant_from(&self) -> Duration {
        let ramps = self.stages.iter().take_while(|stage| !stage.is_constant());
        if self.stages.iter().any(Stage::is_constant) { length(ramps) } else { Duration::ZERO }
    }

    /// When the last constant stage ends: what comes after it is a ramp. None when there is none, or it is
    /// endless.
    pub fn constant_to(&self) -> Option<Duration> {
        let last = self.stages.iter().rposition(Stage::is_constant)?;
        self.stages[last].length?;
        Some(length(self.stages[..=last].iter()))
    }
}

fn length<'a>(stages: impl Iterator<Item = &'a Stage>) -> Duration {
    stages.fold(Duration::ZERO, |sum, stage| sum.saturating_add(stage.length.unwrap_or_default()))
}

/// Rates are compared as they were written: no arithmetic lies between.
fn same(a: f64, b: f64) -> bool {
    a.total_cmp(&b).is_eq()
}

impl Stage {
    /// Whether the rate stays as it is, above 0.
    pub fn is_constant(&self) -> bool {
        same(self.from, self.to) && self.from > 0.0 && self.length != Some(Duration::ZERO)
    }

    /// Starts in it: the area below its rate.
    pub fn starts(&self) -> f64 {
        match self.length {
            Some(length) => f64::midpoint(self.from, self.to) * length.as_secs_f64(),
            None if self.from > 0.0 => f64::INFINITY,
            None => 0.0,
        }
    }

    /// Seconds from its start until `starts` of them have been.
    ///
    /// With the rate r + s·t, n = r·t + s·t²/2 gives t = 2n ÷ (r + √(r² + 2·s·n)): this form of the root has no
    /// special case for s = 0 and none for r = 0.
    pub fn seconds_until(&self, starts: f64) -> f64 {
        if starts <= 0.0 {
            return 0.0;
        }
        let slope = self.length.map_or(0.0, |length| (self.to - self.from) / length.as_secs_f64());
        // At the end of a fall to 0 the root is 0 but for rounding.
        let root = (self.from * self.from + 2.0 * slope * starts).max(0.0).sqrt();
        2.0 * starts / (self.from + root)
    }
}

impl fmt::Display for Stage {
    /// `250/s for 1m`, `0 to 500/s in 30s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rate = |rate: f64| (rate * 1e3).round() / 1e3;
        match self.length {
            Some(length) if same(self.from, self.to) => {
                write!(f, "{}/s for {}", rate(self.from), show(length))
            }
            Some(length) => write!(f, "{} to {}/s in {}", rate(self.from), rate(self.to), show(length)),
            None => write!(f, "{}/s", rate(self.from)),
        }
    }
}
