//! Operations in bytes (RFC 4511 sections 4.2 to 4.12), without the envelope that carries the message's number.

use crate::client::ldap::ber::{BOOLEAN, ENUMERATED, INTEGER, OCTETS, SEQUENCE, SET, constructed, context};
use crate::client::ldap::encoding::Encoding;
use crate::client::ldap::{control, filter};
use loadgen_model::Template;
use loadgen_model::ldap::{Ask, Bind, Change, Control, ExtendedValue, Mechanism, Search};

/// Tags of the operations.
pub(crate) const BIND: u8 = 0x60;
pub(crate) const UNBIND: u8 = 0x42;
const SEARCH: u8 = 0x63;
pub(crate) const MODIFY: u8 = 0x66;
pub(crate) const ADD: u8 = 0x68;
pub(crate) const DELETE: u8 = 0x4a;
pub(crate) const MODIFY_DN: u8 = 0x6c;
const COMPARE: u8 = 0x6e;
pub(crate) const ABANDON: u8 = 0x50;
pub(crate) const EXTENDED: u8 = 0x77;

/// An operation, compiled.
pub(crate) fn encoding(ask: &Ask) -> Encoding {
    let mut out = Encoding::default();
    write(ask, &mut out);
    out
}

/// Its controls, compiled: what stands inside of their list.
pub(crate) fn controls(controls: &[Control]) -> Encoding {
    let mut out = Encoding::default();
    for one in controls {
        out.nested(SEQUENCE, control::encoding(one));
    }
    out
}

/// The tag of what answers an operation in bytes.
pub(crate) fn answer_tag(operation: &[u8]) -> u8 {
    match operation.first() {
        Some(&SEARCH) => 0x65,
        Some(&DELETE) => 0x6b,
        // The answer's number follows that of the request.
        Some(tag) => tag.wrapping_add(1),
        None => 0,
    }
}

fn write(ask: &Ask, out: &mut Encoding) {
    match ask {
        Ask::Bind(Bind::Sasl { mechanism, authorization_id, authentication_id, password, realm })
            if mechanism.has_challenges() =>
        {
            // What the messages of such a bind are made of, see `bind::Credentials`.
            for part in [authorization_id, authentication_id, password, realm] {
                out.octets(OCTETS, part);
            }
        }
        Ask::Bind(bind) => out.nested(BIND, self::bind(bind)),
        Ask::Search(search) => out.nested(SEARCH, self::search(search)),
        Ask::Compare { dn, attribute, value } => {
            let mut compare = Encoding::default();
            compare.octets(OCTETS, dn);
            let mut assertion = Encoding::default();
            assertion.octets(OCTETS, attribute);
            assertion.octets(OCTETS, value);
            compare.nested(SEQUENCE, assertion);
            out.nested(COMPARE, compare);
        }
        Ask::Add { dn, attributes } => {
            let mut add = Encoding::default();
            add.octets(OCTETS, dn);
            let mut list = Encoding::default();
            for (name, values) in attributes {
                list.nested(SEQUENCE, attribute(name, values));
            }
            add.nested(SEQUENCE, list);
            out.nested(ADD, add);
        }
        Ask::Modify { dn, changes } => out.nested(MODIFY, modify(dn, changes)),
        Ask::Delete { dn } => out.octets(DELETE, dn),
        Ask::ModifyDn { dn, new_rdn, delete_old, new_superior } => {
            let mut modify_dn = Encoding::default();
            modify_dn.octets(OCTETS, dn);
            modify_dn.octets(OCTETS, new_rdn);
            modify_dn.boolean(BOOLEAN, *delete_old);
            if let Some(superior) = new_superior {
                modify_dn.octets(context(0), superior);
            }
            out.nested(MODIFY_DN, modify_dn);
        }
        Ask::Extended { oid, value } => out.nested(EXTENDED, extended(oid, value)),
        Ask::Unbind => out.text(UNBIND, ""),
        // The bytes of a record are ready elsewhere; a connect has none.
        Ask::Record(_) | Ask::Connect => {}
    }
}

fn bind(bind: &Bind) -> Encoding {
    let mut out = Encoding::default();
    out.integer(INTEGER, 3);
    match bind {
        Bind::Simple { dn, password } => {
            out.octets(OCTETS, dn);
            out.octets(context(0), password);
        }
        Bind::Sasl { mechanism, authorization_id, authentication_id, password, .. } => {
            out.text(OCTETS, "");
            let mut sasl = Encoding::default();
            let credentials = match mechanism {
                Mechanism::Plain => plain(authorization_id, authentication_id, password),
                _ => authorization_id.clone(),
            };
            sasl.text(OCTETS, mechanism.name());
            sasl.octets(OCTETS, &credentials);
            out.nested(constructed(3), sasl);
        }
    }
    out
}

/// RFC 4616 section 2.
fn plain(authorization_id: &Template, authentication_id: &Template, password: &Template) -> Template {
    let mut out = authorization_id.clone();
    out.push_text([0]);
    out.append(authentication_id);
    out.push_text([0]);
    out.append(password);
    out
}

fn search(search: &Search) -> Encoding {
    let mut out = Encoding::default();
    out.octets(OCTETS, &search.base);
    out.integer(ENUMERATED, search.scope as i64);
    out.integer(ENUMERATED, search.dereference as i64);
    out.integer(INTEGER, i64::from(search.size_limit));
    out.integer(INTEGER, i64::from(search.time_limit_s));
    out.boolean(BOOLEAN, search.types_only);
    filter::write(&search.filter, &mut out);
    out.nested(SEQUENCE, texts(&search.attributes));
    out
}

/// Texts one after another.
pub(crate) fn texts(texts: &[Template]) -> Encoding {
    let mut out = Encoding::default();
    for text in texts {
        out.octets(OCTETS, text);
    }
    out
}

fn modify(dn: &Template, changes: &[Change]) -> Encoding {
    let mut out = Encoding::default();
    out.octets(OCTETS, dn);
    let mut list = Encoding::default();
    for change in changes {
        let mut one = Encoding::default();
        one.integer(ENUMERATED, change.kind as i64);
        one.nested(SEQUENCE, attribute(&change.attribute, &change.values));
        list.nested(SEQUENCE, one);
    }
    out.nested(SEQUENCE, list);
    out
}

fn attribute(name: &Template, values: &[Template]) -> Encoding {
    let mut out = Encoding::default();
    out.octets(OCTETS, name);
    out.nested(SET, texts(values));
    out
}

fn extended(oid: &str, value: &ExtendedValue) -> Encoding {
    let mut out = Encoding::default();
    out.text(context(0), oid);
    match value {
        ExtendedValue::None => {}
        ExtendedValue::Bytes(bytes) => out.octets(context(1), bytes),
        ExtendedValue::PasswordModify { identity, old, new } => {
            let mut parts = Encoding::default();
            for (number, part) in [identity, old, new].into_iter().enumerate() {
                if let Some(part) = part {
                    parts.octets(context(number as u8), part);
                }
            }
            let mut value = Encoding::default();
            value.nested(SEQUENCE, parts);
            out.nested(context(1), value);
        }
    }
    out
}
