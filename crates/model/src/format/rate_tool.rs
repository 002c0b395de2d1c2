//! The command lines of `modrate`, `searchrate`, `authrate` and `addrate`: from words to what is to be done.
//!
//! The spellings of DS 7 and 8 and of OpenDJ are accepted. Nothing here opens a connection; files, environment and
//! terminal come in through the trait `Outside`.

mod declared;
pub mod entries;
mod filter;
mod function;
mod gather;
pub mod generator;
mod help;
pub mod operation;
mod option;
mod plan;
mod printf;
mod properties;
mod reading;
mod secret;
pub mod server;
mod template;
mod tool;
mod words;

use crate::diagnostic::{Diagnostic, Severity};
use crate::format::Outside;
pub use entries::{Entries, Entry};
pub use generator::Arguments;
pub use help::help;
pub use operation::Operation;
use option::Setting;
pub use plan::{ASIDE, CHECK, DELETES, OPERATIONS};
pub use secret::Secret;
pub use server::{Bind, Server};
use std::fmt;
use std::time::Duration;
pub use tool::Tool;

/// Exit code of a command line that cannot be run.
pub const USAGE_EXIT: u8 = 89;
/// Exit code of a template file that cannot be read.
pub const INPUT_EXIT: u8 = 80;

/// What a command line asks for.
#[derive(Debug)]
pub enum Command {
    /// The help text; see [`help`].
    Help,
    /// The version.
    Version,
    /// A run.
    Run {
        /// What to do.
        run: Box<RateTool>,
        /// What is probably not as meant.
        warnings: Vec<Diagnostic>,
    },
}

/// A run of a rate tool.
#[derive(Debug, Clone)]
pub struct RateTool {
    /// Which tool.
    pub tool: Tool,
    /// What one operation is.
    pub operation: Operation,
    /// The values that templates refer to.
    pub arguments: Arguments,
    /// How consecutive values are handed out.
    pub numbering: Numbering,
    /// Whether values are escaped where they become part of a name or a filter.
    pub escape_values: bool,
    /// How often, and on how many connections.
    pub pace: Pace,
    /// What is shown while it lasts.
    pub output: Output,
    /// Where.
    pub server: Server,
    /// As whom.
    pub bind: Bind,
    /// What is sent along with binds.
    pub bind_controls: BindControls,
    /// The authorization identity of each operation (RFC 4370).
    pub proxy_as: Option<String>,
    /// Seed of all random draws; none is another one each run.
    pub seed: Option<u64>,
}

/// How consecutive values (`inc`, `xrand`) are handed out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// Over all workers: no two operations use the same number before the range is through.
    OverAll,
    /// Each worker counts for itself, as in OpenDJ.
    PerWorker,
}

/// How often, and on how many connections.
#[derive(Debug, Clone, PartialEq)]
pub struct Pace {
    /// Connections, at least 1.
    pub connections: u32,
    /// Operations under way on each connection, at least 1.
    pub requests: u32,
    /// What becomes of a connection after an operation.
    pub reuse: Reuse,
    /// Operations a second that are due; none is as fast as the server answers.
    pub rate: Option<f64>,
    /// The run ends after so many operations; in addrate, after so many successful adds.
    pub most_operations: Option<u64>,
    /// The run ends after this time, warm-up included.
    pub longest: Option<Duration>,
    /// Time before anything is counted.
    pub warm_up: Duration,
}

/// What becomes of a connection after an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reuse {
    /// It is closed; each operation has a connection of its own, and binds first.
    Never,
    /// It stays open; a bind comes before each operation.
    Rebind,
    /// It stays open and bound.
    Keep,
}

/// What is shown while a run lasts.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// Time between rows.
    pub interval: Duration,
    /// Percentiles of the response time, from 0 to 100, ascending.
    pub percentiles: Vec<f64>,
    /// Comma-separated values instead of a table.
    pub script_friendly: bool,
    /// Whether failed operations are said while the run lasts.
    pub verbose: bool,
    /// Where else the report goes: `json=FILE`, `csv=DIR`.
    pub files: Vec<String>,
}

/// Controls of binds; neither is critical.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BindControls {
    /// RFC 3829.
    pub report_authzid: bool,
    /// `draft-behera-ldap-password-policy`.
    pub password_policy: bool,
}

/// Why a command line cannot be run.
#[derive(Debug)]
pub struct Refused {
    /// Everything that is wrong, warnings included.
    pub problems: Vec<Diagnostic>,
    /// The exit code.
    pub exit: u8,
    tool: Tool,
}

/// Reads a command line, without the name of the tool.
///
/// Passwords are read from where the command line says, and asked for when it leaves them out, unless something
/// else is wrong.
pub fn parse(tool: Tool, words: &[String], outside: &dyn Outside) -> Result<Command, Refused> {
    let mut problems = Vec::new();
    let mut given = words::split(tool, words, &mut problems);
    if given.has(Setting::Help) {
        return Ok(Command::Help);
    }
    if given.has(Setting::Version) {
        return Ok(Command::Version);
    }
    properties::complete(tool, &mut given, outside, &mut problems);
    let mut exit = USAGE_EXIT;
    let run = gather::run(tool, &given, outside, &mut problems, &mut exit);
    match run.filter(|_| !has_errors(&problems)) {
        Some(run) => Ok(Command::Run { run: Box::new(run), warnings: problems }),
        None => Err(Refused { problems, exit, tool }),
    }
}

fn has_errors(problems: &[Diagnostic]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}

impl RateTool {
    /// Operations that can be under way at once.
    pub fn workers(&self) -> u64 {
        u64::from(self.pace.connections) * u64::from(self.pace.requests)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.problems {
            writeln!(f, "{problem}")?;
        }
        write!(f, "see `loadgen {} --help`", self.tool.name())
    }
}

impl std::error::Error for Refused {}
