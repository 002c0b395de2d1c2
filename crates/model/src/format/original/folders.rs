//! Where the workloads and tasks of original jobs are looked for.

use crate::diagnostic::Diagnostic;
use crate::format::decode::text::Text;
use crate::format::node::Node;
use crate::format::problems::Problems;
use crate::format::{Options, Outside, read_file};
use std::path::{Path, PathBuf};

/// Folders that may hold `workloads` and `tasks`, in the order in which they are tried.
pub(crate) struct Folders<'a> {
    homes: Vec<PathBuf>,
    outside: &'a dyn Outside,
}

impl<'a> Folders<'a> {
    pub(crate) fn new(job: &Path, options: &Options, outside: &'a dyn Outside) -> Self {
        let above = job.parent().unwrap_or(Path::new("")).join("..");
        let named = options.home.clone().or_else(|| outside.environment("LOADGEN_HOME").map(PathBuf::from));
        let above = simplified(&above);
        let homes = named.into_iter().chain([PathBuf::new(), above]).collect();
        Self { homes, outside }
    }

    /// The file `folder/name.json`.
    pub(crate) fn read(&self, folder: &str, name: &Text, problems: &mut Problems) -> Option<Node> {
        let file = format!("{}.json", name.text);
        let mut candidates = self.homes.iter().map(|home| home.join(folder).join(&file));
        if let Some(path) = candidates.find(|path| self.outside.is_file(path)) {
            return read_file(&path, &name.at, self.outside, problems);
        }
        let tried: Vec<_> = self.homes.iter().map(|home| home.join(folder)).collect();
        let shown: Vec<_> = tried.iter().map(|folder| format!("`{}`", folder.display())).collect();
        let message = format!("there is no `{file}` in {}", shown.join(" or "));
        let others = tried.iter().flat_map(|folder| self.outside.glob(&folder.join("*.json")));
        let names: Vec<_> = others
            .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
            .collect();
        let problem = Diagnostic::error(name.at.place(), message).help("give the folder above it as --home");
        problems.add(problem.nearest(&name.text, names.iter().map(String::as_str)));
        None
    }
}

/// `a/b/..` is `a`; `b/..` is the current folder.
fn simplified(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        let named = matches!(out.components().next_back(), Some(std::path::Component::Normal(_)));
        if part == std::path::Component::ParentDir && named {
            out.pop();
        } else {
            out.push(part);
        }
    }
    out
}
