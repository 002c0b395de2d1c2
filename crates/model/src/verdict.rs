//! Whether a run passed, and the exit code that says so.

use crate::plan::{Measure, Objective, Plan};
use crate::report::{self, Report, Severity, Status, Verdict};
use crate::summary::{End, response_times};
use crate::timeline::{Timeline, per_second};

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

/// Each objective of the plan with what was measured.
pub fn objectives(plan: &Plan, report: &Report, timeline: &Timeline) -> Vec<report::Objective> {
    plan.objectives.iter().map(|objective| judge(plan, report, timeline, objective)).collect()
}

fn judge(plan: &Plan, report: &Report, timeline: &Timeline, objective: &Objective) -> report::Objective {
    let wanted = |index: usize| {
        let row = &plan.rows[index];
        objective.task.as_ref().is_none_or(|task| *task == row.task)
            && objective.workload.as_ref().is_none_or(|workload| *workload == row.workload)
    };
    let tasks =
        || report.tasks.iter().enumerate().filter(|(i, t)| t.phase == "main" && wanted(*i)).map(|(_, t)| t);
    let offered: u64 = tasks().map(|task| task.requests).sum();
    let share = |count: u64| (offered > 0).then(|| count as f64 / offered as f64);
    let times = response_times(plan, timeline.whole(), wanted);
    let some = |value: f64| (times.count() > 0).then_some(value);
    let limit = objective.limit;
    let (measured, clause, unit) = match objective.measure {
        Measure::Quantile(quantile) => {
            let name = format!("p{}", round(quantile * 100.0));
            (some(times.quantile_ms(quantile)), format!("{name} <= {}ms", round(limit)), "ms")
        }
        Measure::Mean => {
            let mean = times.sum().as_secs_f64() * 1e3 / times.count().max(1) as f64;
            (some(mean), format!("mean <= {}ms", round(limit)), "ms")
        }
        Measure::Max => (some(times.max().as_secs_f64() * 1e3), format!("max <= {}ms", round(limit)), "ms"),
        Measure::Errors => {
            let failed = share(tasks().map(|task| task.failed).sum());
            (failed.map(|share| share * 100.0), format!("errors <= {}%", round(limit * 100.0)), "%")
        }
        Measure::Exceeded => {
            let exceeded = share(tasks().map(|task| task.exceeded).sum());
            (exceeded.map(|share| share * 100.0), format!("exceeded <= {}%", round(limit * 100.0)), "%")
        }
        Measure::Rate => {
            let steady = timeline.steady();
            let rows = steady.rows.iter().enumerate().filter(|(index, _)| wanted(*index));
            let count = rows.map(|(_, row)| row.passed + row.exceeded).sum();
            let rate = per_second(count, steady.to.saturating_sub(steady.from).as_secs_f64());
            (Some(rate), format!("rate >= {}/s", round(limit)), "/s")
        }
    };
    let limit = if unit == "%" { limit * 100.0 } else { limit };
    let met = measured.is_some_and(|value| match objective.measure {
        Measure::Rate => value >= limit,
        _ => value <= limit,
    });
    report::Objective {
        task: objective.task.clone(),
        workload: objective.workload.clone(),
        clause,
        measured,
        unit: unit.to_owned(),
        low: None,
        high: None,
        met,
    }
}

/// A figure without needless digits.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

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
    let missed = missed(report);
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

fn missed_objective(objective: &report::Objective) -> String {
    let on = objective.subject();
    match objective.measured {
        Some(value) => format!("{on}: {} was {value:.3}{}", objective.clause, objective.unit),
        None => format!("{on}: {} could not be judged: no request was answered", objective.clause),
    }
}
