//! Ctrl-C: the first one ends the run with what it has, the second one at once.

use crate::support::platform::Platform;
use crate::support::{Folder, Report, job};
use rustix::process::Signal;
use std::time::{Duration, Instant};

fn long_job(target: &str, path: &str) -> Folder {
    let text = format!(
        "load: {{ users: 2, duration: 10m }}\nteardown: [{{ workload: after }}]\n\
         workloads: {{ w: {{ steps: [{{ task: t }}, {{ sleep: 30s }}] }}, after: {{ steps: [{{ task: clean }}] }} }}\n\
         tasks: {{ t: {{ url: {path}, timeout: 50s }}, clean: {{ url: /status/200 }} }}\n"
    );
    Folder::with_job(&job(target, &text))
}

const RUN: [&str; 6] = ["run", "job.yaml", "--interval", "1", "-o", "json=report.json"];

fn interrupted_by(signal: Signal) {
    let platform = Platform::start(&[]);
    let folder = long_job(&platform.url(), "/echo");
    let mut running = folder.command(RUN).start();
    // The first line of progress: users are at work, or asleep.
    running.wait_for_stderr("\n");
    running.signal(signal);
    let begun = Instant::now();
    let done = running.wait();
    assert!(begun.elapsed() < Duration::from_secs(20), "sleeping users are woken");
    assert_eq!(done.code, 105, "{done:?}");
    assert!(done.stderr.contains("stopping"), "{}", done.stderr);
    let report = Report::parse(&folder.read("report.json"));
    assert_eq!(report.at("/run/interrupted"), true);
    assert_eq!(report.text("/verdict/status"), "interrupted");
    assert_eq!(report.count("/verdict/exit_code"), 105);
    assert_eq!(report.outcomes(), [2, 2, 0, 0, 0], "what was done until then counts");
    assert_eq!(platform.counts().operation("echo").answered, 2);
    assert_eq!(platform.counts().operation("status").answered, 1, "tear-down ran");
    assert_eq!(report.task("clean").outcomes(), [1, 1, 0, 0, 0]);
    assert!(done.stdout.contains("partial"), "{}", done.stdout);
}

#[test]
fn an_interrupt_ends_the_run_with_a_partial_report() {
    interrupted_by(Signal::INT);
}

#[test]
fn a_request_to_terminate_does_the_same() {
    interrupted_by(Signal::TERM);
}

#[test]
fn a_request_under_way_may_end_after_an_interrupt() {
    let platform = Platform::start(&[]);
    let folder = long_job(&platform.url(), "/sleep/3000");
    let mut running = folder.command(RUN).start();
    running.wait_for_stderr("\n");
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 105, "{done:?}");
    let report = Report::parse(&folder.read("report.json"));
    assert_eq!(report.outcomes(), [2, 2, 0, 0, 0]);
}

#[test]
fn a_second_interrupt_stops_at_once() {
    let platform = Platform::start(&[]);
    let folder = long_job(&platform.url(), "/sleep/40000");
    let mut running = folder.command(RUN).start();
    running.wait_for_stderr("\n");
    running.signal(Signal::INT);
    running.wait_for_stderr("press Ctrl-C again to stop at once");
    let begun = Instant::now();
    running.signal(Signal::INT);
    let done = running.wait();
    // Far less than the ten seconds that requests under way would have been given.
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    assert_eq!(done.code, 130, "{done:?}");
    assert_eq!(done.stdout, "");
    assert!(!folder.path().join("report.json").exists(), "nothing was written");
}

#[test]
fn the_platform_stops_when_told() {
    let mut running = crate::support::command(["target", "--listen", "127.0.0.1:0"]).start();
    let url = running.wait_for_stdout("\n");
    let folder = Folder::with_job(&crate::support::one_task(url.trim(), 3, "{ url: /health }"));
    folder.run().assert_code(0);
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(done.stdout, url, "the URL and nothing else");
}
