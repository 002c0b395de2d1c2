//! The end summary as people read it.

use loadgen_model::Report;
use loadgen_model::report::{Quantiles, Task};
use loadgen_report::{Style, terminal};
use proptest::prelude::*;

use crate::{golden, sample};

const PLAIN: Style = Style { color: false, unicode: true, width: 100 };

fn check(name: &str, report: &Report, style: Style) -> String {
    let text = terminal::summary(report, &style);
    golden::check(name, &text);
    if !style.color {
        for line in text.lines() {
            assert!(line.chars().count() <= style.width, "wider than {}: {line}", style.width);
        }
    }
    text
}

#[test]
fn passed_fits_forty_lines() {
    let text = check("terminal-passed", &sample::passed(), PLAIN);
    assert!(text.starts_with("VERDICT  PASSED"));
    assert!(text.lines().count() <= 40);
}

#[test]
fn failed_names_its_reasons() {
    let text = check("terminal-failed", &sample::failed(), PLAIN);
    assert!(text.starts_with("VERDICT  FAILED"));
    assert!(text.contains("and 4 more with 38 failures"), "{text}");
    assert!(text.contains(">2,000"), "p99.9 lies among the timed out requests");
    assert!(!text.contains('\u{1b}'), "the target's text cannot steer the terminal");
    assert!(text.lines().count() <= 48, "whatever there is to tell");
}

#[test]
fn invalid_headlines_no_percentile() {
    let text = check("terminal-invalid", &sample::invalid(), PLAIN);
    assert!(text.starts_with("VERDICT  INVALID"));
    assert!(!text.lines().next().unwrap().contains("p99"));
    assert!(!text.contains("71.2"), "percentiles are withheld");
    assert!(text.contains("to do:"));
}

#[test]
fn interrupted_is_partial() {
    let text = check("terminal-interrupted", &sample::interrupted(), PLAIN);
    assert!(text.contains("partial"));
    assert!(text.contains("≥219"), "15 samples make no quantile");
    assert!(text.contains("needs n ≥ 20 for p50"));
}

#[test]
fn wide_shows_all_columns() {
    let text = check("terminal-wide", &sample::passed(), PLAIN.with_width(140));
    assert!(text.contains("bytes\n"));
}

#[test]
fn narrow_leaves_out_bytes_then_p95_then_the_service_time() {
    let mut report = sample::passed();
    let widths =
        [(108, "p95", "bytes"), (100, "sent p99", "p95"), (91, "p99.9", "sent p99"), (86, "p90", "p99.9")];
    for (width, kept, left_out) in widths {
        let text = terminal::summary(&report, &PLAIN.with_width(width));
        let head = text.lines().find(|line| line.contains("TASKS")).unwrap();
        assert!(head.contains(kept) && !head.contains(left_out), "{width}: {head}");
    }
    report.tasks[0].name = "authenticate-with-one-time-password-and-device-profile".to_owned();
    check("terminal-narrow", &report, PLAIN.with_width(80));
}

#[test]
fn ascii_and_colour_say_the_same() {
    let text = check("terminal-ascii", &sample::failed(), Style { unicode: false, ..PLAIN });
    assert!(text.is_ascii(), "{text}");
    let colored = check("terminal-color", &sample::failed(), Style { color: true, ..PLAIN });
    assert!(colored.contains("\x1b[31mFAILED ✗\x1b[0m"));
}

#[test]
fn ten_quantile_samples_are_needed() {
    let mut report = sample::passed();
    report.tasks.truncate(1);
    report.tasks[0].response_ms = sample::quantiles(999, 10.0);
    let text = terminal::summary(&report, &PLAIN.with_width(140));
    assert!(text.contains("needs n ≥ 1,000 for p99, 10,000 for p99.9"), "{text}");
    report.tasks[0].response_ms = sample::quantiles(10_000, 10.0);
    assert!(!terminal::summary(&report, &PLAIN).contains('≥'));
}

#[test]
fn a_run_that_never_got_going_is_told_in_few_lines() {
    let mut report = sample::failed();
    report.verdict.reasons = vec!["set-up: create-user failed, 401 from the server".to_owned()];
    report.tasks.clear();
    report.slo.clear();
    report.load = loadgen_model::report::Load::default();
    report.totals = loadgen_model::report::Totals::default();
    report.connections = loadgen_model::report::Connections::default();
    check("terminal-nothing", &report, PLAIN);
}

fn any_task() -> impl Strategy<Value = Task> {
    let figures = (any::<u64>(), any::<u64>(), any::<f64>(), any::<f64>(), any::<u64>());
    (".{0,60}", figures).prop_map(|(name, (requests, passed, rate, time, censored))| Task {
        name,
        phase: "main".to_owned(),
        requests,
        passed,
        rate_per_s: rate,
        response_ms: Quantiles {
            count: requests,
            p50: time,
            p99: rate,
            max: time,
            censored,
            ..Quantiles::default()
        },
        bytes_sent: passed,
        ..Task::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_line_is_wider_than_the_style(
        tasks in proptest::collection::vec(any_task(), 0..5), width in 80..200usize, unicode in any::<bool>(),
    ) {
        let mut report = sample::failed();
        report.tasks.extend(tasks);
        let text = terminal::summary(&report, &Style { color: false, unicode, width });
        for line in text.lines() {
            prop_assert!(line.chars().count() <= width, "{} > {width}: {line}", line.chars().count());
        }
    }
}
