//! Whether values in time order rise or fall, and by how much: by ranks and medians, so that no distribution is
//! assumed and a few wild values change nothing. Both look at all pairs, and are for hundreds of values at most.

/// Mann and Kendall's test for a trend: about standard normal without one, positive when values rise (Mann,
/// Nonparametric Tests Against Trend, 1945; Kendall, Rank Correlation Methods, 1975, with ties and correction
/// for continuity). 0 when there is nothing to compare.
pub fn mann_kendall_z(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let sum: f64 = pairs(values).map(|(_, rise)| sign(rise)).sum();
    let variance = (n * (n - 1.0) * (2.0 * n + 5.0) - ties(values)) / 18.0;
    if variance <= 0.0 { 0.0 } else { (sum - sign(sum)) / variance.sqrt() }
}

/// Theil and Sen's slope, per step: the median of the slopes of all pairs (Theil, A Rank-Invariant Method of
/// Linear Regression Analysis, 1950; Sen, Estimates of the Regression Coefficient Based on Kendall's Tau, 1968).
/// Up to 29 % of the values may be anything. 0 for fewer than two values.
pub fn theil_sen_slope(values: &[f64]) -> f64 {
    median(pairs(values).map(|(steps, rise)| rise / steps).collect())
}

/// Steps apart and rise of each pair, the earlier one first.
fn pairs(values: &[f64]) -> impl Iterator<Item = (f64, f64)> {
    values.iter().enumerate().flat_map(move |(index, first)| {
        let later = values[index + 1..].iter().enumerate();
        later.map(move |(between, second)| ((between + 1) as f64, second - first))
    })
}

/// What groups of equal values take from the variance: Σ t(t−1)(2t+5).
fn ties(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let groups = sorted.chunk_by(|a, b| a.total_cmp(b).is_eq()).map(|group| group.len() as f64);
    groups.map(|t| t * (t - 1.0) * (2.0 * t + 5.0)).sum()
}

/// Middle value, or the mean of both; 0 without values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        even if even % 2 == 0 => f64::midpoint(values[middle - 1], values[middle]),
        _ => values[middle],
    }
}

/// −1, 0 or 1; unlike `signum`, 0 for 0.
fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}
