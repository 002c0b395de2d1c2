//! Rate tools as they are typed, against a directory.

use super::command::{Done, Folder, Loadgen, Outcome};
use super::directory::{Directory, PASSWORD};
use super::report::Report;

/// Where a server is, as options say it.
pub(crate) fn address(url: &str) -> String {
    at("127.0.0.1", url)
}

/// The same by the name in its certificate.
pub(crate) fn named_address(url: &str) -> String {
    at("localhost", url)
}

fn at(host: &str, url: &str) -> String {
    let port = url.rsplit_once(':').unwrap().1;
    format!("-h {host} -p {port}")
}

/// Where a directory is, and its manager with the password.
pub(crate) fn manager(directory: &Directory) -> String {
    format!("{} {}", address(&directory.url), credentials(directory))
}

/// The manager and its password.
pub(crate) fn credentials(directory: &Directory) -> String {
    format!("-D '{}' -w {PASSWORD}", directory.manager)
}

/// The words of a command line: quotes hold blanks together.
pub(crate) fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words
}

/// A command line in a folder, with no file of properties but those it names.
pub(crate) fn typed(folder: &Folder, line: &str) -> Loadgen {
    folder.command(words(line)).env("HOME", folder.path().to_str().unwrap())
}

/// A command line that writes its report besides; `-o` is an option like others, so it stands behind the name.
pub(crate) fn reporting(folder: &Folder, line: &str) -> Loadgen {
    let (tool, rest) = line.split_once(' ').unwrap();
    typed(folder, &format!("{tool} -o json=report.json {rest}"))
}

/// Runs a command line that comes to a report.
pub(crate) fn run_in(folder: &Folder, line: &str) -> Outcome {
    ended(folder, reporting(folder, line).run())
}

/// Runs a command line that comes to a report in a folder of its own.
pub(crate) fn run(line: &str) -> Outcome {
    run_in(&Folder::new(), line)
}

/// What came of a command that writes its report.
pub(crate) fn ended(folder: &Folder, done: Done) -> Outcome {
    let text = std::fs::read_to_string(folder.path().join("report.json"));
    let text = text.unwrap_or_else(|error| panic!("no report ({error}): {done:?}"));
    Outcome { report: Report::parse(&text), done }
}

/// Operations, succeeded and failed ones as the line `TOTAL` says.
pub(crate) fn total(done: &Done) -> [u64; 3] {
    ["operations", "succeeded", "failed"].map(|what| figure(done, what))
}

/// The figure before a word in the summary.
#[track_caller]
pub(crate) fn figure(done: &Done, word: &str) -> u64 {
    let from = done.stderr.find("TOTAL").unwrap_or_else(|| panic!("no `TOTAL`: {done:?}"));
    let words: Vec<&str> = done.stderr[from..].split_whitespace().collect();
    let is_it = |found: &str| found.trim_end_matches([',', ';', '.']) == word;
    let place = words.iter().position(|found| is_it(found));
    let place = place.unwrap_or_else(|| panic!("no `{word}` behind `TOTAL`: {done:?}"));
    words[place - 1].replace(',', "").parse().unwrap()
}

/// Nothing failed.
#[track_caller]
pub(crate) fn assert_all_succeeded(done: &Done, operations: u64) {
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(total(done), [operations, operations, 0], "{done:?}");
}

/// People as addrate adds them, `uid=add.0` and so on.
pub(crate) fn template() -> &'static str {
    include_str!("../../../crates/model/tests/rate_tool/addrate.template")
}
