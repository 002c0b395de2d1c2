//! The JSON Schema of records while it is put together.

use crate::format::decode::fields::Rule;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Named schemas that others refer to.
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) named: BTreeMap<&'static str, Value>,
}

/// The schema of one record.
#[derive(Debug, Default)]
pub(crate) struct Shape {
    properties: Map<String, Value>,
    patterns: Map<String, Value>,
    required: Vec<&'static str>,
    conditions: Vec<Value>,
}

impl Definitions {
    /// A reference to the schema called `name`, which is made when it is asked for the first time.
    pub(crate) fn refer(&mut self, name: &'static str, make: impl FnOnce(&mut Self) -> Value) -> Value {
        if !self.named.contains_key(name) {
            self.named.insert(name, Value::Null);
            let schema = make(self);
            self.named.insert(name, schema);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }
}

impl Shape {
    pub(crate) fn property(&mut self, key: &'static str, docs: &[&str], required: bool, mut schema: Value) {
        let description = docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        if let (Some(object), false) = (schema.as_object_mut(), description.is_empty()) {
            object.insert("description".to_owned(), Value::String(description));
        }
        self.properties.insert(key.to_owned(), schema);
        if required {
            self.required.push(key);
        }
    }

    /// Properties whose keys fit a pattern; one of them or of `others` has to be there.
    pub(crate) fn pattern(
        &mut self,
        pattern: &'static str,
        docs: &str,
        mut schema: Value,
        others: &[&'static str],
    ) {
        if let Some(object) = schema.as_object_mut() {
            object.insert("description".to_owned(), json!(docs));
        }
        self.patterns.insert(pattern.to_owned(), schema);
        let none_fits = json!({ "propertyNames": { "not": { "pattern": pattern } } });
        let have = others.iter().map(|key| json!({ "required": [*key] }));
        let any: Vec<Value> = have.chain([json!({ "not": none_fits })]).collect();
        self.conditions.push(json!({ "anyOf": any }));
    }

    pub(crate) fn rule(&mut self, rule: &Rule) {
        let have = |key: &&str| json!({ "required": [*key] });
        match rule {
            Rule::ExactlyOne(keys) => {
                self.conditions.push(json!({ "oneOf": keys.iter().map(have).collect::<Vec<_>>() }));
            }
            Rule::AtLeastOne(keys) => {
                self.conditions.push(json!({ "anyOf": keys.iter().map(have).collect::<Vec<_>>() }));
            }
            Rule::AtMostOne(keys) => {
                for (index, key) in keys.iter().enumerate() {
                    for other in &keys[index + 1..] {
                        self.conditions.push(json!({ "not": { "required": [key, other] } }));
                    }
                }
            }
            Rule::Needs(key, any) => {
                let needed = json!({ "anyOf": any.iter().map(have).collect::<Vec<_>>() });
                self.conditions.push(json!({ "if": { "required": [key] }, "then": needed }));
            }
        }
    }

    pub(crate) fn finish(self, docs: &[&str]) -> Value {
        let description = docs.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let mut schema = json!({
            "type": "object",
            "description": description,
            "properties": self.properties,
            "additionalProperties": false,
        });
        let object = schema.as_object_mut().expect("just made as an object");
        if !self.patterns.is_empty() {
            object.insert("patternProperties".to_owned(), json!(self.patterns));
        }
        if !self.required.is_empty() {
            object.insert("required".to_owned(), json!(self.required));
        }
        if !self.conditions.is_empty() {
            object.insert("allOf".to_owned(), json!(self.conditions));
        }
        schema
    }
}
