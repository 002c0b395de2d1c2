//! A job whatever file it came from: all its files read, names of tasks and workloads found, nothing compiled.

use crate::format::decode::text::Text;
use crate::format::decode::{Map, Spanned};
use crate::format::file::attributes::Attributes;
use crate::format::file::load::Load;
use crate::format::file::objective::Objective;
use crate::format::file::operation::Operation;
use crate::format::file::task::{Capture, Task};
use crate::format::file::variable::Wildcard;
use crate::format::node::At;
use crate::load::ThinkTime;
use crate::plan::Semantics;
use crate::variable::{Scope, Source};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A whole job.
#[derive(Debug)]
pub(crate) struct Job {
    /// The file of the job.
    pub(crate) at: At,
    pub(crate) semantics: Semantics,
    pub(crate) name: String,
    pub(crate) target_environment: String,
    pub(crate) generator_environment: String,
    pub(crate) seed: u64,
    pub(crate) attributes: Attributes,
    /// What the command line says of every level.
    pub(crate) command_line: Attributes,
    pub(crate) wildcards: Vec<(Text, Wildcard)>,
    /// Names that the format itself provides.
    pub(crate) built_in: BTreeMap<String, (Source, Scope)>,
    pub(crate) load: Load,
    pub(crate) workloads: Vec<Workload>,
    pub(crate) setup: Vec<Workload>,
    pub(crate) teardown: Vec<Workload>,
    pub(crate) objectives: Vec<Spanned<Objective>>,
    /// Tasks that no workload uses, when the job is wrong: perhaps a step misspells one of their names, and
    /// what is wrong with them is to be said with the rest.
    pub(crate) spare: Vec<Step>,
}

/// Steps that a user repeats.
#[derive(Debug, Clone)]
pub(crate) struct Workload {
    pub(crate) name: Text,
    pub(crate) share: Share,
    pub(crate) attributes: Attributes,
    pub(crate) steps: Vec<Step>,
}

/// What part of the load a workload is.
#[derive(Debug, Clone)]
pub(crate) enum Share {
    /// Nothing was said.
    Even,
    Weight(f64, crate::format::node::At),
    Iterations(u64, crate::format::node::At),
    Own(Box<Load>),
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    Task(Box<TaskStep>),
    Sleep(ThinkTime),
    Repeat(u64, Vec<Step>),
}

/// What a task does.
#[derive(Debug, Clone)]
pub(crate) enum Work {
    Http(Rc<Task>),
    Ldap(Rc<Operation>),
}

/// A task at its place in a workload.
#[derive(Debug, Clone)]
pub(crate) struct TaskStep {
    pub(crate) name: Text,
    pub(crate) attributes: Attributes,
    pub(crate) task: Work,
    /// What the workload takes out of the response, beside what the task itself does.
    pub(crate) captures: Vec<(Text, Spanned<Capture>)>,
}

impl Work {
    /// Where it stands.
    pub(crate) fn at(&self) -> At {
        match self {
            Work::Http(task) => task.url.at.clone(),
            Work::Ldap(operation) => operation.common().ldap.at.clone(),
        }
    }

    /// Names of what is taken out of its response.
    pub(crate) fn captured(&self) -> Vec<&Text> {
        match self {
            Work::Http(task) => names(task.capture.as_ref()),
            Work::Ldap(operation) => names(operation.common().capture.as_ref()),
        }
    }
}

fn names<T>(map: Option<&Map<T>>) -> Vec<&Text> {
    map.iter().flat_map(|map| &map.entries).map(|(name, _)| name).collect()
}
