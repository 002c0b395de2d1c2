//! Histograms in time order, kept small enough to have one of these for every row.

use crate::histogram::{Histogram, Packed};
use crate::statistics::tally::BATCHES;

/// When there are so many, two neighbours become one: at least [`BATCHES`] are always left.
const MOST_KEPT: usize = 2 * BATCHES;
/// Precision: what is asked of a batch is how many samples lie beyond a time, not the time.
const DIGITS: u8 = 2;

/// Histograms in time order: whatever the length of the run, between 30 and 60 of them after the first 30, all
/// of as many stretches but the last. Some ten kB.
#[derive(Clone, Default)]
pub struct Batches {
    full: Vec<Packed>,
    pending: Option<(Histogram, u32)>,
    /// Doublings of the stretches that make one.
    doublings: u32,
}

impl Batches {
    /// Adds what was recorded in the next stretch. Stretches should be of the same length, such as a second.
    pub fn push(&mut self, stretch: &Histogram) {
        let (mut batch, stretches) =
            self.pending.take().unwrap_or_else(|| (Histogram::with_digits(DIGITS), 0));
        batch.absorb(stretch);
        if stretches + 1 < 1 << self.doublings {
            self.pending = Some((batch, stretches + 1));
            return;
        }
        self.full.push(batch.pack());
        if self.full.len() == MOST_KEPT {
            self.full = self.full.chunks(2).map(join).collect();
            self.doublings += 1;
        }
    }

    /// The histograms in time order, the unfinished one last.
    pub fn histograms(&self) -> impl Iterator<Item = Histogram> {
        let last = self.pending.iter().map(|(batch, _)| batch.clone());
        self.full.iter().map(Packed::unpack).chain(last)
    }
}

fn join(neighbours: &[Packed]) -> Packed {
    let mut joined = Histogram::with_digits(DIGITS);
    for one in neighbours {
        joined.merge(&one.unpack());
    }
    joined.pack()
}
