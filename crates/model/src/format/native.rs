//! The native front-end: a job file and what it includes, names found, become a job.

pub(crate) mod library;
mod steps;

use crate::diagnostic::Diagnostic;
use crate::format::Outside;
use crate::format::decode::Decode;
use crate::format::decode::text::Text;
use crate::format::file::attributes::Attributes;
use crate::format::file::workload::Workload as Typed;
use crate::format::file::{JobFile, Once};
use crate::format::job::{Job, Share, Workload};
use crate::format::node::{At, Node};
use crate::format::problems::Problems;
use crate::plan::Semantics;
use library::Library;
use std::collections::BTreeMap;
use std::path::Path;

/// The version of the format that this program reads.
const VERSION: u64 = 1;
/// The seed of a job that sets none.
const SEED: u64 = 1;

/// Reads a native job.
pub(crate) fn gather(
    node: &Node,
    path: &Path,
    outside: &dyn Outside,
    problems: &mut Problems,
) -> Option<Job> {
    if node.map().is_some() && node.get("loadgen").is_none() {
        let help = "begin the file with `loadgen: 1`, the version of its format";
        problems.error_with_help(&node.at, "this is no job file: the key `loadgen` is missing", help);
        return None;
    }
    let file = JobFile::decode(node, problems)?;
    if file.loadgen.value.0 != VERSION {
        let message = format!("format version {} is not known", file.loadgen.value.0);
        problems.error_with_help(&file.loadgen.at, message, format!("this program reads version {VERSION}"));
        return None;
    }
    let mut attributes = file.attributes;
    let mut library = Library::new(path, outside);
    library.add_workloads(file.workloads.unwrap_or_default(), problems);
    library.add_tasks(file.tasks.unwrap_or_default(), problems);
    library.wildcards.extend(library::named(file.wildcards.unwrap_or_default()));
    library.include(&file.include.unwrap_or_default(), &mut attributes, problems);
    let setup = once(file.setup.as_deref().unwrap_or_default(), &mut library, problems);
    let teardown = once(file.teardown.as_deref().unwrap_or_default(), &mut library, problems);
    let names: Vec<Text> = library.workload_names();
    let mut workloads = Vec::new();
    for name in names {
        if setup.iter().chain(&teardown).all(|once| once.name.text != name.text) {
            workloads.extend(workload(&name, &mut library, problems));
        }
    }
    let spare =
        if problems.has_errors() { library.unused(&setup, &workloads, &teardown) } else { Vec::new() };
    let environment = file.environment.unwrap_or_default();
    let text = |text: Option<Text>| text.map_or_else(String::new, |text| text.text);
    Some(Job {
        at: At::file(path.display().to_string()),
        semantics: Semantics::Native,
        name: file.name.map_or_else(|| stem(path), |name| name.text),
        target_environment: text(environment.target),
        generator_environment: text(environment.generator),
        seed: file.seed.map_or(SEED, |seed| seed.0),
        attributes,
        command_line: Attributes::default(),
        wildcards: library.wildcards,
        built_in: BTreeMap::new(),
        load: file.load.map(|load| load.value).unwrap_or_default(),
        workloads,
        setup,
        teardown,
        objectives: file.slo.unwrap_or_default(),
        spare,
    })
}

/// The workloads of set-up or tear-down.
fn once(names: &[Once], library: &mut Library<'_>, problems: &mut Problems) -> Vec<Workload> {
    let mut workloads = Vec::new();
    for Once { workload: name } in names {
        let Some(found) = workload(name, library, problems) else { continue };
        if !matches!(found.share, Share::Even) {
            let message = format!("workload `{}` runs once, but has a share of the load", name.text);
            problems.error_with_help(&name.at, message, "remove its `weight`, `iterations` or `load`");
        }
        workloads.push(found);
    }
    workloads
}

fn workload(name: &Text, library: &mut Library<'_>, problems: &mut Problems) -> Option<Workload> {
    let (typed, steps_file) = library.workload(name, problems)?;
    if off(&typed) {
        // What is turned off may be unfinished, and needs no files.
        let share = share(&typed);
        return Some(Workload { name: name.clone(), share, attributes: typed.attributes, steps: Vec::new() });
    }
    let before = problems.has_errors();
    let steps = steps::steps(typed.steps.as_deref().unwrap_or_default(), library, problems);
    let steps = steps_file.unwrap_or(steps);
    if steps.is_empty() && !problems.has_errors() && !before {
        let message = format!("workload `{}` has no steps", name.text);
        problems.add(Diagnostic::error(name.at.place(), message).help("add `steps` with a task"));
    }
    Some(Workload { name: name.clone(), share: share(&typed), attributes: typed.attributes, steps })
}

fn off(typed: &Typed) -> bool {
    typed.weight.as_ref().is_some_and(|weight| weight.value.0 == 0.0)
        || typed.iterations.as_ref().is_some_and(|count| count.value.0 == 0)
}

fn share(typed: &Typed) -> Share {
    if let Some(weight) = &typed.weight {
        return Share::Weight(weight.value.0, weight.at.clone());
    }
    if let Some(count) = &typed.iterations {
        return Share::Iterations(count.value.0, count.at.clone());
    }
    typed.load.as_ref().map_or(Share::Even, |load| Share::Own(Box::new(load.value.clone())))
}

pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| "job".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
