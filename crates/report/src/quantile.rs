//! What a quantile can honestly be said to be.
//!
//! Fewer than ten samples beyond a quantile make it no estimate: it reads as `≥ max`. A sample that timed
//! out is only known to be longer than recorded: a quantile among such samples reads as `> T`.

use loadgen_model::report::Quantiles;

use crate::{Style, number};

/// Samples that must lie beyond a quantile.
const BEYOND: u64 = 10;

/// A quantile that is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    P50,
    P90,
    P95,
    P99,
    P999,
}

/// A quantile as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    /// There are no samples.
    Nothing,
    /// Known.
    Known(f64),
    /// Too few samples: nothing is known but that the largest sample was this.
    AtLeast(f64),
    /// The samples there timed out.
    Longer(f64),
}

impl Level {
    pub(crate) const ALL: [Self; 5] = [Self::P50, Self::P90, Self::P95, Self::P99, Self::P999];

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::P50 => "p50",
            Self::P90 => "p90",
            Self::P95 => "p95",
            Self::P99 => "p99",
            Self::P999 => "p99.9",
        }
    }

    /// The number of samples from which on the quantile is shown.
    pub(crate) fn needs(self) -> u64 {
        BEYOND * 1000 / (1000 - self.per_mille())
    }

    /// The quantile, as far as it is known.
    pub(crate) fn read(self, times: &Quantiles) -> Reading {
        let value = match self {
            Self::P50 => times.p50,
            Self::P90 => times.p90,
            Self::P95 => times.p95,
            Self::P99 => times.p99,
            Self::P999 => times.p99_9,
        };
        match self.read_interval(times.count, value, times.max) {
            Reading::AtLeast(max) if times.censored > 0 => Reading::Longer(max),
            Reading::Known(value) if self.is_censored(times) => Reading::Longer(value),
            reading => reading,
        }
    }

    /// The same for an interval, of which only this much is known.
    pub(crate) fn read_interval(self, count: u64, value: f64, max: f64) -> Reading {
        match count {
            0 => Reading::Nothing,
            _ if count < self.needs() => Reading::AtLeast(max),
            _ => Reading::Known(value),
        }
    }

    fn is_censored(self, times: &Quantiles) -> bool {
        let answered = times.count.saturating_sub(times.censored);
        u128::from(self.per_mille()) * u128::from(times.count) > u128::from(answered) * 1000
    }

    fn per_mille(self) -> u64 {
        match self {
            Self::P50 => 500,
            Self::P90 => 900,
            Self::P95 => 950,
            Self::P99 => 990,
            Self::P999 => 999,
        }
    }
}

impl Reading {
    pub(crate) fn text(self, style: &Style) -> String {
        match self {
            Self::Nothing => "-".to_owned(),
            Self::Known(value) => number::significant(value),
            Self::AtLeast(value) => format!("{}{}", style.at_least(), number::significant(value)),
            Self::Longer(value) => format!(">{}", number::significant(value)),
        }
    }
}

/// The longest time, as far as it is known.
pub(crate) fn longest(times: &Quantiles) -> Reading {
    match times.count {
        0 => Reading::Nothing,
        _ if times.censored > 0 => Reading::Longer(times.max),
        _ => Reading::Known(times.max),
    }
}

/// What the signs in a table of quantiles mean, one line each; nothing when there are no signs.
pub(crate) fn legend<'a>(
    levels: &[Level],
    times: &(impl Iterator<Item = &'a Quantiles> + Clone),
    style: &Style,
) -> Vec<String> {
    let at_least = style.at_least();
    let short: Vec<String> = levels
        .iter()
        .filter(|level| times.clone().any(|times| (1..level.needs()).contains(&times.count)))
        .map(|level| format!("{} for {}", number::count(level.needs()), level.label()))
        .collect();
    let mut lines = Vec::new();
    if !short.is_empty() {
        let needs = short.join(", ");
        lines.push(format!("{at_least} the maximum: too few samples; needs n {at_least} {needs}"));
    }
    if times.clone().any(|times| times.censored > 0) {
        lines.push(">: requests timed out there, the true time is longer".to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(count: u64, censored: u64) -> Quantiles {
        Quantiles {
            count,
            censored,
            p50: 5.0,
            p90: 9.0,
            p95: 9.5,
            p99: 9.9,
            p99_9: 20.0,
            max: 31.2,
            ..Quantiles::default()
        }
    }

    #[test]
    fn ten_samples_must_lie_beyond() {
        for (level, needs) in Level::ALL.into_iter().zip([20, 100, 200, 1000, 10_000]) {
            assert_eq!(level.needs(), needs);
            assert_eq!(level.read(&times(needs - 1, 0)), Reading::AtLeast(31.2));
            assert!(matches!(level.read(&times(needs, 0)), Reading::Known(_)));
        }
        assert_eq!(Level::P50.read(&times(0, 0)), Reading::Nothing);
    }

    #[test]
    fn a_quantile_among_timeouts_is_longer() {
        assert_eq!(Level::P99.read(&times(1000, 10)), Reading::Known(9.9));
        assert_eq!(Level::P99.read(&times(1000, 11)), Reading::Longer(9.9));
        assert_eq!(Level::P999.read(&times(1000, 11)), Reading::Longer(31.2));
        assert_eq!(longest(&times(1000, 1)), Reading::Longer(31.2));
        assert_eq!(longest(&times(1000, 0)), Reading::Known(31.2));
    }
}
