//! Which workload an iteration runs: counts interleaved evenly, weights drawn with low discrepancy, or what the entries
//! of a directory need next.

use crate::churn::Churn;

/// Index of a scenario in [`crate::Plan::scenarios`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScenarioId(pub u16);

/// Which scenario an iteration runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Mix {
    /// Each user runs so many iterations of each; counts are above 0.
    Iterations(Vec<(ScenarioId, u64)>),
    /// Shares of all iterations of all users; weights are above 0.
    Weights(Vec<(ScenarioId, f64)>),
    /// One of two: an entry is added, or one is deleted.
    Churn(Box<Churn>),
}

impl Mix {
    /// Iterations that a user runs, when the mix fixes them.
    pub fn iterations(&self) -> Option<u64> {
        match self {
            Mix::Iterations(counts) => {
                Some(counts.iter().fold(0, |sum: u64, (_, count)| sum.saturating_add(*count)))
            }
            Mix::Weights(_) | Mix::Churn(_) => None,
        }
    }

    /// The scenarios with their shares of the iterations, which need not sum to 1. Of a churn they are those that it
    /// comes to when as many entries are deleted as added.
    pub fn shares(&self) -> Vec<(ScenarioId, f64)> {
        match self {
            Mix::Iterations(counts) => counts.iter().map(|(id, count)| (*id, *count as f64)).collect(),
            Mix::Weights(weights) => weights.clone(),
            Mix::Churn(churn) => vec![(churn.add, 1.0), (churn.delete, 1.0)],
        }
    }

    /// The scenarios of the mix.
    pub fn scenarios(&self) -> Vec<ScenarioId> {
        match self {
            Mix::Iterations(counts) => counts.iter().map(|(id, _)| *id).collect(),
            Mix::Weights(weights) => weights.iter().map(|(id, _)| *id).collect(),
            Mix::Churn(churn) => vec![churn.add, churn.delete],
        }
    }
}

/// A user's order of iterations when the mix is by counts.
///
/// With m the smallest count there are m rounds; by the end of round r a workload of n iterations has run
/// ⌊r·n/m⌋ of them. Where m divides n that is n/m in each round, the order of the original LoadGen; where
/// it does not, the remainder is spread over the rounds instead of being lost.
#[derive(Debug, Clone)]
pub struct Interleave<'a> {
    counts: &'a [(ScenarioId, u64)],
    rounds: u64,
    round: u64,
    workload: usize,
    left: u64,
}

impl<'a> Interleave<'a> {
    /// The order for these counts, all above 0.
    pub fn new(counts: &'a [(ScenarioId, u64)]) -> Self {
        let rounds = counts.iter().map(|(_, count)| *count).min().unwrap_or(0);
        let mut order = Self { counts, rounds, round: 0, workload: 0, left: 0 };
        order.left = order.in_round();
        order
    }

    fn in_round(&self) -> u64 {
        if self.round == self.rounds {
            return 0;
        }
        let count = u128::from(self.counts[self.workload].1);
        let (round, rounds) = (u128::from(self.round), u128::from(self.rounds));
        ((round + 1) * count / rounds - round * count / rounds) as u64
    }
}

impl Iterator for Interleave<'_> {
    type Item = ScenarioId;

    fn next(&mut self) -> Option<ScenarioId> {
        while self.left == 0 {
            if self.round == self.rounds {
                return None;
            }
            self.workload += 1;
            if self.workload == self.counts.len() {
                self.workload = 0;
                self.round += 1;
            }
            self.left = self.in_round();
        }
        self.left -= 1;
        Some(self.counts[self.workload].0)
    }
}

/// Fractional part of the golden ratio: multiples of it modulo 1 are spread as evenly as any sequence can
/// be (the additive recurrence of lowest discrepancy; Niederreiter 1992, chapter 3).
const GOLDEN: f64 = 0.618_033_988_749_894_9;

/// Picks a scenario by weight for the `index`-th iteration of the run.
///
/// Deterministic, and even a short stretch of indices has nearly the shares asked for.
pub fn weighted(weights: &[(ScenarioId, f64)], index: u64) -> ScenarioId {
    if let [(only, _)] = weights {
        return *only;
    }
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut point = (0.5 + index as f64 * GOLDEN).fract() * total;
    for (id, weight) in weights {
        if point < *weight {
            return *id;
        }
        point -= weight;
    }
    weights[weights.len() - 1].0
}
