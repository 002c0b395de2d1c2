//! What is reported against what was true: the platform knows both.

use crate::support::platform::Platform;
use crate::support::{job, run_job};

#[test]
fn response_times_are_those_of_the_target() {
    let platform = Platform::start(&["default=fixed:20ms"]);
    let text = "
load: { users: 4, iterations: 25 }
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { url: /status/200 } }
";
    // `status` has no general service time: ask for one of its own.
    let outcome = run_job(&job(&platform.url(), &text.replace("/status/200", "/users/user.7")));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [100, 100, 0, 0, 0]);
    assert_eq!(platform.counts().received(), 100);
    assert_eq!(platform.counts().answered(), 100);
    assert_eq!(platform.counts().connections, 5, "one for each user, and one to try");
    let task = outcome.report.task("t");
    for times in ["response_ms", "service_ms"] {
        let of = |name: &str| task.number(&format!("/{times}/{name}"));
        assert!(of("min") >= 20.0, "{times}: nothing is faster than the target: {}", of("min"));
        assert!((20.0..40.0).contains(&of("p50")), "{times}: {}", of("p50"));
        assert!(of("p50") <= of("p90") && of("p90") <= of("p99") && of("p99") <= of("max"), "{times}");
        assert_eq!(task.count(&format!("/{times}/count")), 100);
    }
    let summed = task.number("/passed_s");
    let mean = task.number("/response_ms/mean");
    assert!((summed * 1e3 / 100.0 / mean - 1.0).abs() < 0.01, "{summed} s of 100 requests, {mean} ms each");
}

#[test]
fn failures_are_those_of_the_target() {
    let platform = Platform::start(&["read.errors=0.3", "read.drops=0.1"]);
    let text = "
load: { users: 2, iterations: 200 }
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { method: POST, url: \"/users?_action=create\", json: {} }, r: { url: /users/user.7 } }
";
    let text = text.replace("[{ task: t }]", "[{ task: r }]");
    let outcome = run_job(&job(&platform.url(), &text));
    let truth = platform.counts().operation("read");
    assert!(truth.errors > 50 && truth.drops > 10, "{truth:?}");
    let failures = outcome.report.failures("r");
    let of = |kind: &str| failures.iter().filter(|(k, ..)| k == kind).map(|(_, _, count)| count).sum::<u64>();
    assert_eq!(of("status"), truth.errors, "{failures:?}");
    let resent = outcome.report.count("/load/requests_resent");
    assert_eq!(of("reset") + resent, truth.drops, "each drop fails or is sent again: {failures:?}");
    let [requests, passed, _, failed, _] = outcome.report.outcomes();
    assert_eq!((requests, passed + failed, requests + resent), (400, 400, truth.received));
    assert_eq!(passed, truth.answered - truth.errors);
}

#[test]
fn think_time_is_seen_by_the_target() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 3, iterations: 4 }
workloads: { w: { steps: [{ task: t }, { sleep: 100ms }] } }
tasks: { t: { url: /users/user.7 } }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.count("/totals/sleeps"), 12);
    let slept = outcome.report.number("/totals/sleep_s");
    assert!((1.19..1.21).contains(&slept), "{slept} s");
    let lines = platform.stop();
    let mut connections: Vec<u64> = lines.iter().map(|line| line.connection).collect();
    connections.sort_unstable();
    connections.dedup();
    assert_eq!(connections.len(), 3);
    for connection in connections {
        let arrivals: Vec<u64> =
            lines.iter().filter(|line| line.connection == connection).map(|line| line.arrival_us).collect();
        assert_eq!(arrivals.len(), 4);
        for pair in arrivals.windows(2) {
            assert!(pair[1] - pair[0] >= 99_000, "{arrivals:?}");
        }
    }
}

#[test]
fn one_server_and_ten_users_obey_littles_law() {
    let platform = Platform::start(&["read=fixed:20ms", "servers=1"]);
    let text = "
load: { users: 10, iterations: 15 }
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { url: /users/user.7 } }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_valid_or_noise();
    let report = &outcome.report;
    assert_eq!(report.outcomes(), [150, 150, 0, 0, 0]);
    // A queue of ten before a server of 20 ms; the first requests find it shorter.
    let response_s = report.number("/tasks/0/response_ms/mean") / 1e3;
    assert!((0.18..0.30).contains(&response_s), "{response_s} s");
    let rate = 150.0 / report.number("/run/elapsed_s");
    assert!(rate <= 50.0, "no more than the server can do: {rate}/s");
    let users = rate * response_s;
    assert!((9.0..=10.1).contains(&users), "X·R = {rate} × {response_s} = {users}, N = 10");
}

#[test]
fn every_request_that_is_reported_was_received() {
    let platform = Platform::start(&["default=exponential:2ms"]);
    let text = "
load: { users: 8, duration: 1500ms }
workloads:
  read: { weight: 3, steps: [{ task: read }] }
  query: { weight: 1, steps: [{ task: query }, { sleep: 5ms }, { task: read }] }
tasks:
  read: { url: /users/user.7 }
  query: { url: \"/users?_queryFilter=_id+eq+'user.7'\" }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_valid_or_noise();
    let counts = platform.counts();
    let of = |task: &str| {
        let all = outcome.report.at("/tasks").as_array().unwrap().iter();
        all.filter(|one| one["name"] == task).map(|one| one["requests"].as_u64().unwrap()).sum::<u64>()
    };
    assert_eq!(of("read"), counts.operation("read").received);
    assert_eq!(of("query"), counts.operation("query").received);
    assert_eq!(outcome.report.outcomes()[0], counts.received());
    let intervals = outcome.report.at("/intervals").as_array().unwrap();
    let sum: u64 = intervals.iter().map(|one| one["requests"].as_u64().unwrap()).sum();
    assert_eq!(sum, counts.received(), "the intervals add up");
    let lines = platform.stop();
    assert!(
        lines.iter().all(|line| line.status == Some(200)),
        "{:?}",
        lines.iter().find(|l| l.status != Some(200))
    );
    assert!(lines.iter().all(|line| line.operation == "read" || line.operation == "query"));
}
