//! JSON pointers as the resource interface writes them: `/name/familyName`, with or without the first slash.

use serde_json::{Map, Value};

/// The steps to a value inside an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pointer {
    steps: Vec<String>,
}

impl Pointer {
    /// Reads `a/b` or `/a/b`; `~1` stands for a slash and `~0` for a tilde (RFC 6901).
    pub(crate) fn new(text: &str) -> Self {
        let text = text.strip_prefix('/').unwrap_or(text);
        let steps = match text {
            "" => Vec::new(),
            text => text.split('/').map(|step| step.replace("~1", "/").replace("~0", "~")).collect(),
        };
        Self { steps }
    }

    /// The first step; empty for the whole object.
    pub(crate) fn first(&self) -> &str {
        self.steps.first().map_or("", String::as_str)
    }

    /// The steps, joined by slashes.
    pub(crate) fn text(&self) -> String {
        self.steps.join("/")
    }

    /// The value it leads to.
    pub(crate) fn get<'v>(&self, object: &'v Map<String, Value>) -> Option<&'v Value> {
        let (first, rest) = self.steps.split_first()?;
        rest.iter().try_fold(object.get(first)?, |value, step| match value {
            Value::Object(object) => object.get(step),
            Value::Array(items) => items.get(step.parse::<usize>().ok()?),
            _ => None,
        })
    }

    /// Puts a value there, making objects on the way; `false` when something else stands in the way.
    pub(crate) fn put(&self, object: &mut Map<String, Value>, value: Value) -> bool {
        let Some((last, parents)) = self.steps.split_last() else { return false };
        let mut object = object;
        for step in parents {
            let next = object.entry(step.clone()).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(next) = next else { return false };
            object = next;
        }
        object.insert(last.clone(), value);
        true
    }

    /// Takes the value out, and the objects on the way that are empty then.
    pub(crate) fn take(&self, object: &mut Map<String, Value>) -> Option<Value> {
        take(object, &self.steps)
    }

    /// The object or array that holds the last step, and that step.
    pub(crate) fn parent<'v>(&self, object: &'v mut Map<String, Value>) -> Option<(&'v mut Value, &str)> {
        let (last, parents) = self.steps.split_last()?;
        let (first, rest) = parents.split_first()?;
        let parent = rest.iter().try_fold(object.get_mut(first)?, |value, step| match value {
            Value::Object(object) => object.get_mut(step),
            Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
            _ => None,
        })?;
        Some((parent, last))
    }
}

fn take(object: &mut Map<String, Value>, steps: &[String]) -> Option<Value> {
    let (first, rest) = steps.split_first()?;
    if rest.is_empty() {
        return object.remove(first);
    }
    let Value::Object(inner) = object.get_mut(first)? else { return None };
    let value = take(inner, rest);
    if inner.is_empty() {
        object.remove(first);
    }
    value
}
