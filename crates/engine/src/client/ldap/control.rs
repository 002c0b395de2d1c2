//! Controls in bytes: what stands inside of the sequence of each (RFC 4511 section 4.1.11).

use crate::client::ldap::ber::{BOOLEAN, OCTETS, SEQUENCE, context};
use crate::client::ldap::encoding::Encoding;
use crate::client::ldap::filter;
use crate::client::ldap::request::texts;
use loadgen_model::ldap::{Control, ControlKind, SortKey};

/// A control, compiled.
pub(crate) fn encoding(control: &Control) -> Encoding {
    let mut out = Encoding::default();
    out.text(OCTETS, control.kind.oid());
    if control.critical {
        out.boolean(BOOLEAN, true);
    }
    match &control.kind {
        ControlKind::AuthorizationIdentity | ControlKind::PasswordPolicy | ControlKind::ManageDsaIt => {}
        ControlKind::ProxiedAuthorization(identity) => out.octets(OCTETS, identity),
        ControlKind::Assertion(assertion) => out.nested(OCTETS, filter::encoding(assertion)),
        ControlKind::PreRead(attributes) | ControlKind::PostRead(attributes) => {
            let mut list = Encoding::default();
            list.nested(SEQUENCE, texts(attributes));
            out.nested(OCTETS, list);
        }
        ControlKind::Sort(keys) => {
            let mut list = Encoding::default();
            for one in keys {
                list.nested(SEQUENCE, key(one));
            }
            let mut value = Encoding::default();
            value.nested(SEQUENCE, list);
            out.nested(OCTETS, value);
        }
        ControlKind::Other { value, .. } => {
            if let Some(value) = value {
                out.octets(OCTETS, value);
            }
        }
    }
    out
}

/// RFC 2891 section 1.1.
fn key(key: &SortKey) -> Encoding {
    let mut out = Encoding::default();
    out.text(OCTETS, &key.attribute);
    if let Some(rule) = &key.rule {
        out.text(context(0), rule);
    }
    if key.reverse {
        out.boolean(context(1), true);
    }
    out
}
