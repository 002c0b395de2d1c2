//! Warm-up of platforms whose course is known: when it is taken to be over, and how far off the figures are then.

use loadgen_model::statistics::steady::{MOST_WINDOWS, WINDOW};
use loadgen_model::statistics::{Decision, WarmUp};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, Normal};
use rand_xoshiro::Xoshiro256PlusPlus;

const SEEDS: u64 = 100;
const USERS: f64 = 50.0;

/// Mean response time of windows of a closed load without think time: `course` by seconds, with noise.
fn run(seed: u64, noise: f64, course: impl Fn(f64) -> f64) -> Decision {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let normal = Normal::new(1.0, noise).unwrap();
    let mut warm_up = WarmUp::default();
    let length_s = WINDOW.as_secs_f64();
    (0..)
        .find_map(|window| {
            let mean = course((f64::from(window) + 0.5) * length_s) * normal.sample(&mut random);
            warm_up.observe(USERS / mean, mean)
        })
        .unwrap()
}

/// Middle of the times of the decisions over all seeds, and the share that was never steady.
fn decided_s(noise: f64, course: impl Fn(f64) -> f64) -> (f64, f64) {
    let decisions: Vec<_> = (0..SEEDS).map(|seed| run(seed, noise, &course)).collect();
    let seconds = |decision: &Decision| match decision {
        Decision::Steady { windows } => f64::from(*windows) * WINDOW.as_secs_f64(),
        Decision::NotSteady { .. } => f64::INFINITY,
    };
    let mut times: Vec<f64> = decisions.iter().map(seconds).collect();
    times.sort_by(f64::total_cmp);
    let given_up = times.iter().filter(|time| time.is_infinite()).count();
    (times[times.len() / 2], given_up as f64 / SEEDS as f64)
}

fn compiling(t_s: f64) -> f64 {
    10.0 * (1.0 + 0.6 * (-t_s / 75.0).exp())
}

#[test]
fn a_steady_platform_costs_a_minute() {
    assert_eq!(run(1, 0.0, |_| 10.0), Decision::Steady { windows: 12 });
    let (middle, given_up) = decided_s(0.02, |_| 10.0);
    assert!((60.0..=65.0).contains(&middle), "{middle}");
    assert!(given_up < 0.01, "{given_up}");
}

#[test]
fn a_platform_that_compiles_is_waited_for() {
    // The noisier the windows, the less of a change can be seen in them. A fixed minute would leave 27 % to come.
    for (noise, from_s, to_s, left) in [
        (0.001, 250.0, 275.0, 0.02),
        (0.01, 230.0, 265.0, 0.03),
        (0.02, 180.0, 230.0, 0.055),
        (0.03, 160.0, 210.0, 0.07),
    ] {
        let (middle, given_up) = decided_s(noise, compiling);
        assert!((from_s..=to_s).contains(&middle), "noise {noise}: {middle} s");
        assert!(given_up < 0.01, "noise {noise}: {given_up}");
        assert!(compiling(middle) < 10.0 * (1.0 + left), "noise {noise}: {} ms", compiling(middle));
    }
}

#[test]
fn noise_that_hides_four_percent_takes_longer_to_trust() {
    let (quiet, _) = decided_s(0.02, |_| 10.0);
    let (noisy, given_up) = decided_s(0.10, |_| 10.0);
    assert!(quiet <= noisy && noisy <= 120.0, "{quiet} {noisy}");
    assert!(given_up < 0.05, "{given_up}");
}

#[test]
fn without_noise_the_last_traces_of_warm_up_do_not_matter() {
    let Decision::Steady { windows } = run(1, 0.0, compiling) else { panic!("never steady") };
    assert!((40..=MOST_WINDOWS).contains(&windows), "{windows}");
}

#[test]
fn a_platform_that_gets_slower_without_end_is_not_steady() {
    let Decision::NotSteady { rate_change, mean_change } = run(1, 0.01, |t_s| 10.0 + t_s / 10.0) else {
        panic!("steady")
    };
    // 5.5 ms more within the last minute, at about 37 ms.
    assert!((0.10..0.20).contains(&mean_change), "{mean_change}");
    assert!((-0.20..-0.10).contains(&rate_change), "{rate_change}");
}

#[test]
fn a_platform_that_never_stops_warming_up_is_not_steady() {
    let decision = run(3, 0.01, |t_s| 100.0 * (-t_s / 300.0).exp());
    assert!(
        matches!(decision, Decision::NotSteady { mean_change, .. } if mean_change < -0.1),
        "{decision:?}"
    );
}

#[test]
fn a_pause_begins_the_minute_anew() {
    let mut warm_up = WarmUp::default();
    for _ in 0..11 {
        assert_eq!(warm_up.observe(100.0, 10.0), None);
    }
    assert_eq!(warm_up.observe(0.0, f64::NAN), None);
    for _ in 0..11 {
        assert_eq!(warm_up.observe(100.0, 10.0), None);
    }
    let decision = Some(Decision::Steady { windows: 24 });
    assert_eq!(warm_up.observe(100.0, 10.0), decision);
    assert_eq!(warm_up.observe(1.0, 1_000.0), decision, "it stays as it is");
    assert_eq!(warm_up.windows(), 24);
}

#[test]
fn nothing_at_all_is_given_up_too() {
    let mut warm_up = WarmUp::default();
    let last = (0..MOST_WINDOWS).map(|_| warm_up.observe(0.0, 0.0)).last().unwrap();
    assert_eq!(last, Some(Decision::NotSteady { rate_change: 0.0, mean_change: 0.0 }));
}

#[test]
fn hostile_figures_do_no_harm() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, f64::MIN_POSITIVE, f64::MAX, 1.0];
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut warm_up = WarmUp::default();
    let mut draw = || odd[random.random_range(0..odd.len())];
    assert!((0..MOST_WINDOWS).any(|_| warm_up.observe(draw(), draw()).is_some()));
}
