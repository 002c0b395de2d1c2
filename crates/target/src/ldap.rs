//! The LDAP side of the platform: from a message to its answer. No sockets, no clock, no waiting.
//!
//! It shows the users of the HTTP side below `ou=people,dc=example,dc=com`, and keeps whatever else is
//! written in a tree of its own. There is no schema.

mod ber;
mod code;
mod control;
mod dn;
mod filter;
mod image;
mod matching;
mod message;
mod reply;
mod request;
mod selection;
