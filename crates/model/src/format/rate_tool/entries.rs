//! Entries for addrate, made from a template file of `makeldif`.
//!
//! An entry depends on nothing but the file, the seed and its number, so that any thread can make any of them.
//! Branches themselves are not added: they must be there.

mod block;
mod compile;
mod generate;
mod names;
mod random;
mod resource;
mod tag;
mod tree;
mod value;

use crate::diagnostic::Diagnostic;
use crate::format::Outside;
use std::fmt;
use std::path::Path;
use tree::Below;
use value::Line;

/// A template file, ready to make entries.
#[derive(Clone)]
pub struct Entries {
    templates: Vec<Template>,
    branches: Vec<Branch>,
}

/// What entries are made of.
#[derive(Clone)]
struct Template {
    /// Lines, by their place, that make the first part of the name.
    rdn: Vec<usize>,
    lines: Vec<Line>,
    below: Vec<Below>,
    /// An entry and all below it; `u64::MAX` without end.
    size: u64,
    /// How many entries of each template are among them.
    holds: Vec<u64>,
}

/// An entry that is there, and what is added below it.
#[derive(Clone)]
struct Branch {
    name: String,
    below: Vec<Below>,
}

/// An entry to add.
#[derive(Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its distinguished name.
    pub name: String,
    /// Its attributes with their values, in the order of the template.
    pub attributes: Vec<(String, Vec<String>)>,
}

/// Where a template file and what it names are, and which constants replace its own.
pub(super) struct Input<'a> {
    pub(super) file: &'a Path,
    pub(super) resources: Option<&'a Path>,
    pub(super) constants: &'a [(String, String)],
    pub(super) outside: &'a dyn Outside,
}

impl Entries {
    /// Reads a template file. None when something is wrong with it, which `problems` then say.
    pub(super) fn parse(text: &str, input: &Input<'_>, problems: &mut Vec<Diagnostic>) -> Option<Self> {
        let before = problems.len();
        let blocks = block::blocks(text, input, problems);
        let entries = compile::compile(&blocks, input, problems);
        let failed =
            problems[before..].iter().any(|problem| problem.severity == crate::diagnostic::Severity::Error);
        entries.filter(|_| !failed)
    }

    /// How many entries there are; none without end.
    pub fn count(&self) -> Option<u64> {
        tree::count(self)
    }

    /// The entry of a number from 0, always the same for the same seed. None after the last one.
    pub fn entry(&self, number: u64, seed: u64) -> Option<Entry> {
        generate::entry(self, number, seed)
    }
}

/// Values may be passwords: only numbers are shown.
impl fmt::Debug for Entries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entries({} templates, {} branches)", self.templates.len(), self.branches.len())
    }
}

/// Values may be passwords: only the name is shown.
impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Entry({}, {} attributes)", self.name, self.attributes.len())
    }
}
