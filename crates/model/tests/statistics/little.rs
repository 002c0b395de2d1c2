//! Little's law on figures that fit together, and on figures that do not.

use loadgen_model::statistics::Audit;
use loadgen_model::statistics::little::Cycles;
use rand::SeedableRng;
use rand_distr::{Distribution, Exp};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

fn cycles(users: f64, completed: u64, response_ms: u64, think_ms: u64) -> Cycles {
    let (response, think) = (Duration::from_millis(response_ms), Duration::from_millis(think_ms));
    Cycles { users, completed, response, think, elapsed: MINUTE }
}

#[test]
fn figures_that_fit_together_hold() {
    // 100 users, a cycle of 500 ms: 200/s.
    let audit = cycles(100.0, 12_000, 200, 300).audit();
    assert!((audit.ratio().unwrap() - 1.0).abs() < 1e-12);
    assert!(audit.tolerance < 0.02, "{audit:?}");
    assert!(audit.holds());
}

#[test]
fn time_that_is_missing_is_found() {
    // Think time forgotten, requests counted twice, response times from the first byte only.
    assert!(!cycles(100.0, 12_000, 200, 0).audit().holds());
    assert!(!cycles(100.0, 24_000, 200, 300).audit().holds());
    assert!(!cycles(100.0, 12_000, 180, 300).audit().holds());
}

#[test]
fn published_figures_do_not_hold() {
    // 30 threads, 309.9/s, 5.83 ms and no think time: 6 % of the threads' time is accounted for.
    let response = Duration::from_micros(5_830);
    let audit =
        Cycles { users: 30.0, completed: 18_594, response, think: Duration::ZERO, elapsed: MINUTE }.audit();
    assert!((audit.ratio().unwrap() - 0.0602).abs() < 1e-4, "{audit:?}");
    assert!(!audit.holds());
}

#[test]
fn a_window_of_few_cycles_is_judged_mildly() {
    // One user, cycles of 10 s: five or six of them end in a minute.
    assert!(cycles(1.0, 5, 2_000, 8_000).audit().holds());
    assert!(!cycles(1_000.0, 57_000, 200, 800).audit().holds());
}

#[test]
fn nothing_holds_only_for_nothing() {
    assert!(cycles(0.0, 0, 0, 0).audit().holds());
    assert!(!cycles(0.0, 10, 100, 0).audit().holds());
    assert!(!cycles(10.0, 0, 0, 0).audit().holds());
    assert_eq!(cycles(0.0, 10, 100, 0).audit().ratio(), None);
    let none = Audit::of_flight(0.0, Duration::ZERO, 0, Duration::ZERO);
    assert!(none.holds());
}

#[test]
fn requests_in_flight_are_accumulated_time_by_elapsed_time() {
    let held = Audit::of_flight(20.0, MINUTE * 20, 6_000, MINUTE);
    assert!(held.holds() && (held.ratio().unwrap() - 1.0).abs() < 1e-12, "{held:?}");
    assert!(!Audit::of_flight(20.0, MINUTE * 10, 6_000, MINUTE).holds());
}

/// Users with exponential response and think times, watched through a window that cuts their cycles.
#[test]
fn a_true_run_holds_whatever_its_length() {
    let mut broken = 0;
    for seed in 0..200 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let users = 1 + seed % 20;
        let (response, think) = (Exp::new(5.0).unwrap(), Exp::new(1.0).unwrap());
        let (from, to) = (10.0, 10.0 + [10.0, 30.0, 60.0, 300.0][(seed % 4) as usize]);
        let (mut completed, mut responses, mut thinks) = (0_u64, 0.0, 0.0);
        for _ in 0..users {
            let mut now = 0.0;
            while now < to {
                let (r, z) = (response.sample(&mut random), think.sample(&mut random));
                now += r + z;
                if (from..to).contains(&now) {
                    completed += 1;
                    responses += r;
                    thinks += z;
                }
            }
        }
        let mean = |sum: f64| Duration::from_secs_f64(sum / completed.max(1) as f64);
        let elapsed = Duration::from_secs_f64(to - from);
        let audit = Cycles {
            users: users as f64,
            completed,
            response: mean(responses),
            think: mean(thinks),
            elapsed,
        }
        .audit();
        broken += u32::from(!audit.holds());
    }
    assert!(broken <= 2, "{broken} of 200 true runs are taken for broken ones");
}
