//! Whole messages to the server: number, operation, controls (RFC 4511 section 4.1.1).

use crate::client::ldap::ber::{self, BOOLEAN, INTEGER, OCTETS, SEQUENCE, constructed};
use crate::client::ldap::request::{ABANDON, EXTENDED, UNBIND};

/// The object identifier of paged results (RFC 2696).
pub(crate) const PAGED_RESULTS: &str = "1.2.840.113556.1.4.319";
/// The object identifier of `StartTLS` (RFC 4511 section 4.14).
const START_TLS: &[u8] = b"1.3.6.1.4.1.1466.20037";

/// An operation without its number, as it was rendered.
#[derive(Clone, Copy)]
pub(crate) struct Letter<'a> {
    /// The operation.
    pub(crate) operation: &'a [u8],
    /// Its controls, one after another.
    pub(crate) controls: &'a [u8],
    /// How many entries a page has.
    pub(crate) page: Option<u32>,
}

impl Letter<'_> {
    /// Appends the whole message. `cookie` is what the last page said; empty for the first.
    pub(crate) fn write(&self, id: i32, cookie: &[u8], out: &mut Vec<u8>) {
        let message = ber::open(SEQUENCE, out);
        ber::write_integer(INTEGER, i64::from(id), out);
        out.extend_from_slice(self.operation);
        if !self.controls.is_empty() || self.page.is_some() {
            let controls = ber::open(constructed(0), out);
            out.extend_from_slice(self.controls);
            if let Some(size) = self.page {
                write_page(size, cookie, out);
            }
            ber::close(controls, out);
        }
        ber::close(message, out);
    }
}

/// RFC 2696 section 2. It is critical: a server that cannot page would give everything at once.
fn write_page(size: u32, cookie: &[u8], out: &mut Vec<u8>) {
    let control = ber::open(SEQUENCE, out);
    ber::write(OCTETS, PAGED_RESULTS.as_bytes(), out);
    ber::write(BOOLEAN, &[0xff], out);
    let value = ber::open(OCTETS, out);
    let page = ber::open(SEQUENCE, out);
    ber::write_integer(INTEGER, i64::from(size), out);
    ber::write(OCTETS, cookie, out);
    ber::close(page, out);
    ber::close(value, out);
    ber::close(control, out);
}

/// A message that gives up another one (section 4.11). It has no answer.
pub(crate) fn abandon(id: i32, other: i32) -> Vec<u8> {
    let mut operation = Vec::new();
    ber::write_integer(ABANDON, i64::from(other), &mut operation);
    whole(id, &operation)
}

/// A message that ends the connection (section 4.3). It has no answer.
pub(crate) fn unbind(id: i32) -> Vec<u8> {
    let mut operation = Vec::new();
    ber::write(UNBIND, &[], &mut operation);
    whole(id, &operation)
}

/// A message that asks for TLS.
pub(crate) fn start_tls(id: i32) -> Vec<u8> {
    let mut operation = Vec::new();
    let extended = ber::open(EXTENDED, &mut operation);
    ber::write(ber::context(0), START_TLS, &mut operation);
    ber::close(extended, &mut operation);
    whole(id, &operation)
}

fn whole(id: i32, operation: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Letter { operation, controls: &[], page: None }.write(id, &[], &mut out);
    out
}
