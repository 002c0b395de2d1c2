//! Closed sets of words, the truth values `on` and `off`, and versions of HTTP.

use crate::diagnostic::Diagnostic;
use crate::format::decode::shape::Definitions;
use crate::format::decode::{Decode, wrong_kind};
use crate::format::node::Node;
use crate::format::problems::Problems;
use serde_json::json;

/// Declares an enum that a file writes as one of some words.
macro_rules! words {
    (
        $(#[doc = $doc:literal])*
        $vis:vis enum $name:ident { $( $(#[doc = $variant_doc:literal])* $variant:ident = $word:literal, )* }
    ) => {
        $(#[doc = $doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name { $( $(#[doc = $variant_doc])* $variant, )* }

        impl $name {
            pub(crate) fn word(self) -> &'static str {
                match self { $( Self::$variant => $word, )* }
            }
        }

        impl $crate::format::decode::Decode for $name {
            const EXPECTED: &'static str = "one word";

            fn accepts(node: &$crate::format::node::Node) -> bool {
                node.scalar().is_some() && !node.is_null()
            }

            fn decode(
                node: &$crate::format::node::Node,
                problems: &mut $crate::format::problems::Problems,
            ) -> Option<Self> {
                const ALL: &[$name] = &[$( $name::$variant ),*];
                $crate::format::decode::words::choose(node, ALL, $name::word, problems)
            }

            fn schema(_: &mut $crate::format::decode::shape::Definitions) -> serde_json::Value {
                serde_json::json!({ "enum": [$($word),*] })
            }
        }
    };
}

pub(crate) use words;

/// The one of `all` whose word stands at a node.
pub(crate) fn choose<T: Copy + Decode>(
    node: &Node,
    all: &[T],
    word: fn(T) -> &'static str,
    problems: &mut Problems,
) -> Option<T> {
    let Some(scalar) = node.scalar().filter(|_| !node.is_null()) else {
        return wrong_kind(node, problems);
    };
    let found = all.iter().copied().find(|choice| word(*choice) == scalar.text);
    if found.is_none() {
        let known: Vec<_> = all.iter().map(|choice| word(*choice)).collect();
        let message = format!("`{}` is none of {}", scalar.text, known.join(", "));
        problems.add(Diagnostic::error(node.at.place(), message).nearest(&scalar.text, known));
    }
    found
}

/// `on` or `off`, `true` or `false`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Switch(pub(crate) bool);

impl Decode for Switch {
    const EXPECTED: &'static str = "`on` or `off`";

    fn accepts(node: &Node) -> bool {
        node.scalar().is_some_and(|scalar| matches!(scalar.text.as_str(), "on" | "off" | "true" | "false"))
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        match node.scalar().map(|scalar| scalar.text.as_str()) {
            Some("on" | "true") => Some(Self(true)),
            Some("off" | "false") => Some(Self(false)),
            _ => wrong_kind(node, problems),
        }
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        json!({ "enum": ["on", "off", true, false] })
    }
}

/// A version of HTTP, which YAML takes for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Http(pub(crate) crate::request::Http);

impl Http {
    const ALL: [Self; 3] =
        [Self(crate::request::Http::One), Self(crate::request::Http::Two), Self(crate::request::Http::Auto)];

    pub(crate) fn word(self) -> &'static str {
        match self.0 {
            crate::request::Http::One => "1.1",
            crate::request::Http::Two => "2",
            crate::request::Http::Auto => "auto",
        }
    }
}

impl Decode for Http {
    const EXPECTED: &'static str = "`1.1`, `2` or `auto`";

    fn accepts(node: &Node) -> bool {
        node.scalar().is_some() && !node.is_null()
    }

    fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
        choose(node, &Self::ALL, Self::word, problems)
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        json!({ "enum": [1.1, 2, "1.1", "2", "auto"] })
    }
}
