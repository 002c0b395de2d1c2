//! Whether figures look as random as they are said to be: statistics with known distributions.

use crate::ordered::Ordered;

/// Distances between neighbours.
pub(crate) fn gaps(times_s: &[f64]) -> Vec<f64> {
    times_s.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The largest distance between the distribution of figures and the exponential one of a known mean, times √n: above
/// [`KOLMOGOROV`] in 1 % of all cases when they are exponential (Kolmogorov 1933).
pub(crate) fn kolmogorov(figures: &[f64], mean: f64) -> f64 {
    let ordered = Ordered::new(figures.to_vec());
    let n = ordered.count() as f64;
    let distance = ordered.as_slice().iter().enumerate().map(|(index, figure)| {
        let expected = 1.0 - (-figure / mean).exp();
        (expected - index as f64 / n).max((index + 1) as f64 / n - expected)
    });
    distance.fold(0.0, f64::max) * n.sqrt()
}

/// Exceeded in 1 % of all cases by [`kolmogorov`].
pub(crate) const KOLMOGOROV: f64 = 1.628;

/// Variance ÷ mean of the counts in stretches of `width_s` that lie wholly in `length_s`, and how many stretches
/// there are: 1 for a Poisson process, with a standard deviation of √(2 ÷ (m − 1)) over m stretches (Cox and Lewis
/// 1966, chapter 6.3).
pub(crate) fn dispersion(times_s: &[f64], width_s: f64, length_s: f64) -> (f64, usize) {
    let stretches = (length_s / width_s + 1e-9) as usize;
    let mut counts = vec![0.0; stretches];
    for time in times_s {
        if let Some(count) = counts.get_mut((time / width_s) as usize) {
            *count += 1.0;
        }
    }
    let counts = Ordered::new(counts);
    (counts.deviation().powi(2) / counts.mean().max(f64::MIN_POSITIVE), stretches)
}

/// The largest autocorrelation of figures at lags from 1 to `lags`, in size; its sign is left out.
pub(crate) fn autocorrelation(figures: &[f64], lags: usize) -> f64 {
    let mean = figures.iter().sum::<f64>() / figures.len().max(1) as f64;
    let centred: Vec<f64> = figures.iter().map(|figure| figure - mean).collect();
    let variance: f64 = centred.iter().map(|figure| figure * figure).sum();
    let at = |lag: usize| centred.iter().zip(centred.iter().skip(lag)).map(|(a, b)| a * b).sum::<f64>();
    (1..=lags).map(|lag| (at(lag) / variance.max(f64::MIN_POSITIVE)).abs()).fold(0.0, f64::max)
}

/// Pearson's chi-squared of counts that should all be equal, with one degree of freedom less than there are.
pub(crate) fn chi_squared(counts: &[f64]) -> f64 {
    let expected = counts.iter().sum::<f64>() / counts.len().max(1) as f64;
    counts.iter().map(|count| (count - expected).powi(2) / expected.max(f64::MIN_POSITIVE)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{RngCore, SeedableRng};

    /// Arrivals of a Poisson process of rate 1.
    fn poisson(count: usize) -> Vec<f64> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut now = 0.0;
        std::iter::repeat_with(|| {
            now -= (1.0 - uniform()).ln();
            now
        })
        .take(count)
        .collect()
    }

    #[test]
    fn a_poisson_process_is_told_from_others() {
        let times = poisson(5_000);
        let gaps_of_it = gaps(&times);
        assert!(kolmogorov(&gaps_of_it, 1.0) < KOLMOGOROV);
        assert!(autocorrelation(&gaps_of_it, 10) < 3.0 / 5_000_f64.sqrt());
        let (index, stretches) = dispersion(&times, 5.0, 5_000.0);
        assert!(stretches == 1_000 && (index - 1.0).abs() < 0.14, "{index}");

        let even: Vec<f64> = (0..5_000).map(f64::from).collect();
        assert!(kolmogorov(&gaps(&even), 1.0) > KOLMOGOROV);
        assert!(dispersion(&even, 5.0, 5_000.0).0 < 0.01);
        // Three per cent too slow; in pairs; one long gap after another.
        assert!(kolmogorov(&gaps_of_it, 0.97) > kolmogorov(&gaps_of_it, 1.0));
        let pairs: Vec<f64> = times.iter().flat_map(|time| [*time, *time]).collect();
        assert!(dispersion(&pairs, 5.0, 5_000.0).0 > 1.5);
        let sorted = Ordered::new(gaps_of_it);
        assert!(autocorrelation(sorted.as_slice(), 10) > 0.5);
    }

    #[test]
    fn unequal_counts_have_a_large_chi_squared() {
        assert!(chi_squared(&[100.0, 100.0, 100.0]) < 1e-9);
        assert!((chi_squared(&[90.0, 110.0]) - 2.0).abs() < 1e-9);
    }
}
