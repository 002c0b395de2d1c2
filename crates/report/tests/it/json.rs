//! The JSON report: as its schema says, and never half written.

use std::fs;
use std::path::Path;

use loadgen_model::Report;
use loadgen_report::json;

use crate::sample;

#[test]
fn it_reads_back_and_keeps_to_its_schema() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("report.json");
    let schema = jsonschema::validator_for(&json::schema()).unwrap();
    for report in [sample::passed(), sample::failed(), sample::invalid(), sample::interrupted()] {
        json::write(&report, &path).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(serde_json::from_str::<Report>(&text).unwrap(), report);
        let value = serde_json::from_str(&text).unwrap();
        if let Err(error) = schema.validate(&value) {
            panic!("{error}");
        }
    }
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "no temporary file is left");
}

#[test]
fn the_schema_refuses_what_is_no_report() {
    let schema = jsonschema::validator_for(&json::schema()).unwrap();
    let mut value = serde_json::to_value(sample::passed()).unwrap();
    value["totals"]["requests"] = "many".into();
    assert!(!schema.is_valid(&value));
}

#[test]
fn it_is_made_for_reading() {
    let mut text = Vec::new();
    json::write_to(&sample::passed(), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("{\n  \"loadgen_report\": 1,\n"));
    assert!(text.ends_with("}\n"));
}

#[test]
fn a_full_disk_is_told_with_what_to_do() {
    let error = json::write(&sample::passed(), Path::new("/dev/full")).unwrap_err();
    assert_eq!(error.cause.kind(), std::io::ErrorKind::StorageFull);
    assert!(error.to_string().starts_with("cannot write /dev/full: "), "{error}");
    assert!(error.to_string().contains("free some space"), "{error}");
    assert!(Path::new("/dev/full").exists(), "a device is not replaced");
}

#[test]
fn a_directory_that_vanished_is_told() {
    let directory = tempfile::tempdir().unwrap();
    let error = json::write(&sample::passed(), &directory.path().join("gone/report.json")).unwrap_err();
    assert!(error.to_string().contains("create the directory first"), "{error}");
}
