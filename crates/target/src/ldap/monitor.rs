//! `cn=monitor`: how many operations and connections there were.

use std::io::Write;

use super::image::{Class, Image};
use crate::counts::Counters;
use crate::operation::Operation;

pub(crate) const DN: &str = "cn=monitor";
pub(crate) const KEY: &[u8] = b"cn=monitor";

/// What is counted, and how the attributes begin.
const OPERATIONS: &[(Operation, &str)] = &[
    (Operation::LdapAbandon, "abandon"),
    (Operation::LdapAdd, "add"),
    (Operation::LdapBind, "bind"),
    (Operation::LdapCompare, "compare"),
    (Operation::LdapDelete, "delete"),
    (Operation::LdapExtended, "extended"),
    (Operation::LdapModify, "modify"),
    (Operation::LdapModifyDn, "modifyDn"),
    (Operation::LdapSearch, "search"),
    (Operation::LdapUnbind, "unbind"),
];

/// Puts the monitor into `image`: `searchReceived`, `searchCompleted` and so on.
pub(crate) fn show(counters: &Counters, image: &mut Image) {
    image.begin(|out| out.extend_from_slice(KEY));
    image.single("objectClass", Class::User, b"top");
    image.single("cn", Class::User, b"monitor");
    let total = counters.ldap_connections.get();
    show_number(image, format_args!("totalConnections"), total);
    let current = total.saturating_sub(counters.ldap_closed.get());
    show_number(image, format_args!("currentConnections"), current);
    for &(operation, name) in OPERATIONS {
        let counters = counters.of(operation);
        show_number(image, format_args!("{name}Received"), counters.received.get());
        show_number(image, format_args!("{name}Completed"), counters.answered.get());
    }
}

fn show_number(image: &mut Image, name: std::fmt::Arguments<'_>, number: u64) {
    image.attribute(&name.to_string(), Class::User);
    // Writing into memory cannot fail.
    image.value(|bytes| drop(write!(bytes, "{number}")));
}
