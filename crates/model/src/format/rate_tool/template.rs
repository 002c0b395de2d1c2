//! Templates of the rate tools: `{}` and `{1}` as in DS 7, `%d`, `%s` and `%2$s` as in OpenDJ.
//!
//! A text with `{}` or `{1}` is of the first kind, and a percent sign in it stands for itself. Without them it is
//! of the second kind if it has any placeholder of that, and else stands as it is.

use crate::format::rate_tool::generator::{Arguments, Row};
use crate::format::rate_tool::printf::{self, Format};
use std::fmt;

/// Text with places for arguments, compiled once to segments.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Segment {
    /// Text that stands as it is. May hold a secret.
    Text(String),
    /// An argument, counted from 0.
    Argument { index: usize, format: Format },
}

/// What is done to a value so that it cannot change the meaning of what it becomes part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// Nothing, as the original tools do.
    None,
    /// The value of a distinguished name: RFC 4514 section 2.4.
    Name,
    /// The value of a search filter: RFC 4515 section 3.
    Filter,
}

/// What a template may refer to.
pub(super) struct Known<'a> {
    pub(super) arguments: &'a Arguments,
    /// Whether the name of a found entry follows the arguments.
    pub(super) found_name: bool,
}

impl Known<'_> {
    fn count(&self) -> usize {
        self.arguments.len() + usize::from(self.found_name)
    }

    fn check(&self, place: &str, index: usize, format: &Format) -> Result<(), String> {
        let count = self.count();
        if index == usize::MAX {
            return Err(format!("`{place}` asks for argument 0"));
        }
        if index >= count {
            return Err(format!("`{place}` asks for argument {} of {count}", index + 1));
        }
        let number = self.arguments.get(index).is_some_and(super::generator::Generator::is_number);
        if format.wants_number() && !number {
            return Err(format!("`{place}` wants a number, but argument {} is text", index + 1));
        }
        Ok(())
    }
}

impl Template {
    /// Text without arguments.
    pub fn text(text: impl Into<String>) -> Self {
        let mut template = Self::default();
        template.push_text(&text.into());
        template
    }

    /// Compiles a text. The error says what is wrong, without the text.
    pub(super) fn compile(text: &str, known: &Known<'_>) -> Result<Self, String> {
        let segments = if braces(text).next().is_some() { in_braces(text) } else { printf::segments(text)? };
        let mut template = Self::default();
        for (segment, place) in segments {
            match segment {
                Segment::Text(text) => template.push_text(&text),
                Segment::Argument { index, format } => {
                    known.check(place, index, &format)?;
                    template.segments.push(Segment::Argument { index, format });
                }
            }
        }
        Ok(template)
    }

    fn push_text(&mut self, text: &str) {
        match self.segments.last_mut() {
            _ if text.is_empty() => {}
            Some(Segment::Text(last)) => last.push_str(text),
            _ => self.segments.push(Segment::Text(text.to_owned())),
        }
    }

    /// The whole text when no argument stands in it.
    pub fn constant(&self) -> Option<&str> {
        match self.segments.as_slice() {
            [] => Some(""),
            [Segment::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Appends the text with the values of one operation.
    pub fn render(&self, row: &Row, escape: Escape, out: &mut Vec<u8>) {
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => out.extend_from_slice(text.as_bytes()),
                Segment::Argument { index, format } if escape == Escape::None => {
                    format.write(row, *index, out);
                }
                Segment::Argument { index, format } => {
                    let start = out.len();
                    format.write(row, *index, out);
                    let value = out.split_off(start);
                    escape.write(&value, out);
                }
            }
        }
    }
}

impl Escape {
    fn write(self, value: &[u8], out: &mut Vec<u8>) {
        for (index, byte) in value.iter().enumerate() {
            let plain = match self {
                Escape::None => true,
                Escape::Filter => !matches!(byte, b'*' | b'(' | b')' | b'\\' | 0),
                Escape::Name => is_plain_in_name(*byte, index == 0, index + 1 == value.len()),
            };
            if plain {
                out.push(*byte);
            } else {
                out.extend_from_slice(format!("\\{byte:02x}").as_bytes());
            }
        }
    }
}

/// RFC 4514 section 2.4. Hexadecimal pairs are allowed for every octet, so that they serve for all of them.
fn is_plain_in_name(byte: u8, first: bool, last: bool) -> bool {
    match byte {
        b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' | b'=' | 0 => false,
        b'#' => !first,
        b' ' => !first && !last,
        _ => true,
    }
}

/// A text made part of a distinguished name's value.
pub(super) fn escape_name(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len());
    Escape::Name.write(value.as_bytes(), &mut out);
    String::from_utf8(out).expect("escaping keeps UTF-8: it replaces ASCII characters by ASCII")
}

/// Where `{}` and `{12}` stand, with their number.
fn braces(text: &str) -> impl Iterator<Item = (usize, &str, Option<usize>)> {
    text.match_indices('{').filter_map(|(start, _)| {
        let length = text[start..].find('}')? + 1;
        let place = &text[start..start + length];
        let digits = &place[1..length - 1];
        match digits {
            "" => Some((start, place, None)),
            _ if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some((start, place, digits.parse().ok()))
            }
            _ => None,
        }
        .filter(|(.., number)| digits.is_empty() || number.is_some())
    })
}

fn in_braces(text: &str) -> Vec<(Segment, &str)> {
    let mut segments = Vec::new();
    let (mut copied, mut following) = (0, 0);
    for (start, place, number) in braces(text) {
        let before = &text[copied..start];
        segments.push((Segment::Text(before.to_owned()), before));
        copied = start + place.len();
        // `{0}` becomes an index that no argument has, and is then said to be wrong.
        let index = number.map_or(following, |number| number.wrapping_sub(1));
        following += usize::from(number.is_none());
        segments.push((Segment::Argument { index, format: Format::default() }, place));
    }
    segments.push((Segment::Text(text[copied..].to_owned()), ""));
    segments
}

/// Texts may hold secrets: only their length is shown.
impl fmt::Debug for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.segments).finish()
    }
}

impl fmt::Debug for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Segment::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Segment::Argument { index, .. } => write!(f, "Argument({})", index + 1),
        }
    }
}
