//! Within which bounds the truth behind a measured figure is, with 95 % confidence, when samples depend on each
//! other as those of a queue do.

use crate::histogram::{Histogram, SAMPLES_BEYOND};
use crate::statistics::tally::{LEAST_BATCHES, Spread, Tally};
use std::borrow::Borrow;
use std::time::Duration;

/// Allowance for rounding where a product of shares and counts is compared with a count.
const ROUNDING: f64 = 1e-9;

/// A figure and the bounds of the truth behind it, 95 % of both sides together. Times are in ms, shares 0–1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// What was measured.
    pub estimate: f64,
    /// The truth is hardly below this. None: the samples give no lower bound.
    pub lower: Option<f64>,
    /// The truth is hardly above this. None: the samples give no upper bound.
    pub upper: Option<f64>,
    /// Samples.
    pub samples: u64,
    /// How many independent samples would have told as much; at most as many as there are. For a mean, where
    /// this is not known, all of them.
    pub effective: f64,
    /// The least number of samples of this kind that would give both bounds.
    pub needed: u64,
}

/// Why nothing can be said about the truth behind a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// Fewer than ten samples beyond a quantile.
    #[error("{samples} samples are too few; needs at least {needed}")]
    TooFewSamples {
        /// Samples there are.
        samples: u64,
        /// Samples it takes at least.
        needed: u64,
    },
    /// Too short a time to see how samples depend on each other.
    #[error("{batches} stretches of time with samples are too few; needs at least {LEAST_BATCHES}")]
    TooFewBatches {
        /// Stretches there are.
        batches: usize,
    },
}

impl Confidence {
    /// Bounds of a `quantile` (0–1, both excluded), ms. `whole` holds all samples, of which `censored` are known
    /// to be longer than recorded; `stretches` holds the same samples in time order, a histogram a second or so,
    /// of any precision.
    ///
    /// Order statistics bound a quantile without knowing the distribution: the ranks n(q ± t√(q(1−q)/n′)) (David
    /// & Nagaraja, Order Statistics, ch. 7.1). n′ is the number of independent samples that the n are worth, from
    /// how much the share of samples beyond the quantile scatters between batches (see [`Spread`]). Taking n for
    /// n′ would give bounds that hold in half of all runs of an M/M/1 queue at half load, and in a fifth at 80 %.
    pub fn of_quantile<H: Borrow<Histogram>>(
        whole: &Histogram,
        censored: u64,
        stretches: impl IntoIterator<Item = H>,
        quantile: f64,
    ) -> Result<Self, Unknown> {
        let samples = whole.count();
        let tail = quantile.min(1.0 - quantile);
        let least = least_integer(SAMPLES_BEYOND / tail);
        if samples < least {
            return Err(Unknown::TooFewSamples { samples, needed: least });
        }
        let rank = least_integer(samples as f64 * quantile);
        let Some(estimate) = whole.at_rank(rank) else {
            return Err(Unknown::TooFewSamples { samples, needed: least });
        };
        let spread = known(Spread::of(&beyond(stretches, estimate)))?;
        let (worth, t) = (spread.samples_per_independent(), spread.t());
        let effective = samples as f64 / worth;
        let reach = t * (quantile * (1.0 - quantile) / effective).sqrt();
        let lower = (samples as f64 * (quantile - reach)).floor() as u64;
        let upper = (samples as f64 * (quantile + reach)).ceil() as u64;
        let upper = whole.at_rank(upper).filter(|_| upper + censored <= samples);
        Ok(Self {
            estimate: ms(estimate),
            lower: whole.at_rank(lower).map(ms),
            upper: upper.map(ms),
            samples,
            effective,
            needed: least.max(least_integer(worth * t * t * (1.0 - tail) / tail)),
        })
    }

    /// Bounds of the mean time, ms: mean ± t·√(s²/n), s² from batch means (see [`Spread`]). `stretches` are in
    /// time order.
    pub fn of_mean<H: Borrow<Histogram>>(stretches: impl IntoIterator<Item = H>) -> Result<Self, Unknown> {
        let time = |histogram: &Histogram| Tally { of: histogram.count(), sum: ms(histogram.sum()) };
        let times: Vec<Tally> = stretches.into_iter().map(|one| time(one.borrow())).collect();
        let spread = known(Spread::of(&times))?;
        let reach = spread.t() * (spread.variance / spread.samples as f64).sqrt();
        Ok(Self {
            estimate: spread.mean,
            lower: Some((spread.mean - reach).max(0.0)),
            upper: Some(spread.mean + reach),
            samples: spread.samples,
            effective: spread.samples as f64,
            needed: LEAST_BATCHES as u64,
        })
    }

    /// Bounds of a share, 0–1, such as that of failed requests. `stretches` are in time order.
    ///
    /// Wilson's score interval (Probable Inference, 1927), which stays within 0–1 and has an upper bound when
    /// nothing failed, for as many independent samples as these are worth, and with t instead of z. Where nothing
    /// failed, nothing shows how failures would come, and all samples are taken for independent.
    pub fn of_share(stretches: &[Tally]) -> Result<Self, Unknown> {
        let spread = known(Spread::of(stretches))?;
        let effective = spread.samples as f64 / spread.samples_per_independent();
        let weight = spread.t().powi(2) / effective;
        let centre = (spread.mean + weight / 2.0) / (1.0 + weight);
        let square = weight * (spread.mean * (1.0 - spread.mean) + weight / 4.0);
        let reach = square.max(0.0).sqrt() / (1.0 + weight);
        Ok(Self {
            estimate: spread.mean,
            lower: Some((centre - reach).clamp(0.0, spread.mean)),
            upper: Some((centre + reach).clamp(spread.mean, 1.0)),
            samples: spread.samples,
            effective,
            needed: LEAST_BATCHES as u64,
        })
    }
}

/// How many samples of each stretch are longer than `time`. Where none are, because coarse bins or a limit of
/// the platform make the longest ones equal: how many are as long.
fn beyond<H: Borrow<Histogram>>(stretches: impl IntoIterator<Item = H>, time: Duration) -> Vec<Tally> {
    let count = |one: H| {
        let one = one.borrow();
        (one.count_above(time), one.count_at_least(time), one.count())
    };
    let counts: Vec<_> = stretches.into_iter().map(count).collect();
    let some_above = counts.iter().any(|(above, ..)| *above > 0);
    let hits = |above, at_least| if some_above { above } else { at_least };
    counts.into_iter().map(|(above, at_least, all)| Tally::share(hits(above, at_least), all)).collect()
}

fn known(spread: Spread) -> Result<Spread, Unknown> {
    if spread.batches < LEAST_BATCHES {
        return Err(Unknown::TooFewBatches { batches: spread.batches });
    }
    Ok(spread)
}

/// The least whole number that is not less than `value`, but for rounding.
fn least_integer(value: f64) -> u64 {
    (value * (1.0 - ROUNDING)).ceil() as u64
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
