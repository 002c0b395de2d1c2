//! What became of starts by the clock, and what process they really were.

use crate::histogram::Histogram;
use std::time::Duration;

/// Width of a bin, and how many make the wider ones.
const BIN: Duration = Duration::from_millis(10);
const BINS_OF_100_MS: usize = 10;
/// Bins of a stretch of one thread: what lies further from its begin counts in the last one.
const MOST_BINS: usize = 3_000;

/// Starts by the clock in a stretch of time: iterations that were due, and what became of them.
#[derive(Clone, Default)]
pub struct Arrivals {
    /// Due.
    pub due: u64,
    /// Begun.
    pub begun: u64,
    /// Of those, the ones that waited for a user to be free.
    pub waited: u64,
    /// Due and not begun when the run ended.
    pub never_begun: u64,
    /// How long those that waited did so.
    pub waits: Option<Box<Histogram>>,
    /// Starts in each stretch of 10 ms.
    bins: Vec<u32>,
    /// Sums over stretches that are done: how evenly the starts were spread.
    pub spread: Spread,
}

/// Sums of counts in stretches of equal length, for their mean and variance.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    stretches: u64,
    sum: u64,
    squares: u64,
}

impl Arrivals {
    /// Counts an iteration that began at `now`, after it had waited for a user since it was due.
    pub fn begin(&mut self, stretch: Duration, now: Duration, waited: Option<Duration>) {
        self.begun += 1;
        let bin = (now.saturating_sub(stretch).as_nanos() / BIN.as_nanos()) as usize;
        let bin = bin.min(MOST_BINS - 1);
        if bin >= self.bins.len() {
            self.bins.resize(bin + 1, 0);
        }
        self.bins[bin] += 1;
        if let Some(waited) = waited {
            self.waited += 1;
            self.waits.get_or_insert_default().record(waited);
        }
    }

    /// Closes a stretch of `length` that all threads have told of: its bins become sums.
    pub fn close(&mut self, length: Duration) {
        let whole = (length.as_nanos() / BIN.as_nanos()) as usize;
        self.bins.resize(whole.min(MOST_BINS), 0);
        for bins in self.bins.chunks_exact(BINS_OF_100_MS) {
            self.spread.add(bins.iter().map(|count| u64::from(*count)).sum());
        }
        self.bins = Vec::new();
    }

    /// Adds what another thread counted in the same stretch, or what was counted in another stretch that is
    /// closed.
    pub fn merge(&mut self, other: &Arrivals) {
        self.due += other.due;
        self.begun += other.begun;
        self.waited += other.waited;
        self.never_begun += other.never_begun;
        if let Some(waits) = &other.waits {
            self.waits.get_or_insert_default().merge(waits);
        }
        if other.bins.len() > self.bins.len() {
            self.bins.resize(other.bins.len(), 0);
        }
        for (bin, added) in self.bins.iter_mut().zip(&other.bins) {
            *bin += added;
        }
        self.spread.merge(other.spread);
    }
}

impl Spread {
    fn add(&mut self, count: u64) {
        self.stretches += 1;
        self.sum += count;
        self.squares += count * count;
    }

    fn merge(&mut self, other: Spread) {
        self.stretches += other.stretches;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Variance ÷ mean of the counts: 1 for a Poisson process, 0 for an even one (index of dispersion of counts;
    /// Cox and Lewis 1966, chapter 4). None for fewer than two stretches or no start.
    pub fn dispersion(&self) -> Option<f64> {
        if self.stretches < 2 || self.sum == 0 {
            return None;
        }
        let n = self.stretches as f64;
        let mean = self.sum as f64 / n;
        let variance = (self.squares as f64 - n * mean * mean) / (n - 1.0);
        Some((variance / mean).max(0.0))
    }
}
