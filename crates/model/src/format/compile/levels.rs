//! Attributes of all levels: the command line, then the step, its task, its workload, the job.

use crate::format::decode::Map;
use crate::format::decode::text::Text;
use crate::format::file::attributes::Attributes;
use crate::format::node::At;
use std::fmt;

/// Where an effective value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    CommandLine,
    Step,
    Task,
    Workload,
    Job,
    Default,
}

/// The attributes that hold for one request.
#[derive(Clone, Copy)]
pub(crate) struct Levels<'a> {
    pub(crate) command_line: &'a Attributes,
    pub(crate) step: &'a Attributes,
    pub(crate) task: &'a Attributes,
    pub(crate) workload: &'a Attributes,
    pub(crate) job: &'a Attributes,
}

/// What the file of a value that was given with `--set` is called.
pub(crate) const SET: &str = "--set";

impl<'a> Levels<'a> {
    /// Innermost first.
    fn all(&self) -> [(Origin, &'a Attributes); 5] {
        [
            (Origin::CommandLine, self.command_line),
            (Origin::Step, self.step),
            (Origin::Task, self.task),
            (Origin::Workload, self.workload),
            (Origin::Job, self.job),
        ]
    }

    /// The value that wins, and where it comes from.
    pub(crate) fn pick<T>(&self, get: impl Fn(&'a Attributes) -> Option<&'a T>) -> Option<(&'a T, Origin)> {
        self.all().into_iter().find_map(|(origin, attributes)| Some((get(attributes)?, origin)))
    }

    /// The texts of all levels by name, compared without case; the innermost wins, the outermost stands first.
    pub(crate) fn merged(
        &self,
        get: impl Fn(&'a Attributes) -> Option<&'a Map<Text>>,
    ) -> Vec<(&'a Text, &'a Text, Origin)> {
        let mut merged: Vec<(&Text, &Text, Origin)> = Vec::new();
        for (origin, attributes) in self.all().into_iter().rev() {
            for (name, value) in get(attributes).iter().flat_map(|map| &map.entries) {
                let Some(value) = value else { continue };
                match merged.iter_mut().find(|(known, ..)| known.text.eq_ignore_ascii_case(&name.text)) {
                    Some(entry) => *entry = (name, value, origin),
                    None => merged.push((name, value, origin)),
                }
            }
        }
        merged
    }
}

impl Origin {
    /// The origin, or the command line when `--set` put the value there.
    pub(crate) fn of(self, at: &At) -> Self {
        if at.file.starts_with(SET) { Origin::CommandLine } else { self }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::CommandLine => "command line",
            Origin::Step => "step",
            Origin::Task => "task",
            Origin::Workload => "workload",
            Origin::Job => "job",
            Origin::Default => "default",
        })
    }
}
