//! A part of a message, compiled once: what no variable changes is bytes already.

use crate::client::ldap::ber;
use crate::client::ldap::filter;
use loadgen_model::Template;
use loadgen_model::ldap::Filter;
use loadgen_model::template::{Missing, Values};

/// Elements in order.
#[derive(Debug, Default)]
pub(crate) struct Encoding {
    pieces: Vec<Piece>,
}

enum Piece {
    /// Bytes as they are sent. May hold a secret, so that nothing prints them.
    Bytes(Vec<u8>),
    /// An element of bytes in which variables stand.
    Octets(u8, Template),
    /// An element of elements in which variables stand.
    Nested(u8, Encoding),
    /// A filter whose text is known only when its variables are.
    Filter(Template),
}

/// Why a message cannot be written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Unwritten {
    /// A value is missing.
    Missing(Missing),
    /// The filter that its variables make is none.
    Filter(String),
}

impl From<Missing> for Unwritten {
    fn from(missing: Missing) -> Self {
        Self::Missing(missing)
    }
}

impl Encoding {
    /// Appends bytes that are elements already.
    fn bytes(&mut self, bytes: &[u8]) {
        match self.pieces.last_mut() {
            Some(Piece::Bytes(last)) => last.extend_from_slice(bytes),
            _ => self.pieces.push(Piece::Bytes(bytes.to_vec())),
        }
    }

    /// Appends a number.
    pub(crate) fn integer(&mut self, tag: u8, value: i64) {
        let mut bytes = Vec::new();
        ber::write_integer(tag, value, &mut bytes);
        self.bytes(&bytes);
    }

    /// Appends a truth value; RFC 4511 section 5.1 says how true looks.
    pub(crate) fn boolean(&mut self, tag: u8, value: bool) {
        self.bytes(&[tag, 1, if value { 0xff } else { 0 }]);
    }

    /// Appends an element of bytes.
    pub(crate) fn text(&mut self, tag: u8, text: &str) {
        let mut bytes = Vec::new();
        ber::write(tag, text.as_bytes(), &mut bytes);
        self.bytes(&bytes);
    }

    /// Appends an element of bytes in which variables may stand.
    pub(crate) fn octets(&mut self, tag: u8, content: &Template) {
        match content.constant() {
            Some(constant) => {
                let mut bytes = Vec::new();
                ber::write(tag, constant, &mut bytes);
                self.bytes(&bytes);
            }
            None => self.pieces.push(Piece::Octets(tag, content.clone())),
        }
    }

    /// Appends an element of elements.
    pub(crate) fn nested(&mut self, tag: u8, inside: Encoding) {
        let inside = match <[Piece; 1]>::try_from(inside.pieces) {
            Ok([Piece::Bytes(content)]) => {
                let mut bytes = Vec::new();
                ber::write(tag, &content, &mut bytes);
                return self.bytes(&bytes);
            }
            Ok([piece]) => vec![piece],
            Err(pieces) if pieces.is_empty() => return self.bytes(&[tag, 0]),
            Err(pieces) => pieces,
        };
        self.pieces.push(Piece::Nested(tag, Encoding { pieces: inside }));
    }

    /// Appends a filter that is known only when its variables are.
    pub(crate) fn filter_text(&mut self, text: &Template) {
        self.pieces.push(Piece::Filter(text.clone()));
    }

    /// Appends the elements with their values to `out`.
    pub(crate) fn write(&self, values: &mut impl Values, out: &mut Vec<u8>) -> Result<(), Unwritten> {
        for piece in &self.pieces {
            match piece {
                Piece::Bytes(bytes) => out.extend_from_slice(bytes),
                Piece::Octets(tag, content) => {
                    let start = ber::open(*tag, out);
                    content.render(values, out)?;
                    ber::close(start, out);
                }
                Piece::Nested(tag, inside) => {
                    let start = ber::open(*tag, out);
                    inside.write(values, out)?;
                    ber::close(start, out);
                }
                Piece::Filter(text) => {
                    let mut written = Vec::new();
                    text.render(values, &mut written)?;
                    let filter = Filter::parse(&String::from_utf8_lossy(&written));
                    let filter = filter.map_err(Unwritten::Filter)?;
                    filter::encoding(&filter).write(values, out)?;
                }
            }
        }
        Ok(())
    }
}

/// Bytes may hold secrets: only their number is shown.
impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Piece::Bytes(bytes) => write!(f, "Bytes({})", bytes.len()),
            Piece::Octets(tag, content) => write!(f, "Octets({tag:#x}, {content:?})"),
            Piece::Nested(tag, inside) => write!(f, "Nested({tag:#x}, {inside:?})"),
            Piece::Filter(text) => write!(f, "Filter({text:?})"),
        }
    }
}
