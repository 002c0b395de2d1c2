//! Text with variables, compiled once to segments; an iteration only fills a reused buffer.

mod format;

use crate::variable::Slot;
use base64::Engine as _;
pub use format::{Conversion, Format};
use sha2::{Digest, Sha256};
use std::fmt;

/// Compiled text with variables.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
}

/// A part of a template.
#[derive(Clone, PartialEq, Eq)]
pub enum Segment {
    /// Bytes that stand as they are. May hold a secret, so that nothing prints them.
    Text(Vec<u8>),
    /// A variable's value, filtered, then escaped for the place where it stands.
    Value {
        /// Where the value is kept.
        slot: Slot,
        /// Applied in order.
        filters: Vec<Filter>,
        /// What the place demands.
        escape: Escape,
    },
    /// A whole template, filtered, then escaped: what `Basic` credentials with variables need.
    Nested {
        /// The inner text.
        inner: Template,
        /// Applied in order.
        filters: Vec<Filter>,
        /// What the place demands.
        escape: Escape,
    },
}

/// What is done to a value before it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    /// RFC 4648 section 4, padded.
    Base64,
    /// RFC 4648 section 5 of the SHA-256, not padded: the PKCE challenge of RFC 7636 section 4.2.
    Sha256Base64Url,
    /// RFC 3986 percent-encoding of all but unreserved characters.
    UrlEncode,
    /// Upper case.
    Upper,
    /// Lower case.
    Lower,
    /// Lower-case hexadecimal of the bytes.
    Hex,
    /// Width, padding and base, as rate tools write values.
    Format(Format),
}

impl Filter {
    /// Every filter that has a name, with that.
    pub const ALL: [(&'static str, Filter); 6] = [
        ("base64", Filter::Base64),
        ("sha256_base64url", Filter::Sha256Base64Url),
        ("urlencode", Filter::UrlEncode),
        ("upper", Filter::Upper),
        ("lower", Filter::Lower),
        ("hex", Filter::Hex),
    ];

    fn apply(self, value: &[u8]) -> Vec<u8> {
        match self {
            Filter::Base64 => base64::engine::general_purpose::STANDARD.encode(value).into_bytes(),
            Filter::Sha256Base64Url => {
                base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(Sha256::digest(value)).into_bytes()
            }
            Filter::UrlEncode => {
                let mut out = Vec::with_capacity(value.len());
                percent_encode(value, &mut out);
                out
            }
            Filter::Upper => String::from_utf8_lossy(value).to_uppercase().into_bytes(),
            Filter::Lower => String::from_utf8_lossy(value).to_lowercase().into_bytes(),
            Filter::Hex => {
                let digit = |nibble: u8| b"0123456789abcdef"[usize::from(nibble)];
                value.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
            }
            Filter::Format(format) => format.apply(value),
        }
    }
}

/// What a place in a request demands of a value that is written there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Nothing: the value stands as it is.
    None,
    /// A header's value: line breaks become blanks, so that no value can add a header.
    Header,
    /// Inside of a JSON string (RFC 8259 section 7).
    Json,
    /// A query or form value: everything but unreserved characters is percent-encoded.
    Percent,
    /// A value inside of a distinguished name (RFC 4514 section 2.4). The text of a template that stands there is
    /// part of the name already, and is not escaped.
    Dn,
    /// URL text as it stands: only what RFC 3986 does not allow at all is percent-encoded.
    Url,
}

/// Where a template's values come from.
pub trait Values {
    /// Writes the value of `slot` to `out`.
    fn write(&mut self, slot: Slot, out: &mut Vec<u8>) -> Result<(), Missing>;
}

/// A value that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Missing {
    /// Nothing was captured into the slot in this iteration.
    NotCaptured(Slot),
    /// The data behind the slot is used up.
    Exhausted(Slot),
    /// The value behind the slot could not be fetched.
    NotFetched(Slot),
}

impl Template {
    /// Text without variables.
    pub fn text(text: impl Into<Vec<u8>>) -> Self {
        let text = text.into();
        Self { segments: if text.is_empty() { Vec::new() } else { vec![Segment::Text(text)] } }
    }

    /// Appends a segment; neighbouring texts become one.
    pub fn push(&mut self, segment: Segment) {
        match (self.segments.last_mut(), segment) {
            (Some(Segment::Text(last)), Segment::Text(text)) => last.extend_from_slice(&text),
            (_, Segment::Text(text)) if text.is_empty() => {}
            (_, segment) => self.segments.push(segment),
        }
    }

    /// Appends text as it stands.
    pub fn push_text(&mut self, text: impl AsRef<[u8]>) {
        self.push(Segment::Text(text.as_ref().to_vec()));
    }

    /// Appends another template.
    pub fn append(&mut self, other: &Template) {
        for segment in &other.segments {
            self.push(segment.clone());
        }
    }

    /// The parts in order.
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The whole text when no variable stands in it.
    pub fn constant(&self) -> Option<&[u8]> {
        match self.segments.as_slice() {
            [] => Some(b""),
            [Segment::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Every slot that rendering reads.
    pub fn slots(&self) -> Vec<Slot> {
        self.segments
            .iter()
            .flat_map(|segment| match segment {
                Segment::Text(_) => Vec::new(),
                Segment::Value { slot, .. } => vec![*slot],
                Segment::Nested { inner, .. } => inner.slots(),
            })
            .collect()
    }

    /// Appends the text with its values to `out`. On an error `out` holds a part of it.
    pub fn render(&self, values: &mut impl Values, out: &mut Vec<u8>) -> Result<(), Missing> {
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => out.extend_from_slice(text),
                Segment::Value { slot, filters, escape } => {
                    let start = out.len();
                    values.write(*slot, out)?;
                    finish(out, start, filters, *escape);
                }
                Segment::Nested { inner, filters, escape } => {
                    let start = out.len();
                    inner.render(values, out)?;
                    finish(out, start, filters, *escape);
                }
            }
        }
        Ok(())
    }
}

/// Filters and escapes what `out` holds from `start` on; in place when there is nothing to change.
fn finish(out: &mut Vec<u8>, start: usize, filters: &[Filter], escape: Escape) {
    for filter in filters {
        let value = filter.apply(&out[start..]);
        out.truncate(start);
        out.extend_from_slice(&value);
    }
    if escape == Escape::None || out[start..].iter().all(|byte| is_plain(*byte, escape)) {
        return;
    }
    let value = out.split_off(start);
    escape_into(&value, escape, out);
}

/// Whether a byte may stand in the place as it is. `%` is not plain in a URL: an existing escape stays,
/// a lone sign is encoded.
fn is_plain(byte: u8, escape: Escape) -> bool {
    PLAIN[usize::from(byte)] & (1 << escape as u8) != 0
}

/// Every value of every request is looked at byte by byte: for each byte a bit for each place.
static PLAIN: [u8; 256] = {
    let places = [Escape::None, Escape::Header, Escape::Json, Escape::Percent, Escape::Dn, Escape::Url];
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        let mut place = 0;
        while place < places.len() {
            table[byte] |= (may_stand(byte as u8, places[place]) as u8) << places[place] as u8;
            place += 1;
        }
        byte += 1;
    }
    table
};

const fn may_stand(byte: u8, escape: Escape) -> bool {
    let is_unreserved = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    match escape {
        Escape::None => true,
        Escape::Header => !matches!(byte, b'\r' | b'\n' | 0),
        Escape::Json => byte >= 0x20 && byte != b'"' && byte != b'\\',
        Escape::Percent => is_unreserved,
        // Unreserved and reserved characters of RFC 3986 section 2.
        Escape::Url => {
            is_unreserved
                || matches!(byte, b':' | b'/' | b'?' | b'#' | b'[' | b']' | b'@' | b'!' | b'$' | b'&' | b'\'')
                || matches!(byte, b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
        }
        Escape::Dn => {
            !matches!(byte, b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' | b'=' | b'#' | b' ' | 0)
        }
    }
}

/// Appends `value` escaped for its place.
pub fn escape_into(value: &[u8], escape: Escape, out: &mut Vec<u8>) {
    match escape {
        Escape::None => out.extend_from_slice(value),
        Escape::Header => out.extend(value.iter().map(|b| if is_plain(*b, escape) { *b } else { b' ' })),
        Escape::Json => json_escape(value, out),
        Escape::Percent => percent_encode(value, out),
        Escape::Url => encode_url_text(value, out),
        Escape::Dn => dn_escape(value, out),
    }
}

fn json_escape(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(*byte),
        }
    }
}

/// Blanks need it at the ends alone.
fn dn_escape(value: &[u8], out: &mut Vec<u8>) {
    for (index, byte) in value.iter().enumerate() {
        match byte {
            0 => out.extend_from_slice(b"\\00"),
            b' ' if index > 0 && index + 1 < value.len() => out.push(b' '),
            byte if is_plain(*byte, Escape::Dn) => out.push(*byte),
            byte => out.extend_from_slice(&[b'\\', *byte]),
        }
    }
}

fn percent_encode(value: &[u8], out: &mut Vec<u8>) {
    for byte in value {
        if is_plain(*byte, Escape::Percent) {
            out.push(*byte);
        } else {
            push_percent(*byte, out);
        }
    }
}

fn push_percent(byte: u8, out: &mut Vec<u8>) {
    let digit = |nibble: u8| b"0123456789ABCDEF"[usize::from(nibble)];
    out.extend_from_slice(&[b'%', digit(byte >> 4), digit(byte & 15)]);
}

/// Encodes what RFC 3986 does not allow, leaving `+`, `=`, `&` and existing escapes alone.
pub fn encode_url_text(text: &[u8], out: &mut Vec<u8>) {
    for (index, byte) in text.iter().enumerate() {
        let escaped = *byte == b'%'
            && text.get(index + 1..index + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit));
        if escaped || is_plain(*byte, Escape::Url) {
            out.push(*byte);
        } else {
            push_percent(*byte, out);
        }
    }
}

impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.segments).finish()
    }
}

/// Texts may hold secrets: only their length is shown.
impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Segment::Value { slot, filters, escape } => write!(f, "Value({slot:?}, {filters:?}, {escape:?})"),
            Segment::Nested { inner, filters, escape } => {
                write!(f, "Nested({inner:?}, {filters:?}, {escape:?})")
            }
        }
    }
}
