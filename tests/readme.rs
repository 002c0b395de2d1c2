//! The README's commands do what it shows: each `console` block is run, and what it prints has the same lines
//! in the same order, whatever the figures are on this machine.

use std::path::Path;
use std::process::Command;

/// A command of the README and what it shows of its output.
struct Shown {
    command: String,
    output: Vec<String>,
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("the README is there");
    let shown = shown(&readme);
    assert!(!shown.is_empty(), "the README shows commands");
    for Shown { command, output } in shown {
        let printed = run(root, &command);
        let missing = first_missing(&output, &printed);
        assert!(
            missing.is_none(),
            "`{command}` prints no line like {missing:?} in its place, but:\n{printed}"
        );
    }
}

/// The `console` blocks.
fn shown(markdown: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let mut inside = false;
    for line in markdown.lines() {
        match line.strip_prefix("```") {
            Some(language) => inside = !inside && language == "console",
            None if inside => match line.strip_prefix("$ ") {
                Some(command) => all.push(Shown { command: command.to_owned(), output: Vec::new() }),
                None => all.last_mut().expect("a block begins with a command").output.push(line.to_owned()),
            },
            None => {}
        }
    }
    all
}

/// Runs a command with the binary under test; fails unless it succeeds or the machine was too busy (111).
fn run(root: &Path, command: &str) -> String {
    let arguments = command
        .strip_prefix("cargo run --release -- ")
        .or_else(|| command.strip_prefix("loadgen "))
        .unwrap_or_else(|| panic!("`{command}` is neither ours nor cargo's"));
    let output = Command::new(env!("CARGO_BIN_EXE_loadgen"))
        .args(arguments.split_whitespace())
        .current_dir(root)
        .env("LC_ALL", "C.UTF-8")
        .output()
        .expect("the binary starts");
    let (printed, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 111)), "`{command}` exits with {code:?}:\n{printed}\n{said}");
    printed.into_owned()
}

/// The first shown line that is not printed after the ones before it.
fn first_missing<'a>(output: &'a [String], printed: &str) -> Option<&'a str> {
    let mut lines = printed.lines().map(label);
    output.iter().map(String::as_str).find(|line| {
        let wanted = label(line);
        !wanted.is_empty() && !lines.any(|printed| printed == wanted)
    })
}

/// The word that a line begins with, its mark left out; nothing for a line that begins with a figure, nor for the
/// note on withheld quantiles, which reads otherwise when the machine was too busy.
fn label(line: &str) -> &str {
    if line.trim_start().starts_with("≥ ") {
        return "";
    }
    let mut words = line.split_whitespace().filter(|word| !matches!(*word, "✓" | "!" | "✗" | "?" | "≥"));
    words.next().filter(|word| !word.contains(|c: char| c.is_ascii_digit())).unwrap_or("")
}

#[test]
fn a_line_that_is_not_printed_is_noticed() {
    let output = ["VERDICT  PASSED", "✓ authenticate 12", "LOAD  closed"].map(str::to_owned);
    assert_eq!(first_missing(&output, "VERDICT INVALID\n? authenticate ?\nLOAD closed\n"), None);
    assert_eq!(first_missing(&output, "VERDICT INVALID\nLOAD closed\n"), Some("✓ authenticate 12"));
    assert_eq!(first_missing(&output, "LOAD\nVERDICT\nauthenticate\n"), Some("LOAD  closed"));
}
