//! An LDAP operation as a task describes it, compiled: all precedence resolved, all text in templates.
//!
//! Names and numbers are those of RFC 4511. What it looks like in bytes is the engine's business.

mod control;
pub mod filter;
mod mechanism;
pub mod result;

use crate::check::Match;
use crate::request::{Connection, Origin, TransportId};
use crate::template::Template;
use crate::variable::{DataId, Slot};
pub use control::{Control, ControlKind, SortKey};
pub use filter::Filter;
pub use mechanism::{Mechanism, UnknownMechanism};
use std::ops::RangeInclusive;
use std::time::Duration;

/// An LDAP operation to perform.
#[derive(Debug, Clone)]
pub struct Operation {
    /// What is asked.
    pub ask: Ask,
    /// The directory that it goes to.
    pub server: Origin,
    /// How it reaches it.
    pub transport: TransportId,
    /// What happens to the connection.
    pub connection: Connection,
    /// After this it is abandoned; its latency is then known only to be longer.
    pub timeout: Duration,
    /// Controls in order.
    pub controls: Vec<Control>,
    /// What makes the answer correct. When no check is on the result code, success does; and for a compare both
    /// of its answers.
    pub checks: Vec<Check>,
    /// What is taken out of the answer.
    pub captures: Vec<Capture>,
}

/// The operations of LDAP. Abandon is what a timeout does.
#[derive(Debug, Clone)]
pub enum Ask {
    /// Who the user is from now on (section 4.2).
    Bind(Bind),
    /// Entries below a base (section 4.5).
    Search(Box<Search>),
    /// Whether an entry has a value (section 4.10).
    Compare {
        /// The entry.
        dn: Template,
        /// The attribute.
        attribute: Template,
        /// The value.
        value: Template,
    },
    /// A new entry (section 4.7).
    Add {
        /// Its name.
        dn: Template,
        /// Its attributes in order, each with its values.
        attributes: Vec<(Template, Vec<Template>)>,
    },
    /// Changes of an entry (section 4.6).
    Modify {
        /// Its name.
        dn: Template,
        /// The changes in order.
        changes: Vec<Change>,
    },
    /// No more entry (section 4.8).
    Delete {
        /// Its name.
        dn: Template,
    },
    /// Another name for an entry (section 4.9).
    ModifyDn {
        /// Its name.
        dn: Template,
        /// The first part of its new name.
        new_rdn: Template,
        /// Whether the values of the old first part go.
        delete_old: bool,
        /// The entry that it is moved below.
        new_superior: Option<Template>,
    },
    /// Anything else, by the number of its kind (section 4.12).
    Extended {
        /// Object identifier.
        oid: String,
        /// What goes with it.
        value: ExtendedValue,
    },
    /// What a record says: add, modify, delete or modify DN, with its name, its values and its controls.
    Record(RecordSource),
    /// The end of the connection (section 4.3). It has no answer.
    Unbind,
    /// Nothing: that there is a connection, which is opened if there is none. Nothing is sent over it but what
    /// every new connection begins with.
    Connect,
}

/// Where a record comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordSource {
    /// The row of an LDIF file that holds now.
    Data {
        /// The file.
        data: DataId,
        /// The name of its entry; what is missing when the file is used up.
        dn: Slot,
    },
    /// The turn of an iteration of a [`Mix::Churn`](crate::Mix::Churn): the entry that it adds or deletes. Stands in
    /// no other scenario.
    Turn,
}

/// How a user proves who it is.
#[derive(Debug, Clone)]
pub enum Bind {
    /// Name and password (section 5.1.3 of RFC 4513); both empty for nobody.
    Simple {
        /// Name.
        dn: Template,
        /// Password.
        password: Template,
    },
    /// A mechanism of SASL (RFC 4422).
    Sasl {
        /// Which.
        mechanism: Mechanism,
        /// Who acts; empty for whoever is proved.
        authorization_id: Template,
        /// Who is proved.
        authentication_id: Template,
        /// Password.
        password: Template,
        /// Where the name means something, for mechanisms that have it; empty for the server's only one.
        realm: Template,
    },
}

/// A search.
#[derive(Debug, Clone)]
pub struct Search {
    /// The entry where it begins.
    pub base: Template,
    /// How far it goes.
    pub scope: Scope,
    /// Which aliases are followed.
    pub dereference: Dereference,
    /// Entries at most; 0 for as many as the server gives.
    pub size_limit: u32,
    /// Seconds at most that the server is to take; 0 for no limit of the client's.
    pub time_limit_s: u32,
    /// Whether names of attributes come without values.
    pub types_only: bool,
    /// Which entries.
    pub filter: Filter,
    /// Which of their attributes; all of the user's when none are named.
    pub attributes: Vec<Template>,
    /// Entries a page (RFC 2696): all pages are fetched, one after the other.
    pub page_size: Option<u32>,
}

/// How far a search goes; numbers as in section 4.5.1.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The base alone.
    Base = 0,
    /// What is just below it.
    One = 1,
    /// The base and all below it.
    Sub = 2,
    /// All below it.
    Subordinates = 3,
}

/// Which aliases a search follows; numbers as in section 4.5.1.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dereference {
    /// None.
    Never = 0,
    /// Those below the base.
    Search = 1,
    /// The base.
    Find = 2,
    /// All.
    Always = 3,
}

/// A change of an entry.
#[derive(Debug, Clone)]
pub struct Change {
    /// What is done.
    pub kind: ChangeKind,
    /// The attribute.
    pub attribute: Template,
    /// The values.
    pub values: Vec<Template>,
}

/// What a change does; numbers as in section 4.6, and of RFC 4525.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Adds values.
    Add = 0,
    /// Takes values away, or all.
    Delete = 1,
    /// Replaces all values.
    Replace = 2,
    /// Adds to a number.
    Increment = 3,
}

/// What goes with an extended operation.
#[derive(Debug, Clone)]
pub enum ExtendedValue {
    /// Nothing.
    None,
    /// These bytes.
    Bytes(Template),
    /// RFC 3062; what is absent, the server chooses.
    PasswordModify {
        /// Whose.
        identity: Option<Template>,
        /// Now.
        old: Option<Template>,
        /// From now on.
        new: Option<Template>,
    },
}

/// A condition on an answer.
#[derive(Debug, Clone)]
pub struct Check {
    /// How the job writes it, for the report: `result 0`.
    pub label: String,
    /// The condition.
    pub condition: Condition,
}

/// What must hold.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The result code is one of these.
    Result(Vec<u32>),
    /// So many entries came.
    Entries(RangeInclusive<u64>),
    /// A value of the first entry, or of the entry that came with a read control.
    Attribute(String, Match),
    /// The name of the first entry.
    Dn(Match),
    /// The service time is at most this.
    Time(Duration),
}

/// Takes a value out of an answer and keeps it under a name.
#[derive(Debug, Clone)]
pub struct Capture {
    /// Where the value is kept.
    pub slot: Slot,
    /// Where it stands.
    pub from: Extract,
    /// How long it is kept.
    pub lifetime: crate::capture::Lifetime,
}

/// Where a value stands in an answer.
#[derive(Debug, Clone)]
pub enum Extract {
    /// The first value of an attribute of the first entry.
    Attribute(String),
    /// The name of the first entry.
    Dn,
    /// What an extended operation gave back.
    Value,
}

impl Operation {
    /// Whether an entry has to be kept.
    pub fn needs_entry(&self) -> bool {
        self.checks.iter().any(|check| matches!(check.condition, Condition::Attribute(..) | Condition::Dn(_)))
            || self.captures.iter().any(|capture| matches!(capture.from, Extract::Attribute(_) | Extract::Dn))
    }

    /// Whether it may be sent again when the server closed an idle connection under it: it changes nothing.
    pub fn is_repeatable(&self) -> bool {
        matches!(self.ask, Ask::Bind(_) | Ask::Search(_) | Ask::Compare { .. })
    }
}
