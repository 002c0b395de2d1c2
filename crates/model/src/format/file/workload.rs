//! Workloads and their steps.

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Real, Time};
use crate::format::decode::record::record;
use crate::format::decode::text::Text;
use crate::format::decode::{Either, Spanned};
use crate::format::file::attributes::Attributes;
use crate::format::file::load::Load;

record! {
    /// Steps that a user repeats.
    pub(crate) struct Workload {
        /// Name for people.
        name: Option<Text>,
        /// What it stands for, for people.
        description: Option<Text>,
        /// Share of the mix, relative to the other workloads; 0 turns it off.
        weight: Option<Spanned<Real>>,
        /// Iterations of each user, interleaved with the other workloads; 0 turns it off.
        iterations: Option<Spanned<Count>>,
        /// Users of its own, beside those of the job.
        load: Option<Spanned<Load>>,
        /// What an iteration does, in order; those of `workloads/NAME` beside the job when absent.
        steps: Option<Vec<Spanned<Step>>>,
        ..attributes: Attributes,
    }
    rules: [Rule::AtMostOne(&["weight", "iterations", "load"])]
}

record! {
    /// One step: a task, a sleep, or steps that are repeated.
    pub(crate) struct Step {
        /// Name of the task.
        task: Option<Text>,
        /// Think time: a length, or how it is drawn.
        sleep: Option<Sleep>,
        /// How often `steps` are done.
        repeat: Option<Spanned<Count>>,
        /// The steps that are repeated.
        steps: Option<Vec<Spanned<Step>>>,
        ..attributes: Attributes,
    }
    rules: [
        Rule::ExactlyOne(&["task", "sleep", "repeat"]),
        Rule::Needs("repeat", &["steps"]),
        Rule::Needs("steps", &["repeat"]),
    ]
}

/// A fixed length, or how it is drawn.
pub(crate) type Sleep = Either<Time, Spanned<SleepDrawn>>;

record! {
    /// Think time that is drawn.
    pub(crate) struct SleepDrawn {
        /// Between these two, each length as likely: `[5s, 15s]`.
        uniform: Option<Spanned<Vec<Time>>>,
        /// Exponential with this mean.
        exponential: Option<Time>,
        /// Normal with this mean and this standard deviation: `[10s, 2s]`.
        normal: Option<Spanned<Vec<Time>>>,
    }
    rules: [Rule::ExactlyOne(&["uniform", "exponential", "normal"])]
}
