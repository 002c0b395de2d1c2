//! A workload of the original: tasks in order, each with its threshold.

use crate::format::decode::Spanned;
use crate::format::decode::text::Text;
use crate::format::file::attributes::Attributes;
use crate::format::file::task::Capture;
use crate::format::job::{Share, Step, TaskStep, Work, Workload};
use crate::format::native::library::{Found, Library};
use crate::format::node::{Node, Value};
use crate::format::original::folders::Folders;
use crate::format::original::keys::{Keys, Number, find, one_key};
use crate::format::original::level::{Level, threshold};
use crate::format::original::task;
use crate::format::original::wildcards::Retained;
use crate::format::problems::Problems;
use crate::load::ThinkTime;
use std::time::Duration;

/// Keys that are there for people alone.
const FOR_PEOPLE: [&str; 3] = ["name", "comment", "description"];

/// Whether a file is a workload of the original: `tasks` is a list.
pub(crate) fn is_workload(node: &Node) -> bool {
    find(node, "tasks").is_some_and(|(_, value)| matches!(value.value, Value::List(_)))
}

/// The steps of an original workload that a native job uses.
pub(crate) fn read_steps(node: &Node, library: &mut Library<'_>, problems: &mut Problems) -> Vec<Step> {
    for (key, _) in node.map().into_iter().flatten().filter(|(key, _)| !FOR_PEOPLE.contains(&&*key.text)) {
        if key.text != "tasks" {
            let message = format!("`{}` of an original workload says nothing to a native job", key.text);
            problems.warning(&key.at, message, "set it in the native job");
        }
    }
    let mut steps = Vec::new();
    for (name, threshold) in tasks(node, problems) {
        steps.extend(library.task(&name, problems).map(|found| step(name, &threshold, found)));
    }
    add_captures(&mut steps, &Retained::default());
    steps
}

/// Reads a workload and its tasks.
pub(crate) fn read(
    name: &Text,
    share: Share,
    folders: &Folders<'_>,
    job: &Level,
    retained: &Retained,
    problems: &mut Problems,
) -> Option<Workload> {
    let node = folders.read("workloads", name, problems)?;
    let mut keys = Keys::new(&node, problems)?;
    let level = Level::read(&mut keys, Some(job));
    let persist = keys.take("persist").map(|(_, node)| node);
    let retained = retained.with(persist, keys.problems);
    keys.missing("tasks", "a list of tasks and thresholds");
    keys.take("tasks");
    for key in FOR_PEOPLE {
        keys.take(key);
    }
    keys.finish();
    let mut steps = Vec::new();
    for (name, threshold) in tasks(&node, problems) {
        let Some(node) = folders.read("tasks", &name, problems) else { continue };
        let found = task::read_inside(&node, &level, problems);
        steps.extend(found.map(|found| step(name, &threshold, found)));
    }
    add_captures(&mut steps, &retained);
    Some(Workload { name: name.clone(), share, attributes: level.attributes, steps })
}

fn tasks(node: &Node, problems: &mut Problems) -> Vec<(Text, Number)> {
    let Some((_, Node { value: Value::List(entries), .. })) = find(node, "tasks") else { return Vec::new() };
    entries.iter().flat_map(|entry| one_key(entry, "threshold", problems)).collect()
}

/// The number of a sleep is added to its own; that of a task is its threshold.
fn step(name: Text, number: &Number, found: Found) -> Step {
    match found {
        Found::Sleep(own) => Step::Sleep(ThinkTime::Fixed(own + Duration::from_millis(number.value))),
        Found::Task(task) => {
            let attributes = Attributes { threshold: Some(threshold(number)), ..Attributes::default() };
            Step::Task(Box::new(TaskStep { name, attributes, task, captures: Vec::new() }))
        }
    }
}

/// The first task of an iteration gives the tokens; every task gives what is persisted.
fn add_captures(steps: &mut [Step], retained: &Retained) {
    let used: Vec<String> = steps.iter().flat_map(used_names).collect();
    let tasks =
        steps.iter_mut().filter_map(|step| if let Step::Task(task) = step { Some(task) } else { None });
    for (index, task) in tasks.enumerate() {
        for capture in retained.of_task(index == 0) {
            let name = Text::new(capture.name.clone(), &task.name.at);
            if !used.iter().any(|text| text.contains(&format!("${}", capture.name))) {
                continue;
            }
            let path = Text::new(format!("$[\"{}\"]", capture.attribute), &task.name.at);
            let typed = Capture { json: Some(path), ..Capture::default() };
            task.captures.push((name, Spanned { value: typed, at: task.name.at.clone() }));
        }
    }
}

/// Every text of a task in which a variable may stand.
fn used_names(step: &Step) -> Vec<String> {
    let Step::Task(step) = step else { return Vec::new() };
    let Work::Http(task) = &step.task else { return Vec::new() };
    let headers = task.attributes.headers.iter().flat_map(|map| &map.entries);
    let mut texts: Vec<String> =
        headers.filter_map(|(_, value)| value.as_ref().map(|value| value.text.clone())).collect();
    texts.push(task.url.text.clone());
    texts.extend(task.body.as_ref().map(|body| body.text.clone()));
    if let Some(json) = &task.json {
        collect(&json.0, &mut texts);
    }
    texts
}

fn collect(node: &Node, texts: &mut Vec<String>) {
    match &node.value {
        Value::Scalar(scalar) => texts.push(scalar.text.clone()),
        Value::List(nodes) => nodes.iter().for_each(|node| collect(node, texts)),
        Value::Map(entries) => entries.iter().for_each(|(key, node)| {
            texts.push(key.text.clone());
            collect(node, texts);
        }),
    }
}
