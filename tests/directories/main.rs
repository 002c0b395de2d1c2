//! LDAP operations in jobs against real directories: OpenLDAP, OpenDJ and 389 Directory Server, and the built-in
//! platform beside them. A question is asked by one function of `questions`; a file for each directory says which
//! ones it is asked, and what it answers differently.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::doc_markdown, reason = "OpenLDAP and OpenDJ are names, not code")]

mod questions;
mod support;

mod ds389;
mod ldap;
mod ldif;
mod opendj;
mod openldap;
mod platform;
mod rate_tools;
mod sasl;
