//! The command lines of modrate, searchrate, authrate and addrate.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod churn;
mod entries;
mod help;
mod operations;
mod problems;
mod robustness;
mod secrets;
mod templates;

use loadgen_model::Diagnostic;
use loadgen_model::format::Outside;
use loadgen_model::format::rate_tool::{Command, RateTool, Refused, Tool, parse};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A machine of which everything is known.
#[derive(Default)]
struct World {
    files: BTreeMap<PathBuf, Vec<u8>>,
    environment: BTreeMap<String, String>,
    /// What the person at the terminal types; none without a terminal.
    answer: Option<String>,
    questions: RefCell<Vec<String>>,
}

impl World {
    fn file(mut self, name: &str, content: impl AsRef<[u8]>) -> Self {
        self.files.insert(Path::new("/here").join(name), content.as_ref().to_vec());
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.insert(name.to_owned(), value.to_owned());
        self
    }

    fn answer(mut self, answer: &str) -> Self {
        self.answer = Some(answer.to_owned());
        self
    }
}

impl Outside for World {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "no such file"))
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    fn glob(&self, _pattern: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn environment(&self, name: &str) -> Option<String> {
        self.environment.get(name).cloned()
    }

    fn prompt(&self, question: &str) -> Option<String> {
        self.questions.borrow_mut().push(question.to_owned());
        self.answer.clone()
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::from("/here")
    }
}

/// A store that real tools wrote.
fn store(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/stores").join(name)).unwrap()
}

/// Words as a shell divides them, quotes being `'`.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            _ => words.last_mut().unwrap().push(letter),
        }
    }
    words.into_iter().filter(|word| !word.is_empty()).collect()
}

/// The tool's name comes first.
fn read(line: &str, world: &World) -> Result<Command, Refused> {
    let words = words(line);
    let tool = Tool::ALL.into_iter().find(|tool| tool.name() == words[0]).unwrap();
    parse(tool, &words[1..], world)
}

fn run_in(line: &str, world: &World) -> (RateTool, Vec<Diagnostic>) {
    match read(line, world) {
        Ok(Command::Run { run, warnings }) => (*run, warnings),
        other => panic!("{line}: {other:?}"),
    }
}

fn run(line: &str) -> RateTool {
    let (run, warnings) = run_in(line, &World::default());
    assert_eq!(warnings, [], "{line}");
    run
}

fn refusal(line: &str) -> String {
    read(line, &World::default()).unwrap_err().to_string()
}
