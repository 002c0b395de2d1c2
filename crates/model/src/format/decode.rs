//! From nodes to typed records. One declaration gives both the decoder and the JSON Schema of a record, so
//! that the two cannot differ.

pub(crate) mod fields;
pub(crate) mod quantity;
pub(crate) mod record;
pub(crate) mod shape;
pub(crate) mod text;
pub(crate) mod words;

use crate::format::node::{At, Node, Value};
use crate::format::problems::Problems;
use serde_json::json;
use shape::Definitions;

/// What can be read from a node.
pub(crate) trait Decode: Sized {
    /// What it looks like, for a message: `a list`.
    const EXPECTED: &'static str;

    /// Whether a node is of the right kind, right or wrong inside.
    fn accepts(node: &Node) -> bool;

    /// The value; none when it is wrong, which `problems` then says.
    fn decode(node: &Node, problems: &mut Problems) -> Option<Self>;

    /// Its JSON Schema; records are put into `definitions` and referred to.
    fn schema(definitions: &mut Definitions) -> serde_json::Value;
}

/// A value and where it stands.
#[derive(Debug, Clone, Default)]
pub(crate) struct Spanned<T> {
    pub(crate) value: T,
    pub(crate) at: At,
}

/// A map of names, in the order of the file. An entry whose value is wrong keeps its name.
#[derive(Debug, Clone)]
pub(crate) struct Map<T> {
    pub(crate) entries: Vec<(text::Text, Option<T>)>,
}

/// One of two kinds of value that look different.
#[derive(Debug, Clone)]
pub(crate) enum Either<A, B> {
    First(A),
    Second(B),
}

/// Any value, kept as it is.
#[derive(Debug, Clone)]
pub(crate) struct Any(pub(crate) Node);

impl<A: Default, B> Default for Either<A, B> {
    fn default() -> Self {
        Self::First(A::default())
    }
}

impl<T> Default for Map<T> {
    fn default() -> Self {
        Self { entries: Vec::new() }
    }
}

/// Says that a node is of the wrong kind.
pub(crate) fn wrong_kind<T: Decode>(node: &Node, problems: &mut Problems) -> Option<T> {
    let found = match node.scalar() {
        Some(scalar) if !node.is_null() => format!("{} `{}`", node.kind(), shortened(&scalar.text)),
        _ => node.kind().to_owned(),
    };
    problems.error(&node.at, format!("expected {}, found {found}", T::EXPECTED));
    None
}

/// A value for a message: no longer than is useful.
pub(crate) fn shortened(text: &str) -> String {
    let shown: String = text.chars().take(60).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if shown.len() < text.len() { format!("{shown}…") } else { shown }
}

impl<T: Decode> Decode for Spanned<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn accepts(node: &Node) -> bool {
        T::accepts(node)
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        Some(Self { value: T::decode(node, problems)?, at: node.at.clone() })
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        T::schema(definitions)
    }
}

impl<T: Decode> Decode for Box<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn accepts(node: &Node) -> bool {
        T::accepts(node)
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        T::decode(node, problems).map(Box::new)
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        T::schema(definitions)
    }
}

impl<T: Decode> Decode for Vec<T> {
    const EXPECTED: &'static str = "a list";

    fn accepts(node: &Node) -> bool {
        matches!(node.value, Value::List(_))
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match &node.value {
            Value::List(nodes) => Some(nodes.iter().filter_map(|node| T::decode(node, problems)).collect()),
            _ => wrong_kind::<Self>(node, problems),
        }
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        json!({ "type": "array", "items": T::schema(definitions) })
    }
}

impl<T: Decode> Decode for Map<T> {
    const EXPECTED: &'static str = "a map of names";

    fn accepts(node: &Node) -> bool {
        matches!(node.value, Value::Map(_))
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        let Some(map) = node.map() else { return wrong_kind::<Self>(node, problems) };
        let entries = map
            .iter()
            .map(|(key, value)| {
                let name = text::Text { text: key.text.clone(), at: key.at.clone() };
                (name, T::decode(value, problems))
            })
            .collect();
        Some(Self { entries })
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        json!({ "type": "object", "additionalProperties": T::schema(definitions) })
    }
}

impl<A: Decode, B: Decode> Decode for Either<A, B> {
    const EXPECTED: &'static str = A::EXPECTED;

    fn accepts(node: &Node) -> bool {
        A::accepts(node) || B::accepts(node)
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        if B::accepts(node) && !A::accepts(node) {
            return B::decode(node, problems).map(Either::Second);
        }
        if !A::accepts(node) {
            let expected = format!("{} or {}", A::EXPECTED, B::EXPECTED);
            problems.error(&node.at, format!("expected {expected}, found {}", node.kind()));
            return None;
        }
        A::decode(node, problems).map(Either::First)
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        json!({ "anyOf": [A::schema(definitions), B::schema(definitions)] })
    }
}

impl Decode for Any {
    const EXPECTED: &'static str = "any value";

    fn accepts(_: &Node) -> bool {
        true
    }

    fn decode(node: &Node, _: &mut Problems) -> Option<Self> {
        Some(Self(node.clone()))
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        json!(true)
    }
}
