//! What servers send: messages, results, entries (RFC 4511). Nothing here trusts a length, a tag or a number;
//! nothing calls itself, so that no message is too deep.

use crate::client::ldap::ber::{
    ENUMERATED, Elements, INTEGER, Malformed, OCTETS, SEQUENCE, SET, constructed, integer,
};
use crate::client::ldap::envelope::PAGED_RESULTS;

/// Tags of what is no final answer.
pub(crate) const ENTRY: u8 = 0x64;
pub(crate) const REFERENCE: u8 = 0x73;
pub(crate) const INTERMEDIATE: u8 = 0x79;
pub(crate) const EXTENDED: u8 = 0x78;

/// Pre-read and post-read (RFC 4527).
const READ_CONTROLS: [&[u8]; 2] = [b"1.3.6.1.1.13.2", b"1.3.6.1.1.13.1"];

/// A message (section 4.1.1).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message<'a> {
    /// Its number; 0 for what nobody asked for.
    pub(crate) id: i64,
    /// What it is.
    pub(crate) tag: u8,
    pub(crate) content: &'a [u8],
    /// Its controls; empty when there are none.
    pub(crate) controls: &'a [u8],
}

impl<'a> Message<'a> {
    /// Reads a whole message.
    pub(crate) fn parse(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut parts = Elements(Elements(bytes).take(SEQUENCE)?);
        let id = integer(parts.take(INTEGER)?)?;
        let operation = parts.next()?.ok_or(Malformed)?;
        let controls = parts.take_if(constructed(0))?.unwrap_or_default();
        Ok(Self { id, tag: operation.tag, content: operation.content, controls })
    }
}

/// A result (section 4.1.9).
#[derive(Debug, Clone, Copy)]
pub(crate) struct LdapResult<'a> {
    pub(crate) code: u32,
    /// What the server says of it.
    pub(crate) diagnostic: &'a [u8],
    /// What follows: referrals, credentials of SASL, a response.
    rest: Elements<'a>,
}

impl<'a> LdapResult<'a> {
    /// Reads the content of a final answer.
    pub(crate) fn parse(content: &'a [u8]) -> Result<Self, Malformed> {
        let mut parts = Elements(content);
        let code = u32::try_from(integer(parts.take(ENUMERATED)?)?).map_err(|_| Malformed)?;
        parts.take(OCTETS)?;
        let diagnostic = parts.take(OCTETS)?;
        Ok(Self { code, diagnostic, rest: parts })
    }

    /// An element behind the result by its tag; none as well when what stands before it is broken.
    pub(crate) fn find(&self, tag: u8) -> Option<&'a [u8]> {
        let mut rest = self.rest;
        loop {
            let element = rest.next().ok()??;
            if element.tag == tag {
                return Some(element.content);
            }
        }
    }
}

/// An entry (section 4.5.2).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry<'a> {
    pub(crate) dn: &'a [u8],
    attributes: Elements<'a>,
}

impl<'a> Entry<'a> {
    /// Reads the content of an entry.
    pub(crate) fn parse(content: &'a [u8]) -> Result<Self, Malformed> {
        let mut parts = Elements(content);
        let dn = parts.take(OCTETS)?;
        Ok(Self { dn, attributes: Elements(parts.take(SEQUENCE)?) })
    }

    /// The entry that a read control brought, after the change rather than before it.
    pub(crate) fn of_controls(controls: &'a [u8]) -> Option<Self> {
        READ_CONTROLS.iter().find_map(|oid| {
            let value = control(controls, oid)?;
            Self::parse(Elements(value).take(SEQUENCE).or_else(|_| Elements(value).take(ENTRY)).ok()?).ok()
        })
    }

    /// The values of an attribute; names are compared without case (RFC 4512 section 2.5), with their options.
    pub(crate) fn values(&self, name: &str) -> Values<'a> {
        let mut attributes = self.attributes;
        while let Ok(Some(attribute)) = attributes.next() {
            let mut parts = Elements(attribute.content);
            let Ok(found) = parts.take(OCTETS) else { break };
            if found.eq_ignore_ascii_case(name.as_bytes()) {
                return Values(Elements(parts.take(SET).unwrap_or_default()));
            }
        }
        Values(Elements(&[]))
    }
}

/// Values of an attribute.
#[derive(Debug, Clone)]
pub(crate) struct Values<'a>(Elements<'a>);

impl<'a> Iterator for Values<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take(OCTETS).ok()
    }
}

/// The value of a control by its object identifier.
fn control<'a>(controls: &'a [u8], oid: &[u8]) -> Option<&'a [u8]> {
    let mut controls = Elements(controls);
    while let Ok(Some(control)) = controls.next() {
        let mut parts = Elements(control.content);
        if parts.take(OCTETS).ok()? == oid {
            parts.take_if(super::ber::BOOLEAN).ok()?;
            return parts.take(OCTETS).ok();
        }
    }
    None
}

/// What the next page is asked with; empty after the last one (RFC 2696 section 2).
pub(crate) fn page_cookie(controls: &[u8]) -> &[u8] {
    let cookie = || {
        let mut page = Elements(Elements(control(controls, PAGED_RESULTS.as_bytes())?).take(SEQUENCE).ok()?);
        page.take(INTEGER).ok()?;
        page.take(OCTETS).ok()
    };
    cookie().unwrap_or_default()
}
