//! Histograms in time order stay few, and lose nothing.

use loadgen_model::histogram::Histogram;
use loadgen_model::statistics::Batches;
use proptest::prelude::*;
use std::time::Duration;

fn of(times: &[u64]) -> Histogram {
    let mut histogram = Histogram::default();
    for time in times {
        histogram.record(Duration::from_micros(*time));
    }
    histogram
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn few_in_order_and_nothing_lost(lengths in prop::collection::vec(0_usize..4, 0..400)) {
        let mut batches = Batches::default();
        let mut whole = Histogram::default();
        for (second, length) in lengths.iter().enumerate() {
            let stretch = of(&vec![1_000 + 10 * second as u64; *length]);
            batches.push(&stretch);
            whole.merge(&stretch);
        }
        let kept: Vec<Histogram> = batches.histograms().collect();
        prop_assert!(kept.len() >= lengths.len().min(30) && kept.len() <= 60, "{}", kept.len());
        prop_assert_eq!(kept.iter().map(Histogram::count).sum::<u64>(), whole.count());
        prop_assert_eq!(kept.iter().map(Histogram::sum).sum::<Duration>(), whole.sum());
        let longest: Vec<Duration> = kept.iter().filter(|one| one.count() > 0).map(Histogram::max).collect();
        prop_assert!(longest.is_sorted());
    }
}
