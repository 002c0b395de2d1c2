//! LDIF (RFC 2849): entries, and changes of entries, as text.
//!
//! What is read more freely than the RFC has it: the line with the version may be missing, values may be UTF-8,
//! entries and changes may stand in one file, and the last change of a record needs no `-` behind it. `increment` is
//! that of RFC 4525.

mod line;
mod reader;
mod record;
mod records;
mod value;

use crate::diagnostic::{Diagnostic, Place};
use crate::format::Outside;
use crate::ldap::ChangeKind;
use reader::Reader;
pub use records::Records;
use std::fmt;
use std::path::Path;

/// Bytes that a file may have, 1 GiB: it is held in memory.
const LARGEST_FILE: usize = 1 << 30;
/// Problems that are said of one file; what follows is not looked at any more.
const MOST_PROBLEMS: usize = 20;

/// What is to be done with one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The name of the entry.
    pub dn: String,
    /// Controls that go with it, in order.
    pub controls: Vec<Control>,
    /// What is done.
    pub change: Change,
}

/// What is done with an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// It is added with these attributes. An entry without `changetype` is one to add.
    Add(Vec<Attribute>),
    /// It is deleted.
    Delete,
    /// Attributes change, one after another.
    Modify(Vec<(ChangeKind, Attribute)>),
    /// It gets another name.
    ModifyDn {
        /// The first part of its new name.
        new_rdn: String,
        /// Whether the values of the old first part go.
        delete_old: bool,
        /// The entry that it is moved below.
        new_superior: Option<String>,
    },
}

/// An attribute with values.
#[derive(Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Its name with its options, as it is written.
    pub name: String,
    /// Its values in order; any bytes.
    pub values: Vec<Vec<u8>>,
}

/// A control (RFC 4511 section 4.1.11).
#[derive(Clone, PartialEq, Eq)]
pub struct Control {
    /// Object identifier.
    pub oid: String,
    /// Whether the server must refuse the change when it does not know it.
    pub critical: bool,
    /// What goes with it.
    pub value: Option<Vec<u8>>,
}

/// What is wrong with a file, and in which line.
#[derive(Debug)]
struct Problem {
    line: u32,
    message: String,
    help: &'static str,
}

/// Reads a file. `path` is where it is, for messages, and for values in files of their own.
///
/// The error holds what is wrong with it, up to a bound, in the order of lines.
pub fn read(bytes: &[u8], path: &Path, outside: &dyn Outside) -> Result<Records, Vec<Diagnostic>> {
    let shown = path.display().to_string();
    let said = |problem: Problem| {
        let place = Place { file: shown.clone(), line: problem.line, column: 1 };
        Diagnostic::error(Some(place), problem.message).help(problem.help)
    };
    if bytes.len() > LARGEST_FILE {
        let message =
            format!("the file has {} MiB, more than {}", bytes.len().div_ceil(1 << 20), LARGEST_FILE >> 20);
        return Err(vec![said(Problem::new(1, message, "divide it"))]);
    }
    let mut records = Records::default();
    let mut problems = Vec::new();
    for read in Reader::new(bytes, path, outside) {
        match read {
            Ok(record) => records.push(&record),
            Err(problem) => problems.push(said(problem)),
        }
        if problems.len() == MOST_PROBLEMS {
            break;
        }
    }
    if problems.is_empty() { Ok(records) } else { Err(problems) }
}

impl Problem {
    fn new(line: u32, message: impl Into<String>, help: &'static str) -> Self {
        Self { line, message: message.into(), help }
    }
}

/// Values may be passwords: only their number is shown.
impl fmt::Debug for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} values)", self.name, self.values.len())
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Control({}, critical: {})", self.oid, self.critical)
    }
}
