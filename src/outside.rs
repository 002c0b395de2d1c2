//! Files, environment and terminal for the job formats, which touch none of them.

use loadgen_model::format::Outside;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

/// The machine that the command runs on.
pub(crate) struct Machine;

impl Outside for Machine {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn glob(&self, pattern: &Path) -> Vec<PathBuf> {
        let found = pattern.to_str().and_then(|pattern| glob::glob(pattern).ok());
        let mut files: Vec<PathBuf> = found.into_iter().flatten().filter_map(Result::ok).collect();
        files.sort();
        files
    }

    fn environment(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn prompt(&self, question: &str) -> Option<String> {
        if !std::io::stdin().is_terminal() {
            return None;
        }
        rpassword::prompt_password(format!("{question}: ")).ok()
    }

    fn current_folder(&self) -> PathBuf {
        std::env::current_dir().unwrap_or_default()
    }
}
