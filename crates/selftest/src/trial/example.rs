//! A made-up run, for showing that judges can fail: requests as the target logs them, and a report.

use super::Trial;
use crate::machine::Machine;
use crate::ordered::Ordered;
use crate::truth::{Record, Truth};
use loadgen_model::Report;
use loadgen_model::report::{Health, Load, Quantiles, Run, Status, Task, Totals, Verdict};

/// Between two arrivals, µs.
const GAP_US: u64 = 10_000;

/// When the run began on the target's clock, µs.
const BEGIN_US: u64 = 5_000_000;

/// A made-up run.
pub(crate) struct Example {
    pub(crate) report: Report,
    pub(crate) records: Vec<Record>,
    job: String,
}

impl Example {
    /// An even load of 100/s: `count` requests of an operation, each answered at once when it is due. A task of
    /// the workload's name reports nothing yet.
    pub(crate) fn even(workload: &str, operation: &str, count: u64, service_us: impl Fn(u64) -> u64) -> Self {
        let records = (0..count)
            .map(|index| {
                let arrival_us = BEGIN_US + GAP_US / 2 + index * GAP_US;
                let due_us = arrival_us + service_us(index);
                Record {
                    id: index + 1,
                    operation: operation.to_owned(),
                    path: "/".to_owned(),
                    connection: 1,
                    arrival_us,
                    service_us: service_us(index),
                    due_us,
                    replied_us: Some(due_us),
                    status: Some(200),
                }
            })
            .collect();
        let job = format!(
            "loadgen: 1\ntarget: http://127.0.0.1:1\nworkloads: {{ {workload}: {{ load: {{ rate: 100/s, \
             arrivals: even, iterations: {count} }}, steps: [{{ task: {workload} }}] }} }}\n\
             tasks: {{ {workload}: {{ url: / }} }}\n"
        );
        let mut example = Self { report: report(), records, job };
        example.report.tasks =
            vec![Task { name: workload.to_owned(), requests: count, passed: count, ..Task::default() }];
        example
    }

    /// The task reports this response time for all requests.
    pub(crate) fn answered_in(mut self, task: &str, response_ms: f64) -> Self {
        let found = self.task(task);
        let count = found.requests;
        found.response_ms = all(count, response_ms);
        found.service_ms = found.response_ms.clone();
        self
    }

    pub(crate) fn task(&mut self, name: &str) -> &mut Task {
        self.report.tasks.iter_mut().find(|task| task.name == name).expect("a task of the example")
    }

    /// A machine with round trips of 0.1 ms.
    pub(crate) fn trial(self) -> Trial {
        let machine = Machine { round_trips: Ordered::new(vec![0.1; 100]), wake_ups: Ordered::default() };
        Trial {
            plan: crate::stand::plan(&self.job, 1).expect("the example's job is right"),
            report: self.report,
            truth: Truth::new(self.records),
            machine,
        }
    }
}

/// So many samples of one length.
pub(crate) fn all(count: u64, ms: f64) -> Quantiles {
    Quantiles {
        count,
        min: ms,
        mean: ms,
        p50: ms,
        p90: ms,
        p95: ms,
        p99: ms,
        p99_9: ms,
        max: ms,
        censored: 0,
    }
}

fn report() -> Report {
    Report {
        connections: loadgen_model::report::Connections::default(),
        loadgen_report: 1,
        run: Run::default(),
        verdict: Verdict { status: Status::Passed, reasons: Vec::new(), exit_code: 0 },
        load: Load::default(),
        totals: Totals::default(),
        tasks: Vec::new(),
        workloads: Vec::new(),
        slo: Vec::new(),
        health: Health::default(),
        intervals: Vec::new(),
    }
}
