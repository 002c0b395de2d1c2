//! What is shown while a run lasts, and where.

use crate::support::platform::Platform;
use crate::support::{Folder, Report, job, one_task};

/// Two seconds and a half of load.
fn folder(target: &str) -> Folder {
    let text = "
load: { users: 2, duration: 2500ms }
workloads: { w: { steps: [{ task: t }] } }
tasks: { t: { url: /users/user.7 } }
";
    Folder::with_job(&job(target, text))
}

#[test]
fn progress_goes_to_standard_error_in_lines_and_results_to_standard_output() {
    let platform = Platform::start(&["read=fixed:20ms"]);
    let folder = folder(&platform.url());
    let done = folder.command(["run", "job.yaml", "--interval", "1", "-o", "json=report.json"]).run();
    let report = Report::parse(&folder.read("report.json"));
    let lines: Vec<&str> = done.stderr.lines().collect();
    let head: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(head[..4], ["time", "s", "phase", "users"], "{}", done.stderr);
    assert!(lines.len() >= 3, "a line each second: {}", done.stderr);
    let is_whole = |line: &&str| line.split_whitespace().count() == 14;
    assert!(lines[1..].iter().all(is_whole), "{}", done.stderr);
    // passed is the eighth column; together they are what the report says.
    let passed: u64 = lines[1..].iter().map(|line| passed(line)).sum();
    assert_eq!(passed, report.count("/totals/passed"), "{}", done.stderr);
    assert!(!done.stderr.contains('\u{1b}'), "no colours and no cursor moves: {:?}", done.stderr);
    assert!(done.stdout.starts_with("VERDICT"), "{}", done.stdout);
    assert!(!done.stdout.contains("time s"), "{}", done.stdout);
}

fn passed(line: &str) -> u64 {
    line.split_whitespace().nth(7).unwrap().replace(',', "").parse().unwrap()
}

#[test]
fn quiet_shows_results_alone() {
    let platform = Platform::start(&["read=fixed:20ms"]);
    let done = folder(&platform.url()).command(["run", "job.yaml", "--interval", "1", "--quiet"]).run();
    assert_eq!(done.stderr, "");
    assert!(done.stdout.starts_with("VERDICT"), "{}", done.stdout);
}

/// Runs a short job with these arguments and environment; what it prints.
fn printed(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let platform = Platform::start(&[]);
    let folder = Folder::with_job(&one_task(&platform.url(), 2, "{ url: /health }"));
    let mut loadgen = folder.command(["run", "job.yaml", "--quiet"].iter().chain(arguments));
    for (name, value) in environment {
        loadgen = loadgen.env(name, value);
    }
    let done = loadgen.run();
    assert_eq!(done.code, 0, "{done:?}");
    done.stdout
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let has_color =
        |arguments: &[&str], environment: &[(&str, &str)]| printed(arguments, environment).contains('\u{1b}');
    assert!(!has_color(&[], &[]), "this is no terminal");
    assert!(has_color(&["--color", "always"], &[]));
    assert!(!has_color(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(!has_color(&[], &[("NO_COLOR", "1"), ("TERM", "xterm-256color")]));
}

#[test]
fn the_json_report_can_go_to_standard_output() {
    let text = printed(&["-o", "json=-"], &[]);
    let (json, summary) = text.split_at(text.find("\n}\n").unwrap() + 3);
    assert_eq!(Report::parse(json).outcomes(), [2, 2, 0, 0, 0]);
    assert!(summary.starts_with("VERDICT"), "{summary}");
}

#[test]
fn tables_can_go_to_a_folder() {
    let platform = Platform::start(&[]);
    let folder = Folder::with_job(&one_task(&platform.url(), 2, "{ url: /health }"));
    let done =
        folder.command(["run", "job.yaml", "--quiet", "-o", "csv=out", "-o", "json=report.json"]).run();
    assert_eq!(done.code, 0, "{done:?}");
    let tasks = folder.read("out/tasks.csv");
    assert_eq!(tasks.lines().count(), 2, "{tasks}");
    assert!(
        tasks.lines().nth(1).unwrap().contains(",t,") || tasks.lines().nth(1).unwrap().starts_with("t,"),
        "{tasks}"
    );
    assert_eq!(Report::parse(&folder.read("report.json")).outcomes(), [2, 2, 0, 0, 0]);
}

#[test]
fn the_summary_says_what_the_report_says() {
    let text = printed(&[], &[]);
    assert!(text.contains("2 requests"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_loadgen"))
        .args(["schema", "report"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert_eq!(done.stderr, b"");
}
