//! A whole load test as data: parsed, checked, every precedence resolved.

use crate::capture::NotFound;
use crate::failure::{Detail, Failure};
use crate::ldap::Operation;
use crate::load::{Load, ThinkTime};
use crate::mix::{Mix, ScenarioId};
use crate::objective::Objective;
use crate::request::{Request, Transport};
use crate::sample::RowId;
use crate::template::Missing;
use crate::variable::{Data, Slot, Variable};
use std::time::Duration;

/// A whole load test.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// Free facts on the target.
    pub target_environment: String,
    /// Free facts on the generator's machine.
    pub generator_environment: String,
    /// The seed of all random draws.
    pub seed: u64,
    /// Which front-end it came from: decides what a timeout and an exceeded threshold mean.
    pub semantics: Semantics,
    /// Loads that run in parallel, each with its own users and mix; at least one.
    pub groups: Vec<Group>,
    /// All scenarios, those of set-up and tear-down included.
    pub scenarios: Vec<Scenario>,
    /// What samples are counted under, in the job's order.
    pub rows: Vec<Row>,
    /// HTTP requests, each compiled for its place: task, workload and job together.
    pub requests: Vec<Request>,
    /// LDAP operations, the same.
    pub operations: Vec<Operation>,
    /// Variables that are not constants, by slot.
    pub variables: Vec<Variable>,
    /// Data files.
    pub data: Vec<Data>,
    /// How requests reach their targets.
    pub transports: Vec<Transport>,
    /// Run once before the users start; a failure stops the run.
    pub setup: Vec<ScenarioId>,
    /// Run once after the users are done, also after an interruption.
    pub teardown: Vec<ScenarioId>,
    /// Objectives.
    pub objectives: Vec<Objective>,
    /// How long requests may still take that are under way at the end of the load; then they are given up. As long
    /// as their timeouts when none.
    pub grace: Option<Duration>,
}

/// What differs between the original's jobs and native ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Semantics {
    /// An exceeded task ends its iteration; a timeout counts as exceeded.
    Original,
    /// An exceeded task is late, and its user goes on; a timeout is a failure.
    Native,
}

/// Users with a load and a mix of their own.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its name: the workload's when it has a load of its own, else the job's.
    pub name: String,
    /// How iterations arrive.
    pub load: Load,
    /// Which scenario an iteration runs.
    pub mix: Mix,
}

/// Steps that a user repeats: a workload.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Its name.
    pub name: String,
    /// Its steps in order.
    pub steps: Vec<Step>,
}

/// One thing to do.
#[derive(Debug, Clone)]
pub enum Step {
    /// Send a request and wait for its response.
    Task(Task),
    /// Think.
    Sleep(ThinkTime),
    /// Do some steps several times.
    Repeat {
        /// How often; at least 1.
        times: u64,
        /// What.
        steps: Vec<Step>,
    },
}

/// A request at its place in a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task {
    /// What its samples are counted under.
    pub row: RowId,
    /// What is done.
    pub request: RequestId,
    /// A correct response after this is `exceeded`; never when none.
    pub threshold: Option<Duration>,
    /// Whether it and the task behind it are one sample, which is due when it is. It is counted by itself only when
    /// it fails.
    pub joined: bool,
}

/// What a task does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestId {
    /// Index in [`Plan::requests`].
    Http(u16),
    /// Index in [`Plan::operations`].
    Ldap(u16),
}

/// What samples are counted under: a task of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The task's name.
    pub task: String,
    /// The workload's name.
    pub workload: String,
    /// When its workload runs.
    pub phase: Phase,
    /// The threshold of the task's last place in the workload.
    pub threshold: Option<Duration>,
}

/// When a workload runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Once, before.
    SetUp,
    /// As the load says.
    Main,
    /// Once, after.
    TearDown,
}

impl Plan {
    /// A scenario by its id.
    pub fn scenario(&self, id: ScenarioId) -> &Scenario {
        &self.scenarios[usize::from(id.0)]
    }

    /// A variable by its slot.
    pub fn variable(&self, slot: Slot) -> &Variable {
        &self.variables[usize::from(slot.0)]
    }

    /// Virtual users of all groups.
    pub fn users(&self) -> u64 {
        self.groups.iter().map(|group| group.load.users()).sum()
    }

    /// When requests that are still under way are given up; when their timeouts are over if none.
    pub fn latest_end(&self) -> Option<Duration> {
        let lengths = self.groups.iter().map(|group| group.load.length());
        let longest = lengths.reduce(|a, b| Some(a?.max(b?)))??;
        Some(longest.saturating_add(self.grace?))
    }

    /// Generator threads at most: each needs one of the connections that users share.
    pub fn most_threads(&self) -> Option<u32> {
        self.transports.iter().filter_map(|transport| transport.sharing).map(|some| some.connections).min()
    }

    /// What a failure of a row is called in the report.
    pub fn describe(&self, row: RowId, failure: &Failure) -> String {
        match &failure.detail {
            Detail::Static(text) => (*text).to_owned(),
            Detail::Text(text) => text.to_string(),
            Detail::Status(status) => status.to_string(),
            Detail::Check(index) => self
                .label_of(row, usize::from(*index))
                .map_or_else(|| format!("check {}", index + 1), str::to_owned),
            Detail::Missing(missing, reason) => self.describe_missing(*missing, *reason),
        }
    }

    fn describe_missing(&self, missing: Missing, reason: NotFound) -> String {
        match missing {
            Missing::Exhausted(slot) => format!("the data of `{}` is used up", self.variable(slot).name),
            Missing::NotFetched(slot) => format!("`{}` could not be fetched", self.variable(slot).name),
            Missing::NotCaptured(slot) => {
                let why = match reason {
                    NotFound::NotJson => "the response that should hold it is not JSON",
                    NotFound::Absent => "the response that should hold it does not",
                    NotFound::NotAsked => "no response that holds it came before",
                };
                format!("needs `{}`, but {why}", self.variable(slot).name)
            }
        }
    }

    /// How the job writes a check of a row.
    fn label_of(&self, row: RowId, check: usize) -> Option<&str> {
        let task = self.scenarios.iter().find_map(|scenario| find_task(&scenario.steps, row))?;
        Some(match task.request {
            RequestId::Http(index) => &self.requests[usize::from(index)].checks.get(check)?.label,
            RequestId::Ldap(index) => &self.operations[usize::from(index)].checks.get(check)?.label,
        })
    }
}

fn find_task(steps: &[Step], row: RowId) -> Option<Task> {
    steps.iter().find_map(|step| match step {
        Step::Task(task) => (task.row == row).then_some(*task),
        Step::Sleep(_) => None,
        Step::Repeat { steps, .. } => find_task(steps, row),
    })
}

impl Scenario {
    /// Steps of one iteration, sleeps and repeats included.
    pub fn length(&self) -> u64 {
        length(&self.steps)
    }

    /// Requests of one iteration, repeats included.
    pub fn requests(&self) -> u64 {
        requests(&self.steps)
    }
}

fn length(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step_count(step, &length, 1)))
}

fn requests(steps: &[Step]) -> u64 {
    steps.iter().fold(0, |sum: u64, step| sum.saturating_add(step_count(step, &requests, 0)))
}

fn step_count(step: &Step, inner: &dyn Fn(&[Step]) -> u64, sleep: u64) -> u64 {
    match step {
        Step::Task(_) => 1,
        Step::Sleep(_) => sleep,
        Step::Repeat { times, steps } => times.saturating_mul(inner(steps)),
    }
}
