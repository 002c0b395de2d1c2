//! Times of many samples, mergeable without loss: HDR with explicit bounds.

use crate::report::Quantiles;
use hdrhistogram::Histogram as Hdr;
use std::time::Duration;

/// Longest time that is told apart: an hour. Longer ones count as an hour; the exact maximum is kept beside.
const LONGEST_US: u64 = 3_600_000_000;
/// A recorded time is reproduced within 0.1 %.
const DIGITS: u8 = 3;
/// A quantile is an estimate only with so many samples beyond it.
pub const SAMPLES_BEYOND: f64 = 10.0;

/// Times of many samples, in µs, with three significant digits; sum, least and greatest exact.
#[derive(Clone)]
pub struct Histogram {
    counts: Hdr<u64>,
    sum: Duration,
    min: Duration,
    max: Duration,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::with_digits(DIGITS)
    }
}

impl Histogram {
    /// An empty histogram of 2 digits (26 KiB) or 3 (184 KiB, of which only what is used takes memory).
    pub fn with_digits(digits: u8) -> Self {
        let counts = Hdr::new_with_bounds(1, LONGEST_US, digits).expect("the bounds are constants that fit");
        Self { counts, sum: Duration::ZERO, min: Duration::MAX, max: Duration::ZERO }
    }

    /// Records one time.
    pub fn record(&mut self, time: Duration) {
        self.counts.saturating_record(in_range(time));
        self.sum += time;
        self.min = self.min.min(time);
        self.max = self.max.max(time);
    }

    /// Adds all samples of another histogram.
    pub fn merge(&mut self, other: &Histogram) {
        if other.count() == 0 {
            return;
        }
        self.counts.add(&other.counts).expect("all histograms have the same bounds");
        self.sum += other.sum;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// Number of samples.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// Sum of all times.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// Longest time; zero without samples.
    pub fn max(&self) -> Duration {
        self.max
    }

    /// The time that a share `quantile` (0–1) of the samples does not exceed, ms; 0 without samples.
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        if self.count() == 0 {
            return 0.0;
        }
        let exact = self.max.as_secs_f64() * 1e3;
        (self.counts.value_at_quantile(quantile) as f64 / 1e3).min(exact)
    }

    /// The time of this rank, the shortest having rank 1: precise as a quantile is. None beyond the samples.
    pub fn at_rank(&self, rank: u64) -> Option<Duration> {
        if rank == 0 || rank > self.count() {
            return None;
        }
        // Half a rank lower, so that rounding of the quotient cannot lead to the next rank.
        let quantile = (rank as f64 - 0.5) / self.count() as f64;
        Some(Duration::from_micros(self.counts.value_at_quantile(quantile)).min(self.max))
    }

    /// Samples that are longer than `time` as far as the precision tells: those of its own bin are not counted.
    pub fn count_above(&self, time: Duration) -> u64 {
        self.count_from(self.counts.next_non_equivalent(in_range(time)))
    }

    /// Samples that are as long as `time` or longer as far as the precision tells: with those of its own bin.
    pub fn count_at_least(&self, time: Duration) -> u64 {
        self.count_from(in_range(time))
    }

    fn count_from(&self, us: u64) -> u64 {
        if us > LONGEST_US { 0 } else { self.counts.count_between(us, LONGEST_US) }
    }

    /// The quantiles of the report. `censored` of the samples are known to be longer than recorded.
    pub fn quantiles(&self, censored: u64) -> Quantiles {
        if self.count() == 0 {
            return Quantiles::default();
        }
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        Quantiles {
            count: self.count(),
            min: ms(self.min),
            mean: ms(self.sum) / self.count() as f64,
            p50: self.quantile_ms(0.5),
            p90: self.quantile_ms(0.9),
            p95: self.quantile_ms(0.95),
            p99: self.quantile_ms(0.99),
            p99_9: self.quantile_ms(0.999),
            max: ms(self.max),
            censored,
        }
    }

    /// Adds the counts of a finer histogram, at this one's precision.
    pub fn absorb(&mut self, finer: &Histogram) {
        for value in finer.counts.iter_recorded() {
            self.counts
                .saturating_record_n(value.value_iterated_to().min(LONGEST_US), value.count_at_value());
        }
        self.sum += finer.sum;
        self.min = self.min.min(finer.min);
        self.max = self.max.max(finer.max);
    }

    /// A compact form of what was recorded (HDR V2), to be kept by the thousand.
    pub fn pack(&self) -> Packed {
        let mut bytes = Vec::new();
        let mut serializer = hdrhistogram::serialization::V2Serializer::new();
        hdrhistogram::serialization::Serializer::serialize(&mut serializer, &self.counts, &mut bytes)
            .expect("writing to memory does not fail");
        bytes.shrink_to_fit();
        Packed { bytes, sum: self.sum, min: self.min, max: self.max }
    }
}

/// A time as it is recorded, µs.
fn in_range(time: Duration) -> u64 {
    (time.as_micros() as u64).clamp(1, LONGEST_US)
}

/// A histogram in compact form.
#[derive(Clone)]
pub struct Packed {
    bytes: Vec<u8>,
    sum: Duration,
    min: Duration,
    max: Duration,
}

impl Packed {
    /// The histogram again.
    pub fn unpack(&self) -> Histogram {
        let counts = hdrhistogram::serialization::Deserializer::new()
            .deserialize(&mut self.bytes.as_slice())
            .expect("it was packed here");
        Histogram { counts, sum: self.sum, min: self.min, max: self.max }
    }
}
