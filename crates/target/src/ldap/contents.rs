//! The attributes of an entry while they are changed: owned, and the same for users and all other entries.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::code::Code;
use super::entries::USER_CLASSES;
use super::matching::{equal, integer};
use super::reply::Outcome;
use super::request::{Attribute, Attributes, Changes, Kind};
use crate::directory::population;

/// Names that users of the HTTP side are kept under, whatever case a client writes them in.
const KEPT_NAMES: [&str; 7] = ["cn", "givenName", "mail", "sn", "telephoneNumber", "uid", "userPassword"];

/// Attributes with at least one value each, in the order they were written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    attributes: Vec<(String, Vec<Vec<u8>>)>,
}

impl Contents {
    /// What an entry to be added holds.
    pub(crate) fn of(attributes: Attributes<'_>) -> Result<Self, Outcome> {
        let mut contents = Self::default();
        for attribute in attributes.iter() {
            contents.add(&attribute)?;
        }
        Ok(contents)
    }

    /// The attributes of a generated user.
    pub(crate) fn generated(number: u64) -> Self {
        let mut attributes = Vec::with_capacity(KEPT_NAMES.len() + 2);
        population::visit(number, |name, parts| {
            attributes.push((name.to_owned(), vec![parts.concat().into_bytes()]));
        });
        Self { attributes }
    }

    /// Adds the classes that a user has without their being kept.
    pub(crate) fn show_classes(&mut self) -> Result<(), Outcome> {
        if self.values(b"objectClass").is_empty() {
            let classes = USER_CLASSES.iter().map(|class| class.as_bytes().to_vec()).collect();
            self.set(b"objectClass", classes)?;
        }
        Ok(())
    }

    /// The attributes of a user.
    pub(crate) fn of_user(attributes: &Map<String, Value>) -> Self {
        let attributes = attributes.iter().filter_map(|(name, value)| {
            if let Value::String(text) = value {
                return Some((name.clone(), vec![text.clone().into_bytes()]));
            }
            let values = texts(value);
            (!values.is_empty()).then(|| (name.clone(), values.into_iter().map(String::into_bytes).collect()))
        });
        Self { attributes: attributes.collect() }
    }

    /// The same as attributes of a user, which are text.
    pub(crate) fn into_user(self) -> Result<Map<String, Value>, Outcome> {
        let mut attributes = Map::new();
        for (name, values) in self.attributes {
            let text = |value| {
                let text = String::from_utf8(value).map(Value::String);
                text.map_err(|_| {
                    Code::InvalidAttributeSyntax.because("values of users of the platform must be UTF-8 text")
                })
            };
            let mut values = values.into_iter();
            let value = match (values.next(), values.len()) {
                (Some(only), 0) => text(only)?,
                (first, _) => {
                    Value::Array(first.into_iter().chain(values).map(text).collect::<Result<_, _>>()?)
                }
            };
            attributes.insert(name, value);
        }
        Ok(attributes)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[Vec<u8>])> {
        self.attributes.iter().map(|(name, values)| (name.as_str(), values.as_slice()))
    }

    /// The values of an attribute.
    pub(crate) fn values(&self, name: &[u8]) -> &[Vec<u8>] {
        self.place(name).map_or(&[], |at| &self.attributes[at].1)
    }

    pub(crate) fn has(&self, name: &[u8], value: &[u8]) -> bool {
        self.values(name).iter().any(|found| equal(found, value))
    }

    /// Adds a value that may be there.
    pub(crate) fn ensure(&mut self, name: &[u8], value: &[u8]) -> Result<(), Outcome> {
        if !self.has(name, value) {
            self.values_mut(name)?.push(value.to_vec());
        }
        Ok(())
    }

    /// Removes a value if it is there.
    pub(crate) fn remove(&mut self, name: &[u8], value: &[u8]) {
        if let Some(at) = self.place(name) {
            self.attributes[at].1.retain(|found| !equal(found, value));
            self.drop_empty(at);
        }
    }

    /// Puts values in the place of those that are there.
    pub(crate) fn set(&mut self, name: &[u8], values: Vec<Vec<u8>>) -> Result<(), Outcome> {
        if values.is_empty() {
            if let Some(at) = self.place(name) {
                self.attributes.remove(at);
            }
            return Ok(());
        }
        *self.values_mut(name)? = values;
        Ok(())
    }

    /// Applies the changes of a modify request in order (RFC 4511, 4.6).
    pub(crate) fn apply(&mut self, changes: Changes<'_>) -> Result<(), Outcome> {
        for (kind, attribute) in changes.iter() {
            match kind {
                Kind::Add => self.add(&attribute)?,
                Kind::Delete => self.delete(&attribute)?,
                Kind::Replace => self.set(attribute.name, distinct(&attribute)?)?,
                Kind::Increment => self.increment(&attribute)?,
                Kind::Other => return Err(Code::ProtocolError.because("unknown kind of modification")),
            }
        }
        Ok(())
    }

    fn add(&mut self, attribute: &Attribute<'_>) -> Result<(), Outcome> {
        let mut count = 0;
        let present = self.values_mut(attribute.name)?;
        for value in attribute.values() {
            count += 1;
            if present.iter().any(|found| equal(found, value)) {
                return Err(Code::AttributeOrValueExists.because("the attribute has this value already"));
            }
            present.push(value.to_vec());
        }
        if count == 0 {
            return Err(Code::ProtocolError.because("an attribute to be added has no values"));
        }
        Ok(())
    }

    fn delete(&mut self, attribute: &Attribute<'_>) -> Result<(), Outcome> {
        let missing = || Code::NoSuchAttribute.because("there is no such attribute or value");
        let at = self.place(attribute.name).ok_or_else(missing)?;
        let mut is_whole = true;
        for value in attribute.values() {
            is_whole = false;
            let present = &mut self.attributes[at].1;
            let found = present.iter().position(|found| equal(found, value)).ok_or_else(missing)?;
            present.remove(found);
        }
        if is_whole {
            self.attributes.remove(at);
        } else {
            self.drop_empty(at);
        }
        Ok(())
    }

    /// RFC 4525.
    fn increment(&mut self, attribute: &Attribute<'_>) -> Result<(), Outcome> {
        let mut steps = attribute.values();
        let step = match (steps.next(), steps.next()) {
            (Some(step), None) => integer(step),
            _ => return Err(Code::ProtocolError.because("an increment has exactly one value")),
        };
        let at = self.place(attribute.name);
        let at = at.ok_or_else(|| Code::NoSuchAttribute.because("there is no attribute to increment"))?;
        for value in &mut self.attributes[at].1 {
            let sum = step.zip(integer(value)).and_then(|(step, value)| value.checked_add(step));
            let sum = sum.ok_or_else(|| Code::ConstraintViolation.because("only whole numbers can grow"))?;
            *value = sum.to_string().into_bytes();
        }
        Ok(())
    }

    fn place(&self, name: &[u8]) -> Option<usize> {
        self.attributes.iter().position(|(found, _)| equal(found.as_bytes(), name))
    }

    fn drop_empty(&mut self, at: usize) {
        if self.attributes[at].1.is_empty() {
            self.attributes.remove(at);
        }
    }

    /// The values of an attribute, which is made when it is not there.
    fn values_mut(&mut self, name: &[u8]) -> Result<&mut Vec<Vec<u8>>, Outcome> {
        let at = match self.place(name) {
            Some(at) => at,
            None => {
                self.attributes.push((spelling(name)?.into_owned(), Vec::new()));
                self.attributes.len() - 1
            }
        };
        Ok(&mut self.attributes[at].1)
    }
}

/// Values of which none is there twice.
fn distinct(attribute: &Attribute<'_>) -> Result<Vec<Vec<u8>>, Outcome> {
    let mut values: Vec<Vec<u8>> = Vec::new();
    for value in attribute.values() {
        if values.iter().any(|found| equal(found, value)) {
            return Err(Code::AttributeOrValueExists.because("a value stands there twice"));
        }
        values.push(value.to_vec());
    }
    Ok(values)
}

/// The name that an attribute is kept under: letters, digits, `-`, `.`, and options after `;`.
pub(crate) fn spelling(name: &[u8]) -> Result<Cow<'_, str>, Outcome> {
    let is_valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"-.;_".contains(byte);
    if name.is_empty() || !name.iter().all(is_valid) {
        return Err(Code::UndefinedAttributeType.because("not the name of an attribute"));
    }
    let kept = KEPT_NAMES.iter().find(|kept| kept.as_bytes().eq_ignore_ascii_case(name));
    Ok(kept.map_or_else(|| String::from_utf8_lossy(name), |kept| Cow::Borrowed(*kept)))
}

/// A value of the HTTP side as texts.
pub(crate) fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![text.clone()],
        Value::Array(values) => values.iter().flat_map(texts).collect(),
        other => vec![other.to_string()],
    }
}
