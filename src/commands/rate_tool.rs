//! `loadgen modrate`, `searchrate`, `authrate` and `addrate`: drop-ins for the tools of the same names.

use super::{Failed, finish, open_outputs, print, say, style};
use crate::arguments::Color;
use crate::outside::Machine;
use loadgen_engine::{Options, RunError};
use loadgen_model::format::rate_tool::{
    self, ASIDE, CHECK, Command, DELETES, OPERATIONS, RateTool, Tool, USAGE_EXIT,
};
use loadgen_model::ldap::result;
use loadgen_model::report::{self, Report};
use loadgen_model::sample::RowId;
use loadgen_model::verdict::{SET_UP_FAILED, STOPPED_AT_ONCE, UNEXPECTED};
use loadgen_model::{FailureKind, Plan, Sink};
use loadgen_report::rate_tool::{Extra, Form, Layout, Live, Setting};
use std::ffi::OsString;
use std::path::Path;
use std::time::SystemTime;

/// The result codes by which clients say what happened on their side, as libraries of LDAP number them.
const SERVER_DOWN: u8 = 81;
const TIMEOUT: u8 = 85;
const NO_RESULTS: u8 = 94;
const CONNECT_ERROR: u8 = 91;

/// The tool that a command line is for, and the words behind its name: the program may be called by a link of that
/// name.
pub(crate) fn called(arguments: &[OsString]) -> Option<(Tool, &[OsString])> {
    let named = |text: Option<&str>| Tool::ALL.into_iter().find(|tool| text == Some(tool.name()));
    let program = Path::new(arguments.first()?).file_name().and_then(|name| name.to_str());
    if let Some(tool) = named(program) {
        return Some((tool, &arguments[1..]));
    }
    let tool = named(arguments.get(1)?.to_str())?;
    Some((tool, &arguments[2..]))
}

/// Carries out a command line.
pub(crate) fn rate_tool(tool: Tool, words: &[OsString], color: Color) -> Result<u8, Failed> {
    let words: Option<Vec<String>> = words.iter().map(|word| word.to_str().map(str::to_owned)).collect();
    let Some(words) = words else { return Err(Failed::new(USAGE_EXIT, "the command line is not UTF-8")) };
    match rate_tool::parse(tool, &words, &Machine) {
        Err(refused) => Err(Failed { code: refused.exit, messages: vec![refused.to_string()] }),
        Ok(Command::Help) => Ok(print(&rate_tool::help(tool)).map(|()| 0)?),
        Ok(Command::Version) => {
            Ok(print(&format!("{} (LoadGen {})\n", tool.name(), env!("CARGO_PKG_VERSION"))).map(|()| 0)?)
        }
        Ok(Command::Run { run, warnings }) => {
            for warning in &warnings {
                say(&warning.to_string());
            }
            carry_out(&run, color)
        }
    }
}

fn carry_out(run: &RateTool, color: Color) -> Result<u8, Failed> {
    loadgen_engine::raise_descriptor_limit();
    let mut outputs = open_outputs(&run.output.files)?;
    let plan = run.plan(unlike_others());
    let mut live: Vec<Box<dyn Sink>> = vec![Box::new(live(run, plan.clone(), color))];
    let report = loadgen_engine::run(plan, &Options::default(), &mut live).map_err(not_begun)?;
    if report.verdict.exit_code == SET_UP_FAILED {
        return Err(refused(&report));
    }
    finish(&mut live, &report);
    let written = finish(&mut outputs, &report);
    let code = exit_code(run.tool, &report);
    Ok(if written || code != 0 { code } else { UNEXPECTED })
}

/// A seed that no other run has.
fn unlike_others() -> u64 {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since_epoch.as_nanos() as u64
}

fn live(run: &RateTool, plan: Plan, color: Color) -> Live {
    let form = if run.output.script_friendly { Form::Csv } else { Form::Table };
    let extra = match run.tool {
        Tool::SearchRate => Extra::EntriesPerSearch,
        Tool::AddRate => Extra::AddShare,
        Tool::ModRate | Tool::AuthRate => Extra::None,
    };
    let setting = Setting {
        layout: Layout { form, percentiles: run.output.percentiles.clone(), extra },
        interval: run.output.interval,
        warm_up: run.pace.warm_up,
        // A purge goes on behind it.
        longest: run.pace.longest.filter(|_| run.tool != Tool::AddRate),
        asked_per_s: run.pace.rate,
        verbose: run.output.verbose,
        operations: operations(run.tool).to_vec(),
        aside: ASIDE,
        style: style(color, &std::io::stderr()),
        describe: Box::new(move |row, failure| plan.describe(row, failure)),
    };
    Live::new(setting, Box::new(std::io::stdout()), Box::new(std::io::stderr()))
}

/// What the operations of a tool are counted under.
fn operations(tool: Tool) -> &'static [RowId] {
    if tool == Tool::AddRate { &[OPERATIONS, DELETES] } else { &[OPERATIONS] }
}

/// The server cannot be reached.
fn not_begun(error: RunError) -> Failed {
    let code = match &error {
        RunError::Unreachable { kind: FailureKind::Tls, .. } | RunError::Tls(_) => SERVER_DOWN,
        RunError::Unreachable { .. } => CONNECT_ERROR,
        _ => return error.into(),
    };
    Failed::new(code, error)
}

/// The server does not take the bind.
fn refused(report: &Report) -> Failed {
    let row = &report.tasks[usize::from(CHECK.0)];
    let failure = row.failures.first();
    let reason = failure.map_or_else(|| "no answer".to_owned(), |failure| failure.detail.clone());
    Failed::new(failure.map_or(UNEXPECTED, code_of), format!("the server refuses the bind: {reason}"))
}

/// 0 unless nothing at all succeeded: then what the server said most.
fn exit_code(tool: Tool, report: &Report) -> u8 {
    if report.run.interrupted {
        return STOPPED_AT_ONCE;
    }
    let task = |row: &RowId| &report.tasks[usize::from(row.0)];
    let succeeded: u64 = operations(tool).iter().map(|row| task(row).passed + task(row).exceeded).sum();
    let rows = operations(tool).iter().chain(&[ASIDE]).map(task);
    let worst = rows.flat_map(|row| &row.failures).max_by_key(|failure| failure.count);
    match worst.filter(|_| succeeded == 0) {
        Some(worst) => {
            say(&format!(
                "error: every operation failed, most of them with {}: {}",
                worst.kind, worst.detail
            ));
            code_of(worst)
        }
        None => 0,
    }
}

/// A result code as an exit code, which has one byte.
fn code_of(failure: &report::Failure) -> u8 {
    match (failure.kind.as_str(), result::parse(&failure.detail)) {
        ("status", Some((code, ..))) => u8::try_from(code).unwrap_or(u8::MAX),
        ("connect", _) => CONNECT_ERROR,
        ("timeout", _) => TIMEOUT,
        // The server answered, and not with what the next request needs.
        ("check" | "capture", _) => NO_RESULTS,
        _ => SERVER_DOWN,
    }
}
