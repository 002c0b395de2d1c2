//! Records in bytes: whole operations that stand in a file, without templates.

use crate::client::ldap::ber::{self, BOOLEAN, ENUMERATED, OCTETS, SEQUENCE, SET, context};
use crate::client::ldap::request::{ADD, DELETE, MODIFY, MODIFY_DN};
use loadgen_model::ldap::{Ask, RecordSource};
use loadgen_model::ldif::{Attribute, Change, Control, Record};
use loadgen_model::variable::DataId;
use loadgen_model::{Plan, ldif};
use std::fmt;

/// The records of a file, encoded once for all users. May hold passwords.
#[derive(Default)]
pub(crate) struct Records {
    bytes: Vec<u8>,
    /// Where operation and controls of each end.
    ends: Vec<(usize, usize)>,
}

impl Records {
    /// Of each data file of a plan; none of a file whose records no operation asks for.
    pub(crate) fn of(plan: &Plan) -> Vec<Self> {
        let is_asked = |index: usize| {
            plan.operations.iter().any(|operation| match operation.ask {
                Ask::Record(RecordSource::Data { data: DataId(asked), .. }) => usize::from(asked) == index,
                _ => false,
            })
        };
        let files = plan.data.iter().enumerate();
        files
            .map(|(index, data)| match data.records().filter(|_| is_asked(index)) {
                Some(records) => Self::encode(records),
                None => Self::default(),
            })
            .collect()
    }

    pub(crate) fn encode(records: &ldif::Records) -> Self {
        let mut encoded = Self::default();
        for index in 0..records.len() {
            let record = records.get(index);
            operation(&record, &mut encoded.bytes);
            let end = encoded.bytes.len();
            controls(&record.controls, &mut encoded.bytes);
            encoded.ends.push((end, encoded.bytes.len()));
        }
        encoded
    }

    /// Operation and controls of a record, as they are sent.
    pub(crate) fn get(&self, index: usize) -> (&[u8], &[u8]) {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before].1);
        let (operation, controls) = self.ends[index];
        (&self.bytes[start..operation], &self.bytes[operation..controls])
    }
}

/// Only the number is shown.
impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records({})", self.ends.len())
    }
}

/// Appends an operation (RFC 4511 sections 4.6 to 4.9).
fn operation(record: &Record, out: &mut Vec<u8>) {
    match &record.change {
        Change::Add(attributes) => add(&record.dn, attributes.iter().map(pair), out),
        Change::Delete => delete(&record.dn, out),
        Change::Modify(changes) => {
            let modify = ber::open(MODIFY, out);
            ber::write(OCTETS, record.dn.as_bytes(), out);
            let list = ber::open(SEQUENCE, out);
            for (kind, attribute) in changes {
                let change = ber::open(SEQUENCE, out);
                ber::write_integer(ENUMERATED, *kind as i64, out);
                let (name, values) = pair(attribute);
                self::attribute(name, values, out);
                ber::close(change, out);
            }
            ber::close(list, out);
            ber::close(modify, out);
        }
        Change::ModifyDn { new_rdn, delete_old, new_superior } => {
            let modify_dn = ber::open(MODIFY_DN, out);
            ber::write(OCTETS, record.dn.as_bytes(), out);
            ber::write(OCTETS, new_rdn.as_bytes(), out);
            ber::write(BOOLEAN, truth(*delete_old), out);
            if let Some(superior) = new_superior {
                ber::write(context(0), superior.as_bytes(), out);
            }
            ber::close(modify_dn, out);
        }
    }
}

/// Appends the addition of an entry.
pub(crate) fn add<'a, V: AsRef<[u8]> + 'a>(
    dn: &str,
    attributes: impl Iterator<Item = (&'a str, &'a [V])>,
    out: &mut Vec<u8>,
) {
    let add = ber::open(ADD, out);
    ber::write(OCTETS, dn.as_bytes(), out);
    let list = ber::open(SEQUENCE, out);
    for (name, values) in attributes {
        attribute(name, values, out);
    }
    ber::close(list, out);
    ber::close(add, out);
}

/// Appends the deletion of an entry.
pub(crate) fn delete(dn: &str, out: &mut Vec<u8>) {
    ber::write(DELETE, dn.as_bytes(), out);
}

fn pair(attribute: &Attribute) -> (&str, &[Vec<u8>]) {
    (&attribute.name, &attribute.values)
}

fn attribute(name: &str, values: &[impl AsRef<[u8]>], out: &mut Vec<u8>) {
    let attribute = ber::open(SEQUENCE, out);
    ber::write(OCTETS, name.as_bytes(), out);
    let set = ber::open(SET, out);
    for value in values {
        ber::write(OCTETS, value.as_ref(), out);
    }
    ber::close(set, out);
    ber::close(attribute, out);
}

/// RFC 4511 section 4.1.11.
fn controls(controls: &[Control], out: &mut Vec<u8>) {
    for one in controls {
        let control = ber::open(SEQUENCE, out);
        ber::write(OCTETS, one.oid.as_bytes(), out);
        if one.critical {
            ber::write(BOOLEAN, truth(true), out);
        }
        if let Some(value) = &one.value {
            ber::write(OCTETS, value, out);
        }
        ber::close(control, out);
    }
}

/// RFC 4511 section 5.1.
fn truth(value: bool) -> &'static [u8] {
    if value { &[0xff] } else { &[0] }
}
