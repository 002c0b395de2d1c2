//! `loadgen run`: a job from its file to its report.

use super::{Failed, finish, load_job, open_outputs, print, say, style};
use crate::arguments::{Color, Format, Run};
use crate::keys::{self, Keys};
use loadgen_engine::Options;
use loadgen_model::verdict::{UNEXPECTED, USAGE};
use loadgen_model::{Report, Sink};
use loadgen_report::{LiveBlock, LiveLines, Size, classic, terminal};
use loadgen_target::{Behavior, Config, Target};
use std::io::IsTerminal;
use std::time::Duration;

/// How the built-in platform behaves when `--behavior` says nothing else: roughly as an access manager on
/// four cores did (medians of 45, 7 and 16 ms for log-in, validation and log-out).
const SIMULATED: [&str; 6] = [
    "default=exponential:4ms",
    "authenticate=lognormal:45ms,0.3",
    "validate=lognormal:7ms,0.3",
    "logout=lognormal:16ms,0.3",
    "update=lognormal:20ms,0.3",
    "create=lognormal:20ms,0.3",
];

/// Runs a job.
pub(crate) fn run(run: &Run, color: Color) -> Result<u8, Failed> {
    let specs: Vec<String> = SIMULATED.map(str::to_owned).into_iter().chain(run.behavior.clone()).collect();
    let behavior = Behavior::parse(&specs).map_err(|error| Failed::new(USAGE, error))?;
    loadgen_engine::raise_descriptor_limit();
    let mut outputs = open_outputs(&run.output)?;
    let simulated = run.simulate.then(|| simulate(behavior, run.population)).transpose()?;
    let loaded = load_job(&run.job, simulated.as_ref())?;
    let mut live = live(run, color);
    let (controls, wishes) = loadgen_engine::controls();
    let keys = if run.quiet || !std::io::stderr().is_terminal() { None } else { Keys::read(controls) };
    if keys.is_some() {
        say(keys::HELP);
    }
    let report = loadgen_engine::run_with(loaded.plan, &options(run), &mut live, wishes);
    drop(keys);
    if let Some(target) = simulated {
        target.stop();
    }
    let report = report?;
    finish(&mut live, &report);
    let written = finish(&mut outputs, &report);
    show(run.format, &report, color)?;
    let code = report.verdict.exit_code;
    Ok(if written || code != 0 { code } else { UNEXPECTED })
}

fn simulate(behavior: Behavior, population: u64) -> Result<Target, Failed> {
    let config = Config::default();
    // Listening for what a job may not use costs nothing.
    let config = Config { behavior, population, ldap: Some(config.listen), ..config };
    Target::start(config).map_err(|error| Failed::new(UNEXPECTED, error))
}

fn options(run: &Run) -> Options {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = match run.threads {
        Some(threads) => Some(usize::from(threads)),
        None if run.simulate => Some(cores.saturating_sub(1).max(1)),
        None => None,
    };
    let mut notes = Vec::new();
    if run.simulate {
        notes.push(
            "the target was the built-in platform, in this process: its CPU and memory count here".to_owned(),
        );
    }
    Options { threads, notes }
}

/// What shows the run while it lasts.
fn live(run: &Run, color: Color) -> Vec<Box<dyn Sink>> {
    if run.quiet {
        return Vec::new();
    }
    let stream = std::io::stderr();
    let style = style(color, &stream);
    if stream.is_terminal() {
        let size = || Size::of(std::io::stderr()).unwrap_or_default();
        vec![Box::new(LiveBlock::new(Box::new(stream), style, size))]
    } else {
        vec![Box::new(LiveLines::new(Box::new(stream), style, Duration::from_secs(run.interval)))]
    }
}

fn show(format: Format, report: &Report, color: Color) -> Result<(), Failed> {
    let text = match format {
        Format::Summary => terminal::summary(report, &style(color, &std::io::stdout())),
        Format::Classic => classic::table(report),
    };
    Ok(print(&text)?)
}
