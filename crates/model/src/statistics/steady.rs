//! When a platform has warmed up: compilers, caches and pools of a fresh one make it faster for minutes. A fixed
//! warm-up is too short for some and wasted on others, so the figures themselves have to say it.

use crate::statistics::trend::{mann_kendall_z, median, theil_sen_slope};
use std::collections::VecDeque;
use std::time::Duration;

/// Length of a window.
pub const WINDOW: Duration = Duration::from_secs(5);
/// Windows that are looked at: a minute.
const WINDOWS: usize = 12;
/// Warm-up is given up after so many windows, which are five minutes.
pub const MOST_WINDOWS: u32 = 60;
/// Mann and Kendall's z of a trend that would be as strong by chance once in ten times.
const SIGNIFICANT: f64 = 1.28;
/// Change over the windows that are looked at, as a share of the middle value, that a steady platform may show.
const MOST_CHANGE: f64 = 0.04;
/// A change so small does not matter, however clearly it is seen: without noise the last trace of warming up
/// would be significant for ever.
const NO_CHANGE: f64 = 0.02;

/// Watches rate and mean response time window by window, until they no longer change.
///
/// Steady means, over the last minute: neither does the rate rise nor the response time fall significantly
/// (Mann-Kendall) by 2 % or more, and neither changes by 4 % or more in either direction (Theil-Sen).
#[derive(Clone, Debug, Default)]
pub struct WarmUp {
    rates: VecDeque<f64>,
    means: VecDeque<f64>,
    seen: u32,
    decision: Option<Decision>,
}

/// How a warm-up ended. It stays as it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Decision {
    /// The platform was steady after so many windows: what comes from now on counts.
    Steady {
        /// Windows of the warm-up.
        windows: u32,
    },
    /// It was not steady after [`MOST_WINDOWS`]; figures from now on say so.
    NotSteady {
        /// Change of the rate in the last minute, as a share of its middle value: 0.1 is 10 % more.
        rate_change: f64,
        /// The same for the mean response time.
        mean_change: f64,
    },
}

impl WarmUp {
    /// Takes the next window: completed requests a second and their mean response time, in any unit. Answers as
    /// soon as the warm-up is over, and the same from then on.
    ///
    /// A window without completed requests has no mean and tells nothing: what came before is forgotten.
    pub fn observe(&mut self, rate_per_s: f64, mean: f64) -> Option<Decision> {
        if self.decision.is_some() {
            return self.decision;
        }
        self.seen += 1;
        if is_positive(rate_per_s) && is_positive(mean) {
            slide(&mut self.rates, rate_per_s);
            slide(&mut self.means, mean);
        } else {
            self.rates.clear();
            self.means.clear();
        }
        self.decision = self.decide();
        self.decision
    }

    /// Windows that were observed until the decision.
    pub fn windows(&self) -> u32 {
        self.seen
    }

    fn decide(&mut self) -> Option<Decision> {
        let rates: &[f64] = self.rates.make_contiguous();
        let means: &[f64] = self.means.make_contiguous();
        let full = rates.len() == WINDOWS;
        if full && is_steady(rates, 1.0) && is_steady(means, -1.0) {
            return Some(Decision::Steady { windows: self.seen });
        }
        let given_up = self.seen >= MOST_WINDOWS;
        given_up.then(|| Decision::NotSteady { rate_change: change(rates), mean_change: change(means) })
    }
}

/// `better` is the sign of a change that warming up brings about.
fn is_steady(values: &[f64], better: f64) -> bool {
    let change = change(values).abs();
    change < NO_CHANGE || change < MOST_CHANGE && mann_kendall_z(values) * better < SIGNIFICANT
}

/// Change from the first to the last value along Theil and Sen's line, as a share of the median.
fn change(values: &[f64]) -> f64 {
    let middle = median(values.to_vec());
    if middle == 0.0 {
        return 0.0;
    }
    theil_sen_slope(values) * values.len().saturating_sub(1) as f64 / middle
}

fn slide(values: &mut VecDeque<f64>, value: f64) {
    if values.len() == WINDOWS {
        values.pop_front();
    }
    values.push_back(value);
}

fn is_positive(value: f64) -> bool {
    value.is_finite() && value > 0.0
}
