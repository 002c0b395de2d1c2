//! From a command line to a plan: the rate tools are load tests of one task.

mod ask;
mod load;
mod server;

use crate::churn::Churn;
use crate::format::rate_tool::operation::Operation;
use crate::format::rate_tool::{RateTool, Reuse};
use crate::ldap::{self, Ask};
use crate::mix::{Mix, ScenarioId};
use crate::plan::{Group, Phase, Plan, RequestId, Row, Scenario, Semantics, Step, Task};
use crate::request::{Connection, TransportId};
use crate::sample::RowId;
use crate::variable::{Data, Scope, Slot, Source, Variable};
use std::time::Duration;

/// What operations are counted under.
pub const OPERATIONS: RowId = RowId(0);
/// What is counted apart, because its time is not theirs: connects, and binds that come before operations.
pub const ASIDE: RowId = RowId(1);
/// The bind that shows before the run whether the server takes it.
pub const CHECK: RowId = RowId(2);

/// What deletes of addrate are counted under; its adds are its operations.
pub const DELETES: RowId = RowId(3);

/// At the end of a run operations may take so long; a server that hangs does not make it longer.
const GRACE: Duration = Duration::from_millis(500);
/// The transport of operations.
const OPERATING: TransportId = TransportId(0);
/// The transport of the bind before the run: a connection of its own.
const CHECKING: TransportId = TransportId(1);
/// The scenario that the load repeats; in addrate, the one that adds.
const LOOP: ScenarioId = ScenarioId(0);

impl RateTool {
    /// The plan that carries it out, with this seed unless the command line has one.
    pub fn plan(&self, seed: u64) -> Plan {
        let seed = self.seed.unwrap_or(seed);
        let mut parts = Parts::new(self, seed);
        let mut scenarios = vec![self.scenario(parts.iteration(OPERATIONS))];
        let mix = match &self.operation {
            Operation::Add(add) => {
                let delete = ScenarioId(scenarios.len() as u16);
                scenarios.push(self.scenario(parts.iteration(DELETES)));
                Mix::Churn(Box::new(Churn::of(add, self.pace.most_operations, LOOP, delete)))
            }
            _ => Mix::Weights(vec![(LOOP, 1.0)]),
        };
        let mut setup = Vec::new();
        if let Some(bind) = parts.bind(CHECKING, Connection::Close).filter(|_| self.binds_as_one()) {
            let task = Task { row: CHECK, request: parts.push(bind), threshold: None, joined: false };
            setup.push(ScenarioId(scenarios.len() as u16));
            scenarios.push(self.scenario(vec![Step::Task(task)]));
        }
        let transports = parts.transports();
        let groups = self.loads().into_iter();
        Plan {
            name: self.tool.name().to_owned(),
            target_environment: String::new(),
            generator_environment: String::new(),
            seed,
            semantics: Semantics::Native,
            groups: groups
                .map(|load| Group { name: self.tool.name().to_owned(), load, mix: mix.clone() })
                .collect(),
            scenarios,
            rows: self.rows(),
            requests: Vec::new(),
            operations: parts.operations,
            variables: parts.variables,
            data: parts.data,
            transports,
            setup,
            teardown: Vec::new(),
            objectives: Vec::new(),
            grace: self.pace.longest.map(|_| GRACE),
        }
    }

    fn scenario(&self, steps: Vec<Step>) -> Scenario {
        Scenario { name: self.tool.name().to_owned(), steps }
    }

    fn rows(&self) -> Vec<Row> {
        let row = |task: &str, phase| Row {
            task: task.to_owned(),
            workload: self.tool.name().to_owned(),
            phase,
            threshold: None,
        };
        let name = match &self.operation {
            Operation::Modify(_) => "modify",
            Operation::Search(_) => "search",
            Operation::Bind(_) => "bind",
            Operation::Add(_) => "add",
        };
        let aside = match self.pace.reuse {
            Reuse::Rebind => "bind before it",
            Reuse::Never | Reuse::Keep => "connect",
        };
        let mut rows = vec![row(name, Phase::Main), row(aside, Phase::Main), row("bind", Phase::SetUp)];
        if matches!(self.operation, Operation::Add(_)) {
            rows.push(row("delete", Phase::Main));
        }
        rows
    }
}

/// A plan while it is built.
struct Parts<'a> {
    run: &'a RateTool,
    seed: u64,
    operations: Vec<ldap::Operation>,
    /// The arguments in their order; behind them what else varies.
    variables: Vec<Variable>,
    data: Vec<Data>,
}

impl<'a> Parts<'a> {
    fn new(run: &'a RateTool, seed: u64) -> Self {
        let mut data = Vec::new();
        let mut variables = run.arguments.variables(run.numbering, seed, Scope::Iteration, &mut data);
        // The name that a search finds is the argument behind the others.
        variables.push(variable("the name of the entry", Source::Captured));
        Self { run, seed, operations: Vec::new(), variables, data }
    }

    /// The slot of the name that a search finds.
    fn found_name(&self) -> Slot {
        Slot(self.run.arguments.len() as u16)
    }

    fn add_variable(&mut self, name: &str, source: Source) -> Slot {
        self.variables.push(variable(name, source));
        Slot(self.variables.len() as u16 - 1)
    }

    fn push(&mut self, operation: ldap::Operation) -> RequestId {
        self.operations.push(operation);
        RequestId::Ldap(self.operations.len() as u16 - 1)
    }

    /// One operation, and what comes before it.
    fn iteration(&mut self, row: RowId) -> Vec<Step> {
        let mut steps = Vec::new();
        if let Some(before) = self.before() {
            // With a rate, an operation is due when its connect is; without one, its time begins when it is sent.
            steps.push(self.step(ASIDE, before, self.run.pace.rate.is_some()));
        }
        let mut asks = self.asks();
        let last = asks.pop();
        for ask in asks {
            steps.push(self.step(row, ask, true));
        }
        if let Some(mut last) = last {
            if self.run.pace.reuse == Reuse::Never {
                last.connection = Connection::Close;
            }
            steps.push(self.step(row, last, false));
        }
        steps
    }

    fn step(&mut self, row: RowId, operation: ldap::Operation, joined: bool) -> Step {
        Step::Task(Task { row, request: self.push(operation), threshold: None, joined })
    }

    /// What every operation needs first, when connections are not kept bound.
    fn before(&mut self) -> Option<ldap::Operation> {
        let connects = self.operation(Ask::Connect, OPERATING);
        match (self.run.pace.reuse, &self.run.operation) {
            (Reuse::Keep, _) => None,
            (_, Operation::Bind(_)) => Some(connects),
            (Reuse::Rebind | Reuse::Never, _) => {
                Some(self.bind(OPERATING, Connection::KeepAlive).unwrap_or(connects))
            }
        }
    }

    fn operation(&self, ask: Ask, transport: TransportId) -> ldap::Operation {
        ldap::Operation {
            ask,
            server: server::origin(&self.run.server),
            transport,
            connection: Connection::KeepAlive,
            timeout: self.run.server.request_timeout.unwrap_or(server::NO_TIMEOUT),
            controls: Vec::new(),
            checks: Vec::new(),
            captures: Vec::new(),
        }
    }
}

fn variable(name: &str, source: Source) -> Variable {
    Variable { name: name.to_owned(), source, scope: Scope::Iteration }
}
