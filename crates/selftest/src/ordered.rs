//! Exact quantiles of a list of figures: no bins, no rounding.

/// Figures in ascending order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ordered(Vec<f64>);

impl Ordered {
    pub(crate) fn new(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        Self(figures)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// The figure that a share `quantile` (0–1) does not exceed: the one of rank ⌈qn⌉; 0 of nothing.
    pub(crate) fn quantile(&self, quantile: f64) -> f64 {
        let rank = (quantile * self.0.len() as f64 - 1e-9).ceil().max(1.0) as usize;
        self.0.get(rank - 1).or(self.0.last()).copied().unwrap_or(0.0)
    }

    /// All but a share of them, the rarest at both ends.
    pub(crate) fn central(&self, rare: f64) -> &[f64] {
        let cut = (self.0.len() as f64 * rare / 2.0) as usize;
        self.0.get(cut..self.0.len() - cut).unwrap_or_default()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    /// Standard deviation; 0 for fewer than two figures.
    pub(crate) fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.0.iter().map(|figure| (figure - mean).powi(2)).sum();
        (squares / self.0.len().saturating_sub(1).max(1) as f64).sqrt()
    }

    pub(crate) fn as_slice(&self) -> &[f64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quantile_is_one_of_the_figures() {
        let ordered = Ordered::new((1..=200).rev().map(f64::from).collect());
        for (quantile, expected) in [(0.0, 1.0), (0.5, 100.0), (0.9, 180.0), (0.99, 198.0), (1.0, 200.0)] {
            assert!((ordered.quantile(quantile) - expected).abs() < 1e-9, "{quantile}");
        }
        assert_eq!(ordered.central(0.02).len(), 196);
        assert!((ordered.mean() - 100.5).abs() < 1e-9);
        assert!((ordered.deviation() - 57.879).abs() < 1e-3);
        assert!(Ordered::default().quantile(0.5).abs() < 1e-9);
    }
}
