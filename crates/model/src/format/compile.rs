//! From a job to a plan: every precedence resolved, all text in templates, every problem said.

mod ask;
pub(crate) mod body;
mod check;
mod data;
pub(crate) mod levels;
mod load;
mod names;
mod objective;
mod open;
mod operation;
pub(crate) mod request;
mod result;
mod scenario;
mod sharing;
mod tls;
mod transport;
mod url;
mod wildcard;

use crate::format::Outside;
use crate::format::decode::Map;
use crate::format::decode::text::Text;
use crate::format::explanation::Explanation;
use crate::format::file::attributes::Attributes;
use crate::format::file::variable::Constant;
use crate::format::job::{Job, Step, Work};
use crate::format::node::At;
use crate::format::problems::Problems;
use crate::ldap::Operation;
use crate::plan::{Phase, Plan, Row, Scenario};
use crate::request::{Request, Transport};
use crate::template::{Escape, Template};
use names::{Layer, Names, Scope};
use std::rc::Rc;
use tls::Stores;

/// A job while it is compiled.
pub(crate) struct Compiler<'a> {
    job: &'a Job,
    outside: &'a dyn Outside,
    problems: &'a mut Problems,
    names: Names,
    rows: Vec<Row>,
    requests: Vec<Request>,
    operations: Vec<Operation>,
    scenarios: Vec<Scenario>,
    transports: Vec<Transport>,
    first_binds: Vec<sharing::Known>,
    stores: Stores,
    explanation: Explanation,
}

/// Compiles a job. The plan is of use only when `problems` holds no error.
pub(crate) fn compile(job: &Job, outside: &dyn Outside, problems: &mut Problems) -> (Plan, Explanation) {
    let mut compiler = Compiler {
        job,
        outside,
        problems,
        names: Names::default(),
        rows: Vec::new(),
        requests: Vec::new(),
        operations: Vec::new(),
        scenarios: Vec::new(),
        transports: Vec::new(),
        first_binds: Vec::new(),
        stores: Stores::default(),
        explanation: Explanation::default(),
    };
    compiler.explanation.begin(job);
    let outer = Scope::outermost(compiler.layer(job.attributes.variables.as_ref()));
    compiler.collect_captures();
    compiler.wildcards(&outer);
    let setup = compiler.scenarios(&job.setup, Phase::SetUp, &outer);
    let main = compiler.scenarios(&job.workloads, Phase::Main, &outer);
    let teardown = compiler.scenarios(&job.teardown, Phase::TearDown, &outer);
    compiler.spare(&outer);
    let groups = compiler.groups(&main);
    let objectives = compiler.objectives();
    compiler.check_sizes();
    let (variables, data) = compiler.names.into_parts();
    let plan = Plan {
        name: job.name.clone(),
        target_environment: job.target_environment.clone(),
        generator_environment: job.generator_environment.clone(),
        seed: job.seed,
        semantics: job.semantics,
        groups,
        scenarios: compiler.scenarios,
        rows: compiler.rows,
        requests: compiler.requests,
        operations: compiler.operations,
        variables,
        data,
        transports: compiler.transports,
        setup,
        teardown,
        objectives,
        grace: None,
    };
    (plan, compiler.explanation)
}

impl Compiler<'_> {
    /// The constants of one level.
    fn layer(&mut self, constants: Option<&Map<Constant>>) -> Rc<Layer> {
        Rc::new(names::layer(constants, self.outside, &mut self.names, self.problems))
    }

    /// Compiles what no workload uses, for its problems alone.
    fn spare(&mut self, outer: &Scope) {
        let (operations, transports) = (self.operations.len(), self.transports.len());
        for step in &self.job.spare {
            if let Step::Task(step) = step {
                match &step.task {
                    Work::Http(task) => {
                        self.request(step, task, &Attributes::default(), outer, Phase::Main);
                    }
                    Work::Ldap(operation) => {
                        self.operation(step, operation, &Attributes::default(), outer, Phase::Main);
                    }
                }
            }
        }
        // Nobody connects to servers for binds of what is not used.
        self.operations.truncate(operations);
        self.transports.truncate(transports);
    }

    /// Compiles a text for the place where it stands.
    fn template(&mut self, text: &Text, escape: Escape, scope: &Scope) -> Template {
        self.names.template(text, escape, self.job.semantics, scope, self.problems)
    }

    /// A text in which only constants stand.
    fn constant(&mut self, text: &Text, scope: &Scope) -> Option<String> {
        let template = self.template(text, Escape::None, scope);
        match template.constant() {
            Some(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
            None => {
                let message =
                    format!("`{}` is needed before the run: only constants can stand in it", text.text);
                self.problems.error(&text.at, message);
                None
            }
        }
    }

    /// The content of a file that the job names, relative to the file that names it.
    fn read(&mut self, name: &str, at: &At) -> Option<Vec<u8>> {
        let path = crate::format::file_beside(at, name, self.outside);
        match self.outside.read(&path) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                let message = format!("cannot read `{}`: {}", path.display(), crate::format::reason(&error));
                self.problems.error(at, message);
                None
            }
        }
    }

    /// Ids are 16 bits wide.
    fn check_sizes(&mut self) {
        let counts = [
            ("requests", self.requests.len() + self.operations.len()),
            ("rows", self.rows.len()),
            ("workloads", self.scenarios.len()),
            ("variables", self.names.len()),
        ];
        for (what, count) in counts {
            if count > usize::from(u16::MAX) {
                let message = format!("the job has {count} {what}, more than {}", u16::MAX);
                self.problems.error(&At::default(), message);
            }
        }
    }
}

/// An index as an id; [`Compiler::check_sizes`] refuses what does not fit.
fn id(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
