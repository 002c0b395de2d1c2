//! Keys of the original's files: compared without case, numbers also as texts, unknown ones only a warning.

use crate::diagnostic::{Diagnostic, nearest};
use crate::format::decode::text::Text;
use crate::format::decode::wrong_kind;
use crate::format::node::{At, Key, Node};
use crate::format::problems::Problems;

/// A map while it is read.
pub(crate) struct Keys<'a> {
    node: &'a Node,
    known: Vec<&'static str>,
    pub(crate) problems: &'a mut Problems,
}

/// A whole number from 0 and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    pub(crate) value: u64,
    pub(crate) at: At,
}

/// A key and its value.
pub(crate) fn find<'a>(node: &'a Node, key: &str) -> Option<(&'a Key, &'a Node)> {
    let entries = node.map()?.iter();
    entries.map(|(name, value)| (name, value)).find(|(name, _)| name.text.eq_ignore_ascii_case(key))
}

impl<'a> Keys<'a> {
    pub(crate) fn new(node: &'a Node, problems: &'a mut Problems) -> Option<Self> {
        if node.map().is_none() {
            problems.error(&node.at, format!("expected a JSON object, found {}", node.kind()));
            return None;
        }
        Some(Self { node, known: Vec::new(), problems })
    }

    pub(crate) fn take(&mut self, key: &'static str) -> Option<(&'a Key, &'a Node)> {
        self.known.push(key);
        find(self.node, key).filter(|(_, value)| !value.is_null())
    }

    pub(crate) fn text(&mut self, key: &'static str) -> Option<Text> {
        let (_, node) = self.take(key)?;
        match node.scalar() {
            Some(scalar) => Some(Text::new(scalar.text.clone(), &node.at)),
            None => wrong_kind::<Text>(node, self.problems),
        }
    }

    pub(crate) fn number(&mut self, key: &'static str) -> Option<Number> {
        let (name, node) = self.take(key)?;
        number(node, &name.text, self.problems)
    }

    pub(crate) fn missing(&mut self, key: &str, what: &str) {
        if find(self.node, key).is_none() {
            self.problems.error(&self.node.at, format!("`{key}` is missing: {what}"));
        }
    }

    /// Unknown keys: the original ignored them, so that they are no errors.
    pub(crate) fn finish(self) {
        for (key, _) in self.node.map().unwrap_or_default() {
            if self.known.iter().any(|known| known.eq_ignore_ascii_case(&key.text)) {
                continue;
            }
            let message = format!("unknown key `{}` is ignored", key.text);
            let help = match nearest(&key.text, self.known.iter().copied()) {
                Some(name) => format!("did you mean `{name}`?"),
                None => "remove it".to_owned(),
            };
            if key.at.file.starts_with("--") {
                let message = format!("unknown key `{}`", key.text);
                self.problems.add(Diagnostic::error(key.at.place(), message).help(help));
            } else {
                self.problems.warning(&key.at, message, help);
            }
        }
    }
}

/// A whole number from 0, also as text.
pub(crate) fn number(node: &Node, what: &str, problems: &mut Problems) -> Option<Number> {
    let text = node.scalar().map(|scalar| scalar.text.trim()).unwrap_or_default();
    match text.parse() {
        Ok(value) => Some(Number { value, at: node.at.clone() }),
        Err(_) => {
            let found = if text.is_empty() { node.kind().to_owned() } else { format!("`{text}`") };
            problems.error(&node.at, format!("`{what}`: expected a whole number from 0, found {found}"));
            None
        }
    }
}

/// The one entry of `{"name": 10}`; several entries are taken in order.
pub(crate) fn one_key(node: &Node, what: &str, problems: &mut Problems) -> Vec<(Text, Number)> {
    let Some(entries) = node.map() else {
        problems
            .error(&node.at, format!("expected an object such as {{\"name\": 10}}, found {}", node.kind()));
        return Vec::new();
    };
    entries
        .iter()
        .filter_map(|(key, value)| {
            let number = number(value, &format!("{what} of {}", key.text), problems)?;
            Some((Text::new(key.text.clone(), &key.at), number))
        })
        .collect()
}
