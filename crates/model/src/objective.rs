//! Objectives (SLOs): a limit on what is measured of a task, a workload or the whole, and whether it was met.

mod evidence;
mod watch;

use crate::plan::Plan;
use crate::report;
use crate::timeline::Timeline;
use evidence::{Evidence, Measured};
use std::time::Duration;
pub use watch::Watches;

/// An objective of the job: `p99 <= 200ms`.
#[derive(Debug, Clone, PartialEq)]
pub struct Objective {
    /// The task it is on; the whole run when none.
    pub task: Option<String>,
    /// The workload it is on.
    pub workload: Option<String>,
    /// What is measured.
    pub measure: Measure,
    /// The limit, in the measure's unit: ms, share (0–1) or 1/s.
    pub limit: f64,
    /// It has to hold in every window of this length; over the whole steady window when none.
    pub window: Option<Duration>,
    /// Whether the run ends when it is missed …
    pub stop: bool,
    /// … after so long in the steady window.
    pub after: Duration,
}

/// What an objective is on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Measure {
    /// A quantile (0–1) of the response time, ms, at most.
    Quantile(f64),
    /// Mean response time, ms, at most.
    Mean,
    /// Longest response time, ms, at most.
    Max,
    /// Failed and never started ÷ offered, at most.
    Errors,
    /// Exceeded and never started ÷ offered, at most.
    Exceeded,
    /// Correctly answered requests a second, at least.
    Rate,
}

impl Objective {
    /// Whether a row of the plan is one that it is on.
    fn is_on(&self, plan: &Plan, row: usize) -> bool {
        let row = &plan.rows[row];
        row.phase == crate::plan::Phase::Main
            && self.task.as_ref().is_none_or(|task| *task == row.task)
            && self.workload.as_ref().is_none_or(|workload| *workload == row.workload)
    }

    /// Whether a figure is within the limit. One that is only known to be larger cannot be.
    fn is_met_by(&self, measured: Measured) -> bool {
        match self.measure {
            Measure::Rate => measured.value >= self.limit,
            _ => !measured.at_least && measured.value <= self.limit,
        }
    }

    /// Whether `a` is the worse figure of two.
    fn is_worse(&self, a: Measured, b: Measured) -> bool {
        match self.measure {
            Measure::Rate => a.value < b.value,
            _ => (a.at_least, a.value) > (b.at_least, b.value),
        }
    }

    /// A figure in the unit of the report: shares are percentages there.
    fn shown(&self, value: f64) -> f64 {
        match self.measure {
            Measure::Errors | Measure::Exceeded => value * 100.0,
            _ => value,
        }
    }

    fn unit(&self) -> &'static str {
        match self.measure {
            Measure::Errors | Measure::Exceeded => "%",
            Measure::Rate => "/s",
            Measure::Quantile(_) | Measure::Mean | Measure::Max => "ms",
        }
    }

    /// `p99 <= 200ms`, `p99 <= 200ms in any 10s`.
    pub fn clause(&self) -> String {
        let name = match self.measure {
            Measure::Quantile(quantile) => format!("p{}", round(quantile * 100.0)),
            Measure::Mean => "mean".to_owned(),
            Measure::Max => "max".to_owned(),
            Measure::Errors => "errors".to_owned(),
            Measure::Exceeded => "exceeded".to_owned(),
            Measure::Rate => "rate".to_owned(),
        };
        let sign = if self.measure == Measure::Rate { ">=" } else { "<=" };
        let limit = round(self.shown(self.limit));
        let window = self
            .window
            .map_or_else(String::new, |length| format!(" in any {}", crate::format::time::show(length)));
        format!("{name} {sign} {limit}{}{window}", self.unit())
    }
}

/// A figure without needless digits.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

/// Each objective of the plan with what was measured: over the steady window, or in the worst of its windows.
pub fn judge(plan: &Plan, timeline: &Timeline, watches: &Watches) -> Vec<report::Objective> {
    let objectives = plan.objectives.iter().enumerate();
    objectives.map(|(index, objective)| judged(plan, timeline, objective, watches.worst(index))).collect()
}

fn judged(
    plan: &Plan,
    timeline: &Timeline,
    objective: &Objective,
    worst: Option<(Duration, Measured)>,
) -> report::Objective {
    // A rate is of what ended in the window, all else of what was due in it.
    let whole = match objective.measure {
        Measure::Rate => Evidence::of(objective, plan, timeline.steady()),
        _ => Evidence::over_the_run(objective, plan, timeline),
    };
    // A run that is shorter than the window is judged as a whole.
    let measured = worst.map(|(_, measured)| measured).or_else(|| whole.measure(objective.measure));
    let bounds = match worst {
        Some(_) => None,
        None => evidence::bounds(objective, plan, timeline, &whole),
    };
    let shown = |value: f64| objective.shown(value);
    report::Objective {
        task: objective.task.clone(),
        workload: objective.workload.clone(),
        clause: objective.clause(),
        limit: shown(objective.limit),
        measured: measured.map(|measured| shown(measured.value)),
        at_least: measured.is_some_and(|measured| measured.at_least),
        unit: objective.unit().to_owned(),
        low: bounds.and_then(|(low, _)| low).map(shown),
        high: bounds.and_then(|(_, high)| high).map(shown),
        needs: whole.needs(objective.measure),
        worst_at_s: worst.map(|(at, _)| at.as_secs_f64()),
        met: measured.is_some_and(|measured| objective.is_met_by(measured)),
    }
}
