//! An entry as LDAP shows it, for a moment: names and values one after another in buffers that are used
//! again for the next entry.

use std::ops::Range;

use super::ber::{begin, end, put, tag};
use super::matching::equal;
use super::selection::Selection;

/// Who sees an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Anybody.
    User,
    /// Those who ask for it.
    Operational,
    /// Nobody; it can be compared.
    Secret,
}

/// One entry.
#[derive(Debug, Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
    dn: Range<usize>,
    attributes: Vec<Attribute>,
    values: Vec<Range<usize>>,
}

#[derive(Debug)]
struct Attribute {
    name: Range<usize>,
    class: Class,
    /// Places in `values`.
    values: Range<usize>,
}

impl Image {
    /// Begins another entry; `name` writes its name.
    pub(crate) fn begin(&mut self, name: impl FnOnce(&mut Vec<u8>)) {
        self.bytes.clear();
        self.attributes.clear();
        self.values.clear();
        name(&mut self.bytes);
        self.dn = 0..self.bytes.len();
    }

    /// Begins an attribute.
    pub(crate) fn attribute(&mut self, name: &str, class: Class) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(name.as_bytes());
        let place = self.values.len();
        self.attributes.push(Attribute { name: start..self.bytes.len(), class, values: place..place });
    }

    /// Adds a value to the attribute that was begun last.
    pub(crate) fn value(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        self.values.push(start..self.bytes.len());
        if let Some(last) = self.attributes.last_mut() {
            last.values.end = self.values.len();
        }
    }

    /// Adds an attribute of one value.
    pub(crate) fn single(&mut self, name: &str, class: Class, value: &[u8]) {
        self.attribute(name, class);
        self.value(|bytes| bytes.extend_from_slice(value));
    }

    pub(crate) fn dn(&self) -> &[u8] {
        &self.bytes[self.dn.clone()]
    }

    /// The values of the attribute of that name; `None` when there is none.
    pub(crate) fn values(&self, name: &[u8]) -> Option<impl Iterator<Item = &[u8]>> {
        let found =
            self.attributes.iter().find(|attribute| equal(&self.bytes[attribute.name.clone()], name))?;
        Some(self.values_of(found))
    }

    fn values_of(&self, attribute: &Attribute) -> impl Iterator<Item = &[u8]> {
        self.values[attribute.values.clone()].iter().map(|value| &self.bytes[value.clone()])
    }

    /// Writes what a search result, or a control that shows an entry, holds (RFC 4511, 4.5.2).
    pub(crate) fn write(&self, selection: &Selection<'_>, types_only: bool, out: &mut Vec<u8>) {
        let entry = begin(out, 0x64);
        put(out, tag::OCTETS, self.dn());
        let list = begin(out, tag::SEQUENCE);
        for attribute in &self.attributes {
            let name = &self.bytes[attribute.name.clone()];
            if !selection.wants(name, attribute.class) {
                continue;
            }
            let one = begin(out, tag::SEQUENCE);
            put(out, tag::OCTETS, name);
            let set = begin(out, tag::SET);
            if !types_only {
                for value in self.values_of(attribute) {
                    put(out, tag::OCTETS, value);
                }
            }
            end(out, set);
            end(out, one);
        }
        end(out, list);
        end(out, entry);
    }
}
