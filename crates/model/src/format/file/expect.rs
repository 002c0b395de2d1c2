//! Checks: what makes a response a correct one.

use crate::diagnostic::Diagnostic;
use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Limit, Size};
use crate::format::decode::record::record;
use crate::format::decode::shape::Definitions;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Decode, Either, shortened, wrong_kind};
use crate::format::node::{Kind, Node, Value};
use crate::format::problems::Problems;
use serde_json::json;
use std::ops::RangeInclusive;

record! {
    /// A condition on a response.
    pub(crate) struct Check {
        /// Status codes: `200`, `2xx`, `200-299`, or a list of them.
        status: Option<Statuses>,
        /// Name of a header whose value is compared.
        header: Option<Text>,
        /// JSON path of a value that is compared.
        json: Option<Text>,
        /// `true` compares the whole body; a map compares it at once: `body: { contains: ok }`.
        body: Option<Either<Switch, Comparison>>,
        /// Length of the body, bytes.
        size: Option<SizeLimits>,
        /// Service time, at most.
        time: Option<Limit>,
        ..comparison: Comparison,
    }
    rules: [
        Rule::ExactlyOne(&["status", "header", "json", "body", "size", "time"]),
        Rule::AtMostOne(&["exists", "equals", "not", "contains", "lacks", "matches"]),
        Rule::Needs("exists", COMPARED),
        Rule::Needs("equals", COMPARED),
        Rule::Needs("not", COMPARED),
        Rule::Needs("contains", COMPARED),
        Rule::Needs("lacks", COMPARED),
        Rule::Needs("matches", COMPARED),
    ]
}

const COMPARED: &[&str] = &["header", "json", "body"];

record! {
    /// What a value must be; it must exist when nothing is said.
    pub(crate) struct Comparison {
        /// Whether it is there.
        exists: Option<Switch>,
        /// Exactly this.
        equals: Option<Text>,
        /// Anything but this.
        not: Option<Text>,
        /// This stands in it.
        contains: Option<Text>,
        /// This does not stand in it.
        lacks: Option<Text>,
        /// A regular expression that matches somewhere in it.
        matches: Option<Text>,
    }
}

record! {
    /// Bytes.
    pub(crate) struct SizeLimits {
        /// At least.
        min: Option<Size>,
        /// At most.
        max: Option<Size>,
    }
    rules: [Rule::AtLeastOne(&["min", "max"])]
}

/// Status codes, and how they were written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statuses {
    pub(crate) ranges: Vec<RangeInclusive<u16>>,
    pub(crate) written: String,
}

impl Decode for Statuses {
    const EXPECTED: &'static str = "a status, a range or a list of them";

    fn accepts(node: &Node) -> bool {
        !node.is_null() && node.map().is_none()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let nodes = match &node.value {
            Value::List(nodes) if !nodes.is_empty() => nodes.as_slice(),
            Value::Scalar(scalar) if scalar.kind != Kind::Null => std::slice::from_ref(node),
            _ => return wrong_kind(node, problems),
        };
        let mut statuses = Self::default();
        for node in nodes {
            let Some(scalar) = node.scalar() else { return wrong_kind(node, problems) };
            let Some(range) = range(&scalar.text) else {
                let message = format!("`{}` is no HTTP status", shortened(&scalar.text));
                let help = "write it like 200, 2xx, 200-299 or [200, 201]";
                problems.add(Diagnostic::error(node.at.place(), message).help(help));
                return None;
            };
            if !statuses.written.is_empty() {
                statuses.written.push_str(", ");
            }
            statuses.written.push_str(&scalar.text);
            statuses.ranges.push(range);
        }
        Some(statuses)
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        let one = json!({ "anyOf": [
            { "type": "integer", "minimum": 100, "maximum": 599 },
            { "type": "string", "pattern": "^([1-5][0-9][0-9](-[1-5][0-9][0-9])?|[1-5]xx)$" },
        ] });
        json!({ "anyOf": [one, { "type": "array", "items": one, "minItems": 1 }] })
    }
}

fn range(text: &str) -> Option<RangeInclusive<u16>> {
    let status = |text: &str| text.parse::<u16>().ok().filter(|status| (100..600).contains(status));
    if let Some(class) = text.strip_suffix("xx").or_else(|| text.strip_suffix("XX")) {
        let first = class.parse::<u16>().ok().filter(|class| (1..6).contains(class))? * 100;
        return Some(first..=first + 99);
    }
    match text.split_once('-') {
        Some((low, high)) => Some(status(low)?..=status(high)?).filter(|range| !range.is_empty()),
        None => status(text).map(|status| status..=status),
    }
}
