//! Outputs by name: tried before the run, written after it.

use std::fs;

use loadgen_report::open;

use crate::sample;

fn refusal(spec: &str) -> String {
    open(spec).err().unwrap().to_string()
}

#[test]
fn unknown_kinds_name_the_known_ones() {
    assert_eq!(
        refusal("jsn=out.json"),
        "unknown output kind \"jsn\", did you mean \"json\"?; use json=FILE, json=- (standard output) or csv=DIR"
    );
    assert_eq!(
        refusal("prometheus=:9090"),
        "unknown output kind \"prometheus\"; use json=FILE, json=- (standard output) or csv=DIR"
    );
    assert!(refusal("report.json").contains("unknown output kind"));
    assert_eq!(refusal("json"), "output \"json\" names no place; write json=PATH");
    assert_eq!(refusal("csv="), "output \"csv\" names no place; write csv=PATH");
}

#[test]
fn a_place_is_tried_but_not_touched() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("report.json");
    fs::write(&file, "older").unwrap();
    let mut sink = open(&format!("json={}", file.display())).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "older");
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    sink.finish(&sample::passed()).unwrap();
    assert!(fs::read_to_string(&file).unwrap().contains("\"status\": \"passed\""));

    let tables = directory.path().join("tables");
    let mut sink = open(&format!("csv={}", tables.display())).unwrap();
    assert_eq!(fs::read_dir(&tables).unwrap().count(), 0);
    sink.finish(&sample::passed()).unwrap();
    assert_eq!(fs::read_dir(&tables).unwrap().count(), 3);
}

#[test]
fn what_cannot_be_written_is_told_before_the_run() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().display();
    assert!(refusal(&format!("json={place}/missing/report.json")).contains("create the directory first"));
    assert!(refusal(&format!("json={place}")).contains("name a file inside"));
    fs::write(directory.path().join("file"), "").unwrap();
    assert!(refusal(&format!("csv={place}/file")).contains("a file is in the way"));
    assert!(refusal("json=/proc/report.json").starts_with("cannot write /proc/report.json: "));
}
