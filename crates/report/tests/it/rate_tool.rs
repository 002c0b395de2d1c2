//! Tables of the rate tools: those that OpenDJ 5.0.3 printed, made again of the same figures; the summary.

use crate::golden;
use loadgen_model::histogram::Histogram;
use loadgen_report::Style;
use loadgen_report::rate_tool::{
    Counts, Extra, FailureGroup, Figures, Form, Layout, PURGE, Rows, Summary, purged, purging, warming_up,
};
use proptest::prelude::*;
use std::path::Path;
use std::time::Duration;

const USUAL: [f64; 3] = [99.9, 99.99, 99.999];

fn check(name: &str, form: Form, percentiles: &[f64], extra: Extra) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captured").join(format!("{name}.txt"));
    let captured = std::fs::read_to_string(path).unwrap();
    let layout = Layout { form, percentiles: percentiles.to_vec(), extra };
    let mut lines = captured.split_inclusive('\n').peekable();
    if let Some(line) = lines.next_if(|line| line.starts_with("Warming")) {
        assert_eq!(warming_up(Duration::from_secs(3)), line, "{name}");
    }
    for line in layout.header().split_inclusive('\n') {
        assert_eq!(line, lines.next().unwrap(), "{name}");
    }
    let mut rows = 0;
    for line in lines {
        if line.starts_with("Purge") {
            assert_eq!(PURGE, line, "{name}");
            continue;
        }
        assert_eq!(layout.row(&figures(line, &layout)), line, "{name}");
        rows += 1;
    }
    assert!(rows > 0, "{name}");
}

/// The figures of a row that was printed.
fn figures(line: &str, layout: &Layout) -> Figures {
    let cells: Vec<&str> = match layout.form {
        Form::Csv => line.trim_end().split(',').collect(),
        Form::Table => line.split_whitespace().filter(|cell| *cell != "|").collect(),
    };
    let mut cells = cells.into_iter().map(|cell| (cell != "-").then(|| cell.parse().unwrap()));
    let mut next = || cells.next().unwrap();
    Figures {
        elapsed_s: if layout.form == Form::Csv { next().unwrap() } else { 0.0 },
        recent_per_s: next(),
        average_per_s: next(),
        recent_ms: next(),
        average_ms: next(),
        percentiles_ms: layout.percentiles.iter().map(|_| next()).collect(),
        errors_per_s: next(),
        extra: if layout.extra == Extra::None { None } else { next() },
    }
}

#[test]
fn tables_are_those_of_the_original() {
    check("modrate-normal", Form::Table, &USUAL, Extra::None);
    check("authrate-I50", Form::Table, &USUAL, Extra::None);
    check("searchrate-normal", Form::Table, &USUAL, Extra::EntriesPerSearch);
    check("addrate-m", Form::Table, &USUAL, Extra::AddShare);
    check("addrate-off", Form::Table, &USUAL, Extra::AddShare);
    check("connhang-modrate", Form::Table, &USUAL, Extra::None);
    check("warmup", Form::Table, &USUAL, Extra::None);
}

#[test]
fn values_for_scripts_are_those_of_the_original() {
    check("modrate-script", Form::Csv, &USUAL, Extra::None);
    check("searchrate-script", Form::Csv, &[50.0, 95.0, 99.0], Extra::EntriesPerSearch);
    check("addrate-fifo-age-script", Form::Csv, &USUAL, Extra::AddShare);
}

fn times(ms: impl IntoIterator<Item = u64>) -> Histogram {
    let mut times = Histogram::default();
    for ms in ms {
        times.record(Duration::from_millis(ms));
    }
    times
}

fn interval(length_s: u64, succeeded: u64, failed: u64, mean_ms: u64) -> Counts {
    let time = Duration::from_millis(mean_ms * (succeeded + failed));
    Counts { length: Duration::from_secs(length_s), succeeded, failed, time, ..Counts::default() }
}

#[test]
fn rows_tell_of_the_interval_and_of_the_run() {
    let layout = Layout { form: Form::Csv, percentiles: vec![50.0, 99.95], extra: Extra::AddShare };
    let mut rows = Rows::new(layout);
    let mut text = rows.header();
    text += &rows.row(&Counts { added: 90, ..interval(2, 90, 10, 4) }, &times([4; 100]));
    text += &rows.row(&Counts { added: 20, ..interval(2, 40, 0, 8) }, &times([8; 140]));
    text += &rows.row(&interval(2, 0, 0, 0), &times([8; 140]));
    text += &rows.row(&interval(2, 0, 4, 1), &times([8; 144]));
    text += &Rows::new(rows_layout()).row(&Counts::default(), &Histogram::default());
    golden::check("rate_tool_rows", &text);
    assert_eq!(rows.total().operations(), 144);
}

fn rows_layout() -> Layout {
    Layout { form: Form::Table, percentiles: USUAL.to_vec(), extra: Extra::EntriesPerSearch }
}

#[test]
fn lines_between_rows() {
    assert_eq!(
        purging(8195, 13_885, 1638.2),
        "Purge in progress:  8195/13885 entries deleted (1638.2 ops/sec). ETA 00:00:03\n"
    );
    assert_eq!(purging(0, 5, 0.0), "Purge in progress:  0/5 entries deleted (0.0 ops/sec).\n");
    assert_eq!(purged(9999), "9999 entries have been successfully purged\n");
}

fn group(code: Option<u32>, name: &str, count: u64, message: &str) -> FailureGroup {
    FailureGroup { code, name: name.to_owned(), count, first_message: message.to_owned() }
}

#[test]
fn a_summary_says_what_the_original_leaves_out() {
    let summary = Summary {
        total: Counts { entries: 29_000, ..interval(31, 29_000, 700, 5) },
        asked_per_s: Some(1000.0),
        response: times((0..29_700).map(|index| index % 100)),
        service: Some(times((0..29_700).map(|index| index % 10))),
        percentiles: vec![50.0, 99.9, 99.999],
        failures: vec![
            group(Some(32), "noSuchObject", 600, "entry uid=user.2000,ou=people\x1b[31m does not exist"),
            group(None, "timeout", 99, "no answer within 30 s"),
            group(Some(51), "busy", 1, ""),
        ],
    };
    golden::check("rate_tool_summary", &summary.text(&Style::default().with_width(80)));
}

#[test]
fn a_summary_of_nothing_claims_nothing() {
    let summary = Summary {
        total: Counts::default(),
        asked_per_s: None,
        response: Histogram::default(),
        service: None,
        percentiles: USUAL.to_vec(),
        failures: Vec::new(),
    };
    golden::check("rate_tool_summary_empty", &summary.text(&Style::default().with_width(80)));
}

#[test]
fn adds_and_deletes_are_told_apart() {
    let summary = Summary {
        total: Counts { added: 600, ..interval(10, 1000, 0, 1) },
        asked_per_s: None,
        response: times([1; 1000]),
        service: None,
        percentiles: vec![99.0, 100.0],
        failures: (0..13).map(|code| group(Some(code), "result", 13 - u64::from(code), "why")).collect(),
    };
    golden::check("rate_tool_summary_add", &summary.text(&Style::default().with_width(80)));
}

proptest! {
    #[test]
    fn no_counts_panic(
        length_ms in 0..u64::from(u32::MAX), succeeded in 0..1_u64 << 40, failed in 0..1_u64 << 40,
        added: u64, asked in proptest::option::of(0.001..1e9), width in 0..200_usize,
    ) {
        let total = Counts {
            length: Duration::from_millis(length_ms), succeeded, failed, added, ..Counts::default()
        };
        let mut rows = Rows::new(rows_layout());
        rows.row(&total, &Histogram::default());
        let summary = Summary {
            total, asked_per_s: asked, response: times([1]), service: None, percentiles: vec![0.0, 100.0],
            failures: Vec::new(),
        };
        summary.text(&Style::default().with_width(width));
    }
}
