//! The examination before a run. What it finds depends on the machine; that it looks everywhere does not.

use crate::support::command::Done;
use crate::support::platform::Platform;
use crate::support::{Folder, Report, golden};
use std::net::TcpListener;

/// Figures that not every system tells.
const OPTIONAL: [&str; 3] = ["CPU governor", "CPU pressure", "CPU steal"];

fn examine(folder: &Folder, target: &str) -> Done {
    folder.command(["doctor", "--target", target, "-o", "json=doctor.json"]).run()
}

/// The names of what was looked at, and the measured loads with their figures masked.
fn masked(text: &str) -> String {
    let after_mark = |line: &str| line.chars().skip(2).collect::<String>();
    let checks = text.lines().map(after_mark).filter_map(|line| {
        let found = ["ok   ", "warn ", "bad  "].iter().find_map(|grade| line.strip_prefix(grade))?;
        Some(found.split("  ").next().unwrap_or_default().to_owned())
    });
    let told_everywhere = checks.filter(|name| !OPTIONAL.contains(&name.as_str()));
    let loads =
        text.lines().skip_while(|line| !line.starts_with("GENERATOR")).skip(1).take(3).map(mask_figures);
    told_everywhere.chain(loads).collect::<Vec<_>>().join("\n") + "\n"
}

/// Each figure as `#`, blanks as one.
fn mask_figures(line: &str) -> String {
    let is_figure = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | ',');
    let words = line.split_whitespace().map(|word| match word.trim_start_matches(is_figure) {
        unit if unit.len() < word.len() => format!("#{unit}"),
        _ => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn everything_is_looked_at() {
    let platform = Platform::start(&[]);
    let folder = Folder::new();
    let done = examine(&folder, &platform.url());
    // The tests keep this machine busy, which the examination calls bad.
    assert!(matches!(done.code, 0 | 111), "{done:?}");
    assert_eq!(done.stderr, "");
    golden::check("doctor", &masked(&done.stdout), &[]);
    assert!(done.stdout.contains("this machine (127.0.0.1): target and generator share its CPU"), "{done:?}");
    let found = Report::parse(&folder.read("doctor.json"));
    assert_eq!(found.count("/loadgen_doctor"), 1);
    for load in 0..3 {
        let of = |name: &str| found.number(&format!("/calibration/{load}/{name}"));
        assert!(of("requests_per_s") > 100.0 && of("cpu_us_per_request") > 1.0, "{found:?}");
    }
    assert_eq!(platform.counts().received(), 0, "the target is only connected to");
}

#[test]
fn a_target_that_does_not_answer_is_bad() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let done = examine(&Folder::new(), &format!("http://127.0.0.1:{port}"));
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stdout.contains(&format!("127.0.0.1:{port}: connection refused")), "{done:?}");
    assert!(done.stdout.contains("-> is it running, and is the address right?"), "{done:?}");
}

#[test]
fn a_target_without_an_address_is_bad() {
    // RFC 6761 section 6.4: `.invalid` never resolves.
    let done = examine(&Folder::new(), "http://am.example.invalid");
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stdout.contains("`am.example.invalid:80` does not resolve"), "{done:?}");
}

#[test]
fn wrong_arguments() {
    let says = |name: &str, arguments: &[&str]| {
        golden::check(name, &Folder::new().command(arguments).run().golden(), &[]);
    };
    says("doctor-target", &["doctor", "--target", "am.example.com"]);
    says("doctor-output", &["doctor", "-o", "csv=figures"]);
}
