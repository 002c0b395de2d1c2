//! Checks and captures of an LDAP operation.

use crate::diagnostic::Diagnostic;
use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Limit};
use crate::format::decode::record::record;
use crate::format::decode::shape::Definitions;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Decode, Either, shortened, wrong_kind};
use crate::format::file::expect::Comparison;
use crate::format::file::task::CaptureScope;
use crate::format::node::{Kind, Node, Value};
use crate::format::problems::Problems;
use crate::ldap::result;
use serde_json::json;

record! {
    /// A condition on an answer.
    pub(crate) struct OperationCheck {
        /// Result codes, by number or name: `0`, `noSuchObject`, or a list of them.
        result: Option<Results>,
        /// How many entries came: a number, or at least and at most.
        entries: Option<Either<Count, CountLimits>>,
        /// Attribute of the first entry, one of whose values is compared.
        attribute: Option<Text>,
        /// `true` compares the name of the first entry.
        dn: Option<Switch>,
        /// Service time, at most.
        time: Option<Limit>,
        ..comparison: Comparison,
    }
    rules: [
        Rule::ExactlyOne(&["result", "entries", "attribute", "dn", "time"]),
        Rule::AtMostOne(&["exists", "equals", "not", "contains", "lacks", "matches"]),
        Rule::Needs("exists", COMPARED),
        Rule::Needs("equals", COMPARED),
        Rule::Needs("not", COMPARED),
        Rule::Needs("contains", COMPARED),
        Rule::Needs("lacks", COMPARED),
        Rule::Needs("matches", COMPARED),
    ]
}

const COMPARED: &[&str] = &["attribute", "dn"];

record! {
    /// A number of entries.
    pub(crate) struct CountLimits {
        /// At least.
        min: Option<Count>,
        /// At most.
        max: Option<Count>,
    }
    rules: [Rule::AtLeastOne(&["min", "max"])]
}

record! {
    /// A value that is taken out of an answer.
    pub(crate) struct OperationCapture {
        /// Attribute of the first entry: its first value.
        attribute: Option<Text>,
        /// `true`: the name of the first entry.
        dn: Option<Switch>,
        /// `true`: what an extended operation gave back.
        value: Option<Switch>,
        /// How long it is kept: for the `iteration` or for the `user`; `iteration` when absent.
        scope: Option<CaptureScope>,
    }
    rules: [Rule::ExactlyOne(&["attribute", "dn", "value"])]
}

/// Result codes, and how they were written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Results {
    pub(crate) codes: Vec<u32>,
    pub(crate) written: String,
}

impl Decode for Results {
    const EXPECTED: &'static str = "a result code or a list of them";

    fn accepts(node: &Node) -> bool {
        !node.is_null() && node.map().is_none()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let nodes = match &node.value {
            Value::List(nodes) if !nodes.is_empty() => nodes.as_slice(),
            Value::Scalar(scalar) if scalar.kind != Kind::Null => std::slice::from_ref(node),
            _ => return wrong_kind(node, problems),
        };
        let mut results = Self::default();
        for node in nodes {
            let Some(scalar) = node.scalar() else { return wrong_kind(node, problems) };
            let Some(code) = scalar.text.parse().ok().or_else(|| result::code(&scalar.text)) else {
                let message = format!("`{}` is no result code of LDAP", shortened(&scalar.text));
                let problem = Diagnostic::error(node.at.place(), message);
                let problem = problem.help("write it like 0, noSuchObject or [success, noSuchObject]");
                problems.add(problem.nearest(&scalar.text, result::names()));
                return None;
            };
            if !results.written.is_empty() {
                results.written.push_str(", ");
            }
            results.written.push_str(&scalar.text);
            results.codes.push(code);
        }
        Some(results)
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        let names: Vec<_> = result::names().collect();
        let one = json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, { "enum": names }] });
        json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}
