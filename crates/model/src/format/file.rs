//! What a native job file says, as it is typed: one record a file or part of a file.

pub(crate) mod attributes;
pub(crate) mod expect;
pub(crate) mod load;
pub(crate) mod task;
pub(crate) mod variable;
pub(crate) mod workload;

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Limit, Rate, Share};
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::words::words;
use crate::format::decode::{Map, Spanned};
use attributes::Attributes;
use load::Load;
use task::Task;
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
        tasks: Option<Map<Task>>,
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
        tasks: Option<Map<Task>>,
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

record! {
    /// An objective: limits on a task, on a workload or on the whole run.
    pub(crate) struct Objective {
        /// The task; all tasks when absent.
        task: Option<Text>,
        /// The workload; all workloads when absent.
        workload: Option<Text>,
        /// Median of the response time, at most.
        p50: Option<Limit>,
        /// 75th percentile of the response time, at most.
        p75: Option<Limit>,
        /// 90th percentile of the response time, at most.
        p90: Option<Limit>,
        /// 95th percentile of the response time, at most.
        p95: Option<Limit>,
        /// 99th percentile of the response time, at most.
        p99: Option<Limit>,
        /// 99.9th percentile of the response time, at most.
        p99_9 = "p99.9": Option<Limit>,
        /// 99.99th percentile of the response time, at most.
        p99_99 = "p99.99": Option<Limit>,
        /// Mean response time, at most.
        mean: Option<Limit>,
        /// Longest response time, at most.
        max: Option<Limit>,
        /// Share of failed requests, at most.
        errors: Option<Share>,
        /// Share of requests over their threshold, at most.
        exceeded: Option<Share>,
        /// What is measured of the whole: `rate`.
        total: Option<Total>,
        /// Requests a second, at least; with `total: rate`.
        at_least: Option<Rate>,
    }
    rules: [
        Rule::AtLeastOne(&[
            "p50", "p75", "p90", "p95", "p99", "p99.9", "p99.99", "mean", "max", "errors", "exceeded", "total",
        ]),
        Rule::Needs("total", &["at_least"]),
        Rule::Needs("at_least", &["total"]),
    ]
}

words! {
    /// What is measured of the whole.
    pub(crate) enum Total {
        /// Requests a second.
        Rate = "rate",
    }
}
