//! Loads by the clock: what was due, what began, what waited and what never did, against the platform's own log.

use crate::support::platform::Platform;
use crate::support::{Folder, Outcome, job, run_job};
use rustix::process::Signal;

const ONE: &str = "
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { url: /users/user.7 } }
";

fn run(platform: &Platform, load: &str) -> Outcome {
    run_job(&job(&platform.url(), &format!("load: {{ {load} }}{ONE}")))
}

fn arrivals(outcome: &Outcome, what: &str) -> u64 {
    outcome.report.count(&format!("/load/arrivals/{what}"))
}

#[test]
fn an_even_pace_is_seen_by_the_target() {
    let platform = Platform::start(&["read=fixed:2ms"]);
    let outcome = run(&platform, "rate: 200/s, arrivals: even, duration: 2s");
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.text("/load/model"), "open");
    assert_eq!(outcome.report.text("/load/arrivals/asked/0"), "even 200/s for 2s");
    assert_eq!(arrivals(&outcome, "due"), 400);
    assert_eq!(arrivals(&outcome, "begun"), 400);
    assert_eq!(arrivals(&outcome, "never_begun"), 0);
    assert_eq!(outcome.report.outcomes()[0], 400);
    let lines = platform.stop();
    assert_eq!(lines.len(), 400);
    let (first, last) = (lines[0].arrival_us, lines.iter().map(|line| line.arrival_us).max().unwrap());
    let length = (last - first) as f64 / 1e6;
    assert!((1.9..2.2).contains(&length), "399 gaps of 5 ms: {length} s");
}

#[test]
fn the_schedule_does_not_wait_for_the_target() {
    // A closed user would send 20 requests in two seconds.
    let platform = Platform::start(&["read=fixed:100ms"]);
    let outcome = run(&platform, "rate: 100/s, arrivals: poisson, duration: 2s");
    outcome.assert_valid_or_noise();
    let due = arrivals(&outcome, "due");
    assert!((150..250).contains(&due), "{due}");
    assert_eq!(platform.counts().operation("read").received, due);
    assert_eq!(outcome.report.outcomes()[0], due);
}

#[test]
fn a_pool_that_is_too_small_never_passes() {
    // Two users make 40 iterations a second of the 200 that are asked for.
    let platform = Platform::start(&["read=fixed:50ms"]);
    let outcome = run(&platform, "rate: 200/s, arrivals: even, duration: 2s, max_users: 2");
    outcome.assert_code(111);
    assert_eq!(arrivals(&outcome, "due"), 400);
    let (begun, never) = (arrivals(&outcome, "begun"), arrivals(&outcome, "never_begun"));
    assert_eq!(begun + never, 400, "all that was due is told of");
    assert!((60..=82).contains(&begun), "{begun}");
    assert_eq!(begun, platform.counts().operation("read").received);
    assert!(arrivals(&outcome, "waited") >= begun - 4);
    assert_eq!(outcome.report.task("t").count("/never_started"), never);
    assert_eq!(outcome.report.count("/load/never_started"), never);
    let reasons = outcome.report.at("/verdict/reasons").to_string();
    assert!(reasons.contains("pool-limited") && reasons.contains("max_users"), "{reasons}");
    // What waited counts from when it was due; what the target took is another figure.
    let of = |figure: &str| outcome.report.task("t").number(figure);
    assert!(of("/response_ms/p50") > 500.0, "{}", of("/response_ms/p50"));
    assert!(of("/service_ms/p50") < 100.0, "{}", of("/service_ms/p50"));
}

#[test]
fn what_never_started_counts_against_the_objectives() {
    let platform = Platform::start(&["read=fixed:50ms"]);
    let slo = "slo: [{ errors: 0% }, { task: t, p50: 10s }]\n";
    let text = format!("{slo}load: {{ rate: 100/s, duration: 1s, max_users: 2 }}{ONE}");
    let outcome = run_job(&job(&platform.url(), &text));
    let met = |index: usize| outcome.report.at(&format!("/slo/{index}/met")) == true;
    assert!(!met(0), "nothing failed, but much was not even tried: {outcome:?}");
}

#[test]
fn a_stall_of_the_target_is_in_the_response_times() {
    // 100/s for three seconds, of which half a second stands still: 50 requests fall into it, 30 are a tenth.
    let platform = Platform::start(&["read=fixed:1ms", "stall=1500ms+500ms"]);
    let outcome = run(&platform, "rate: 100/s, arrivals: even, duration: 3s, max_users: 500");
    outcome.assert_valid_or_noise();
    let p90 = outcome.report.task("t").number("/response_ms/p90");
    let valid = outcome.done.code == 0;
    assert!(!valid || (150.0..520.0).contains(&p90), "a tenth of all waited for much of the stall: {p90}");
}

#[test]
fn stages_rise_hold_and_fall() {
    let platform = Platform::start(&["read=fixed:1ms"]);
    let load = "arrivals: even, stages: [{ to: 100/s, over: 1s }, { hold: 1s }, { to: 0/s, over: 1s }]";
    let outcome = run(&platform, load);
    outcome.assert_valid_or_noise();
    assert_eq!(arrivals(&outcome, "due"), 200);
    assert_eq!(platform.counts().operation("read").received, 200);
    assert_eq!(outcome.report.at("/load/steady_from_s"), 1.0, "ramps are not steady");
    assert_eq!(outcome.report.at("/load/steady_to_s"), 2.0);
    assert!((outcome.report.number("/load/arrivals/begun_per_s") - 100.0).abs() < 3.0);
}

#[test]
fn the_command_line_turns_users_into_a_rate_and_back() {
    let platform = Platform::start(&["read=fixed:1ms"]);
    let folder =
        Folder::with_job(&job(&platform.url(), &format!("load: {{ users: 2, iterations: 10 }}{ONE}")));
    let open = folder.run_with(&["--rate", "6000/m", "--duration", "1s", "--set", "load.arrivals=even"]);
    assert_eq!(open.report.text("/load/model"), "open");
    assert_eq!(arrivals(&open, "due"), 100);
    let folder =
        Folder::with_job(&job(&platform.url(), &format!("load: {{ rate: 5/s, duration: 9s }}{ONE}")));
    let closed = folder.run_with(&["--users", "3", "--iterations", "2"]);
    assert_eq!(closed.report.text("/load/model"), "closed");
    assert_eq!(closed.report.outcomes()[0], 6);
}

#[test]
fn the_three_kinds_of_client_counts_are_loads() {
    let platform = Platform::start(&["read=fixed:1ms"]);
    let asked = |load: &str| run(&platform, load).report.text("/load/arrivals/asked/0").to_owned();
    assert_eq!(asked("clients_per_test: 30, duration: 500ms"), "even 60/s for 500ms");
    assert_eq!(asked("clients_per_second: 40, duration: 500ms, arrivals: poisson"), "poisson 40/s for 500ms");
    let kept = run(&platform, "keep_clients: 3, duration: 500ms");
    assert_eq!((kept.report.text("/load/model"), kept.report.count("/load/users")), ("closed", 3));
}

#[test]
fn each_iteration_is_somebody_new() {
    let platform = Platform::start(&[]);
    let text = "
load: { rate: 50/s, arrivals: even, iterations: 10 }
workloads: { w: { steps: [{ task: set }, { task: see }] } }
tasks:
  set: { url: /cookies/set?seen=1, redirects: off, check: [{ status: 200-399 }] }
  see: { url: /health }
";
    let outcome = run_job(&job(&platform.url(), text));
    assert_eq!(arrivals(&outcome, "begun"), 10, "{outcome:?}");
}

#[test]
fn an_interrupt_ends_the_schedule() {
    let platform = Platform::start(&["read=fixed:1ms"]);
    let folder =
        Folder::with_job(&job(&platform.url(), &format!("load: {{ rate: 50/s, duration: 10m }}{ONE}")));
    let mut running =
        folder.command(["run", "job.yaml", "--interval", "1", "-o", "json=report.json"]).start();
    running.wait_for_stderr("\n");
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 105, "{done:?}");
    let report = crate::support::Report::parse(&folder.read("report.json"));
    let of = |what: &str| report.count(&format!("/load/arrivals/{what}"));
    assert!(of("due") > 20 && of("due") < 500, "only what was due until then: {}", of("due"));
    assert_eq!(of("due"), of("begun") + of("never_begun"));
}

#[test]
fn an_objective_that_stops_ends_the_run_early() {
    let platform = Platform::start(&["read=fixed:30ms"]);
    let slo = "slo: [{ task: t, p90: 10ms, for: 1s, stop: on, after: 1s }]\n";
    let text = format!("{slo}load: {{ rate: 50/s, duration: 10m }}{ONE}");
    let outcome = run_job(&job(&platform.url(), &text));
    assert!(matches!(outcome.done.code, 99 | 111), "{outcome:?}");
    assert!(outcome.report.number("/run/elapsed_s") < 20.0);
    assert_eq!(outcome.report.at("/run/interrupted"), true);
    assert_eq!(outcome.report.at("/slo/0/met"), false);
    assert!(outcome.done.stdout.contains("stopped early"), "{}", outcome.done.stdout);
}
