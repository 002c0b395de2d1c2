//! What one operation of a rate tool is.

use crate::format::rate_tool::entries::Entries;
use crate::ldap::Filter;
use crate::template::Template;
use std::time::Duration;

/// What one operation is.
#[derive(Debug, Clone)]
pub enum Operation {
    /// modrate.
    Modify(Modify),
    /// searchrate.
    Search(Search),
    /// authrate.
    Bind(Bind),
    /// addrate.
    Add(Add),
}

/// Replaces attributes of an entry.
#[derive(Debug, Clone)]
pub struct Modify {
    /// Name of the entry.
    pub target: Template,
    /// What is replaced, at least one.
    pub changes: Vec<Change>,
    /// Values that each attribute gets, at least 1: drawn anew for each.
    pub value_count: u32,
    /// The attribute that must not have changed since it was read first (RFC 4528); none reads nothing.
    pub unchanged: Option<String>,
}

/// One attribute that is replaced.
#[derive(Debug, Clone)]
pub struct Change {
    /// Its name, perhaps with options.
    pub attribute: String,
    /// Its new value.
    pub value: Template,
}

/// Searches.
#[derive(Debug, Clone)]
pub struct Search {
    /// Where it begins.
    pub base: Template,
    /// How far down.
    pub scope: Scope,
    /// When aliases are followed.
    pub dereference: Dereference,
    /// What is looked for.
    pub filter: Filter,
    /// What is asked of entries; all user attributes when empty.
    pub attributes: Vec<String>,
}

/// Binds as the user that the command line says.
#[derive(Debug, Clone)]
pub struct Bind {
    /// Comes first, must find one entry, and its name becomes the last argument.
    pub search: Option<Search>,
    /// Share of binds with a wrong password, 0 to 100.
    pub invalid_percent: u8,
}

/// Adds entries and deletes them again.
#[derive(Debug, Clone)]
pub struct Add {
    /// The entries.
    pub entries: Entries,
    /// When and in which order entries are deleted.
    pub deletion: Deletion,
    /// Whether what is left is deleted at the end.
    pub purge: bool,
}

/// How far down a search goes (RFC 4511 section 4.5.1.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The base only.
    Base,
    /// The entries right below it.
    One,
    /// The base and all below it.
    Sub,
    /// All below the base: `draft-sermersheim-ldap-subordinate-scope`.
    Subordinates,
}

impl Scope {
    /// Every scope with its name.
    pub const ALL: [(&'static str, Scope); 4] = [
        ("base", Scope::Base),
        ("one", Scope::One),
        ("sub", Scope::Sub),
        ("subordinates", Scope::Subordinates),
    ];
}

/// When aliases are followed (RFC 4511 section 4.5.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dereference {
    /// Never.
    Never,
    /// Always.
    Always,
    /// Below the base.
    Search,
    /// In finding the base.
    Find,
}

impl Dereference {
    /// Every policy with its name.
    pub const ALL: [(&'static str, Dereference); 4] = [
        ("never", Dereference::Never),
        ("always", Dereference::Always),
        ("search", Dereference::Search),
        ("find", Dereference::Find),
    ];
}

/// When and in which order added entries are deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deletion {
    /// Never while the run lasts.
    Off,
    /// The oldest first, once there are more than so many.
    OldestBeyond(u64),
    /// The oldest first, once one is older than this; as many as there are then stay.
    OlderThan(Duration),
    /// In random order, once there are more than so many.
    RandomBeyond(u64),
}
