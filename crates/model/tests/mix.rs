//! The order of a mix: nothing is lost, the original's order where it can be kept, shares even in short runs.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use loadgen_model::mix::{Interleave, ScenarioId, weighted};
use proptest::prelude::*;

fn counts(counts: &[u64]) -> Vec<(ScenarioId, u64)> {
    counts.iter().enumerate().map(|(index, count)| (ScenarioId(index as u16), *count)).collect()
}

fn order(of: &[u64]) -> Vec<u16> {
    Interleave::new(&counts(of)).map(|id| id.0).collect()
}

/// The original's: m rounds, m the smallest count, each workload n/m times a round.
fn original(of: &[u64]) -> Vec<u16> {
    let rounds = *of.iter().min().unwrap();
    let round: Vec<u16> =
        of.iter().enumerate().flat_map(|(id, count)| vec![id as u16; (count / rounds) as usize]).collect();
    round.repeat(rounds as usize)
}

#[test]
fn ten_and_two_run_as_the_original_runs_them() {
    assert_eq!(order(&[10, 2]), [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
}

#[test]
fn ten_and_four_lose_none() {
    assert_eq!(order(&[10, 4]), [0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn no_iteration_is_lost_and_each_round_has_its_share(of in prop::collection::vec(1_u64..40, 1..5)) {
        let order = order(&of);
        let rounds = *of.iter().min().unwrap();
        for (id, count) in of.iter().enumerate() {
            let places = order.iter().filter(|run| usize::from(**run) == id).count() as u64;
            prop_assert_eq!(places, *count);
        }
        // A round ends with the last workload's runs: by then each has run its share, rounded down.
        let last = of.len() as u16 - 1;
        let mut done = vec![0_u64; of.len()];
        let mut round = 0;
        for (index, id) in order.iter().enumerate() {
            done[usize::from(*id)] += 1;
            let ends = *id == last && order.get(index + 1).is_none_or(|next| *next != last || of.len() == 1);
            if ends && of.len() > 1 {
                round += 1;
                for (count, done) in of.iter().zip(&done) {
                    prop_assert_eq!(*done, round * count / rounds);
                }
            }
        }
    }

    #[test]
    fn the_order_is_the_originals_where_the_counts_divide(
        rounds in 1_u64..12,
        times in prop::collection::vec(1_u64..8, 1..4),
    ) {
        let mut of: Vec<u64> = times.iter().map(|times| times * rounds).collect();
        of.push(rounds);
        prop_assert_eq!(order(&of), original(&of));
    }

    /// The additive recurrence of the golden ratio has a discrepancy below 1.5 · ln N / N + 1 / N for any N
    /// neighbours; the bound here is generous.
    #[test]
    fn any_stretch_of_iterations_has_the_shares_asked_for(
        weights in prop::collection::vec(0.5_f64..100.0, 1..6),
        from in 0_u64..1_000_000,
        length in 100_u64..2_000,
    ) {
        let weights: Vec<(ScenarioId, f64)> =
            weights.iter().enumerate().map(|(id, weight)| (ScenarioId(id as u16), *weight)).collect();
        let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
        let mut runs = vec![0_u64; weights.len()];
        for index in from..from + length {
            runs[usize::from(weighted(&weights, index).0)] += 1;
        }
        let bound = 2.0 * (length as f64).ln() + 1.0;
        for ((_, weight), runs) in weights.iter().zip(runs) {
            let asked = weight / total * length as f64;
            prop_assert!((runs as f64 - asked).abs() <= bound, "{} of {} asked for", runs, asked);
        }
    }
}
