//! Workloads become scenarios; each task of a workload becomes a row.

use crate::format::compile::names::Scope;
use crate::format::compile::{Compiler, id};
use crate::format::explanation::Explained;
use crate::format::job::{Step as JobStep, TaskStep, Work, Workload};
use crate::mix::ScenarioId;
use crate::plan::{Phase, RequestId, Row, Scenario, Step, Task};
use crate::sample::RowId;
use std::collections::BTreeMap;
use std::time::Duration;

/// A workload while its steps are compiled.
struct Place<'a> {
    workload: &'a Workload,
    phase: Phase,
    scope: Scope,
    rows: BTreeMap<String, RowId>,
    /// Requests of steps that say nothing but the threshold, so that a task that stands often is compiled once.
    known: BTreeMap<(String, Option<Duration>), Task>,
}

impl Compiler<'_> {
    pub(crate) fn scenarios(
        &mut self,
        workloads: &[Workload],
        phase: Phase,
        outer: &Scope,
    ) -> Vec<ScenarioId> {
        workloads.iter().map(|workload| self.scenario(workload, phase, outer)).collect()
    }

    fn scenario(&mut self, workload: &Workload, phase: Phase, outer: &Scope) -> ScenarioId {
        let scope = outer.inner(self.layer(workload.attributes.variables.as_ref()));
        self.explanation.workload(workload, phase);
        let mut place = Place { workload, phase, scope, rows: BTreeMap::new(), known: BTreeMap::new() };
        let steps = self.steps(&workload.steps, &mut place, 0);
        self.scenarios.push(Scenario { name: workload.name.text.clone(), steps });
        ScenarioId(id(self.scenarios.len() - 1))
    }

    fn steps(&mut self, steps: &[JobStep], place: &mut Place<'_>, depth: usize) -> Vec<Step> {
        let mut compiled = Vec::with_capacity(steps.len());
        for step in steps {
            compiled.push(match step {
                JobStep::Sleep(time) => {
                    self.explanation.sleep(time, depth);
                    Step::Sleep(*time)
                }
                JobStep::Repeat(times, steps) => {
                    self.explanation.repeat(*times, depth);
                    Step::Repeat { times: *times, steps: self.steps(steps, place, depth + 1) }
                }
                JobStep::Task(step) => Step::Task(self.task(step, place, depth)),
            });
        }
        compiled
    }

    fn task(&mut self, step: &TaskStep, place: &mut Place<'_>, depth: usize) -> Task {
        let plain = step.attributes.says_threshold_only() && step.captures.is_empty();
        let own = step.attributes.threshold.as_ref().map(|threshold| threshold.value.0);
        let key = (step.name.text.clone(), own);
        if let Some(task) = place.known.get(&key).filter(|_| plain) {
            self.explanation.again(&step.name.text, depth);
            return *task;
        }
        let (request, threshold, explained) = self.work(step, place);
        self.explanation.task(explained, depth);
        let row = self.row(&step.name.text, threshold, place);
        let task = Task { row, request, threshold, joined: false };
        if plain {
            place.known.insert(key, task);
        }
        task
    }

    fn work(&mut self, step: &TaskStep, place: &Place<'_>) -> (RequestId, Option<Duration>, Explained) {
        let attributes = &place.workload.attributes;
        match &step.task {
            Work::Http(task) => {
                let compiled = self.request(step, task, attributes, &place.scope, place.phase);
                self.requests.push(compiled.request);
                let request = RequestId::Http(id(self.requests.len() - 1));
                (request, compiled.threshold, compiled.explained)
            }
            Work::Ldap(operation) => {
                let compiled = self.operation(step, operation, attributes, &place.scope, place.phase);
                self.operations.push(compiled.operation);
                let request = RequestId::Ldap(id(self.operations.len() - 1));
                (request, compiled.threshold, compiled.explained)
            }
        }
    }

    fn row(&mut self, task: &str, threshold: Option<Duration>, place: &mut Place<'_>) -> RowId {
        if let Some(row) = place.rows.get(task) {
            if let Some(known) = self.rows.get_mut(usize::from(row.0)) {
                known.threshold = threshold;
            }
            return *row;
        }
        self.rows.push(Row {
            task: task.to_owned(),
            workload: place.workload.name.text.clone(),
            phase: place.phase,
            threshold,
        });
        let row = RowId(id(self.rows.len() - 1));
        place.rows.insert(task.to_owned(), row);
        row
    }
}
