//! Bounds of quantiles, means and shares: when they exist, how they are made, and that they contain the figure.

use loadgen_model::histogram::Histogram;
use loadgen_model::statistics::{Batches, Confidence, Tally, Unknown};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

/// So many seconds of independent times, uniform up to a second.
fn uniform(seconds: u64, rate: u64) -> (Histogram, Vec<Histogram>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seconds * 1_000 + rate);
    let mut second = || {
        let mut histogram = Histogram::default();
        (0..rate).for_each(|_| histogram.record(Duration::from_micros(random.random_range(1..1_000_000))));
        histogram
    };
    gather((0..seconds).map(|_| second()).collect())
}

fn gather(stretches: Vec<Histogram>) -> (Histogram, Vec<Histogram>) {
    let mut whole = Histogram::default();
    for one in &stretches {
        whole.merge(one);
    }
    (whole, stretches)
}

#[test]
fn fewer_than_ten_samples_beyond_say_how_many_it_takes() {
    let (whole, stretches) = uniform(30, 33);
    let of = |quantile| Confidence::of_quantile(&whole, 0, &stretches, quantile);
    assert_eq!(of(0.99), Err(Unknown::TooFewSamples { samples: 990, needed: 1_000 }));
    assert_eq!(of(0.999), Err(Unknown::TooFewSamples { samples: 990, needed: 10_000 }));
    assert_eq!(of(0.99).unwrap_err().to_string(), "990 samples are too few; needs at least 1000");
    assert!(of(0.5).is_ok() && of(0.95).is_ok());
    assert!(
        of(1.0).is_err()
            && of(0.0).is_err()
            && of(f64::NAN).is_err()
            && of(7.0).is_err()
            && of(-1.0).is_err()
    );
}

#[test]
fn with_just_enough_samples_there_may_be_no_upper_bound() {
    // 1 020 independent samples: the rank n(.99 + t·√(.99·.01/n)) is one that there is, by a little.
    let (whole, stretches) = uniform(30, 34);
    let few = Confidence::of_quantile(&whole, 0, &stretches, 0.99).unwrap();
    assert!(few.needed >= 1_000 && few.lower.is_some());
    assert_eq!(few.upper.is_some(), few.samples >= few.needed, "{few:?}");
    // The same from two states that change every second: a sample says little more than its second does.
    let (whole, stretches) =
        gather((0..30).map(|second| constant(if second == 7 { 50 } else { 10 }, 100)).collect());
    let jumpy = Confidence::of_quantile(&whole, 0, &stretches, 0.99).unwrap();
    assert_eq!(jumpy.upper, None);
    assert!(jumpy.needed > jumpy.samples && jumpy.effective < 50.0, "{jumpy:?}");
}

fn constant(ms: u64, count: u64) -> Histogram {
    let mut histogram = Histogram::default();
    (0..count).for_each(|_| histogram.record(Duration::from_millis(ms)));
    histogram
}

#[test]
fn independent_samples_give_the_textbook_bounds() {
    let (whole, stretches) = uniform(30, 1_000);
    let found = Confidence::of_quantile(&whole, 0, &stretches, 0.9).unwrap();
    // t(29)·√(.9·.1/30000) = 3.5 thousandths of a second each side.
    let (lower, upper) = (found.lower.unwrap(), found.upper.unwrap());
    assert!(found.effective > 10_000.0, "{found:?}");
    assert!((5.0..14.0).contains(&(upper - lower)), "{found:?}");
    assert!(lower < 900.0 && 900.0 < upper, "{found:?}");
}

#[test]
fn a_bound_among_requests_that_timed_out_is_none() {
    let (whole, stretches) = uniform(30, 1_000);
    let of = |censored| Confidence::of_quantile(&whole, censored, &stretches, 0.99).unwrap();
    assert!(of(0).upper.is_some() && of(100).upper.is_some());
    assert_eq!(of(299).upper, None);
    assert!(of(299).lower.is_some());
}

#[test]
fn too_short_a_time_tells_nothing() {
    let (whole, stretches) = uniform(9, 1_000);
    let unknown = Unknown::TooFewBatches { batches: 9 };
    assert_eq!(Confidence::of_quantile(&whole, 0, &stretches, 0.5), Err(unknown));
    assert_eq!(Confidence::of_mean(&stretches), Err(unknown));
    assert_eq!(Confidence::of_share(&[Tally::share(1, 10); 9]), Err(unknown));
    assert_eq!(Confidence::of_share(&[]), Err(Unknown::TooFewBatches { batches: 0 }));
    // Seconds in which nothing happened do not help.
    let idle: Vec<Histogram> =
        stretches.iter().cloned().chain((0..20).map(|_| Histogram::default())).collect();
    assert_eq!(Confidence::of_mean(&idle), Err(unknown));
    assert!(Confidence::of_quantile(&whole, 0, Vec::<Histogram>::new(), 0.5).is_err());
}

#[test]
fn a_mean_of_unequal_seconds_is_the_mean_of_all_samples() {
    let (whole, stretches) =
        gather((0..40).map(|second| constant(10 + second % 3, 10 + 90 * (second % 2))).collect());
    let found = Confidence::of_mean(&stretches).unwrap();
    assert!((found.estimate - whole.quantiles(0).mean).abs() < 1e-9, "{found:?}");
    assert!(found.lower.unwrap() < found.estimate && found.estimate < found.upper.unwrap());
}

#[test]
fn equal_times_leave_no_doubt() {
    let (whole, stretches) = gather((0..30).map(|_| constant(20, 100)).collect());
    let mean = Confidence::of_mean(&stretches).unwrap();
    assert!((mean.upper.unwrap() - mean.lower.unwrap()).abs() < 1e-9, "{mean:?}");
    let p99 = Confidence::of_quantile(&whole, 0, &stretches, 0.99).unwrap();
    assert!((p99.lower, p99.upper) == (Some(p99.estimate), Some(p99.estimate)), "{p99:?}");
}

#[test]
fn no_failure_in_three_thousand_may_still_be_one_in_a_thousand() {
    let found = Confidence::of_share(&[Tally::share(0, 100); 30]).unwrap();
    // t(29)²/(n + t(29)²), where the rule of three for one side says 3/n.
    assert!((found.upper.unwrap() - 4.183 / 3_004.183).abs() < 1e-6, "{found:?}");
    assert!(found.lower == Some(0.0) && found.estimate == 0.0, "{found:?}");
    let all = Confidence::of_share(&[Tally::share(100, 100); 30]).unwrap();
    assert!(all.upper == Some(1.0) && all.lower.unwrap() > 0.998, "{all:?}");
}

#[test]
fn failures_that_come_together_are_less_certain() {
    let even = Confidence::of_share(&[Tally::share(10, 1_000); 30]).unwrap();
    let mut burst = vec![Tally::share(0, 1_000); 30];
    burst[11] = Tally::share(300, 1_000);
    let burst = Confidence::of_share(&burst).unwrap();
    assert!((even.estimate - burst.estimate).abs() < 1e-12);
    assert!(burst.upper.unwrap() > 2.0 * even.upper.unwrap(), "{even:?} {burst:?}");
    assert!(burst.effective < 300.0, "{burst:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn bounds_contain_the_figure_and_coarse_batches_do_as_well(
        lengths in prop::collection::vec(0_u64..60, 40..130), seed in any::<u64>(), quantile in 0.05_f64..0.995,
    ) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut batches = Batches::default();
        let stretches = lengths.iter().map(|length| {
            let mut stretch = Histogram::default();
            let level = random.random_range(1_u64..5);
            (0..*length).for_each(|_| stretch.record(Duration::from_micros(random.random_range(1..100_000) * level)));
            batches.push(&stretch);
            stretch
        });
        let (whole, stretches) = gather(stretches.collect());
        let fine = Confidence::of_quantile(&whole, 0, &stretches, quantile);
        let coarse = Confidence::of_quantile(&whole, 0, batches.histograms(), quantile);
        prop_assert_eq!(fine.is_ok(), coarse.is_ok());
        for found in [fine, coarse].into_iter().flatten() {
            prop_assert!(found.lower.is_none_or(|lower| lower <= found.estimate), "{:?}", found);
            prop_assert!(found.upper.is_none_or(|upper| upper >= found.estimate), "{:?}", found);
            prop_assert!(found.effective <= found.samples as f64 && found.effective > 0.0, "{:?}", found);
            prop_assert!((found.estimate - whole.quantile_ms(quantile)).abs() < 1e-6);
            if found.samples > found.needed + 1 + found.needed / 1_000 {
                prop_assert!(found.lower.is_some() && found.upper.is_some(), "{:?}", found);
            }
        }
    }

    #[test]
    fn a_share_is_within_its_bounds_and_these_within_0_and_1(hits in prop::collection::vec(0_u64..=20, 10..80)) {
        let tallies: Vec<Tally> = hits.iter().map(|hits| Tally::share(*hits, 20)).collect();
        let found = Confidence::of_share(&tallies).unwrap();
        let (lower, upper) = (found.lower.unwrap(), found.upper.unwrap());
        prop_assert!(0.0 <= lower && lower <= found.estimate && found.estimate <= upper && upper <= 1.0, "{:?}", found);
    }
}
