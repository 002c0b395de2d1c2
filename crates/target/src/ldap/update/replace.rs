//! The modification that load tests consist of: single values of a user replaced, which cannot fail half-way
//! and so is done where the user is kept, without a copy.

use serde_json::{Map, Value};

use crate::directory::Directory;
use crate::ldap::contents::spelling;
use crate::ldap::matching::equal;
use crate::ldap::request::{Attribute, Changes, Kind};

/// Replaces the values if they are of that kind and the user was written before; else nothing is done.
pub(super) fn in_place(directory: &mut Directory, id: &str, changes: Changes<'_>) -> bool {
    let is_simple = changes.iter().all(|(kind, attribute)| kind == Kind::Replace && is_simple(&attribute));
    is_simple
        && directory.change(id, |attributes| {
            for (_, attribute) in changes.iter() {
                if let Some(value) = text(&attribute) {
                    replace(attributes, attribute.name, value);
                }
            }
        })
}

/// The only value of an attribute, when it is text.
fn text<'m>(attribute: &Attribute<'m>) -> Option<&'m str> {
    let mut values = attribute.values();
    match (values.next(), values.next()) {
        (Some(value), None) => std::str::from_utf8(value).ok(),
        _ => None,
    }
}

fn is_simple(attribute: &Attribute<'_>) -> bool {
    // These are part of the entry's name, or are shown without being kept.
    let is_special = equal(attribute.name, b"uid") || equal(attribute.name, b"objectClass");
    !is_special && text(attribute).is_some() && spelling(attribute.name).is_ok()
}

fn replace(attributes: &mut Map<String, Value>, name: &[u8], value: &str) {
    let found = attributes.iter_mut().find(|(found, _)| equal(found.as_bytes(), name));
    match found {
        Some((_, Value::String(text))) => value.clone_into(text),
        Some((_, other)) => *other = Value::from(value),
        None => {
            if let Ok(name) = spelling(name) {
                attributes.insert(name.into_owned(), Value::from(value));
            }
        }
    }
}
