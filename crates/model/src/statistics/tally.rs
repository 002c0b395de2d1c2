//! Of so many, so much: what a stretch of time adds to a mean or a share; and what batches of them tell.

use crate::statistics::student::t_quantile;

/// Batches that stretches of time are put together to. With more, batches get too short to be independent; with
/// fewer, t grows (Schmeiser, Batch Size Effects in the Analysis of Simulation Output, 1982: 10 to 30).
pub const BATCHES: usize = 30;
/// With fewer, the spread of the batches is itself no more than a guess.
pub const LEAST_BATCHES: usize = 10;
/// A statement holds with this probability; half of the rest lies on each side.
pub const CONFIDENCE: f64 = 0.95;

/// Of `of` samples, the sum of what is looked at: a time, or 1 for each that counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Samples.
    pub of: u64,
    /// Their sum, in whatever unit.
    pub sum: f64,
}

impl Tally {
    /// `hits` of `of` samples.
    pub fn share(hits: u64, of: u64) -> Self {
        Self { of, sum: hits as f64 }
    }

    fn add(&mut self, other: Self) {
        self.of += other.of;
        self.sum += other.sum;
    }

    fn mean(self) -> f64 {
        self.sum / self.of as f64
    }
}

/// The mean of samples that came in time order, and how much the means of its batches scatter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// All samples.
    pub samples: u64,
    /// Batches with at least one sample.
    pub batches: usize,
    /// Mean of all samples.
    pub mean: f64,
    /// What the variance of a sample would have to be for the batches to scatter as they do, if samples were
    /// independent: Σ mᵢ(x̄ᵢ − x̄)² / (b − 1), the method of batch means (Law & Kelton, Simulation Modeling and
    /// Analysis, ch. 9.5.3) with each batch weighted by its size. The variance of the mean is this ÷ samples.
    pub variance: f64,
}

impl Spread {
    /// Puts stretches in time order together to at most [`BATCHES`] batches, of as many stretches each as can be.
    /// A batch without samples is none.
    pub fn of(stretches: &[Tally]) -> Self {
        let count = stretches.len().min(BATCHES);
        let mut batches = vec![Tally::default(); count];
        for (index, stretch) in stretches.iter().enumerate() {
            batches[index * count / stretches.len()].add(*stretch);
        }
        batches.retain(|batch| batch.of > 0);
        let mut all = Tally::default();
        for batch in &batches {
            all.add(*batch);
        }
        let mean = if all.of == 0 { 0.0 } else { all.mean() };
        let squares: f64 = batches.iter().map(|batch| batch.of as f64 * (batch.mean() - mean).powi(2)).sum();
        let freedom = batches.len().saturating_sub(1).max(1);
        Self { samples: all.of, batches: batches.len(), mean, variance: squares / freedom as f64 }
    }

    /// Student's t for a statement of [`CONFIDENCE`] on both sides.
    pub fn t(&self) -> f64 {
        let degrees = u32::try_from(self.batches).unwrap_or(u32::MAX).saturating_sub(1);
        t_quantile(f64::midpoint(1.0, CONFIDENCE), degrees)
    }

    /// For shares: how many samples are worth one independent sample, at least 1. What batches scatter less
    /// than independent samples would is taken for luck.
    pub fn samples_per_independent(&self) -> f64 {
        let independent = self.mean * (1.0 - self.mean);
        if independent > 0.0 { (self.variance / independent).max(1.0) } else { 1.0 }
    }
}
