//! Tasks and workloads by name: from the job, from files it includes, from the folders beside it.

use crate::diagnostic::Diagnostic;
use crate::format::decode::text::Text;
use crate::format::decode::{Decode, Map};
use crate::format::file::IncludedFile;
use crate::format::file::attributes::Attributes;
use crate::format::file::operation::AnyTask;
use crate::format::file::variable::Wildcard;
use crate::format::file::workload::Workload;
use crate::format::job::{Step, TaskStep, Work, Workload as Used};
use crate::format::node::{At, Node};
use crate::format::problems::Problems;
use crate::format::{Outside, file_beside, original, read_file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

/// Everything that has a name.
pub(crate) struct Library<'a> {
    outside: &'a dyn Outside,
    path: PathBuf,
    tasks: BTreeMap<String, Option<Found>>,
    workloads: Vec<(Text, Option<Workload>)>,
    pub(crate) wildcards: Vec<(Text, Wildcard)>,
    /// Files that are being included, outermost first.
    open: Vec<PathBuf>,
    /// Files that were included already.
    done: Vec<PathBuf>,
}

/// What the name of a task stands for.
#[derive(Clone)]
pub(crate) enum Found {
    Task(Work),
    /// A task of the original format that only sleeps.
    Sleep(Duration),
}

impl Found {
    fn of(task: AnyTask) -> Self {
        Self::Task(match task {
            AnyTask::Http(task) => Work::Http(Rc::from(task)),
            AnyTask::Ldap(operation) => Work::Ldap(Rc::from(operation)),
        })
    }
}

/// The entries of a map; one that is broken, which has been said, keeps its name, so that no use of it is
/// called unknown.
pub(crate) fn named<T: Default>(map: Map<T>) -> impl Iterator<Item = (Text, T)> {
    map.entries.into_iter().map(|(name, value)| (name, value.unwrap_or_default()))
}

impl<'a> Library<'a> {
    pub(crate) fn new(path: &Path, outside: &'a dyn Outside) -> Self {
        Self {
            outside,
            path: path.to_owned(),
            tasks: BTreeMap::new(),
            workloads: Vec::new(),
            wildcards: Vec::new(),
            open: vec![path.to_owned()],
            done: Vec::new(),
        }
    }

    pub(crate) fn add_tasks(&mut self, tasks: Map<AnyTask>, problems: &mut Problems) {
        for (name, task) in tasks.entries {
            let found = task.map(Found::of);
            if self.tasks.insert(name.text.clone(), found).is_some() {
                problems.error_with_help(
                    &name.at,
                    format!("task `{}` is defined twice", name.text),
                    "rename one",
                );
            }
        }
    }

    pub(crate) fn add_workloads(&mut self, workloads: Map<Workload>, problems: &mut Problems) {
        for (name, workload) in workloads.entries {
            if self.workloads.iter().any(|(known, _)| known.text == name.text) {
                let message = format!("workload `{}` is defined twice", name.text);
                problems.error_with_help(&name.at, message, "rename one");
            } else {
                self.workloads.push((name, workload));
            }
        }
    }

    pub(crate) fn workload_names(&self) -> Vec<Text> {
        self.workloads.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Reads the files that patterns name, and those that they include.
    pub(crate) fn include(
        &mut self,
        patterns: &[Text],
        attributes: &mut Attributes,
        problems: &mut Problems,
    ) {
        for pattern in patterns {
            let path = file_beside(&pattern.at, &pattern.text, self.outside);
            let files =
                if pattern.text.contains(['*', '?', '[']) { self.outside.glob(&path) } else { vec![path] };
            if files.is_empty() {
                let message = format!("no file fits `{}`", pattern.text);
                problems.error_with_help(&pattern.at, message, "check the pattern, or remove it");
            }
            for file in files {
                self.include_file(file, &pattern.at, attributes, problems);
            }
        }
    }

    fn include_file(&mut self, file: PathBuf, at: &At, attributes: &mut Attributes, problems: &mut Problems) {
        if self.open.contains(&file) {
            let start = self.open.iter().position(|open| *open == file).unwrap_or(0);
            let chain = self.open[start..].iter().chain([&file]);
            let chain: Vec<_> = chain.map(|file| file.display().to_string()).collect();
            let message = format!("the file includes itself: {}", chain.join(" → "));
            problems.error_with_help(at, message, "remove one of the includes");
            return;
        }
        if self.done.contains(&file) {
            return;
        }
        let Some(node) = read_file(&file, at, self.outside, problems) else { return };
        let Some(included) = IncludedFile::decode(&node, problems) else { return };
        self.open.push(file);
        self.add_tasks(included.tasks.unwrap_or_default(), problems);
        self.add_workloads(included.workloads.unwrap_or_default(), problems);
        self.wildcards.extend(named(included.wildcards.unwrap_or_default()));
        let variables = attributes.variables.get_or_insert_default();
        for (name, value) in included.variables.unwrap_or_default().entries {
            // What the job itself says wins.
            if !variables.entries.iter().any(|(known, _)| known.text == name.text) {
                variables.entries.push((name, value));
            }
        }
        self.include(&included.include.unwrap_or_default(), attributes, problems);
        self.done.extend(self.open.pop());
    }

    /// A task by its name; none when there is none or it is broken, which has then been said.
    pub(crate) fn task(&mut self, name: &Text, problems: &mut Problems) -> Option<Found> {
        if let Some(found) = self.tasks.get(&name.text) {
            return found.clone();
        }
        let found = match self.read_beside("tasks", &name.text, problems) {
            None if problems.misspelt(&["tasks"]) => return None,
            None => {
                let problem = Diagnostic::error(name.at.place(), format!("unknown task `{}`", name.text));
                let problem =
                    problem.help("define it in `tasks`, or in a file of its own in the folder `tasks`");
                problems.add(problem.nearest(&name.text, self.tasks.keys().map(String::as_str)));
                return None;
            }
            Some(None) => None,
            Some(Some(node)) if original::is_task(&node) => original::read_task(&node, problems),
            Some(Some(node)) => AnyTask::decode(&node, problems).map(Found::of),
        };
        self.tasks.insert(name.text.clone(), found.clone());
        found
    }

    /// Tasks that none of these workloads uses.
    pub(crate) fn unused(&self, setup: &[Used], main: &[Used], teardown: &[Used]) -> Vec<Step> {
        let mut used = BTreeSet::new();
        for workload in setup.iter().chain(main).chain(teardown) {
            names(&workload.steps, &mut used);
        }
        let unused = self.tasks.iter().filter(|(name, _)| !used.contains(name.as_str()));
        let step = |(name, found): (&String, &Option<Found>)| match found {
            Some(Found::Task(task)) => Some(Step::Task(Box::new(TaskStep {
                name: Text::new(name, &task.at()),
                attributes: Attributes::default(),
                task: task.clone(),
                captures: Vec::new(),
            }))),
            _ => None,
        };
        unused.filter_map(step).collect()
    }

    /// A workload by its name, and its steps when they are those of an original workload.
    pub(crate) fn workload(
        &mut self,
        name: &Text,
        problems: &mut Problems,
    ) -> Option<(Workload, Option<Vec<Step>>)> {
        let known = self.workloads.iter().find(|(known, _)| known.text == name.text).cloned();
        match known {
            Some((_, None)) => return None,
            // What is turned off may be unfinished.
            Some((_, Some(workload))) if workload.steps.is_some() || super::off(&workload) => {
                return Some((workload, None));
            }
            Some((_, Some(workload))) => {
                let Some(node) = self.read_beside("workloads", &name.text, problems) else {
                    if problems.has_errors() {
                        // They may be there, but broken.
                        return None;
                    }
                    let message = format!("workload `{}` has no `steps`", name.text);
                    problems.error_with_help(
                        &name.at,
                        message,
                        "add them, or put them into the folder `workloads`",
                    );
                    return None;
                };
                let (from_file, steps) = self.workload_file(&node?, problems)?;
                return Some((Workload { steps: from_file.steps, ..workload }, steps));
            }
            None => {}
        }
        match self.read_beside("workloads", &name.text, problems) {
            Some(node) => self.workload_file(&node?, problems),
            None => {
                let problem = Diagnostic::error(name.at.place(), format!("unknown workload `{}`", name.text));
                let problem = problem
                    .help("define it in `workloads`, or in a file of its own in the folder `workloads`");
                let known: Vec<_> = self.workloads.iter().map(|(name, _)| name.text.as_str()).collect();
                problems.add(problem.nearest(&name.text, known));
                None
            }
        }
    }

    fn workload_file(
        &mut self,
        node: &Node,
        problems: &mut Problems,
    ) -> Option<(Workload, Option<Vec<Step>>)> {
        if original::is_workload(node) {
            let steps = original::read_steps(node, self, problems);
            return Some((Workload::default(), Some(steps)));
        }
        Workload::decode(node, problems).map(|workload| (workload, None))
    }

    /// The file of a name in a folder beside the job: none when there is no such file, some none when it is
    /// broken, which `problems` then says.
    #[expect(clippy::option_option, reason = "absent and broken are two things, and both are said at once")]
    fn read_beside(&self, folder: &str, name: &str, problems: &mut Problems) -> Option<Option<Node>> {
        let beside = self.path.parent().unwrap_or(Path::new("")).join(folder);
        let endings = ["yaml", "yml", "json"];
        let mut files = endings.iter().map(|ending| beside.join(format!("{name}.{ending}")));
        let file = files.find(|file| self.outside.is_file(file))?;
        Some(read_file(&file, &At::default(), self.outside, problems))
    }
}

/// The names of the tasks of some steps.
fn names<'s>(steps: &'s [Step], out: &mut BTreeSet<&'s str>) {
    for step in steps {
        match step {
            Step::Task(task) => {
                out.insert(&task.name.text);
            }
            Step::Repeat(_, steps) => names(steps, out),
            Step::Sleep(_) => {}
        }
    }
}
