//! The shape in which a system shows entries: where each attribute stands in its JSON documents.
//!
//! What a document holds beyond the fields of a view is kept under its own name, so that it comes back as
//! it was sent.

use serde_json::{Map, Value};

use super::{Entry, Pointer};

/// The shape of a system's users.
pub(crate) struct View {
    /// The name of a user's identifier in a document, such as `_id`.
    pub(crate) id: &'static str,
    /// Where attributes stand.
    pub(crate) fields: &'static [Field],
    /// Whether values stand in arrays.
    pub(crate) values_in_arrays: bool,
    /// What an update does to attributes that it does not name.
    pub(crate) writing: Writing,
    /// Put into each document.
    pub(crate) constants: &'static [(&'static str, &'static str)],
    /// Whether a user created without an identifier gets one.
    pub(crate) generates_ids: bool,
    /// Fields that show the identifier as long as nothing else was written to them.
    pub(crate) named_like_id: &'static [&'static str],
}

/// What an update does to attributes that it does not name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writing {
    /// They stay.
    Merges,
    /// They go, but for passwords.
    Replaces,
}

/// Where one attribute stands in a document.
pub(crate) struct Field {
    pub(crate) attribute: &'static str,
    pub(crate) pointer: &'static str,
    pub(crate) access: Access,
}

/// What a client may do with a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    ReadWrite,
    /// Ignored when written.
    ReadOnly,
    /// Never shown.
    WriteOnly,
}

impl View {
    /// The document of an entry.
    pub(crate) fn show(&self, id: &str, entry: &Entry) -> Map<String, Value> {
        let mut rest = entry.attributes.clone();
        rest.remove("uid");
        let mut document = Map::new();
        for field in self.fields {
            let Some(value) = entry.attributes.get(field.attribute) else { continue };
            rest.remove(field.attribute);
            if field.access != Access::WriteOnly {
                Pointer::new(field.pointer).put(&mut document, self.value_shown(value.clone()));
            }
        }
        for (name, value) in rest {
            match (document.get_mut(&name), value) {
                (Some(Value::Object(shown)), Value::Object(more)) => shown.extend(more),
                (Some(_), _) => {}
                (None, value) => {
                    document.insert(name, self.value_shown(value));
                }
            }
        }
        for (name, value) in self.constants {
            document.insert((*name).to_owned(), Value::String((*value).to_owned()));
        }
        for name in self.named_like_id {
            document.entry(*name).or_insert_with(|| self.value_shown(Value::from(id)));
        }
        document.insert(self.id.to_owned(), Value::String(id.to_owned()));
        document.insert("_id".to_owned(), Value::String(id.to_owned()));
        document.insert("_rev".to_owned(), Value::String(entry.revision.to_string()));
        document
    }

    /// The attributes that a document stands for, without its identifier and revision.
    pub(crate) fn read(&self, mut document: Map<String, Value>) -> Map<String, Value> {
        for name in ["_id", "_rev", self.id] {
            document.remove(name);
        }
        for (name, _) in self.constants {
            document.remove(*name);
        }
        let mut attributes = Map::new();
        for field in self.fields {
            let Some(value) = Pointer::new(field.pointer).take(&mut document) else { continue };
            if field.access != Access::ReadOnly {
                attributes.insert(field.attribute.to_owned(), self.value_read(value));
            }
        }
        for (name, value) in document {
            let value = self.value_read(value);
            attributes.entry(name).or_insert(value);
        }
        attributes
    }

    /// The attributes of an entry after a document was written over it.
    pub(crate) fn update(&self, entry: &Entry, document: Map<String, Value>) -> Map<String, Value> {
        let written = self.read(document);
        let mut attributes = match self.writing {
            Writing::Merges => entry.attributes.clone(),
            Writing::Replaces => self.hidden(entry),
        };
        attributes.extend(written);
        attributes
    }

    /// The attributes of an entry whose shown document was changed to `document`.
    pub(crate) fn rewrite(&self, entry: &Entry, document: Map<String, Value>) -> Map<String, Value> {
        let mut attributes = self.hidden(entry);
        attributes.extend(self.read(document));
        attributes
    }

    /// The attributes that are never shown, and so must not be lost when a document is written back.
    fn hidden(&self, entry: &Entry) -> Map<String, Value> {
        let kept = |field: &&Field| field.access == Access::WriteOnly;
        let hidden = self.fields.iter().filter(kept).filter_map(|field| {
            let value = entry.attributes.get(field.attribute)?;
            Some((field.attribute.to_owned(), value.clone()))
        });
        hidden.collect()
    }

    /// The attribute that stands at a pointer.
    pub(crate) fn attribute(&self, pointer: &Pointer) -> Option<&'static str> {
        let text = pointer.text();
        if text == "_id" || text == self.id {
            return Some("uid");
        }
        self.fields.iter().find(|field| field.pointer == text).map(|field| field.attribute)
    }

    fn value_shown(&self, value: Value) -> Value {
        if self.values_in_arrays && !value.is_array() { Value::Array(vec![value]) } else { value }
    }

    fn value_read(&self, value: Value) -> Value {
        match value {
            Value::Array(mut items) if self.values_in_arrays && items.len() == 1 => items.remove(0),
            value => value,
        }
    }
}
