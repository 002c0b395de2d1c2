//! Templates of the rate tools: `{}` and `{1}` as in DS 7, `%d`, `%s` and `%2$s` as in OpenDJ.
//!
//! A text with `{}` or `{1}` is of the first kind, and a percent sign in it stands for itself. Without them it is
//! of the second kind if it has any placeholder of that, and else stands as it is.

use crate::format::rate_tool::generator::{Arguments, Generator};
use crate::format::rate_tool::printf;
use crate::template::{self, Escape, Filter, Format, Template, escape_into};

/// A part of a text with placeholders.
pub(super) enum Segment {
    /// Text that stands as it is.
    Text(String),
    /// An argument, counted from 0.
    Argument { index: usize, format: Format },
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

    fn check(&self, place: &str, index: usize, format: Format) -> Result<(), String> {
        let count = self.count();
        if index == usize::MAX {
            return Err(format!("`{place}` asks for argument 0"));
        }
        if index >= count {
            return Err(format!("`{place}` asks for argument {} of {count}", index + 1));
        }
        let number = self.arguments.get(index).is_some_and(Generator::is_number);
        if format.wants_number() && !number {
            return Err(format!("`{place}` wants a number, but argument {} is text", index + 1));
        }
        Ok(())
    }
}

/// Compiles a text: argument n becomes the variable of slot n - 1. The error says what is wrong, without the text.
pub(super) fn compile(text: &str, known: &Known<'_>) -> Result<Template, String> {
    let segments = if braces(text).next().is_some() { in_braces(text) } else { printf::segments(text)? };
    let mut out = Template::default();
    for (segment, place) in segments {
        match segment {
            Segment::Text(text) => out.push_text(text),
            Segment::Argument { index, format } => {
                known.check(place, index, format)?;
                let filters = if format.is_plain() { Vec::new() } else { vec![Filter::Format(format)] };
                let slot = Arguments::slot(index);
                out.push(template::Segment::Value { slot, filters, escape: Escape::None });
            }
        }
    }
    Ok(out)
}

/// A text made part of a distinguished name's value.
pub(super) fn escape_name(value: &str) -> String {
    let mut out = Vec::with_capacity(value.len());
    escape_into(value.as_bytes(), Escape::Dn, &mut out);
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
