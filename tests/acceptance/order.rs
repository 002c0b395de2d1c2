//! The order in which a user does things, and the shares of a mix.

use crate::support::platform::Platform;
use crate::support::{Answer, Server, job, run_job};

/// The last parts of the paths that a platform saw, in order.
fn seen(platform: Platform) -> String {
    platform.stop().iter().map(|line| line.path.rsplit('/').next().unwrap().to_owned()).collect()
}

#[test]
fn iterations_are_interleaved_and_none_is_lost() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 1 }
workloads:
  a: { iterations: 10, steps: [{ task: a }] }
  b: { iterations: 4, steps: [{ task: b }] }
tasks: { a: { url: /echo/a }, b: { url: /echo/b } }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!(seen(platform), "aabaaabaabaaab");
    assert_eq!(outcome.report.count("/load/iterations"), 14);
    assert_eq!(outcome.report.count("/workloads/0/iterations"), 10);
    assert_eq!(outcome.report.count("/workloads/1/iterations"), 4);
}

#[test]
fn iterations_that_divide_keep_the_originals_order() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 1 }
workloads:
  a: { iterations: 10, steps: [{ task: a }] }
  off: { iterations: 0 }
  b: { iterations: 2, steps: [{ task: b }] }
tasks: { a: { url: /echo/a }, b: { url: /echo/b } }
";
    run_job(&job(&platform.url(), text)).assert_valid_or_noise();
    assert_eq!(seen(platform), "aaaaabaaaaab");
}

#[test]
fn repeats_are_nested() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 1, iterations: 1 }
workloads:
  w:
    steps:
      - repeat: 2
        steps:
          - task: a
          - repeat: 3
            steps: [{ task: b }, { task: c }]
      - task: d
tasks:
  a: { url: /echo/a }
  b: { url: /echo/b }
  c: { url: /echo/c }
  d: { url: /echo/d }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_code(0);
    assert_eq!(seen(platform), "abcbcbcabcbcbcd");
    assert_eq!(outcome.report.count("/workloads/0/steps_per_iteration"), 15);
}

#[test]
fn weights_give_their_shares_even_in_a_short_run() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 1, iterations: 100 }
workloads:
  a: { weight: 90, steps: [{ task: a }] }
  b: { weight: 9, steps: [{ task: b }] }
  c: { weight: 1, steps: [{ task: c }] }
tasks: { a: { url: /echo/a }, b: { url: /echo/b }, c: { url: /echo/c } }
";
    run_job(&job(&platform.url(), text)).assert_valid_or_noise();
    let order = seen(platform);
    let count = |name| order.matches(name).count();
    assert_eq!(order.len(), 100);
    assert!((89..=91).contains(&count("a")), "{order}");
    assert!((8..=10).contains(&count("b")), "{order}");
    assert!(count("c") <= 2, "{order}");
}

#[test]
fn weights_hold_over_all_users_and_threads() {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = "
load: { users: 10, iterations: 40 }
workloads:
  a: { weight: 3, steps: [{ task: a }] }
  b: { weight: 1, steps: [{ task: b }] }
tasks: { a: { url: /a }, b: { url: /b } }
";
    let folder = crate::support::Folder::with_job(&job(&server.url(), text));
    let outcome = folder.run_with(&["--threads", "2"]);
    outcome.assert_valid_or_noise();
    let paths = server.paths();
    let first = paths.iter().filter(|path| *path == "/a").count();
    assert_eq!(paths.len(), 400);
    assert!((296..=304).contains(&first), "{first} of 400, 300 asked for");
    assert_eq!(outcome.report.task("a").count("/requests"), first as u64);
}

#[test]
fn a_load_of_its_own_runs_beside_the_others() {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = "
load: { users: 2, iterations: 5 }
workloads:
  a: { steps: [{ task: a }] }
  b: { load: { users: 3, iterations: 4 }, steps: [{ task: b }] }
tasks: { a: { url: /a }, b: { url: /b } }
";
    let outcome = run_job(&job(&server.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.task("a").outcomes(), [10, 10, 0, 0, 0]);
    assert_eq!(outcome.report.task("b").outcomes(), [12, 12, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/users"), 5);
}

#[test]
fn users_start_in_the_groups_of_the_ramp() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 4, iterations: 1, ramp: { group: 2, every: 300ms } }
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { url: /echo } }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_code(0);
    assert_eq!(outcome.report.count("/load/ramp_group"), 2);
    let arrivals: Vec<u64> = platform.stop().iter().map(|line| line.arrival_us).collect();
    assert_eq!(arrivals.len(), 4);
    // Nobody starts early; the first two may themselves be late by what a busy machine costs.
    assert!(arrivals[2] - arrivals[0] >= 200_000, "{arrivals:?}");
}

#[test]
fn a_duration_ends_the_run() {
    let platform = Platform::start(&["default=fixed:20ms"]);
    let text = "
load: { users: 2, duration: 600ms }
workloads: { w: { steps: [{ task: t }, { sleep: 10s }, { task: t }] } }
tasks: { t: { url: /echo } }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes()[0], 2, "nobody sleeps beyond the end");
    let elapsed = outcome.report.number("/run/elapsed_s");
    assert!((0.59..10.0).contains(&elapsed), "{elapsed}");
}
