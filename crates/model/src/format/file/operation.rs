//! A task that is an LDAP operation: one record for each kind.

use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Time};
use crate::format::decode::record::record;
use crate::format::decode::shape::Definitions;
use crate::format::decode::text::Text;
use crate::format::decode::words::{Switch, words};
use crate::format::decode::{Decode, Either, Map, Spanned};
use crate::format::file::attributes::Attributes;
use crate::format::file::bind::Bind;
use crate::format::file::control::Controls;
use crate::format::file::result::{OperationCapture, OperationCheck};
use crate::format::file::task::Task;
use crate::format::node::Node;
use crate::format::problems::Problems;
use serde_json::json;

/// What a task can be: an HTTP request, or an LDAP operation when it has the key `ldap`.
#[derive(Debug, Clone)]
pub(crate) enum AnyTask {
    Http(Box<Task>),
    Ldap(Box<Operation>),
}

/// An LDAP operation.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    Bind(Bind),
    Search(Search),
    Compare(Compare),
    Add(Add),
    Modify(Modify),
    Delete(Delete),
    ModifyDn(ModifyDn),
    Extended(Extended),
    Record(Record),
    Unbind(Unbind),
}

words! {
    /// The kinds of operations.
    pub(crate) enum Kind {
        /// Who the user is from now on.
        Bind = "bind",
        /// Entries below a base.
        Search = "search",
        /// Whether an entry has a value.
        Compare = "compare",
        /// A new entry.
        Add = "add",
        /// Changes of an entry.
        Modify = "modify",
        /// No more entry.
        Delete = "delete",
        /// Another name for an entry.
        ModifyDn = "modifydn",
        /// Anything else, by its object identifier.
        Extended = "extended",
        /// What a record of an LDIF file says.
        Record = "record",
        /// The end of the connection.
        Unbind = "unbind",
    }
}

record! {
    /// What all LDAP operations have.
    pub(crate) struct Common {
        /// The kind of operation.
        ldap: Spanned<Kind>,
        /// Name for people.
        name: Option<Text>,
        /// What it stands for, for people.
        description: Option<Text>,
        /// The directory, instead of `directory`: `ldap://host:port`, `ldaps://host:port` or `ldapi://%2Fpath`.
        url: Option<Text>,
        /// Controls.
        controls: Option<Controls>,
        /// What is taken out of the answer, by name.
        capture: Option<Map<Spanned<OperationCapture>>>,
        /// What makes the answer correct; success when nothing is said of the result.
        check: Option<Vec<Spanned<OperationCheck>>>,
        ..attributes: Attributes,
    }
}

record! {
    /// LDAP: entries below a base.
    pub(crate) struct Search {
        /// Name of the entry where it begins; the root when absent.
        base: Option<Text>,
        /// How far it goes; `sub` when absent.
        scope: Option<Scope>,
        /// Which entries (RFC 4515); `(objectClass=*)` when absent.
        filter: Option<Text>,
        /// Which of their attributes; all of the user's when absent, `1.1` for none.
        attributes: Option<Vec<Text>>,
        /// Entries at most; 0, no limit of the client's, when absent.
        size_limit: Option<Spanned<Count>>,
        /// How long the server may take; no limit of the client's when absent.
        time_limit: Option<Spanned<Time>>,
        /// Whether names of attributes come without values; `off` when absent.
        types_only: Option<Switch>,
        /// Which aliases are followed; `never` when absent.
        dereference: Option<Dereference>,
        /// Entries a page: all pages are fetched, one after the other (RFC 2696).
        page_size: Option<Spanned<Count>>,
        ..common: Common,
    }
}

words! {
    /// How far a search goes.
    pub(crate) enum Scope {
        /// The base alone.
        Base = "base",
        /// What is just below it.
        One = "one",
        /// The base and all below it.
        Sub = "sub",
        /// All below it.
        Subordinates = "subordinates",
    }
}

words! {
    /// Which aliases a search follows.
    pub(crate) enum Dereference {
        /// None.
        Never = "never",
        /// Those below the base.
        Search = "search",
        /// The base.
        Find = "find",
        /// All.
        Always = "always",
    }
}

record! {
    /// LDAP: whether an entry has a value.
    pub(crate) struct Compare {
        /// Name of the entry.
        dn: Text,
        /// The attribute.
        attribute: Text,
        /// The value.
        value: AttributeValue,
        ..common: Common,
    }
}

record! {
    /// LDAP: a new entry.
    pub(crate) struct Add {
        /// Its name.
        dn: Text,
        /// Its attributes, each with a value or a list of values.
        attributes: Map<OneOrMore>,
        ..common: Common,
    }
}

record! {
    /// LDAP: changes of an entry.
    pub(crate) struct Modify {
        /// Its name.
        dn: Text,
        /// The changes in order.
        changes: Spanned<Vec<Spanned<Change>>>,
        ..common: Common,
    }
}

record! {
    /// A change of an entry.
    pub(crate) struct Change {
        /// Attribute that gets values.
        add: Option<Text>,
        /// Attribute that loses values, or all of them.
        delete: Option<Text>,
        /// Attribute whose values are replaced.
        replace: Option<Text>,
        /// Attribute that is added to (RFC 4525).
        increment: Option<Text>,
        /// A value, or a list of values.
        value: Option<OneOrMore>,
    }
    rules: [Rule::ExactlyOne(&["add", "delete", "replace", "increment"])]
}

/// A value or a list of values.
pub(crate) type OneOrMore = Either<Vec<AttributeValue>, AttributeValue>;

/// A text, or bytes.
pub(crate) type AttributeValue = Either<Text, Spanned<Binary>>;

record! {
    /// A value that is no text.
    pub(crate) struct Binary {
        /// The bytes in base64.
        base64: Option<Text>,
        /// File with the bytes.
        file: Option<Text>,
    }
    rules: [Rule::ExactlyOne(&["base64", "file"])]
}

record! {
    /// LDAP: no more entry.
    pub(crate) struct Delete {
        /// Its name.
        dn: Text,
        ..common: Common,
    }
}

record! {
    /// LDAP: another name for an entry.
    pub(crate) struct ModifyDn {
        /// Its name.
        dn: Text,
        /// The first part of its new name.
        new_rdn: Text,
        /// Whether the values of the old first part go; `on` when absent.
        delete_old_rdn: Option<Switch>,
        /// Name of the entry that it is moved below.
        new_superior: Option<Text>,
        ..common: Common,
    }
}

record! {
    /// LDAP: an extended operation.
    pub(crate) struct Extended {
        /// `on`: who the user is (RFC 4532).
        whoami: Option<Spanned<Switch>>,
        /// Another password (RFC 3062).
        password_modify: Option<PasswordModify>,
        /// Object identifier of any other.
        oid: Option<Text>,
        /// What goes with it.
        value: Option<AttributeValue>,
        ..common: Common,
    }
    rules: [Rule::ExactlyOne(&["whoami", "password_modify", "oid"]), Rule::Needs("value", &["oid"])]
}

record! {
    /// Another password.
    pub(crate) struct PasswordModify {
        /// Whose; the user's own when absent.
        user: Option<Text>,
        /// The password now.
        old: Option<Text>,
        /// The password from now on; the server makes one when absent.
        new: Option<Text>,
    }
}

record! {
    /// LDAP: what a record of an LDIF file says: an entry is added, a change is made.
    pub(crate) struct Record {
        /// Wildcard whose `file` is LDIF.
        from: Text,
        ..common: Common,
    }
}

record! {
    /// LDAP: the end of the connection.
    pub(crate) struct Unbind {
        ..common: Common,
    }
}

/// What stands for a broken record.
impl Default for Kind {
    fn default() -> Self {
        Kind::Unbind
    }
}

impl Operation {
    pub(crate) fn common(&self) -> &Common {
        match self {
            Operation::Bind(one) => &one.common,
            Operation::Search(one) => &one.common,
            Operation::Compare(one) => &one.common,
            Operation::Add(one) => &one.common,
            Operation::Modify(one) => &one.common,
            Operation::Delete(one) => &one.common,
            Operation::ModifyDn(one) => &one.common,
            Operation::Extended(one) => &one.common,
            Operation::Record(one) => &one.common,
            Operation::Unbind(one) => &one.common,
        }
    }

    fn decode(kind: Kind, node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(match kind {
            Kind::Bind => Operation::Bind(Bind::decode(node, problems)?),
            Kind::Search => Operation::Search(Search::decode(node, problems)?),
            Kind::Compare => Operation::Compare(Compare::decode(node, problems)?),
            Kind::Add => Operation::Add(Add::decode(node, problems)?),
            Kind::Modify => Operation::Modify(Modify::decode(node, problems)?),
            Kind::Delete => Operation::Delete(Delete::decode(node, problems)?),
            Kind::ModifyDn => Operation::ModifyDn(ModifyDn::decode(node, problems)?),
            Kind::Extended => Operation::Extended(Extended::decode(node, problems)?),
            Kind::Record => Operation::Record(Record::decode(node, problems)?),
            Kind::Unbind => Operation::Unbind(Unbind::decode(node, problems)?),
        })
    }
}

impl Decode for AnyTask {
    const EXPECTED: &'static str = "a map";

    fn accepts(node: &Node) -> bool {
        node.map().is_some()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Some(kind) = node.get("ldap") else {
            return Task::decode(node, problems).map(|task| AnyTask::Http(Box::new(task)));
        };
        let kind = Kind::decode(kind, problems)?;
        Operation::decode(kind, node, problems).map(|operation| AnyTask::Ldap(Box::new(operation)))
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        let of = |kind: Kind, schema: serde_json::Value| {
            json!({
                "if": { "required": ["ldap"], "properties": { "ldap": { "const": kind.word() } } },
                "then": schema,
            })
        };
        json!({ "type": "object", "allOf": [
            { "if": { "required": ["ldap"] }, "else": Task::schema(definitions) },
            { "properties": { "ldap": Kind::schema(definitions) } },
            of(Kind::Bind, Bind::schema(definitions)),
            of(Kind::Search, Search::schema(definitions)),
            of(Kind::Compare, Compare::schema(definitions)),
            of(Kind::Add, Add::schema(definitions)),
            of(Kind::Modify, Modify::schema(definitions)),
            of(Kind::Delete, Delete::schema(definitions)),
            of(Kind::ModifyDn, ModifyDn::schema(definitions)),
            of(Kind::Extended, Extended::schema(definitions)),
            of(Kind::Record, Record::schema(definitions)),
            of(Kind::Unbind, Unbind::schema(definitions)),
        ] })
    }
}
