//! Where cases are tried: starts the target, runs a job against it, gathers what both know.

use crate::machine::Witness;
use crate::trial::Trial;
use crate::truth::Truth;
use crate::wire::Wire;
use loadgen_engine::RunError;
use loadgen_model::format::{self, Outside};
use loadgen_target::{Behavior, Config, Target};
use std::io;
use std::path::{Path, PathBuf};

/// Generator threads at most: one core is left to the target, and no case needs more.
const MOST_THREADS: usize = 4;

/// Why a case could not be tried at all.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// Stopped by hand.
    #[error("stopped by hand")]
    Interrupted,
    /// The target does not start.
    #[error("the target: {0}")]
    Target(#[from] loadgen_target::Error),
    /// The generator does not run.
    #[error("the generator: {0}")]
    Generator(RunError),
    /// The system gives no file, socket or thread.
    #[error("the system: {0}")]
    System(#[from] io::Error),
    /// The case itself is wrong: its job, its target's behaviour, or how it reads the log.
    #[error("the case: {0}")]
    Case(String),
}

/// Where cases are tried.
#[derive(Debug, Clone)]
pub(crate) struct Stand {
    threads: usize,
    wire: Wire,
    /// Long enough for the criteria that need many samples.
    pub(crate) full: bool,
}

/// What is tried.
pub(crate) struct Setup<'a> {
    /// Of the target, as `loadgen target --behavior` reads it.
    pub(crate) behavior: &'a [&'a str],
    /// A native job without version and target.
    pub(crate) job: &'a str,
    /// Of both sides.
    pub(crate) seed: u64,
}

impl Stand {
    /// A stand on this machine.
    pub(crate) fn new(full: bool, wire: Wire) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: cores.saturating_sub(1).clamp(1, MOST_THREADS), wire, full }
    }

    /// A length of time in seconds: short, or long enough for narrow criteria.
    pub(crate) fn seconds(&self, quick: u32, full: u32) -> u32 {
        if self.full { full } else { quick }
    }

    /// Runs a job against the target, with an independent client beside it.
    pub(crate) fn trial(&self, setup: &Setup) -> Result<Trial, Problem> {
        let behavior: Vec<String> = setup.behavior.iter().map(ToString::to_string).collect();
        let behavior = Behavior::parse(&behavior).map_err(|error| Problem::Case(error.to_string()))?;
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("truth.jsonl");
        let tls = self.wire.tls_files()?;
        let config = Config { behavior, tls, log: Some(log.clone()), seed: setup.seed, ..Config::default() };
        let target = Target::start(config)?;
        let (url, wire) = (target.url(), self.wire.attributes());
        let plan = plan(&format!("loadgen: 1\ntarget: {url}\n{wire}{}", setup.job), setup.seed)?;
        let witness = Witness::start()?;
        let options = loadgen_engine::Options { threads: Some(self.threads), notes: Vec::new() };
        let report = loadgen_engine::run(plan.clone(), &options, &mut []);
        let machine = witness.finish();
        target.stop();
        let report = report.map_err(|error| match error {
            RunError::Interrupted | RunError::StoppedAtOnce => Problem::Interrupted,
            error => Problem::Generator(error),
        })?;
        if report.run.interrupted {
            return Err(Problem::Interrupted);
        }
        let truth = Truth::read(&std::fs::read_to_string(log)?)
            .map_err(|error| Problem::Case(format!("the target's log: {error}")))?;
        Ok(Trial { plan, report, truth, machine })
    }
}

/// What a job's text says.
pub(crate) fn plan(job: &str, seed: u64) -> Result<loadgen_model::Plan, Problem> {
    let options = format::Options { seed: Some(seed), ..format::Options::default() };
    let loaded = format::load(Path::new("job.yaml"), &options, &Memory(job)).map_err(|problems| {
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Problem::Case(format!("{}\n{job}", problems.join("\n")))
    })?;
    Ok(loaded.plan)
}

/// A job that is in no file: all that it may know of the world.
struct Memory<'a>(&'a str);

impl Outside for Memory<'_> {
    fn read(&self, _path: &Path) -> io::Result<Vec<u8>> {
        Ok(self.0.as_bytes().to_vec())
    }

    fn is_file(&self, path: &Path) -> bool {
        path == Path::new("job.yaml")
    }

    fn glob(&self, _pattern: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn environment(&self, _name: &str) -> Option<String> {
        None
    }

    fn prompt(&self, _question: &str) -> Option<String> {
        None
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::from(".")
    }
}
