//! Many records in little memory: one buffer for all, read back one at a time.

use crate::ldap::ChangeKind;
use crate::ldif::{Attribute, Change, Control, Record};
use std::collections::BTreeMap;
use std::fmt;

const ADD: u8 = 0;
const DELETE: u8 = 1;
const MODIFY: u8 = 2;
const MODIFY_DN: u8 = 3;

/// Records in the order of a file.
#[derive(Clone, Default)]
pub struct Records {
    /// Each record as [`push`](Records::push) writes it. May hold passwords.
    bytes: Vec<u8>,
    /// Where each begins.
    starts: Vec<usize>,
}

impl Records {
    /// Adds a record.
    pub fn push(&mut self, record: &Record) {
        self.starts.push(self.bytes.len());
        let out = &mut self.bytes;
        // The name and what is added come first: they are what columns are read from.
        text(record.dn.as_bytes(), out);
        match &record.change {
            Change::Add(attributes) => {
                out.push(ADD);
                number(attributes.len(), out);
                for one in attributes {
                    push_attribute(one, out);
                }
            }
            Change::Delete => out.push(DELETE),
            Change::Modify(changes) => {
                out.push(MODIFY);
                number(changes.len(), out);
                for (kind, attribute) in changes {
                    out.push(*kind as u8);
                    push_attribute(attribute, out);
                }
            }
            Change::ModifyDn { new_rdn, delete_old, new_superior } => {
                out.push(MODIFY_DN);
                text(new_rdn.as_bytes(), out);
                out.push(u8::from(*delete_old));
                optional(new_superior.as_deref().map(str::as_bytes), out);
            }
        }
        number(record.controls.len(), out);
        for control in &record.controls {
            text(control.oid.as_bytes(), out);
            out.push(u8::from(control.critical));
            optional(control.value.as_deref(), out);
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Bytes of memory that they take.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.starts.len() * size_of::<usize>()
    }

    /// A record by its place from 0. Panics when there is none.
    pub fn get(&self, index: usize) -> Record {
        let mut from = self.at(index);
        let dn = from.owned_text();
        let change = match from.byte() {
            ADD => Change::Add((0..from.number()).map(|_| from.attribute()).collect()),
            DELETE => Change::Delete,
            MODIFY => Change::Modify((0..from.number()).map(|_| (from.kind(), from.attribute())).collect()),
            _ => Change::ModifyDn {
                new_rdn: from.owned_text(),
                delete_old: from.byte() == 1,
                new_superior: from.optional().map(|text| String::from_utf8_lossy(text).into_owned()),
            },
        };
        let control = |from: &mut Bytes<'_>| Control {
            oid: from.owned_text(),
            critical: from.byte() == 1,
            value: from.optional().map(<[u8]>::to_vec),
        };
        let controls = (0..from.number()).map(|_| control(&mut from)).collect();
        Record { dn, controls, change }
    }

    /// The name of a record. Panics when there is none at this place.
    pub fn dn(&self, index: usize) -> &[u8] {
        self.at(index).text()
    }

    /// The first value of an attribute of an entry; names are compared without case. None when the entry has no
    /// such attribute, or the record is a change.
    pub fn value(&self, index: usize, attribute: &str) -> Option<&[u8]> {
        let mut from = self.at(index);
        from.text();
        if from.byte() != ADD {
            return None;
        }
        (0..from.number()).find_map(|_| {
            let fits = from.text().eq_ignore_ascii_case(attribute.as_bytes());
            let mut first = None;
            for _ in 0..from.number() {
                let value = from.text();
                first = first.or(Some(value));
            }
            first.filter(|_| fits)
        })
    }

    /// Names of the attributes of all entries, each as it is spelt first, in the order in which they come.
    pub fn attributes(&self) -> Vec<String> {
        let mut names: BTreeMap<String, (usize, String)> = BTreeMap::new();
        for index in 0..self.len() {
            let mut from = self.at(index);
            from.text();
            if from.byte() != ADD {
                continue;
            }
            for _ in 0..from.number() {
                let name = from.owned_text();
                let place = names.len();
                names.entry(name.to_ascii_lowercase()).or_insert((place, name));
                for _ in 0..from.number() {
                    from.text();
                }
            }
        }
        let mut names: Vec<_> = names.into_values().collect();
        names.sort();
        names.into_iter().map(|(_, name)| name).collect()
    }

    fn at(&self, index: usize) -> Bytes<'_> {
        Bytes(&self.bytes[self.starts[index]..])
    }
}

fn number(number: usize, out: &mut Vec<u8>) {
    let number = u32::try_from(number).expect("a file has less than 4 GiB");
    out.extend_from_slice(&number.to_ne_bytes());
}

fn text(text: &[u8], out: &mut Vec<u8>) {
    number(text.len(), out);
    out.extend_from_slice(text);
}

fn optional(value: Option<&[u8]>, out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    if let Some(value) = value {
        text(value, out);
    }
}

fn push_attribute(attribute: &Attribute, out: &mut Vec<u8>) {
    text(attribute.name.as_bytes(), out);
    number(attribute.values.len(), out);
    attribute.values.iter().for_each(|value| text(value, out));
}

/// What [`Records::push`] wrote, from the front.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, length: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn number(&mut self) -> usize {
        u32::from_ne_bytes(self.take(4).try_into().expect("four bytes were taken")) as usize
    }

    fn text(&mut self) -> &'a [u8] {
        let length = self.number();
        self.take(length)
    }

    fn owned_text(&mut self) -> String {
        String::from_utf8_lossy(self.text()).into_owned()
    }

    fn optional(&mut self) -> Option<&'a [u8]> {
        (self.byte() == 1).then(|| self.text())
    }

    fn kind(&mut self) -> ChangeKind {
        match self.byte() {
            0 => ChangeKind::Add,
            1 => ChangeKind::Delete,
            2 => ChangeKind::Replace,
            _ => ChangeKind::Increment,
        }
    }

    fn attribute(&mut self) -> Attribute {
        let name = self.owned_text();
        Attribute { name, values: (0..self.number()).map(|_| self.text().to_vec()).collect() }
    }
}

/// Values may be passwords: only their number is shown.
impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records({})", self.len())
    }
}
