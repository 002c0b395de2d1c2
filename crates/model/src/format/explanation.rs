//! The effective plan for people: every value that can come from several levels, and where it came from.
//!
//! Texts are shown as they were written, so that no value of a variable can stand here; what is written down
//! itself and looks like a secret is shown as `***`.

mod operation;
mod request;

use crate::expectation::Expectation;
use crate::format::job::{Job, Workload};
use crate::format::time::show;
use crate::load::{Closed, Load, Open, ThinkTime, WarmUp};
use crate::mix::Mix;
use crate::objective::{Measure, Objective};
use crate::plan::{Group, Phase, Scenario, Semantics};
pub(crate) use request::Explained;
use std::fmt;

/// The effective plan; printed by `Display`.
#[derive(Debug, Clone, Default)]
pub struct Explanation {
    head: String,
    load: String,
    workloads: String,
    objectives: String,
    expectation: Option<Expectation>,
}

/// What is shown of a secret.
pub(crate) const HIDDEN: &str = "***";

/// Whether a value under this name is better not shown.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "passwd", "secret", "authorization", "token", "api-key", "apikey", "cookie", "directorypro"]
        .iter()
        .any(|word| name.contains(word))
}

impl Explanation {
    pub(crate) fn begin(&mut self, job: &Job) {
        let format = match job.semantics {
            Semantics::Native => "native job",
            Semantics::Original => "job of the original LoadGen",
        };
        self.head = format!("{} ({format}, seed {})\n", job.name, job.seed);
        for (what, text) in [("target", &job.target_environment), ("generator", &job.generator_environment)] {
            if !text.is_empty() {
                self.head.push_str(&format!("  {what:<10} {text}\n"));
            }
        }
        let mut lines = request::variables(job.attributes.variables.as_ref());
        lines.extend(request::wildcards(job));
        let width = lines.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        if !lines.is_empty() {
            self.head.push_str("\nvariables\n");
        }
        for (name, text) in lines {
            self.head.push_str(&format!("  {name:<width$}  {text}\n"));
        }
    }

    pub(crate) fn workload(&mut self, workload: &Workload, phase: Phase) {
        let when = match phase {
            Phase::SetUp => " (once before the users start)",
            Phase::Main => "",
            Phase::TearDown => " (once after the users are done)",
        };
        self.workloads.push_str(&format!("\nworkload {}{when}\n", workload.name.text));
    }

    pub(crate) fn sleep(&mut self, time: &ThinkTime, depth: usize) {
        let text = match time {
            ThinkTime::Fixed(time) => show(*time),
            ThinkTime::Uniform(low, high) => format!("{} to {}", show(*low), show(*high)),
            ThinkTime::Exponential(mean) => format!("exponential, mean {}", show(*mean)),
            ThinkTime::Normal(mean, deviation) => {
                format!("normal, mean {}, deviation {}", show(*mean), show(*deviation))
            }
        };
        self.step(&format!("sleep {text}"), depth);
    }

    pub(crate) fn repeat(&mut self, times: u64, depth: usize) {
        self.step(&format!("repeat {times} times"), depth);
    }

    pub(crate) fn again(&mut self, task: &str, depth: usize) {
        self.step(&format!("{task} (as above)"), depth);
    }

    pub(crate) fn task(&mut self, task: Explained, depth: usize) {
        self.step(&task.name, depth);
        let indent = "  ".repeat(depth + 3);
        let width = task.lines.iter().map(|line| line.label.chars().count()).max().unwrap_or(0);
        for line in task.lines {
            let origin = line.origin.map_or_else(String::new, |origin| format!("  [{origin}]"));
            self.workloads.push_str(&format!("{indent}{:<width$}  {}{origin}\n", line.label, line.value));
        }
    }

    fn step(&mut self, text: &str, depth: usize) {
        self.workloads.push_str(&format!("{}{text}\n", "  ".repeat(depth + 1)));
    }

    pub(crate) fn groups(&mut self, groups: &[Group], scenarios: &[Scenario]) {
        for group in groups {
            let text = match &group.load {
                Load::Closed(closed) => users(closed),
                Load::Open(open) => starts(open),
            };
            self.load.push_str(&format!("\nload {}\n  {text}\n", group.name));
            self.mix(&group.mix, scenarios);
        }
    }

    fn mix(&mut self, mix: &Mix, scenarios: &[Scenario]) {
        let entries: Vec<(String, f64, String)> = match mix {
            Mix::Iterations(counts) => counts
                .iter()
                .map(|(id, count)| (id, *count as f64, format!("{count} iterations for each user")))
                .map(|(id, count, text)| (scenarios[usize::from(id.0)].name.clone(), count, text))
                .collect(),
            Mix::Weights(weights) => weights
                .iter()
                .map(|(id, weight)| {
                    (scenarios[usize::from(id.0)].name.clone(), *weight, format!("weight {weight}"))
                })
                .collect(),
            // No job file says this one.
            Mix::Churn(_) => Vec::new(),
        };
        let total: f64 = entries.iter().map(|(_, part, _)| part).sum();
        let width = entries.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
        for (name, part, text) in entries {
            let share = 100.0 * part / total;
            self.load.push_str(&format!("  {name:<width$}  {share:6.2}% of the iterations  [{text}]\n"));
        }
    }

    pub(crate) fn objectives(&mut self, objectives: &[Objective]) {
        for objective in objectives {
            let mut subject = Vec::new();
            subject.extend(objective.workload.as_ref().map(|name| format!("workload {name}")));
            subject.extend(objective.task.as_ref().map(|name| format!("task {name}")));
            let subject = if subject.is_empty() { "all tasks".to_owned() } else { subject.join(", ") };
            let limit = objective.limit;
            let text = match objective.measure {
                Measure::Quantile(quantile) => {
                    format!("p{} at most {limit} ms", (quantile * 1_000_000.0).round() / 10_000.0)
                }
                Measure::Mean => format!("mean at most {limit} ms"),
                Measure::Max => format!("max at most {limit} ms"),
                Measure::Errors => format!("errors at most {}%", (limit * 1e8).round() / 1e6),
                Measure::Exceeded => format!("exceeded at most {}%", (limit * 1e8).round() / 1e6),
                Measure::Rate => format!("rate at least {limit}/s"),
            };
            self.objectives.push_str(&format!("  {subject}: {text}\n"));
        }
    }

    pub(crate) fn expect(&mut self, expectation: Expectation) {
        self.expectation = Some(expectation);
    }
}

fn users(load: &Closed) -> String {
    let mut text = format!("{} user{}", load.users, if load.users == 1 { "" } else { "s" });
    if !load.ramp.is_off() {
        let last = load.ramp.start_of(load.users - 1);
        let (group, every) = (load.ramp.group, show(load.ramp.every));
        text.push_str(&format!(", {group} every {every}, the last after {}", show(last)));
    }
    if let Some(iterations) = load.until.iterations {
        text.push_str(&format!(", {iterations} iterations each"));
    }
    if let Some(duration) = load.until.duration {
        text.push_str(&format!(", for {}", show(duration)));
    }
    text + &warm_up(load.warm_up)
}

fn starts(load: &Open) -> String {
    format!("iterations begin {load}; at most {} users{}", load.max_users, warm_up(load.warm_up))
}

fn warm_up(warm_up: WarmUp) -> String {
    match warm_up {
        WarmUp::Fixed(length) if length.is_zero() => String::new(),
        WarmUp::Fixed(length) => format!(", warm-up {}", show(length)),
        WarmUp::Auto => ", warm-up until it is steady".to_owned(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.head, self.load, self.workloads)?;
        if !self.objectives.is_empty() {
            write!(f, "\nobjectives\n{}", self.objectives)?;
        }
        match &self.expectation {
            Some(expectation) => write!(f, "\nexpected\n{expectation}"),
            None => Ok(()),
        }
    }
}
