//! How long a request is in service: a distribution, and drawing from it.

use std::fmt;
use std::time::Duration;

use rand::Rng;
use rand_distr::{Distribution, Exp1, StandardNormal};
use rand_xoshiro::Xoshiro256PlusPlus;

/// No service time is longer than this, whatever the distribution draws.
const LONGEST: Duration = Duration::from_secs(3_600);

/// The distribution of the time that a request is in service.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) enum ServiceTime {
    /// Answered at once.
    #[default]
    None,
    /// Always the same.
    Fixed(Duration),
    /// Memoryless, with this mean.
    Exponential(Duration),
    /// The logarithm is normal.
    Lognormal {
        /// Half are shorter.
        median: Duration,
        /// Standard deviation of the natural logarithm.
        sigma: f64,
    },
    /// One of two fixed times, as with a cache that sometimes misses.
    Bimodal {
        /// The usual time.
        usual: Duration,
        /// The time of the share of slow ones.
        slow: Duration,
        /// Share of slow ones, 0 to 1.
        share: f64,
    },
}

impl ServiceTime {
    /// The next time drawn from this distribution, at most an hour.
    pub(crate) fn draw(self, random: &mut Xoshiro256PlusPlus) -> Duration {
        match self {
            Self::None => Duration::ZERO,
            Self::Fixed(time) => time,
            Self::Exponential(mean) => scaled(mean, Exp1.sample(random)),
            Self::Lognormal { median, sigma } => {
                let normal: f64 = StandardNormal.sample(random);
                scaled(median, (sigma * normal).exp())
            }
            Self::Bimodal { usual, slow, share } => {
                if random.random::<f64>() < share {
                    slow
                } else {
                    usual
                }
            }
        }
    }
}

fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).map_or(LONGEST, |time| time.min(LONGEST))
}

impl fmt::Display for ServiceTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => out.write_str("none"),
            Self::Fixed(time) => write!(out, "fixed:{time:?}"),
            Self::Exponential(mean) => write!(out, "exponential:{mean:?}"),
            Self::Lognormal { median, sigma } => write!(out, "lognormal:{median:?},{sigma}"),
            Self::Bimodal { usual, slow, share } => write!(out, "bimodal:{usual:?},{slow:?},{share}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn draws(service_time: ServiceTime) -> Vec<f64> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut draws: Vec<f64> =
            (0..100_000).map(|_| service_time.draw(&mut random).as_secs_f64() * 1e3).collect();
        draws.sort_by(f64::total_cmp);
        draws
    }

    fn check(service_time: ServiceTime, quantile: f64, expected_ms: f64) {
        let draws = draws(service_time);
        let found = draws[(draws.len() as f64 * quantile) as usize];
        assert!((found / expected_ms - 1.0).abs() < 0.02, "{service_time}: {found} ms, not {expected_ms} ms");
    }

    #[test]
    fn quantiles_are_those_of_the_distribution() {
        let ms = Duration::from_millis;
        check(ServiceTime::Fixed(ms(3)), 0.5, 3.0);
        check(ServiceTime::Exponential(ms(10)), 0.5, 10.0 * 2_f64.ln());
        check(ServiceTime::Exponential(ms(10)), 0.99, 10.0 * 100_f64.ln());
        check(ServiceTime::Lognormal { median: ms(45), sigma: 0.5 }, 0.5, 45.0);
        check(ServiceTime::Lognormal { median: ms(45), sigma: 0.5 }, 0.9, 45.0 * (0.5 * 1.281_55_f64).exp());
        let bimodal = ServiceTime::Bimodal { usual: ms(1), slow: ms(20), share: 0.05 };
        check(bimodal, 0.94, 1.0);
        check(bimodal, 0.96, 20.0);
    }
}
