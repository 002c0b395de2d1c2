//! From what was typed to what it means, with every problem on the way.

mod operation;
mod server;

use crate::diagnostic::Diagnostic;
use crate::format::Outside;
use crate::format::rate_tool::function::{self, UpperEnd};
use crate::format::rate_tool::generator::Arguments;
use crate::format::rate_tool::option::Setting;
use crate::format::rate_tool::reading::Reading;
use crate::format::rate_tool::tool::Tool;
use crate::format::rate_tool::words::Given;
use crate::format::rate_tool::{BindControls, Numbering, Output, Pace, RateTool, Reuse};
use std::time::Duration;

/// More connections than a machine has ports for.
const MOST_CONNECTIONS: u32 = 65_535;
/// More operations under way on a connection than servers take.
const MOST_REQUESTS: u32 = 65_535;
/// More arguments than any template has places.
const MOST_ARGUMENTS: usize = 1000;
/// Percentiles that are shown unless others are asked for.
const PERCENTILES: [f64; 3] = [99.9, 99.99, 99.999];
/// Columns of percentiles that a table can have.
const MOST_PERCENTILES: usize = 20;

/// All of it, as far as it could be read. `exit` becomes the exit code of what is no usage error.
pub(super) fn run(
    tool: Tool,
    given: &Given,
    outside: &dyn Outside,
    problems: &mut Vec<Diagnostic>,
    exit: &mut u8,
) -> Option<RateTool> {
    let mut reading = Reading { tool, given, outside, problems };
    let arguments = arguments(&mut reading);
    let pace = pace(&mut reading);
    let output = output(&mut reading);
    let operation = operation::operation(&mut reading, &arguments, exit);
    let (server, bind) = server::server(&mut reading, &arguments, operation.as_ref())?;
    Some(RateTool {
        tool,
        operation: operation?,
        numbering: if reading.has(Setting::Classic) { Numbering::PerWorker } else { Numbering::OverAll },
        escape_values: reading.has(Setting::EscapeValues),
        pace,
        output,
        server,
        bind,
        bind_controls: BindControls {
            report_authzid: reading.has(Setting::ReportAuthzId),
            password_policy: reading.has(Setting::PasswordPolicyControl),
        },
        proxy_as: reading.text(Setting::ProxyAs).map(str::to_owned),
        seed: Some(reading.number(Setting::RandomSeed, i64::MIN..=i64::MAX, 0) as u64)
            .filter(|seed| *seed != 0),
        arguments,
    })
}

fn arguments(reading: &mut Reading<'_>) -> Arguments {
    let upper = if reading.has(Setting::Classic) { UpperEnd::Excluded } else { UpperEnd::Included };
    let mut arguments = Arguments::default();
    let given = reading.given;
    for typed in given.all(Setting::Argument) {
        match function::parse(&typed.text, upper, reading.outside) {
            Ok((generator, warning)) => {
                arguments.generators.push(generator);
                if let Some(warning) = warning {
                    reading.warning(warning.message, warning.help);
                }
            }
            Err(wrong) => {
                reading.problem(wrong.message, wrong.help);
                // It keeps its place, so that the following arguments keep their numbers.
                arguments.generators.push(function::placeholder());
            }
        }
    }
    if arguments.len() > MOST_ARGUMENTS {
        let message = format!("there are {} arguments, more than {MOST_ARGUMENTS}", arguments.len());
        reading.problem(message, "leave some out");
    }
    arguments
}

fn pace(reading: &mut Reading<'_>) -> Pace {
    let connections = reading.number(Setting::Connections, 1..=MOST_CONNECTIONS, 1);
    let requests = reading.number(Setting::Requests, 1..=MOST_REQUESTS, 1);
    let reuse = match (reading.has(Setting::NoRebind), reading.has(Setting::KeepConnectionsOpen)) {
        (true, _) => Reuse::Keep,
        (false, true) => Reuse::Rebind,
        (false, false) => Reuse::Never,
    };
    if requests > 1 && reuse != Reuse::Keep {
        let name = reading.name(Setting::Requests);
        let message = format!("`{name}` is {requests}, but connections are bound before each operation");
        reading
            .problem(message, "add `--noRebind`: a bind must not overlap other operations of its connection");
    }
    let most_operations =
        Some(reading.number(Setting::MaxIterations, 0..=u64::MAX, 0)).filter(|most| *most > 0);
    let workers = u64::from(connections) * u64::from(requests);
    if let Some(most) = most_operations.filter(|most| *most < workers) {
        reading.problem(
            format!("`--maxIterations` is {most}, less than the {workers} operations under way at once"),
            "write a greater number, or use fewer connections or requests",
        );
    }
    let rate = reading.number(Setting::Throughput, 0.0..=1e9, 0.0);
    let longest = Some(reading.seconds(Setting::MaxDuration, 0, 0)).filter(|longest| !longest.is_zero());
    let warm_up = reading.seconds(Setting::WarmUp, 0, 0);
    if let Some(longest) = longest.filter(|longest| *longest <= warm_up) {
        let (longest, warm_up) = (longest.as_secs(), warm_up.as_secs());
        reading.problem(
            format!("`--maxDuration` is {longest} s, all of it within the warm-up of {warm_up} s"),
            "write a greater duration: it includes the warm-up",
        );
    }
    Pace {
        connections,
        requests,
        reuse,
        rate: Some(rate).filter(|rate| *rate > 0.0),
        most_operations,
        longest,
        warm_up,
    }
}

fn output(reading: &mut Reading<'_>) -> Output {
    Output {
        interval: reading.seconds(Setting::Interval, 1, 5).max(Duration::from_secs(1)),
        percentiles: percentiles(reading),
        script_friendly: reading.has(Setting::ScriptFriendly),
        verbose: reading.has(Setting::Verbose),
        files: server::files(reading.given),
    }
}

fn percentiles(reading: &mut Reading<'_>) -> Vec<f64> {
    let given = reading.given;
    let mut percentiles = Vec::new();
    for typed in given.all(Setting::Percentile) {
        match typed.text.trim().parse().ok().filter(|percent| (0.0..=100.0).contains(percent)) {
            Some(percent) => percentiles.push(percent),
            None => {
                let message = format!("`--percentile` is `{}`", typed.text);
                reading.problem(message, "write a number from 0 to 100, such as 99.9");
            }
        }
    }
    if percentiles.is_empty() {
        return PERCENTILES.to_vec();
    }
    percentiles.sort_by(f64::total_cmp);
    percentiles.dedup();
    if percentiles.len() > MOST_PERCENTILES {
        let message = format!("there are {} percentiles, more than {MOST_PERCENTILES}", percentiles.len());
        reading.problem(message, "leave some out");
    }
    percentiles
}
