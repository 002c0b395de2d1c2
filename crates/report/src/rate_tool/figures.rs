//! The figures of a row.

use crate::rate_tool::{Counts, Extra, Layout};
use loadgen_model::histogram::Histogram;
use std::time::Duration;

/// The figures of a row. What is nothing divided by nothing is none, and shown as `-`.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Time since the first interval began, s.
    pub elapsed_s: f64,
    /// Operations a second of the interval.
    pub recent_per_s: Option<f64>,
    /// Operations a second so far.
    pub average_per_s: Option<f64>,
    /// Mean time of the interval.
    pub recent_ms: Option<f64>,
    /// Mean time so far.
    pub average_ms: Option<f64>,
    /// Percentiles so far, one for each of the layout.
    pub percentiles_ms: Vec<Option<f64>>,
    /// Failed operations a second of the interval.
    pub errors_per_s: Option<f64>,
    /// Entries for each search, or share of adds in percent, of the interval.
    pub extra: Option<f64>,
}

impl Figures {
    /// Of an interval, what was counted so far with it, and the times so far.
    pub fn of(interval: &Counts, total: &Counts, times: &Histogram, layout: &Layout) -> Self {
        let quantile = |percent: &f64| (times.count() > 0).then(|| times.quantile_ms(percent / 100.0));
        Self {
            elapsed_s: total.length.as_secs_f64(),
            recent_per_s: per_second(interval.operations(), interval.length),
            average_per_s: per_second(total.operations(), total.length),
            recent_ms: mean_ms(interval),
            average_ms: mean_ms(total),
            percentiles_ms: layout.percentiles.iter().map(quantile).collect(),
            errors_per_s: per_second(interval.failed, interval.length),
            extra: match layout.extra {
                Extra::None => None,
                Extra::EntriesPerSearch => ratio(interval.entries as f64, interval.succeeded as f64),
                Extra::AddShare => ratio(100.0 * interval.added as f64, interval.succeeded as f64),
            },
        }
    }
}

fn per_second(count: u64, length: Duration) -> Option<f64> {
    ratio(count as f64, length.as_secs_f64())
}

fn mean_ms(counts: &Counts) -> Option<f64> {
    ratio(counts.time.as_secs_f64() * 1e3, counts.operations() as f64)
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// A figure with so many decimals.
pub(super) fn decimals(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
}

/// A percentile as the original writes it: with one decimal at least.
pub(super) fn percent(percent: f64) -> String {
    format!("{percent:?}%")
}
