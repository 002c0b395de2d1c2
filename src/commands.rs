//! One file a command.

pub(crate) mod check;
pub(crate) mod doctor;
pub(crate) mod help;
pub(crate) mod rate_tool;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod selftest;
pub(crate) mod target;

use crate::arguments::{Color, Job};
use crate::outside::Machine;
use loadgen_engine::RunError;
use loadgen_model::format::{Loaded, Options, load};
use loadgen_model::verdict;
use loadgen_model::{Diagnostic, Report, Sink};
use loadgen_report::{Size, Style};
use loadgen_target::Target;
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::os::fd::AsFd;
use std::process::ExitCode;

/// A command that could not do its work, with its exit code.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The exit code.
    pub(crate) code: u8,
    /// One message for each problem.
    pub(crate) messages: Vec<String>,
}

impl Failed {
    /// A failure with one message.
    pub(crate) fn new(code: u8, message: impl Display) -> Self {
        Self { code, messages: vec![format!("error: {message}")] }
    }
}

impl From<std::io::Error> for Failed {
    fn from(error: std::io::Error) -> Self {
        Self::new(verdict::UNEXPECTED, error)
    }
}

impl From<RunError> for Failed {
    fn from(error: RunError) -> Self {
        let code = match error {
            RunError::Unreachable { .. } | RunError::NotFetched { .. } => verdict::UNREACHABLE,
            RunError::Tls(_) => verdict::INVALID_JOB,
            RunError::System(_) => verdict::UNEXPECTED,
            RunError::Interrupted => verdict::INTERRUPTED,
            RunError::StoppedAtOnce => verdict::STOPPED_AT_ONCE,
        };
        Self::new(code, error)
    }
}

/// Says why a command failed.
pub(crate) fn fail(failed: &Failed) -> ExitCode {
    for message in &failed.messages {
        say(message);
    }
    ExitCode::from(failed.code)
}

/// A message to the user, on standard error. A closed one is nobody's loss.
pub(crate) fn say(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// A result, on standard output. That a reader such as `head` has seen enough is no error.
pub(crate) fn print(result: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(result.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// How text is dressed on a stream.
fn style(color: Color, stream: &(impl IsTerminal + AsFd)) -> Style {
    let style = Style::detect(color.into(), &|name| std::env::var(name).ok(), stream.is_terminal());
    Size::of(stream.as_fd()).map_or(style, |size| style.with_width(size.columns))
}

/// Loads a job; its warnings are said at once.
fn load_job(job: &Job, simulated: Option<&Target>) -> Result<Loaded, Failed> {
    let options = Options {
        home: job.home.clone(),
        target: simulated.map(Target::url).or_else(|| job.target.clone()),
        directory: simulated.and_then(Target::ldap_address).map(|address| format!("ldap://{address}")),
        set: job.set.clone(),
        seed: job.seed,
        users: job.users,
        rate: job.rate,
        duration: job.duration,
        iterations: job.iterations,
    };
    let loaded = load(&job.file, &options, &Machine).map_err(|problems| invalid(&problems))?;
    for warning in &loaded.warnings {
        say(&warning.to_string());
    }
    Ok(loaded)
}

fn open_outputs(specs: &[String]) -> Result<Vec<Box<dyn Sink>>, Failed> {
    let (mut sinks, mut messages) = (Vec::new(), Vec::new());
    for spec in specs {
        match loadgen_report::open(spec) {
            Ok(sink) => sinks.push(sink),
            Err(error) => messages.push(format!("error: {error}")),
        }
    }
    if messages.is_empty() { Ok(sinks) } else { Err(Failed { code: verdict::USAGE, messages }) }
}

/// Hands the report to all sinks; false when one of them could not take it, which is said.
fn finish(sinks: &mut [Box<dyn Sink>], report: &Report) -> bool {
    let mut all = true;
    for sink in sinks {
        if let Err(error) = sink.finish(report) {
            say(&format!("error: {error}"));
            all = false;
        }
    }
    all
}

fn invalid(problems: &[Diagnostic]) -> Failed {
    let mut messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
    if problems.len() > 1 {
        messages.push(format!("{} problems", problems.len()));
    }
    Failed { code: verdict::INVALID_JOB, messages }
}
