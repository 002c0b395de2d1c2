//! A world of files that is only in memory.

use loadgen_model::format::{Loaded, Options, Outside, load};
use loadgen_model::{Diagnostic, Plan};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// Files by their names.
#[derive(Default)]
pub(crate) struct Memory {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl Memory {
    pub(crate) fn with(name: &str, text: impl Into<Vec<u8>>) -> Self {
        Self::default().and(name, text)
    }

    pub(crate) fn and(mut self, name: &str, text: impl Into<Vec<u8>>) -> Self {
        self.files.insert(PathBuf::from(name), text.into());
        self
    }

    pub(crate) fn load(&self, job: &str, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
        load(Path::new(job), options, self)
    }
}

/// The plan of a job that is right.
pub(crate) fn plan(text: &str) -> Plan {
    match Memory::with("job.yaml", text).load("job.yaml", &Options::default()) {
        Ok(loaded) => loaded.plan,
        Err(problems) => panic!("{}", lines(&problems)),
    }
}

/// One line for each problem.
pub(crate) fn lines(problems: &[Diagnostic]) -> String {
    problems.iter().map(ToString::to_string).chain([String::new()]).collect::<Vec<_>>().join("\n")
}

impl Outside for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.files.get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(path)
    }

    fn glob(&self, pattern: &Path) -> Vec<PathBuf> {
        let pattern = pattern.to_string_lossy();
        let (front, back) = pattern.split_once('*').unwrap_or((&pattern, "\0"));
        let fits = |path: &&PathBuf| {
            let path = path.to_string_lossy();
            path == pattern || path.starts_with(front) && path.ends_with(back)
        };
        self.files.keys().filter(fits).cloned().collect()
    }

    fn environment(&self, name: &str) -> Option<String> {
        (name == "SET").then(|| "from outside".to_owned())
    }

    fn prompt(&self, _: &str) -> Option<String> {
        None
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::new()
    }
}
