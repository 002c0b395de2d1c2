//! When iterations of an open load are due.

use loadgen_model::arrivals::Share;
use loadgen_model::load::WarmUp;
use loadgen_model::{Arrival, Arrivals, Open, Process, Profile, Stage};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::time::Duration;

fn open(stages: &[(f64, f64, u64)], process: Process) -> Open {
    let stages = stages.iter().map(|(from, to, millis)| Stage {
        from: *from,
        to: *to,
        length: Some(Duration::from_millis(*millis)),
    });
    let profile = Profile::new(stages.collect());
    Open { profile, process, most: None, max_users: 1, warm_up: WarmUp::default() }
}

fn arrivals(open: &Open, seed: u64) -> Arrivals<Xoshiro256PlusPlus> {
    Arrivals::new(open, Share::WHOLE, Xoshiro256PlusPlus::seed_from_u64(seed))
}

fn seconds(arrivals: impl Iterator<Item = Arrival>) -> Vec<f64> {
    arrivals.map(|arrival| arrival.at.as_secs_f64()).collect()
}

#[test]
fn an_even_pace_has_equal_gaps_and_exactly_its_count() {
    let times = seconds(arrivals(&open(&[(500.0, 500.0, 60_000)], Process::Even), 1));
    assert_eq!(times.len(), 30_000);
    assert!(times.windows(2).all(|pair| (pair[1] - pair[0] - 0.002).abs() < 1e-8));
    assert!((times[0] - 0.001).abs() < 1e-9);
}

#[test]
fn a_ramp_up_and_down_is_where_its_integral_says() {
    // Up to 100/s in 10 s (500 starts), 10 s there (1,000), down to 0 in 10 s (500).
    let load = open(&[(0.0, 100.0, 10_000), (100.0, 100.0, 10_000), (100.0, 0.0, 10_000)], Process::Even);
    let times = seconds(arrivals(&load, 1));
    assert_eq!(times.len(), 2_000);
    let until = |limit: f64| times.iter().filter(|time| **time < limit).count();
    assert_eq!((until(5.0), until(10.0), until(20.0), until(25.0)), (125, 500, 1_500, 1_875));
    // t = √(2n ÷ slope) on the way up: the 101st start stands at n = 100.5.
    assert!((times[100] - (2.0 * 100.5 / 10.0_f64).sqrt()).abs() < 1e-6);
}

#[test]
fn a_jump_takes_no_time_and_a_stage_without_rate_has_no_start() {
    let load = open(
        &[(10.0, 10.0, 1_000), (10.0, 100.0, 0), (100.0, 100.0, 1_000), (0.0, 0.0, 1_000)],
        Process::Even,
    );
    let times = seconds(arrivals(&load, 1));
    assert_eq!(times.len(), 110);
    assert_eq!(times.iter().filter(|time| **time < 1.0).count(), 10);
    assert!(times[109] < 2.0);
}

/// A Poisson process: exponential gaps (Kolmogorov-Smirnov), and counts as dispersed as their mean.
#[test]
fn a_poisson_process_is_one() {
    let mut accepted = 0;
    for seed in 1..=3 {
        let times = seconds(arrivals(&open(&[(1_000.0, 1_000.0, 100_000)], Process::Poisson), seed));
        let n = times.len() as f64;
        assert!((n - 100_000.0).abs() < 3.0 * 100_000.0_f64.sqrt(), "{n}");
        let mut gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        gaps.sort_by(f64::total_cmp);
        let distance = gaps.iter().enumerate().fold(0.0_f64, |worst, (index, gap)| {
            let expected = 1.0 - (-gap * 1_000.0).exp();
            worst.max((expected - index as f64 / n).abs()).max(((index + 1) as f64 / n - expected).abs())
        });
        // The critical value of the test at 1 %.
        accepted += u32::from(distance < 1.63 / n.sqrt());
        for width in [0.01, 0.1, 1.0] {
            let mut counts = vec![0.0_f64; (100.0 / width) as usize];
            for time in &times {
                counts[((time / width) as usize).min((100.0 / width) as usize - 1)] += 1.0;
            }
            let mean = counts.iter().sum::<f64>() / counts.len() as f64;
            let variance =
                counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / counts.len() as f64;
            let limit = 4.0 * (2.0 / counts.len() as f64).sqrt();
            assert!((variance / mean - 1.0).abs() < limit, "seed {seed}, {width} s: {}", variance / mean);
        }
    }
    assert!(accepted >= 2, "{accepted} of 3");
}

#[test]
fn a_rate_can_be_changed_on_the_way() {
    let load = open(&[(100.0, 100.0, 4_000)], Process::Even);
    let mut starts = arrivals(&load, 1);
    let until = |starts: &mut Arrivals<Xoshiro256PlusPlus>, seconds: u64| {
        std::iter::from_fn(|| starts.take_due(Duration::from_secs(seconds))).count()
    };
    assert_eq!(until(&mut starts, 1), 100);
    starts.retune(Duration::from_secs(1), 2.0);
    assert_eq!(until(&mut starts, 2), 200);
    starts.retune(Duration::from_secs(2), 0.0);
    assert_eq!(until(&mut starts, 3), 0);
    assert_eq!(starts.peek(), None, "a pause has no next start");
    starts.retune(Duration::from_secs(3), 1.0);
    assert_eq!(until(&mut starts, 9), 100, "and it ends when it was to end");
}

#[test]
fn what_was_due_before_a_change_stays_due_when_it_was() {
    let load = open(&[(0.0, 100.0, 10_000)], Process::Poisson);
    let plain: Vec<_> = arrivals(&load, 5).take_while(|start| start.at < Duration::from_secs(5)).collect();
    let mut changed = arrivals(&load, 5);
    changed.retune(Duration::from_secs(5), 3.0);
    let same: Vec<_> = changed.take_while(|start| start.at < Duration::from_secs(5)).collect();
    assert_eq!(plain, same);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn starts_never_run_backwards_and_end_with_the_profile(
        stages in prop::collection::vec((0.0_f64..300.0, 0.0_f64..300.0, 0_u64..3_000), 1..6),
        poisson in any::<bool>(),
    ) {
        let process = if poisson { Process::Poisson } else { Process::Even };
        let load = open(&stages, process);
        let times = seconds(arrivals(&load, 7));
        prop_assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
        let end = load.profile.length().unwrap().as_secs_f64();
        prop_assert!(times.last().is_none_or(|last| *last <= end + 1e-6));
        if !poisson {
            prop_assert!((times.len() as f64 - load.profile.starts()).abs() <= 0.5 + 1e-6);
        }
    }

    /// Threads and machines take turns: together they have every start once.
    #[test]
    fn shares_make_the_whole(of in 1_u64..7, poisson in any::<bool>()) {
        let process = if poisson { Process::Poisson } else { Process::Even };
        let load = open(&[(0.0, 200.0, 2_000), (200.0, 50.0, 2_000)], process);
        let whole: Vec<Arrival> = arrivals(&load, 3).collect();
        let random = || Xoshiro256PlusPlus::seed_from_u64(3);
        let share = |index| Arrivals::new(&load, Share { index, of }, random());
        let mut shares: Vec<Arrival> = (0..of).flat_map(share).collect();
        shares.sort_by_key(|arrival| arrival.index);
        prop_assert_eq!(whole, shares);
    }
}
