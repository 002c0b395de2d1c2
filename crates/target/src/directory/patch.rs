//! Changes to a document: an array of operations, or an object to be merged into it.

use serde_json::{Map, Number, Value};

use super::Pointer;

/// More operations in one request are refused.
const OPERATIONS_LIMIT: usize = 1_000;

/// A list of changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Patch {
    changes: Vec<Change>,
}

#[derive(Debug, Clone, PartialEq)]
struct Change {
    kind: Kind,
    field: Pointer,
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Add,
    Replace,
    Remove,
    Increment,
}

impl Patch {
    /// Reads `[{"operation": "replace", "field": "/mail", "value": "…"}, …]`.
    ///
    /// The error says what is wrong with the first operation that is no operation.
    pub(crate) fn read(operations: &[Value]) -> Result<Self, String> {
        if operations.len() > OPERATIONS_LIMIT {
            return Err(format!("more than {OPERATIONS_LIMIT} patch operations"));
        }
        let changes: Result<_, _> = operations.iter().map(Change::read).collect();
        Ok(Self { changes: changes? })
    }

    /// Carries out all changes, in order; on an error the document is as it was.
    pub(crate) fn apply(&self, document: &mut Map<String, Value>) -> Result<(), String> {
        let mut changed = document.clone();
        for change in &self.changes {
            change.apply(&mut changed)?;
        }
        *document = changed;
        Ok(())
    }
}

/// Puts the members of `changes` into `document`; `null` removes a member (RFC 7396).
pub(crate) fn merge(document: &mut Map<String, Value>, changes: Map<String, Value>) {
    for (name, value) in changes {
        match (document.get_mut(&name), value) {
            (_, Value::Null) => {
                document.remove(&name);
            }
            (Some(Value::Object(inner)), Value::Object(changes)) => merge(inner, changes),
            (_, Value::Object(changes)) => {
                let mut inner = Map::new();
                merge(&mut inner, changes);
                document.insert(name, Value::Object(inner));
            }
            (_, value) => {
                document.insert(name, value);
            }
        }
    }
}

impl Change {
    fn read(operation: &Value) -> Result<Self, String> {
        let text = |name| operation.get(name).and_then(Value::as_str);
        let kind = match text("operation").ok_or("a patch operation needs `operation`")? {
            "add" => Kind::Add,
            "replace" => Kind::Replace,
            "remove" => Kind::Remove,
            "increment" => Kind::Increment,
            other => return Err(format!("the patch operation '{other}' is not supported")),
        };
        let field = Pointer::new(text("field").ok_or("a patch operation needs `field`")?);
        if matches!(field.first(), "_id" | "_rev" | "") {
            return Err(format!("the field '/{}' cannot be patched", field.text()));
        }
        let value = operation.get("value").cloned().unwrap_or_default();
        let needs_value = matches!(kind, Kind::Add | Kind::Increment);
        if needs_value && value.is_null() {
            return Err(format!("the patch operation on '/{}' needs `value`", field.text()));
        }
        Ok(Self { kind, field, value })
    }

    fn apply(&self, document: &mut Map<String, Value>) -> Result<(), String> {
        match self.kind {
            Kind::Add => self.add(document),
            Kind::Replace if self.value.is_null() => {
                self.field.take(document);
                Ok(())
            }
            Kind::Replace => self.put(document, self.value.clone()),
            Kind::Remove => {
                self.remove(document);
                Ok(())
            }
            Kind::Increment => self.increment(document),
        }
    }

    /// A value is appended to an array, and put in the place of anything else.
    fn add(&self, document: &mut Map<String, Value>) -> Result<(), String> {
        if let Some((Value::Array(items), step)) = self.field.parent(document) {
            let at = if step == "-" { Some(items.len()) } else { step.parse().ok() };
            let at = at.filter(|&at| at <= items.len()).ok_or_else(|| self.blocked())?;
            items.insert(at, self.value.clone());
            return Ok(());
        }
        let value = match (self.field.get(document), &self.value) {
            (Some(Value::Array(items)), Value::Array(more)) => {
                Value::Array(items.iter().chain(more).cloned().collect())
            }
            (Some(Value::Array(items)), value) => {
                Value::Array(items.iter().chain([value]).cloned().collect())
            }
            (_, value) => value.clone(),
        };
        self.put(document, value)
    }

    fn put(&self, document: &mut Map<String, Value>, value: Value) -> Result<(), String> {
        if let Some((Value::Array(items), step)) = self.field.parent(document) {
            let at =
                step.parse().ok().filter(|&at: &usize| at < items.len()).ok_or_else(|| self.blocked())?;
            items[at] = value;
            return Ok(());
        }
        if self.field.put(document, value) { Ok(()) } else { Err(self.blocked()) }
    }

    /// Without a value the field goes; with one, only that value of an array.
    fn remove(&self, document: &mut Map<String, Value>) {
        if let Some((Value::Array(items), step)) = self.field.parent(document) {
            if let Some(at) = step.parse().ok().filter(|&at: &usize| at < items.len()) {
                items.remove(at);
            }
            return;
        }
        let left = match self.field.get(document) {
            Some(Value::Array(items)) if !self.value.is_null() => {
                let goes = |item: &Value| match &self.value {
                    Value::Array(values) => values.contains(item),
                    value => item == value,
                };
                items.iter().filter(|item| !goes(item)).cloned().collect()
            }
            Some(other) if !self.value.is_null() && *other != self.value => return,
            _ => Vec::new(),
        };
        if left.is_empty() {
            self.field.take(document);
        } else {
            self.field.put(document, Value::Array(left));
        }
    }

    fn increment(&self, document: &mut Map<String, Value>) -> Result<(), String> {
        let found = match self.field.get(document) {
            Some(Value::Array(items)) if items.len() == 1 => &items[0],
            Some(value) => value,
            None => return Err(format!("the field '/{}' has no value to increment", self.field.text())),
        };
        let sum = add_numbers(found, &self.value)
            .ok_or_else(|| format!("the field '/{}' cannot be incremented", self.field.text()))?;
        self.put(document, Value::Number(sum))
    }

    fn blocked(&self) -> String {
        format!("there is no place for the field '/{}'", self.field.text())
    }
}

fn add_numbers(one: &Value, other: &Value) -> Option<Number> {
    match (one.as_i64(), other.as_i64()) {
        (Some(one), Some(other)) => one.checked_add(other).map(Number::from),
        _ => Number::from_f64(one.as_f64()? + other.as_f64()?),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn patched(document: &Value, operations: &Value) -> Result<Value, String> {
        let mut document = document.as_object().unwrap().clone();
        Patch::read(operations.as_array().unwrap())?.apply(&mut document)?;
        Ok(Value::Object(document))
    }

    fn check(operation: &Value, expected: &Value) {
        let document = json!({"a": 1, "b": {"c": "x"}, "list": [1, 2, 3]});
        assert_eq!(&patched(&document, &json!([operation])).unwrap(), expected, "{operation}");
    }

    #[test]
    fn each_operation() {
        let op =
            |operation, field, value: Value| json!({"operation": operation, "field": field, "value": value});
        let remove = |field| json!({"operation": "remove", "field": field});
        check(&op("replace", "/b/c", json!("y")), &json!({"a": 1, "b": {"c": "y"}, "list": [1, 2, 3]}));
        check(&op("add", "b/d", json!(7)), &json!({"a": 1, "b": {"c": "x", "d": 7}, "list": [1, 2, 3]}));
        check(&op("add", "/list", json!(4)), &json!({"a": 1, "b": {"c": "x"}, "list": [1, 2, 3, 4]}));
        check(&op("add", "/list/-", json!(4)), &json!({"a": 1, "b": {"c": "x"}, "list": [1, 2, 3, 4]}));
        check(&op("add", "/list/0", json!(4)), &json!({"a": 1, "b": {"c": "x"}, "list": [4, 1, 2, 3]}));
        check(&op("replace", "/list/1", json!(9)), &json!({"a": 1, "b": {"c": "x"}, "list": [1, 9, 3]}));
        check(&op("increment", "/a", json!(2)), &json!({"a": 3, "b": {"c": "x"}, "list": [1, 2, 3]}));
        check(&op("remove", "/list", json!(2)), &json!({"a": 1, "b": {"c": "x"}, "list": [1, 3]}));
        check(&remove("/list/0"), &json!({"a": 1, "b": {"c": "x"}, "list": [2, 3]}));
        check(&remove("/b/c"), &json!({"a": 1, "list": [1, 2, 3]}));
        check(&remove("/missing/x"), &json!({"a": 1, "b": {"c": "x"}, "list": [1, 2, 3]}));
    }

    #[test]
    fn what_cannot_be_done_changes_nothing() {
        let document = json!({"a": "text"});
        for wrong in [
            json!([{"operation": "replace", "field": "/b", "value": 1}, {"operation": "increment", "field": "/a", "value": 1}]),
            json!([{"operation": "add", "field": "/a/b", "value": 1}]),
            json!([{"operation": "move", "field": "/a"}]),
            json!([{"operation": "replace", "field": "/_id", "value": "x"}]),
            json!([{"field": "/a"}]),
            json!(["x"]),
        ] {
            assert!(patched(&document, &wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn merging_keeps_what_is_not_named() {
        let mut document = json!({"a": 1, "b": {"c": 2, "d": 3}}).as_object().unwrap().clone();
        merge(
            &mut document,
            json!({"a": null, "b": {"c": 4}, "e": {"f": null, "g": 1}}).as_object().unwrap().clone(),
        );
        assert_eq!(Value::Object(document), json!({"b": {"c": 4, "d": 3}, "e": {"g": 1}}));
    }

    proptest! {
        #[test]
        fn replace_then_read_gives_the_value(field in "[a-z]{1,5}(/[a-z]{1,5}){0,3}", value in "[a-z]{0,8}") {
            let operation = json!([{"operation": "replace", "field": field, "value": value}]);
            let document = patched(&json!({}), &operation).unwrap();
            prop_assert_eq!(Pointer::new(&field).get(document.as_object().unwrap()), Some(&json!(value)));
            let removed = patched(&document, &json!([{"operation": "remove", "field": field}])).unwrap();
            prop_assert_eq!(removed, json!({}));
        }

        #[test]
        fn never_panics(kind in "(add|replace|remove|increment)", field in "[a-b0-2/~-]{0,8}", value in -3_i64..3) {
            let document = json!({"a": [1, {"b": 2}], "b": {"a": "x", "0": [[]]}});
            let _ = patched(&document, &json!([{"operation": kind, "field": field, "value": value}]));
        }
    }
}
