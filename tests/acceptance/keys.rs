//! Keys of a terminal that change a run while it goes.

use crate::support::platform::Platform;
use crate::support::{Folder, Report, job};
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ONE: &str = "
workloads: { w: { steps: [{ task: t }, { sleep: 10ms }] } }
tasks: { t: { url: /users/user.7 } }
";

/// Runs a job in a terminal and types these keys, each after so many ms. The report, and what the terminal showed.
fn typed(load: &str, keys: &[(u64, &str)]) -> (Report, String) {
    let platform = Platform::start(&["read=fixed:1ms"]);
    let folder = Folder::with_job(&job(&platform.url(), &format!("load: {{ {load} }}{ONE}")));
    let program = env!("CARGO_BIN_EXE_loadgen");
    // script(1) gives the command a terminal of its own, and types what it reads.
    let mut terminal = Command::new("script")
        .args(["-qfec", &format!("{program} run job.yaml -o json=report.json"), "/dev/null"])
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typing = terminal.stdin.take().unwrap();
    for (millis, key) in keys {
        std::thread::sleep(Duration::from_millis(*millis));
        typing.write_all(key.as_bytes()).unwrap();
    }
    let begun = Instant::now();
    let output = terminal.wait_with_output().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(30));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    (Report::parse(&folder.read("report.json")), shown)
}

fn factors(report: &Report) -> Vec<String> {
    let changes = report.at("/run/changes").as_array().unwrap();
    changes.iter().map(|change| format!("{:.2}", change["factor"].as_f64().unwrap())).collect()
}

#[test]
fn the_rate_follows_the_keys_and_the_report_says_so() {
    let (report, shown) = typed(
        "rate: 100/s, arrivals: even, duration: 10m",
        &[(2_000, "+"), (300, "+"), (300, "-"), (2_000, "p"), (1_500, "p"), (500, "q")],
    );
    assert_eq!(factors(&report), ["1.10", "1.21", "1.10", "0.00", "1.10"]);
    assert_eq!(report.text("/verdict/status"), "interrupted", "q stops as Ctrl-C does");
    let changes = report.at("/run/changes").as_array().unwrap().clone();
    let at = |index: usize| changes[index]["at_s"].as_f64().unwrap();
    let end = report.number("/run/elapsed_s");
    let stretches = [
        (0.0, at(0), 1.0),
        (at(0), at(1), 1.1),
        (at(1), at(2), 1.21),
        (at(2), at(3), 1.1),
        (at(4), end, 1.1),
    ];
    let expected: f64 = stretches.iter().map(|(from, to, factor)| (to - from) * factor * 100.0).sum();
    let due = report.number("/load/arrivals/due");
    assert!((due - expected).abs() < 4.0, "{due} starts were due, {expected} expected");
    let of = |what: &str| report.count(&format!("/load/arrivals/{what}"));
    assert_eq!(of("due"), of("begun") + of("never_begun"));
    assert!(shown.contains("the load was changed by hand: 110 % from"), "{shown}");
}

#[test]
fn users_come_and_go_with_the_keys() {
    let (report, _) = typed(
        "users: 20, duration: 6s",
        &[(1_500, "+"), (200, "+"), (1_000, "p"), (1_000, "p"), (300, "---")],
    );
    assert_eq!(factors(&report), ["1.10", "1.21", "0.00", "1.21", "1.10", "1.00", "0.91"]);
    let users: Vec<u64> =
        report.at("/intervals").as_array().unwrap().iter().map(|i| i["users"].as_u64().unwrap()).collect();
    assert_eq!(users.iter().max(), Some(&24), "{users:?}");
    assert!(users.contains(&18), "{users:?}");
    let rates: Vec<f64> = report
        .at("/intervals")
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i["rate_per_s"].as_f64().unwrap())
        .collect();
    let least = rates[1..5].iter().copied().fold(f64::MAX, f64::min);
    assert!(least < 0.5 * rates[1], "a pause is seen: {rates:?}");
}
