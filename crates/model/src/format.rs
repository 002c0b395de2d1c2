//! Job files: from bytes to a [`Plan`], with every problem of the input said at once and where it stands.
//!
//! Two front-ends, the native format and that of the original LoadGen, give the same kind of [`job::Job`];
//! one compiler makes the plan of it.

pub(crate) mod compile;
pub(crate) mod decode;
pub(crate) mod explanation;
pub(crate) mod file;
pub(crate) mod job;
pub(crate) mod json;
pub(crate) mod native;
pub(crate) mod node;
pub(crate) mod original;
pub(crate) mod problems;
pub mod rate_tool;
pub(crate) mod rounds;
pub(crate) mod set;
pub(crate) mod text;
pub(crate) mod time;
pub(crate) mod yaml;

use crate::diagnostic::{Diagnostic, Severity};
use crate::expectation::Expectation;
use crate::plan::Plan;
use decode::Decode;
pub use explanation::Explanation;
use node::{At, Node};
use problems::Problems;
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// All that a job needs of the world around it.
pub trait Outside {
    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Whether there is a file.
    fn is_file(&self, path: &Path) -> bool;
    /// The files whose names fit a pattern, sorted.
    fn glob(&self, pattern: &Path) -> Vec<PathBuf>;
    /// The value of an environment variable.
    fn environment(&self, name: &str) -> Option<String>;
    /// The answer to a question; none without a terminal.
    fn prompt(&self, question: &str) -> Option<String>;
    /// The folder that relative paths of the command line start from.
    fn current_folder(&self) -> PathBuf;
}

/// What the command line says beside the job.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Folder with the `workloads` and `tasks` of original jobs.
    pub home: Option<PathBuf>,
    /// Target of all requests, instead of those in the files.
    pub target: Option<String>,
    /// `a.b=value`, applied to the job file.
    pub set: Vec<String>,
    /// Directory of all LDAP operations that do not name their own.
    pub directory: Option<String>,
    /// Seed of all random draws.
    pub seed: Option<u64>,
    /// Users of the job, instead of its users or its rate.
    pub users: Option<u64>,
    /// Iterations that begin a second, instead of the job's users, rate or stages.
    pub rate: Option<f64>,
    /// Length of the run, instead of the iterations that the load sets. A mix by counts also ends when its
    /// counts are done.
    pub duration: Option<Duration>,
    /// Iterations of each user, instead of the length that the load sets. When the workloads have counts of
    /// their own, each user runs so many rounds of the mix reduced by the greatest common divisor of the
    /// counts: of 50 and 10, 2 makes 10 and 2.
    pub iterations: Option<u64>,
}

/// A job that can be run.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// What to do.
    pub plan: Plan,
    /// What is probably not as meant.
    pub warnings: Vec<Diagnostic>,
    /// The effective values and where they came from.
    pub explanation: Explanation,
}

/// Reads a job and everything that it names.
///
/// The error holds every problem that was found, warnings included, in the order of files and lines.
pub fn load(job: &Path, options: &Options, outside: &dyn Outside) -> Result<Loaded, Vec<Diagnostic>> {
    let mut problems = Problems::default();
    let compiled = gather(job, options, outside, &mut problems)
        .map(|job| compile::compile(&job, outside, &mut problems))
        .filter(|_| !problems.has_errors());
    let found = problems.into_sorted();
    match compiled {
        Some((plan, mut explanation)) => {
            explanation.expect(Expectation::of(&plan));
            let warnings =
                found.into_iter().filter(|problem| problem.severity == Severity::Warning).collect();
            Ok(Loaded { plan, warnings, explanation })
        }
        None => Err(found),
    }
}

/// Reads a length of time as jobs write it: `250ms`, `1h30m`. The error says what to do.
pub fn duration(text: &str) -> Result<Duration, String> {
    time::parse(text)
}

/// Reads a rate as jobs write it, to 1/s: `250/s`, `3600/h`. The error says what to do.
pub fn rate(text: &str) -> Result<f64, String> {
    decode::quantity::Rate::parse(text)
}

/// The JSON Schema (2020-12) of the native job file.
pub fn schema() -> serde_json::Value {
    let mut definitions = decode::shape::Definitions::default();
    let root = file::JobFile::schema(&mut definitions);
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "LoadGen job, version 1",
        "$defs": definitions.named,
    });
    let reference = root["$ref"].clone();
    schema.as_object_mut().expect("just made as an object").insert("$ref".to_owned(), reference);
    schema
}

fn gather(
    path: &Path,
    options: &Options,
    outside: &dyn Outside,
    problems: &mut Problems,
) -> Option<job::Job> {
    let mut node = read_file(path, &At::default(), outside, problems)?;
    let native = node.get("loadgen").is_some();
    let original = !native && original::is_job(&node);
    set::apply(&options.set, &mut node, problems);
    let mut job = if original {
        original::gather(&node, path, options, outside, problems)?
    } else {
        native::gather(&node, path, outside, problems)?
    };
    override_with(options, &mut job, problems);
    Some(job)
}

/// What the command line says wins over all levels.
fn override_with(options: &Options, job: &mut job::Job, problems: &mut Problems) {
    let at = |option: &str| At::file(option);
    let counted = |value, option| decode::Spanned { value: decode::quantity::Count(value), at: at(option) };
    if let Some(target) = &options.target {
        job.command_line.target = Some(decode::text::Text::new(target.clone(), &at("--target")));
    }
    if let Some(directory) = &options.directory {
        let text = decode::text::Text::new(directory.clone(), &at("--simulate"));
        job.command_line.directory = Some(text);
    }
    if let Some(seed) = options.seed {
        job.seed = seed;
    }
    if let Some(users) = options.users {
        job.load = std::mem::take(&mut job.load).by_users();
        job.load.users = Some(counted(users, "--users"));
    }
    if let Some(rate) = options.rate {
        job.load = std::mem::take(&mut job.load).by_the_clock();
        job.load.rate = Some(decode::Spanned { value: decode::quantity::Rate(rate), at: at("--rate") });
    }
    if let Some(iterations) = options.iterations {
        job.load.duration = None;
        if iterations == 0 {
            problems.error_with_help(&at("--iterations"), "0 iterations run nothing", "use at least 1");
        } else if !rounds::set(&mut job.workloads, iterations) {
            job.load.iterations = Some(counted(iterations, "--iterations"));
        }
    }
    if let Some(duration) = options.duration {
        let value = decode::quantity::Time(duration);
        job.load.duration = Some(decode::Spanned { value, at: at("--duration") });
        if options.iterations.is_none() {
            job.load.iterations = None;
        }
    }
}

/// Reads YAML or JSON. `at` is where the file is named.
pub(crate) fn read_file(
    path: &Path,
    at: &At,
    outside: &dyn Outside,
    problems: &mut Problems,
) -> Option<Node> {
    let shown: Arc<str> = path.display().to_string().into();
    let bytes = match outside.read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            problems.error(at, format!("cannot read `{shown}`: {}", reason(&error)));
            return None;
        }
    };
    let whole = At::file(shown.clone());
    if bytes.contains(&0) {
        problems.error_with_help(&whole, "the file is not text", "give a job file in YAML or JSON");
        return None;
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..valid].split(|byte| *byte == b'\n').count() as u32;
            let at = At { line, column: 1, ..whole };
            problems.error_with_help(&at, "the file is not text in UTF-8", "save it as UTF-8");
            return None;
        }
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let before = problems.has_errors();
    let json = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    let node = if json { json::parse(&shown, text, problems) } else { yaml::parse(&shown, text, problems) };
    if node.is_none() && (before || !problems.has_errors()) && text.trim().is_empty() {
        problems.error_with_help(&whole, "the file is empty", "write a job into it");
    } else if node.is_none() && !problems.has_errors() {
        problems.error_with_help(&whole, "the file holds nothing but comments", "write a job into it");
    }
    node
}

/// A path that a file names: below the folder of that file.
pub(crate) fn file_beside(at: &At, name: &str, outside: &dyn Outside) -> PathBuf {
    if at.file.starts_with("--") {
        return outside.current_folder().join(name);
    }
    match Path::new(&*at.file).parent() {
        Some(folder) => folder.join(name),
        None => PathBuf::from(name),
    }
}

/// Why a file cannot be read, the same on every system.
pub(crate) fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}
