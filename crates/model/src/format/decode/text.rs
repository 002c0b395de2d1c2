//! Text, with the place where it stands.

use crate::format::decode::shape::Definitions;
use crate::format::decode::{Decode, wrong_kind};
use crate::format::node::{At, Node};
use crate::format::problems::Problems;
use serde_json::json;

/// Text as it was written; numbers and truth values are texts too where text is asked for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) at: At,
}

impl Text {
    pub(crate) fn new(text: impl Into<String>, at: &At) -> Self {
        Self { text: text.into(), at: at.clone() }
    }
}

impl Decode for Text {
    const EXPECTED: &'static str = "text";

    fn accepts(node: &Node) -> bool {
        node.scalar().is_some() && !node.is_null()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.scalar() {
            Some(scalar) if !node.is_null() => Some(Self::new(scalar.text.clone(), &node.at)),
            _ => wrong_kind(node, problems),
        }
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        json!({ "type": ["string", "number", "boolean"] })
    }
}
