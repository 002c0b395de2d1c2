//! What a native job file says, as it is typed: one record a file or part of a file.

pub(crate) mod attributes;
pub(crate) mod bind;
pub(crate) mod control;
pub(crate) mod expect;
pub(crate) mod load;
pub(crate) mod objective;
pub(crate) mod operation;
pub(crate) mod result;
pub(crate) mod task;
pub(crate) mod variable;
pub(crate) mod workload;

use crate::format::decode::quantity::Count;
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::{Map, Spanned};
use attributes::Attributes;
use load::Load;
use objective::Objective;
use operation::AnyTask;
use variable::Wildcard;
use workload::Workload;

record! {
    /// A LoadGen job: who does what, how often, how fast, and what is good enough.
    pub(crate) struct JobFile {
        /// Version of the format: 1.
        loadgen: Spanned<Count>,
        /// Name of the job; the file's name when absent.
        name: Option<Text>,
        /// Free facts that the report prints.
        environment: Option<Environment>,
        /// Seed of all random draws; 1 when absent.
        seed: Option<Count>,
        /// Files with further tasks, workloads, variables and wildcards; `*` stands for any name.
        include: Option<Vec<Text>>,
        /// Values that are made anew while the job runs.
        wildcards: Option<Map<Wildcard>>,
        /// How many users run the workloads, and for how long.
        load: Option<Spanned<Load>>,
        /// What users do.
        workloads: Option<Map<Workload>>,
        /// The requests that workloads are made of.
        tasks: Option<Map<AnyTask>>,
        /// Objectives: what is good enough.
        slo: Option<Vec<Spanned<Objective>>>,
        /// Workloads that run once before the users start.
        setup: Option<Vec<Once>>,
        /// Workloads that run once after the users are done.
        teardown: Option<Vec<Once>>,
        ..attributes: Attributes,
    }
}

record! {
    /// A file that a job includes.
    pub(crate) struct IncludedFile {
        /// Version of the format: 1.
        loadgen: Option<Spanned<Count>>,
        /// Further files; `*` stands for any name.
        include: Option<Vec<Text>>,
        /// Constants.
        variables: Option<Map<variable::Constant>>,
        /// Values that are made anew while the job runs.
        wildcards: Option<Map<Wildcard>>,
        /// What users do.
        workloads: Option<Map<Workload>>,
        /// The requests that workloads are made of.
        tasks: Option<Map<AnyTask>>,
    }
}

record! {
    /// Free facts that the report prints.
    pub(crate) struct Environment {
        /// On the target: machines, versions, number of entries.
        target: Option<Text>,
        /// On the machine that makes the load.
        generator: Option<Text>,
    }
}

record! {
    /// A workload that runs once.
    pub(crate) struct Once {
        /// Its name.
        workload: Text,
    }
}
