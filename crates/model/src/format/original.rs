//! The front-end for jobs of the original LoadGen: a job, its workloads and its tasks, one JSON file each.

mod folders;
mod keys;
mod level;
mod task;
mod wildcards;
mod workload;

use crate::format::decode::quantity::Count;
use crate::format::decode::text::Text;
use crate::format::decode::{Map, Spanned};
use crate::format::file::attributes::Attributes;
use crate::format::file::load::{Load, Ramp};
use crate::format::job::{Job, Share, Workload};
use crate::format::node::{At, Node, Value};
use crate::format::problems::Problems;
use crate::format::{Options, Outside};
use crate::plan::Semantics;
use folders::Folders;
use keys::Keys;
use level::Level;
use std::path::Path;
pub(crate) use task::{is_task, read as read_task};
pub(crate) use workload::{is_workload, read_steps};

/// Whether a file is a job of the original: `workloads` is a list.
pub(crate) fn is_job(node: &Node) -> bool {
    keys::find(node, "workloads").is_some_and(|(_, value)| matches!(value.value, Value::List(_)))
}

/// Reads an original job and its files.
pub(crate) fn gather(
    node: &Node,
    path: &Path,
    options: &Options,
    outside: &dyn Outside,
    problems: &mut Problems,
) -> Option<Job> {
    let folders = Folders::new(path, options, outside);
    let mut keys = Keys::new(node, problems)?;
    let level = Level::read(&mut keys, None);
    let job = Job {
        at: At::file(path.display().to_string()),
        semantics: Semantics::Original,
        name: keys.text("name").map_or_else(|| super::native::stem(path), |name| name.text),
        target_environment: keys.text("service-environment").map_or_else(String::new, |text| text.text),
        generator_environment: keys.text("load-generator").map_or_else(String::new, |text| text.text),
        seed: keys.number("seed").map_or(1, |seed| seed.value),
        load: load(&mut keys),
        built_in: wildcards::built_in(&mut keys),
        wildcards: wildcards::read(&mut keys),
        attributes: level.attributes.clone(),
        command_line: Attributes::default(),
        workloads: Vec::new(),
        setup: Vec::new(),
        teardown: Vec::new(),
        objectives: Vec::new(),
        spare: Vec::new(),
    };
    let retained = wildcards::retained(&mut keys);
    let asked = asked_for(keys.take("workloads").map(|(_, node)| node), keys.problems);
    keys.finish();
    let mut workloads = Vec::new();
    for (name, count) in asked {
        let share = Share::Iterations(count.value, count.at.clone());
        if count.value == 0 {
            // What is turned off needs no files.
            let attributes = Attributes::default();
            workloads.push(Workload { name, share, attributes, steps: Vec::new() });
            continue;
        }
        workloads.extend(workload::read(&name, share, &folders, &level, &retained, problems));
    }
    Some(Job { workloads, ..job })
}

fn load(keys: &mut Keys<'_>) -> Load {
    let threads = keys.number("threads");
    if threads.is_none() {
        keys.missing("threads", "a number of threads");
    }
    let group = keys.number("threadgroupsize");
    let every = keys.number("threadinterval");
    let count = |number: keys::Number| Spanned { value: Count(number.value), at: number.at };
    let ramp =
        group.zip(every).map(|(group, every)| Ramp { every: level::millis(&every), group: count(group) });
    Load { users: threads.map(count), ramp, ..Load::default() }
}

/// Names and iterations of `"workloads": [{"name": 10}]`.
fn asked_for(node: Option<&Node>, problems: &mut Problems) -> Vec<(Text, keys::Number)> {
    let Some(Value::List(entries)) = node.map(|node| &node.value) else { return Vec::new() };
    entries.iter().flat_map(|entry| keys::one_key(entry, "iterations", problems)).collect()
}

/// A constant that stands as it is.
pub(crate) fn literal(value: Text, secret: bool) -> crate::format::file::variable::Constant {
    use crate::format::decode::words::Switch;
    use crate::format::file::variable::ConstantSource;
    let source =
        ConstantSource { value: Some(value), secret: Some(Switch(secret)), ..ConstantSource::default() };
    crate::format::decode::Either::Second(source)
}

/// A map with the sound entries.
pub(crate) fn map<T>(entries: Vec<(Text, T)>) -> Option<Map<T>> {
    let entries: Vec<_> = entries.into_iter().map(|(name, value)| (name, Some(value))).collect();
    (!entries.is_empty()).then_some(Map { entries })
}
