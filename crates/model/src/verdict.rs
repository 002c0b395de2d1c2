//! Whether a run passed, and the exit code that says so.

use crate::report::{self, Report, Severity, Status, Verdict};
use crate::summary::End;

/// Exit codes of the command line, with what they mean.
pub const EXIT_CODES: [(u8, &str); 11] = [
    (PASSED, "completed: every objective met, the measurement is valid"),
    (UNEXPECTED, "an unexpected error, such as a report that could not be written"),
    (USAGE, "the command line is wrong"),
    (OBJECTIVE_MISSED, "an objective (SLO) was missed, or no request passed"),
    (SET_UP_FAILED, "set-up failed; no load was sent"),
    (TEAR_DOWN_FAILED, "tear-down failed"),
    (INVALID_JOB, "the job is invalid; each problem is listed with file, line and column"),
    (INTERRUPTED, "stopped by Ctrl-C or a signal; the report is partial"),
    (STOPPED_AT_ONCE, "stopped at once by a second Ctrl-C; nothing was written"),
    (
        MEASUREMENT_INVALID,
        "the measurement is invalid, or would be (doctor): the generator was the bottleneck",
    ),
    (UNREACHABLE, "the target cannot be reached"),
];
/// Completed, every objective met.
pub const PASSED: u8 = 0;
/// An unexpected error.
pub const UNEXPECTED: u8 = 1;
/// The command line is wrong.
pub const USAGE: u8 = 2;
/// An objective was missed.
pub const OBJECTIVE_MISSED: u8 = 99;
/// Set-up failed.
pub const SET_UP_FAILED: u8 = 100;
/// Tear-down failed.
pub const TEAR_DOWN_FAILED: u8 = 101;
/// The job is invalid.
pub const INVALID_JOB: u8 = 104;
/// Stopped by hand.
pub const INTERRUPTED: u8 = 105;
/// Stopped by hand, at once: 128 + the number of SIGINT, as shells have it.
pub const STOPPED_AT_ONCE: u8 = 130;
/// The generator was the bottleneck.
pub const MEASUREMENT_INVALID: u8 = 111;
/// The target cannot be reached.
pub const UNREACHABLE: u8 = 112;

/// The verdict on a run. What makes figures void comes before what the figures say.
pub fn verdict(report: &Report, end: &End) -> Verdict {
    let of = |status, reasons, exit_code| Verdict { status, reasons, exit_code };
    if let End::SetUpFailed(reason) = end {
        return of(Status::Failed, vec![format!("set-up failed: {reason}")], SET_UP_FAILED);
    }
    if let Some(reason) = unreachable(report) {
        return of(Status::Failed, vec![reason], UNREACHABLE);
    }
    if let End::Interrupted = end {
        let reason = "stopped before the plan was carried out: the figures are partial".to_owned();
        return of(Status::Interrupted, vec![reason], INTERRUPTED);
    }
    let void: Vec<String> = report
        .health
        .findings
        .iter()
        .filter(|finding| finding.severity == Severity::Invalid)
        .map(|finding| finding.message.clone())
        .collect();
    if !void.is_empty() {
        return of(Status::Invalid, void, MEASUREMENT_INVALID);
    }
    if let End::TearDownFailed(reason) = end {
        return of(Status::Failed, vec![format!("tear-down failed: {reason}")], TEAR_DOWN_FAILED);
    }
    let mut missed = missed(report);
    if let End::Stopped(reason) = end {
        missed.insert(0, format!("stopped early, because an objective was missed: {reason}"));
    }
    if missed.is_empty() {
        of(Status::Passed, Vec::new(), PASSED)
    } else {
        of(Status::Failed, missed, OBJECTIVE_MISSED)
    }
}

/// Not one byte of an answer came.
fn unreachable(report: &Report) -> Option<String> {
    let totals = &report.totals;
    if totals.requests == 0 || totals.bytes_received > 0 || totals.failed + totals.exceeded < totals.requests
    {
        return None;
    }
    let failures = report.tasks.iter().flat_map(|task| &task.failures);
    let most = failures.max_by_key(|failure| failure.count);
    // What could not even be written says nothing on the target.
    if most.is_some_and(|most| most.kind == "capture") {
        return None;
    }
    let cause = most.map_or_else(String::new, |most| format!(": {} ({})", most.kind, most.detail));
    Some(format!("no request of {} was answered{cause}", totals.requests))
}

fn missed(report: &Report) -> Vec<String> {
    let mut reasons: Vec<String> = report.slo.iter().filter(|slo| !slo.met).map(missed_objective).collect();
    let totals = &report.totals;
    if totals.requests > 0 && totals.passed == 0 {
        reasons.push(format!("no request of {} passed", totals.requests));
    }
    reasons
}

/// The clause, what was measured, how sure that is, and by how much it missed.
fn missed_objective(objective: &report::Objective) -> String {
    let on = objective.subject();
    let (clause, unit) = (&objective.clause, &objective.unit);
    let Some(value) = objective.measured else {
        return format!("{on}: {clause} could not be judged: no request was answered");
    };
    let sign = if objective.at_least { "at least " } else { "" };
    let place =
        objective.worst_at_s.map_or_else(String::new, |at| format!(" in the window that ended at {at:.0} s"));
    let interval = match (objective.low, objective.high) {
        (Some(low), Some(high)) => format!(" (95 % interval {low:.3} to {high:.3}{unit})"),
        _ => String::new(),
    };
    let margin = match objective.limit {
        limit if limit > 0.0 => {
            let off = (value / limit - 1.0) * 100.0;
            format!(", {:.1} % {}", off.abs(), if off < 0.0 { "below" } else { "above" })
        }
        _ => String::new(),
    };
    format!("{on}: {clause} was {sign}{value:.3}{unit}{interval}{place}{margin}")
}
