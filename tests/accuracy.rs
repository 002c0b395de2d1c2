//! What the generator reports against what was true: the self-test through the command line, as users run it.
//!
//! A case that is not judged, because the machine was too busy to measure, is told of and is no failure. One that
//! fails is one, whatever else ran meanwhile: noise is judged by the suite itself.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use serde_json::Value;
use std::process::{Command, Output};

/// Cases that count, or that a busy machine makes easier: they are judged on any machine.
const ALWAYS: [&str; 4] = ["H11", "H16", "H17", "H18"];

fn selftest(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loadgen"));
    command.arg("selftest").args(arguments).env("LC_ALL", "C.UTF-8").output().unwrap()
}

#[test]
fn the_generator_tells_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("selftest.json");
    let done = selftest(&["-o", &format!("json={}", file.display())]);
    let (table, said) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(0), "{table}{said}");

    let outcomes: Value = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    let outcomes = outcomes["outcomes"].as_array().unwrap();
    assert!(outcomes.len() >= 15, "{table}");
    for outcome in outcomes {
        let (name, verdict) = (outcome["name"].as_str().unwrap(), outcome["verdict"].as_str().unwrap());
        assert!(table.contains(&format!(" {name} ")), "{name} is missing in:\n{table}");
        assert_ne!(verdict, "failed", "{table}");
        assert!(!ALWAYS.contains(&name) || verdict == "passed", "{name} is {verdict}:\n{table}");
        assert!(!outcome["judgements"].as_array().unwrap().is_empty(), "{name} judges nothing");
    }
    if outcomes.iter().any(|outcome| outcome["verdict"] == "not_judged") {
        println!("not all was judged, the machine was busy:\n{table}");
    }
}

#[test]
fn what_cannot_be_asked_for_is_said_at_once() {
    for (arguments, code, message) in [
        (["--only", "H99"], 2, "there is no case `H99`; there are H1, H2"),
        (["-o", "json=/none/x"], 1, "cannot write /none/x: "),
        (["-o", "csv=x"], 2, "`csv=x` is no output of the self-test; write `json=FILE`"),
    ] {
        let done = selftest(&arguments);
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{said}");
        assert!(said.contains(message), "{said}");
        assert!(done.stdout.is_empty());
    }
}
