//! Histograms answer by rank, and count what lies beyond a time.

use loadgen_model::histogram::Histogram;
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
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ranks_and_counts_agree(
        mut times in prop::collection::vec(1_u64..5_000_000, 1..300), at in any::<prop::sample::Index>(),
    ) {
        let histogram = of(&times);
        times.sort_unstable();
        let index = at.index(times.len());
        let found = histogram.at_rank(index as u64 + 1).unwrap();
        let true_us = times[index] as f64;
        prop_assert!((found.as_secs_f64() * 1e6 - true_us).abs() <= true_us * 1e-3, "{found:?} for {true_us} µs");
        let (above, at_least) = (histogram.count_above(found), histogram.count_at_least(found));
        prop_assert!(above <= (times.len() - index - 1) as u64 && at_least >= (times.len() - index) as u64);
        prop_assert!(histogram.at_rank(0).is_none() && histogram.at_rank(times.len() as u64 + 1).is_none());
    }
}

#[test]
fn times_beyond_an_hour_are_counted_with_the_longest() {
    let histogram = of(&[1, 3_600_000_000, 9_000_000_000]);
    assert_eq!(histogram.count_above(Duration::from_secs(86_400)), 0);
    assert_eq!(histogram.count_at_least(Duration::from_secs(86_400)), 2);
    assert_eq!(histogram.count_above(Duration::ZERO), 2);
    let longest_s = histogram.at_rank(3).unwrap().as_secs_f64();
    assert!((3_600.0..3_604.0).contains(&longest_s), "{longest_s}");
}
