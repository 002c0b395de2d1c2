//! All problems of an input, in the order of its lines.

use crate::diagnostic::{Diagnostic, Severity};
use crate::format::node::At;

/// What was found wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    found: Vec<Diagnostic>,
}

/// A file with very many problems shows the first of them only.
const SHOWN: usize = 100;

impl Problems {
    pub(crate) fn add(&mut self, diagnostic: Diagnostic) {
        if !self.found.contains(&diagnostic) {
            self.found.push(diagnostic);
        }
    }

    pub(crate) fn error(&mut self, at: &At, message: impl Into<String>) {
        self.add(Diagnostic::error(at.place(), message));
    }

    pub(crate) fn error_with_help(&mut self, at: &At, message: impl Into<String>, help: impl Into<String>) {
        self.add(Diagnostic::error(at.place(), message).help(help));
    }

    pub(crate) fn warning(&mut self, at: &At, message: impl Into<String>, help: impl Into<String>) {
        self.add(Diagnostic::warning(at.place(), message).help(help));
    }

    /// Whether a key was found that is probably one of these, misspelt: what misses their values is no further
    /// problem.
    pub(crate) fn misspelt(&self, keys: &[&str]) -> bool {
        let meant: Vec<_> = keys.iter().map(|key| format!("did you mean `{key}`?")).collect();
        self.found.iter().filter_map(|problem| problem.help.as_ref()).any(|help| meant.contains(help))
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.found.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Everything by place; errors of the whole first.
    pub(crate) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.found.sort_by(|a, b| a.place.cmp(&b.place));
        let more = self.found.len().saturating_sub(SHOWN);
        if more > 0 {
            self.found.truncate(SHOWN);
            self.found.push(Diagnostic::error(None, format!("{more} more problems are not shown")));
        }
        self.found
    }
}
