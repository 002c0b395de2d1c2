//! What can be typed.

use clap::{Args, Parser, Subcommand, ValueEnum};
use loadgen_model::request::Origin;
use loadgen_report::ColorChoice;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Load generator for identity platforms.
///
/// Runs jobs of REST tasks against OpenAM, OpenDJ, OpenIDM, Keycloak, Crowd, Whydah or any HTTP service, and
/// tells what the platform sustained, how honestly it was measured, and whether its objectives were met.
#[derive(Debug, Parser)]
#[command(name = "loadgen", version, disable_help_subcommand = true)]
#[command(after_help = "Examples:
  loadgen run examples/am-login.yaml --simulate     a first run, against the built-in platform
  loadgen check job.yaml --explain                  what a job will do, without doing it
  loadgen selftest                                  whether the figures are to be trusted
  loadgen help exit-codes                           what the exit codes mean")]
pub(crate) struct Arguments {
    /// When to use colour; `NO_COLOR` and others are respected.
    #[arg(long, global = true, value_enum, default_value = "auto", value_name = "WHEN")]
    pub(crate) color: Color,
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal that can show it.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a job and report.
    Run(Run),
    /// Check a job without running it: every problem at once, and what to expect of it.
    Check(Check),
    /// Modify entries of a directory: the `modrate` of DS and OpenDJ.
    Modrate(RateTool),
    /// Search a directory: their `searchrate`.
    Searchrate(RateTool),
    /// Bind to a directory: their `authrate`.
    Authrate(RateTool),
    /// Add entries to a directory and delete them: their `addrate`.
    Addrate(RateTool),
    /// Examine this machine, and the way to a target, before a run.
    Doctor(Doctor),
    /// Print the JSON Schema of a format.
    Schema(Schema),
    /// Test whether the generator tells the truth on this machine.
    Selftest(Selftest),
    /// Run the built-in identity platform until it is stopped.
    Target(Target),
    /// Explain a command or a topic: `exit-codes`.
    Help(Help),
}

/// Which job, and what the command line changes in it.
#[derive(Debug, Args)]
pub(crate) struct Job {
    /// The job file: native (YAML or JSON), or of the original LoadGen (JSON).
    #[arg(value_name = "JOB")]
    pub(crate) file: PathBuf,
    /// The service location of every task, instead of what the job says.
    #[arg(long, value_name = "URL")]
    pub(crate) target: Option<String>,
    /// Folder with `workloads/` and `tasks/` [default: `LOADGEN_HOME`, the current folder, the folder above the
    /// job's]
    #[arg(long, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,
    /// Change a value of the job; may stand several times.
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// The seed of all random draws, instead of the job's.
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// Users, instead of the job's users or rate.
    #[arg(long, value_name = "NUMBER", conflicts_with = "rate")]
    pub(crate) users: Option<u64>,
    /// Iterations that begin a second, such as `250/s`, instead of the job's users or rate.
    #[arg(long, value_name = "RATE", value_parser = loadgen_model::format::rate)]
    pub(crate) rate: Option<f64>,
    /// Length of the run, such as `30s`; a mix by counts may be done earlier.
    #[arg(long, value_name = "TIME", value_parser = loadgen_model::format::duration)]
    pub(crate) duration: Option<Duration>,
    /// Iterations of each user; of a mix by counts, rounds of its smallest proportion (50 : 10 runs as 5 : 1).
    #[arg(long, value_name = "NUMBER", conflicts_with = "duration")]
    pub(crate) iterations: Option<u64>,
}

/// `loadgen run`
#[derive(Debug, Args)]
#[command(
    after_help = "Results go to standard output, messages to standard error. The first Ctrl-C ends the run \
                        with a partial report, the second one at once."
)]
pub(crate) struct Run {
    /// The job.
    #[command(flatten)]
    pub(crate) job: Job,
    /// Run against the built-in platform, started in this process on a free loopback port.
    #[arg(long, conflicts_with = "target")]
    pub(crate) simulate: bool,
    /// Behaviour of the built-in platform, such as `authenticate=lognormal:45ms,0.5`; may stand several times.
    #[arg(long, value_name = "SPEC", requires = "simulate")]
    pub(crate) behavior: Vec<String>,
    /// Generated users of the built-in platform.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, requires = "simulate")]
    pub(crate) population: u64,
    /// How the results are shown.
    #[arg(long, value_enum, default_value = "summary")]
    pub(crate) format: Format,
    /// Also write the results: `json=FILE` or `csv=DIR`; may stand several times.
    #[arg(short, long = "output", value_name = "KIND=PATH")]
    pub(crate) output: Vec<String>,
    /// Generator threads [default: one for each core; with --simulate, one core is left to the platform]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Seconds between two lines of progress where there is no terminal.
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) interval: u64,
    /// No progress, only results.
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// How results are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Verdict, objectives, tasks, load delivered, the generator's health.
    Summary,
    /// The original LoadGen's table, followed by the corrected figures.
    Classic,
}

/// `loadgen check`
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The job.
    #[command(flatten)]
    pub(crate) job: Job,
    /// Print the effective plan: every value and where it comes from.
    #[arg(long)]
    pub(crate) explain: bool,
}

/// `loadgen modrate` and its kin, which read their words themselves.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub(crate) struct RateTool {
    /// As of the tool of that name; `--help` lists them.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    pub(crate) words: Vec<OsString>,
}

/// `loadgen doctor`
#[derive(Debug, Args)]
#[command(
    after_help = "Measures the generator itself for three seconds, against the built-in platform. The target \
                        is only connected to. Exit code 0 when nothing is bad, 112 when the target cannot be \
                        reached, else 111."
)]
pub(crate) struct Doctor {
    /// A target that a run is to reach, such as `http://am.example.com:8080`.
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub(crate) target: Option<Origin>,
    /// Also write what was found: `json=FILE`; may stand several times.
    #[arg(short, long = "output", value_name = "KIND=PATH")]
    pub(crate) output: Vec<String>,
}

/// `loadgen schema`
#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// Of which format.
    #[arg(value_enum)]
    pub(crate) format: SchemaOf,
}

/// Formats that have a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// Native job files.
    Job,
    /// Reports that `-o json=FILE` writes.
    Report,
}

/// `loadgen selftest`
#[derive(Debug, Args)]
#[command(
    after_help = "Exits with 0 when no case failed, and with 1 when one did. A case that is not judged has not \
                        failed: the machine was too busy to measure, and the generator said so."
)]
pub(crate) struct Selftest {
    /// Also the cases that take long, and long runs for narrow criteria: a quarter of an hour and more.
    #[arg(long)]
    pub(crate) full: bool,
    /// Only this case, such as `H5`; may stand several times.
    #[arg(long, value_name = "CASE")]
    pub(crate) only: Vec<String>,
    /// Over TLS.
    #[arg(long)]
    pub(crate) tls: bool,
    /// Also write the results, as `json=FILE`.
    #[arg(short, long, value_name = "json=FILE")]
    pub(crate) output: Option<String>,
}

/// `loadgen target`
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
    /// Serve LDAP as well, at this port of the same address; 0 for a free one. With a certificate it offers
    /// `StartTLS`.
    #[arg(long, value_name = "PORT")]
    pub(crate) ldap_port: Option<u16>,
    /// Serve LDAP over TLS as well, at this port of the same address.
    #[arg(long, value_name = "PORT", requires = "tls_certificate")]
    pub(crate) ldaps_port: Option<u16>,
    /// Generated users: user.0, user.1 … with the password `password`.
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000)]
    pub(crate) population: u64,
    /// Service times, servers, stalls and faults, such as `default=exponential:2ms`, `servers=4`,
    /// `stall=10s+2s`, `errors=0.01`; may stand several times.
    #[arg(long, value_name = "SPEC")]
    pub(crate) behavior: Vec<String>,
    /// Write what was true of each request, one JSON object a line.
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Serve TLS with this certificate chain (PEM). HTTP is then served over TLS only.
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_certificate: Option<PathBuf>,
    /// The certificate's key (PEM).
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub(crate) tls_key: Option<PathBuf>,
    /// The seed of service times and faults.
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// `loadgen help`
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// A command, or `exit-codes`.
    pub(crate) topic: Option<String>,
}

impl From<Color> for ColorChoice {
    fn from(color: Color) -> Self {
        match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        }
    }
}

/// The server of a URL.
fn origin(url: &str) -> Result<Origin, String> {
    Origin::parse(url).map(|(origin, _)| origin)
}

/// The original's command line, `--config JOB` or `-c JOB`, as ours: the same table comes out.
pub(crate) fn rewrite(arguments: Vec<OsString>) -> Vec<OsString> {
    let original = arguments.get(1).is_some_and(|first| first == "--config" || first == "-c");
    if !original || arguments.len() < 3 {
        return arguments;
    }
    let ours = ["run", "--format", "classic"].map(OsString::from);
    arguments[..1].iter().cloned().chain(ours).chain(arguments[2..].iter().cloned()).collect()
}
