//! Objectives: each limit of an entry of `slo` becomes one.

use crate::diagnostic::Diagnostic;
use crate::format::compile::Compiler;
use crate::format::decode::quantity::{Limit, Time};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::file::objective::Objective as Typed;
use crate::objective::{Measure, Objective};
use crate::plan::Phase;
use std::time::Duration;

/// Time in the steady window before an objective may stop a run, when it does not say.
const AFTER: Duration = Duration::from_secs(10);

impl Compiler<'_> {
    pub(crate) fn objectives(&mut self) -> Vec<Objective> {
        let job = self.job;
        let mut objectives = Vec::new();
        for typed in &job.objectives {
            self.check_subject(&typed.value);
            for (measure, limit) in limits(&typed.value) {
                objectives.push(Objective {
                    task: typed.value.task.as_ref().map(|task| task.text.clone()),
                    workload: typed.value.workload.as_ref().map(|workload| workload.text.clone()),
                    measure,
                    limit,
                    window: typed.value.window.map(|Time(length)| length),
                    stop: typed.value.stop == Some(Switch(true)),
                    after: typed.value.after.map_or(AFTER, |Time(length)| length),
                });
            }
        }
        self.explanation.objectives(&objectives);
        objectives
    }

    /// An objective on what never runs would always be met.
    fn check_subject(&mut self, typed: &Typed) {
        let main = || self.rows.iter().filter(|row| row.phase == Phase::Main);
        let tasks: Vec<String> = main().map(|row| row.task.clone()).collect();
        let workloads: Vec<String> = main().map(|row| row.workload.clone()).collect();
        self.check_known("task", typed.task.as_ref(), &tasks);
        self.check_known("workload", typed.workload.as_ref(), &workloads);
        if let (Some(task), Some(workload)) = (&typed.task, &typed.workload)
            && tasks.contains(&task.text)
            && workloads.contains(&workload.text)
            && !self.rows.iter().any(|row| row.task == task.text && row.workload == workload.text)
        {
            let message = format!("workload `{}` has no task `{}`", workload.text, task.text);
            self.problems.error(&task.at, message);
        }
    }

    fn check_known(&mut self, what: &str, name: Option<&Text>, known: &[String]) {
        if let Some(name) = name
            && !known.contains(&name.text)
        {
            let message = format!("objective on {what} `{}`, which no workload of the mix runs", name.text);
            let message = if what == "task" {
                message
            } else {
                format!("objective on unknown workload `{}`", name.text)
            };
            let problem = Diagnostic::error(name.at.place(), message);
            self.problems.add(problem.nearest(&name.text, known.iter().map(String::as_str)));
        }
    }
}

fn limits(typed: &Typed) -> Vec<(Measure, f64)> {
    let millis = |limit: Limit| limit.0.as_secs_f64() * 1000.0;
    let quantiles =
        typed.percentiles.0.iter().map(|(quantile, limit)| (Measure::Quantile(*quantile), millis(*limit)));
    let times = [(Measure::Mean, typed.mean), (Measure::Max, typed.max)];
    let times = times.into_iter().filter_map(|(measure, time)| Some((measure, millis(time?))));
    let shares = [(Measure::Errors, typed.errors), (Measure::Exceeded, typed.exceeded)];
    let shares = shares.into_iter().filter_map(|(measure, share)| Some((measure, share?.0)));
    let rate = typed.at_least.filter(|_| typed.total.is_some()).map(|rate| (Measure::Rate, rate.0));
    quantiles.chain(times).chain(shares).chain(rate).collect()
}
