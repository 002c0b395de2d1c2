//! Reading a record out of a map, key by key; what nobody asked for is an unknown key.

use crate::diagnostic::Diagnostic;
use crate::format::decode::Decode;
use crate::format::decode::shape::{Definitions, Shape};
use crate::format::node::{Key, Node};
use crate::format::problems::Problems;

/// What the keys of a record demand of each other.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Rule {
    /// One of them, and no more.
    ExactlyOne(&'static [&'static str]),
    /// One of them or several.
    AtLeastOne(&'static [&'static str]),
    /// One of them, or none.
    AtMostOne(&'static [&'static str]),
    /// The first needs one of the others.
    Needs(&'static str, &'static [&'static str]),
}

/// A map while a record is read out of it.
pub(crate) struct Fields<'a> {
    node: &'a Node,
    entries: Vec<(&'a Key, &'a Node)>,
    known: Vec<&'static str>,
    pub(crate) problems: &'a mut Problems,
}

/// What a field of a record can be: required, or optional.
pub(crate) trait Field: Sized {
    const REQUIRED: bool;

    /// The value under `key`; none when the record cannot do without and has none.
    fn take(fields: &mut Fields<'_>, key: &'static str) -> Option<Self>;

    fn schema(definitions: &mut Definitions) -> serde_json::Value;
}

/// A set of keys; see the macro `record`.
pub(crate) trait Record: Sized {
    fn take(fields: &mut Fields<'_>) -> Option<Self>;
    fn describe(shape: &mut Shape, definitions: &mut Definitions);
}

impl<'a> Fields<'a> {
    pub(crate) fn new(node: &'a Node, problems: &'a mut Problems) -> Option<Self> {
        let entries = node.map()?.iter().map(|(key, value)| (key, value)).collect();
        Some(Self { node, entries, known: Vec::new(), problems })
    }

    fn find(&mut self, key: &'static str) -> Option<&'a Node> {
        self.known.push(key);
        self.entries.iter().find(|(name, _)| name.text == key).map(|(_, value)| *value)
    }

    /// Takes all values whose keys fit.
    pub(crate) fn take_all(&mut self, fits: impl Fn(&str) -> bool) -> Vec<(&'a str, &'a Node)> {
        let (taken, left) = self.entries.drain(..).partition(|(key, _)| fits(&key.text));
        self.entries = left;
        let taken: Vec<(&'a Key, &'a Node)> = taken;
        taken.into_iter().map(|(key, node)| (key.text.as_str(), node)).collect()
    }

    /// Whether a key is there.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.node.get(key).is_some()
    }

    /// Says that something is missing, unless one of these keys is only misspelt.
    pub(crate) fn missing(&mut self, what: &str, keys: &[&'static str]) {
        if !self.misspelt(keys) {
            self.problems.error(&self.node.at, format!("{what} is missing"));
        }
    }

    pub(crate) fn check(&mut self, rule: &Rule) {
        let node = self.node;
        let has = |key: &&&str| node.get(key).is_some();
        match rule {
            Rule::ExactlyOne(keys) | Rule::AtMostOne(keys) | Rule::AtLeastOne(keys) => {
                let given: Vec<_> = keys.iter().filter(has).map(|key| format!("`{key}`")).collect();
                let one = !matches!(rule, Rule::AtLeastOne(_));
                if given.len() > 1 && one {
                    let message = format!("{} stand together", given.join(" and "));
                    self.problems.error_with_help(&node.at, message, "keep one of them");
                } else if given.is_empty() && !matches!(rule, Rule::AtMostOne(_)) && !self.misspelt(keys) {
                    let names = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
                    self.problems.error(&node.at, format!("one of {names} is missing"));
                }
            }
            Rule::Needs(key, any) => {
                if let Some(value) = node.get(key)
                    && !any.iter().any(|other| node.get(other).is_some())
                {
                    let names = any.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(" or ");
                    self.problems.error(&value.at, format!("`{key}` goes with {names}, which is missing"));
                }
            }
        }
    }

    /// Whether an unknown key is probably one of these: then that is said, and no key is missing.
    fn misspelt(&self, keys: &[&'static str]) -> bool {
        self.entries
            .iter()
            .filter(|(name, _)| !self.known.contains(&name.text.as_str()))
            .any(|(name, _)| crate::diagnostic::nearest(&name.text, keys.iter().copied()).is_some())
    }

    pub(crate) fn finish(self) {
        for (key, _) in &self.entries {
            if !self.known.contains(&key.text.as_str()) {
                let mut problem = Diagnostic::error(key.at.place(), format!("unknown key `{}`", key.text))
                    .nearest(&key.text, self.known.iter().copied());
                if problem.help.is_none() {
                    problem = problem.help(format!("known here: {}", self.known.join(", ")));
                }
                self.problems.add(problem);
            }
        }
    }
}

impl<T: Decode> Field for T {
    const REQUIRED: bool = true;

    fn take(fields: &mut Fields<'_>, key: &'static str) -> Option<Self> {
        match fields.find(key) {
            Some(node) if !node.is_null() || T::accepts(node) => T::decode(node, fields.problems),
            _ if fields.misspelt(&[key]) => None,
            _ => {
                let message = format!("`{key}` is missing: {}", T::EXPECTED);
                fields.problems.error(&fields.node.at, message);
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        T::schema(definitions)
    }
}

impl<T: Decode> Field for Option<T> {
    const REQUIRED: bool = false;

    fn take(fields: &mut Fields<'_>, key: &'static str) -> Option<Self> {
        Some(fields.find(key).and_then(|node| T::decode(node, fields.problems)))
    }

    fn schema(definitions: &mut Definitions) -> serde_json::Value {
        T::schema(definitions)
    }
}
