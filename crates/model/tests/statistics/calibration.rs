//! How often bounds of 95 % contain the truth: M/M/1 queues, whose response times are exponential in theory and
//! depend on each other the more, the nearer to capacity.

use loadgen_model::histogram::Histogram;
use loadgen_model::statistics::tally::BATCHES;
use loadgen_model::statistics::{Batches, Confidence, Tally};
use rand::{Rng, SeedableRng};
use rand_distr::{Distribution, Exp};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

const RUNS: u64 = 100;
/// Requests a second that the server can do.
const CAPACITY: f64 = 1_000.0;
const QUANTILE: f64 = 0.99;

/// What a run recorded: all of it, and second by second as a generator keeps it.
struct Run {
    whole: Histogram,
    seconds: Vec<Histogram>,
    batches: Batches,
    /// The same requests dealt out like cards: what depended on each other is torn apart.
    dealt: Vec<Histogram>,
}

/// Response times by Lindley's recursion W′ = max(0, W + S − A), begun in the state of the long run.
fn queue(utilisation: f64, requests: u64, seed: u64) -> Run {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (gap, service) = (Exp::new(CAPACITY * utilisation).unwrap(), Exp::new(CAPACITY).unwrap());
    let spare = Exp::new(CAPACITY * (1.0 - utilisation)).unwrap();
    let mut wait = if random.random_bool(utilisation) { spare.sample(&mut random) } else { 0.0 };
    let mut run = Run {
        whole: Histogram::default(),
        seconds: Vec::new(),
        batches: Batches::default(),
        dealt: vec![Histogram::with_digits(2); BATCHES],
    };
    let (mut now, mut second) = (0.0_f64, Histogram::with_digits(2));
    for request in 0..requests as usize {
        let response = wait + service.sample(&mut random);
        for histogram in [&mut second, &mut run.whole, &mut run.dealt[request % BATCHES]] {
            histogram.record(Duration::from_secs_f64(response));
        }
        let next = gap.sample(&mut random);
        wait = (response - next).max(0.0);
        if (now + next).floor() > now.floor() {
            run.batches.push(&second);
            run.seconds.push(std::mem::replace(&mut second, Histogram::with_digits(2)));
        }
        now += next;
    }
    run.batches.push(&second);
    run.seconds.push(second);
    run
}

/// How many of the runs had the truth within their bounds of p99 (from seconds, from batches), of the mean, of
/// the share of slow requests, and of p99 as if requests were independent.
fn covered(utilisation: f64, requests: u64) -> [u32; 5] {
    let mean_ms = 1e3 / (CAPACITY * (1.0 - utilisation));
    let p99_ms = -(1.0 - QUANTILE).ln() * mean_ms;
    let slow = Duration::from_secs_f64(3.0 * mean_ms / 1e3);
    let mut hits = [0; 5];
    for seed in 0..RUNS {
        let run = queue(utilisation, requests, seed);
        let slow_share: Vec<Tally> =
            run.seconds.iter().map(|second| Tally::share(second.count_above(slow), second.count())).collect();
        let found = [
            (Confidence::of_quantile(&run.whole, 0, &run.seconds, QUANTILE), p99_ms),
            (Confidence::of_quantile(&run.whole, 0, run.batches.histograms(), QUANTILE), p99_ms),
            (Confidence::of_mean(&run.seconds), mean_ms),
            (Confidence::of_share(&slow_share), (-3.0_f64).exp()),
            (Confidence::of_quantile(&run.whole, 0, &run.dealt, QUANTILE), p99_ms),
        ];
        for (hit, (confidence, truth)) in hits.iter_mut().zip(found) {
            let confidence = confidence.unwrap();
            let within = confidence.lower.is_none_or(|lower| lower <= truth)
                && confidence.upper.is_none_or(|upper| truth <= upper);
            *hit += u32::from(within);
        }
    }
    hits
}

/// `pretended`: at most so many hold when the order of requests is ignored.
#[track_caller]
fn check(utilisation: f64, requests: u64, pretended: u32) {
    let hits = covered(utilisation, requests);
    let (dealt, honest) = hits.split_last().unwrap();
    assert!(honest.iter().all(|hits| (88..=99).contains(hits)), "{hits:?} of {RUNS} at {utilisation}");
    assert!(*dealt <= pretended, "{hits:?} of {RUNS} at {utilisation}");
}

#[test]
fn at_half_load_bounds_hold_as_often_as_they_say() {
    check(0.5, 100_000, 70);
}

#[test]
fn at_four_fifths_of_capacity_bounds_hold_as_often_as_they_say() {
    check(0.8, 100_000, 40);
}
