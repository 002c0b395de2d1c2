//! `loadgen selftest`: whether the generator tells the truth on this machine.

use super::{Failed, print, say};
use crate::arguments::Selftest;
use loadgen_model::verdict::{INTERRUPTED, PASSED, UNEXPECTED, USAGE};
use loadgen_selftest::{Options, Problem, Verdict, Wire};
use std::fs::File;
use std::io::Write;

/// Runs the cases.
pub(crate) fn selftest(selftest: &Selftest) -> Result<u8, Failed> {
    let mut json = selftest.output.as_deref().map(create).transpose()?;
    let wire = if selftest.tls { Wire::Http1Tls } else { Wire::Http1 };
    let options = Options { only: selftest.only.clone(), full: selftest.full, wire };
    let cases = loadgen_selftest::cases(&options).map_err(|error| Failed::new(USAGE, error))?;
    loadgen_engine::raise_descriptor_limit();
    say("each case runs load against the built-in platform, of which all is known");
    print(&loadgen_selftest::head())?;
    // A reader that has seen enough does not end the suite.
    let told = |outcome: &loadgen_selftest::Outcome| drop(print(&outcome.lines()));
    let outcomes = loadgen_selftest::run(&cases, &options, told).map_err(failed)?;
    print(&format!("{}\n", outcomes.summary()))?;
    if let Some(file) = &mut json {
        let text = outcomes.json().map_err(|error| Failed::new(UNEXPECTED, error))?;
        file.write_all(text.as_bytes())?;
    }
    Ok(if outcomes.count(Verdict::Failed) == 0 { PASSED } else { UNEXPECTED })
}

/// The file of `json=FILE`, before a minute is spent on what it is to hold.
fn create(output: &str) -> Result<File, Failed> {
    match output.split_once('=') {
        Some(("json", path)) if !path.is_empty() => File::create(path).map_err(|error| {
            Failed::new(UNEXPECTED, format!("cannot write {path}: {error}; name another file"))
        }),
        _ => Err(Failed::new(USAGE, format!("`{output}` is no output of the self-test; write `json=FILE`"))),
    }
}

fn failed(problem: Problem) -> Failed {
    match problem {
        Problem::Interrupted => Failed::new(INTERRUPTED, problem),
        problem => Failed::new(UNEXPECTED, problem),
    }
}
