//! Reads the settings of a behaviour as they stand on a command line.

use std::time::Duration;

use super::{Behavior, ServiceTime, Settings, Stall};
use crate::operation::Operation;

/// More servers than this are refused: leave `servers` out for unlimited ones.
const SERVERS_LIMIT: u32 = 100_000;

/// Longer times than this are refused.
const LONGEST: Duration = Duration::from_secs(24 * 3_600);

/// Settings that cannot be understood, with what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .problems.join("; "))]
pub struct BehaviorError {
    problems: Vec<String>,
}

impl BehaviorError {
    /// Every problem, each naming the setting as it was written.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }
}

pub(super) fn parse(specs: &[String]) -> Result<Behavior, BehaviorError> {
    let mut behavior = Behavior::default();
    let mut problems = Vec::new();
    for spec in specs {
        if let Err(problem) = apply(&mut behavior, spec) {
            problems.push(format!("`{spec}`: {problem}"));
        }
    }
    check_shares(&behavior, &mut problems);
    if problems.is_empty() { Ok(behavior) } else { Err(BehaviorError { problems }) }
}

fn apply(behavior: &mut Behavior, spec: &str) -> Result<(), String> {
    let (key, value) =
        spec.split_once('=').ok_or("write it as KEY=VALUE, for example `authenticate=fixed:1ms`")?;
    let (key, value) = (key.trim(), value.trim());
    match key {
        "stall" => behavior.stalls.push(stall(value, &behavior.stalls)?),
        "close_after" | "close-after" => behavior.close_after = Some(count(value, u64::MAX)?),
        "servers" => behavior.servers = Some(servers(value)?),
        "default" => behavior.general.service_time = Some(service_time(value)?),
        "errors" | "drops" => set(&mut behavior.general, key, value)?,
        _ => {
            let (name, setting) = key.split_once('.').unwrap_or((key, "service"));
            let operation = Operation::named(name).ok_or_else(|| unknown(name))?;
            set(&mut behavior.operations[operation as usize], setting, value)?;
        }
    }
    Ok(())
}

fn set(settings: &mut Settings, setting: &str, value: &str) -> Result<(), String> {
    match setting {
        "service" => settings.service_time = Some(service_time(value)?),
        "servers" => settings.servers = Some(servers(value)?),
        "errors" => settings.errors = Some(share(value)?),
        "drops" => settings.drops = Some(share(value)?),
        _ => {
            return Err(format!(
                "no setting `{setting}`: an operation has service, servers, errors and drops"
            ));
        }
    }
    Ok(())
}

fn unknown(name: &str) -> String {
    let operations: Vec<_> = Operation::ALL.iter().map(|operation| operation.name()).collect();
    format!(
        "`{name}` is neither a setting (default, servers, errors, drops, stall, close_after) nor an operation ({})",
        operations.join(", ")
    )
}

fn check_shares(behavior: &Behavior, problems: &mut Vec<String>) {
    for &operation in Operation::ALL {
        let settings = behavior.settings(operation);
        let sum = settings.errors.unwrap_or_default() + settings.drops.unwrap_or_default();
        if sum > 1.0 {
            problems.push(format!("errors and drops of {} add up to {sum}, more than 1", operation.name()));
            return;
        }
    }
}

fn service_time(text: &str) -> Result<ServiceTime, String> {
    let (form, arguments) = text.split_once(':').unwrap_or((text, ""));
    let arguments: Vec<&str> = arguments.split(',').map(str::trim).collect();
    match (form, arguments.as_slice()) {
        ("none", [""]) => Ok(ServiceTime::None),
        ("fixed", [time]) => Ok(ServiceTime::Fixed(duration(time)?)),
        ("exponential", [mean]) => Ok(ServiceTime::Exponential(duration(mean)?)),
        ("lognormal", [median, sigma]) => {
            Ok(ServiceTime::Lognormal { median: duration(median)?, sigma: number(sigma, 10.0)? })
        }
        ("bimodal", [usual, slow, part]) => {
            Ok(ServiceTime::Bimodal { usual: duration(usual)?, slow: duration(slow)?, share: share(part)? })
        }
        _ => Err(format!(
            "`{text}` is no service time; write none, fixed:1ms, exponential:1ms (mean), \
             lognormal:45ms,0.5 (median, sigma) or bimodal:1ms,20ms,0.05 (usual, slow, share of slow)"
        )),
    }
}

fn stall(text: &str, others: &[Stall]) -> Result<Stall, String> {
    let (repeated, times) = match text.strip_prefix("every:") {
        Some(times) => (true, times),
        None => (false, text),
    };
    let (first, length) =
        times.split_once('+').ok_or("write a stall as `10s+2s` (at 10 s for 2 s) or `every:10s+2s`")?;
    let (first, length) = (duration(first)?, duration(length)?);
    if !repeated {
        return Ok(Stall::Once { at: first, length });
    }
    if length >= first {
        return Err("a repeated stall must be shorter than the time between two of them".to_owned());
    }
    if others.iter().any(|other| matches!(other, Stall::Every { .. })) {
        return Err("only one repeated stall can be given".to_owned());
    }
    Ok(Stall::Every { period: first, length })
}

fn servers(text: &str) -> Result<u32, String> {
    count(text, u64::from(SERVERS_LIMIT)).map(|count| count as u32)
}

fn count(text: &str, most: u64) -> Result<u64, String> {
    let count: u64 = text.parse().map_err(|_| format!("`{text}` is no whole number from 1 on"))?;
    if (1..=most).contains(&count) { Ok(count) } else { Err(format!("{count} is outside 1 to {most}")) }
}

fn share(text: &str) -> Result<f64, String> {
    number(text, 1.0)
}

fn number(text: &str, most: f64) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is no number"))?;
    if (0.0..=most).contains(&number) { Ok(number) } else { Err(format!("{number} is outside 0 to {most}")) }
}

fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let unit_at = text.find(|symbol: char| !symbol.is_ascii_digit() && symbol != '.').unwrap_or(text.len());
    let (figure, unit) = text.split_at(unit_at);
    let unit_seconds = match unit {
        "ns" => 1e-9,
        "us" | "µs" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3_600.0,
        _ => return Err(format!("`{text}` is no time; write it with its unit: 500us, 1ms, 2.5s")),
    };
    let figure: f64 = figure.parse().map_err(|_| format!("`{text}` is no time; write it as 1ms or 2.5s"))?;
    match Duration::try_from_secs_f64(figure * unit_seconds) {
        Ok(time) if time <= LONGEST => Ok(time),
        _ => Err(format!("`{text}` is longer than a day")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parsed(specs: &[&str]) -> Result<Behavior, BehaviorError> {
        parse(&specs.iter().map(ToString::to_string).collect::<Vec<_>>())
    }

    #[test]
    fn every_form() {
        let behavior = parsed(&[
            "authenticate=lognormal:45ms,0.5",
            "default=fixed:1ms",
            "servers=4",
            "authenticate.servers=2",
            "stall=10s+2s",
            "stall=every:10s+500ms",
            "errors=0.01",
            "authenticate.errors=0.3",
            "drops=0.001",
            "close_after=100",
        ])
        .unwrap();
        let authenticate = behavior.settings(Operation::Authenticate);
        let lognormal = ServiceTime::Lognormal { median: Duration::from_millis(45), sigma: 0.5 };
        assert_eq!(authenticate.service_time, Some(lognormal));
        assert_eq!((authenticate.servers, authenticate.errors), (Some(2), Some(0.3)));
        assert_eq!(authenticate.drops, Some(0.001));
        let read = behavior.settings(Operation::Read);
        assert_eq!(read.service_time, Some(ServiceTime::Fixed(Duration::from_millis(1))));
        assert_eq!((behavior.servers, behavior.close_after), (Some(4), Some(100)));
        assert_eq!(behavior.stalls.len(), 2);
        assert_eq!(behavior.settings(Operation::Health), Settings::default());
    }

    #[test]
    fn every_problem_is_named() {
        let error =
            parsed(&["authentcate=fixed:1ms", "read=fixed:1", "servers=0", "errors=2", "x", "stall=1s"])
                .unwrap_err();
        assert_eq!(error.problems().len(), 6);
        let message = error.to_string();
        for part in
            ["`authentcate` is neither", "write it with its unit", "0 is outside 1", "2 is outside 0 to 1"]
        {
            assert!(message.contains(part), "{message}");
        }
        assert!(parsed(&["errors=0.6", "read.drops=0.5"]).unwrap_err().to_string().contains("add up to 1.1"));
    }

    proptest! {
        #[test]
        fn never_panics(spec in "\\PC{0,40}", key in "[a-z.]{0,12}", value in "[a-z0-9:,.+]{0,20}") {
            let _ = parse(&[spec, format!("{key}={value}")]);
        }
    }
}
