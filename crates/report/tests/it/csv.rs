//! The tables for spreadsheets and scripts.

use std::fs;
use std::path::Path;

use loadgen_report::csv;

use crate::{golden, sample};

fn written(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn three_tables_with_quotes_where_needed() {
    let directory = tempfile::tempdir().unwrap();
    let target = directory.path().join("new/results");
    let mut report = sample::failed();
    report.tasks[2].name = "log \"out\", everywhere".to_owned();
    report.tasks[0].failures.truncate(1);
    report.tasks[0].failures[0].detail = "two\nlines".to_owned();
    report.tasks[0].response_ms.mean = f64::NAN;
    csv::write(&report, &target).unwrap();
    for name in ["intervals", "tasks", "failures"] {
        // Golden files are read with the platform's line ends; RFC 4180 wants CR LF.
        let text = written(&target, &format!("{name}.csv"));
        assert!(text.ends_with("\r\n"));
        golden::check(&format!("csv-{name}"), &text.replace("\r\n", "\n"));
    }
    let tasks = written(&target, "tasks.csv");
    assert!(tasks.contains("sso,\"log \"\"out\"\", everywhere\",main,200,"), "{tasks}");
    assert!(written(&target, "failures.csv").contains(",status,\"two\nlines\",20\r\n"));
    assert_eq!(fs::read_dir(&target).unwrap().count(), 3, "no temporary file is left");
}

#[test]
fn each_row_has_a_field_for_each_head() {
    let directory = tempfile::tempdir().unwrap();
    csv::write(&sample::passed(), directory.path()).unwrap();
    for name in ["intervals.csv", "tasks.csv"] {
        let text = written(directory.path(), name);
        let fields: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert!(fields.len() > 1 && fields.iter().all(|count| *count == fields[0]), "{name}: {fields:?}");
    }
}

#[test]
fn a_directory_that_cannot_be_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "older").unwrap();
    let error = csv::write(&sample::passed(), &file).unwrap_err();
    assert!(error.to_string().contains("a file is in the way"), "{error}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "older");
}

#[test]
fn one_table_that_fails_leaves_all_older_ones() {
    let directory = tempfile::tempdir().unwrap();
    csv::write(&sample::passed(), directory.path()).unwrap();
    let older = written(directory.path(), "tasks.csv");
    fs::remove_file(directory.path().join("failures.csv")).unwrap();
    std::os::unix::fs::symlink("/dev/full", directory.path().join("failures.csv")).unwrap();
    let error = csv::write(&sample::failed(), directory.path()).unwrap_err();
    assert!(error.to_string().contains("free some space"), "{error}");
    assert_eq!(written(directory.path(), "tasks.csv"), older);
}
