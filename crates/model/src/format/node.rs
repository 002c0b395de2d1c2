//! A file as a tree whose every value knows where it stands; the same for YAML and JSON.

use crate::diagnostic::Place;
use std::sync::Arc;

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct At {
    /// The file as it is read and shown, or the option of the command line.
    pub(crate) file: Arc<str>,
    /// From 1; 0 for the whole file.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) at: At,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

/// One word of a file, as it was written, and what it looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) text: String,
    pub(crate) kind: Kind,
}

/// What a word looks like. Only what JSON calls a number is one: `0x1f` and `007` are texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Bool,
    Number,
    Text,
}

/// The key of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) at: At,
}

impl At {
    /// A whole file.
    pub(crate) fn file(file: impl Into<Arc<str>>) -> Self {
        Self { file: file.into(), line: 0, column: 0 }
    }

    /// For a diagnostic.
    pub(crate) fn place(&self) -> Option<Place> {
        (!self.file.is_empty()).then(|| Place {
            file: self.file.to_string(),
            line: self.line,
            column: self.column,
        })
    }
}

impl Default for At {
    fn default() -> Self {
        Self::file("")
    }
}

impl Node {
    pub(crate) fn null(at: At) -> Self {
        Self { value: Value::Scalar(Scalar { text: String::new(), kind: Kind::Null }), at }
    }

    /// What it is, for a message: `a list`.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
            Value::Scalar(scalar) => match scalar.kind {
                Kind::Null => "nothing",
                Kind::Bool => "a truth value",
                Kind::Number => "a number",
                Kind::Text => "text",
            },
        }
    }

    pub(crate) fn scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.scalar().is_some_and(|scalar| scalar.kind == Kind::Null)
    }

    pub(crate) fn map(&self) -> Option<&[(Key, Node)]> {
        match &self.value {
            Value::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The value of a key of a map.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.map()?.iter().find(|(name, _)| name.text == key).map(|(_, node)| node)
    }
}

/// What an unquoted word looks like.
pub(crate) fn kind_of(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Kind::Bool,
        _ if serde_json::from_str::<serde_json::Number>(text).is_ok() => Kind::Number,
        _ => Kind::Text,
    }
}
