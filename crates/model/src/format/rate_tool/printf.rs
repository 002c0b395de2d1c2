//! The part of Java's format strings that rate tools are used with: `%d`, `%s`, `%x`, flags, width, and `%2$s`.
//!
//! Source: the documentation of `java.util.Formatter`, "Format String Syntax".

use crate::format::rate_tool::template::Segment;
use crate::template::{Conversion, Format};

/// Widest field: wider than any value that a directory names entries by.
const WIDEST: usize = 1024;

/// The segments of a text, each with what stands for it. A text without any placeholder stands as it is.
pub(super) fn segments(text: &str) -> Result<Vec<(Segment, &str)>, String> {
    let mut segments = Vec::new();
    let mut wrong = None;
    let (mut rest, mut following, mut placeholders) = (text, 0, 0);
    while let Some(start) = rest.find('%') {
        segments.push((Segment::Text(rest[..start].to_owned()), ""));
        rest = &rest[start..];
        if rest.starts_with("%%") {
            segments.push((Segment::Text("%".to_owned()), ""));
            rest = &rest[2..];
            continue;
        }
        let Some((length, number, format)) = specifier(rest) else {
            wrong.get_or_insert_with(|| rest.chars().take(2).collect::<String>());
            rest = &rest[1..];
            continue;
        };
        placeholders += 1;
        let index = number.map_or(following, |number: usize| number.wrapping_sub(1));
        following += usize::from(number.is_none());
        segments.push((Segment::Argument { index, format }, &rest[..length]));
        rest = &rest[length..];
    }
    segments.push((Segment::Text(rest.to_owned()), ""));
    match wrong {
        _ if placeholders == 0 => Ok(vec![(Segment::Text(text.to_owned()), "")]),
        Some(wrong) => {
            Err(format!("`{wrong}` is no placeholder beside `%d` and `%s`; a percent sign is `%%`"))
        }
        None => Ok(segments),
    }
}

/// `%[number$][flags][width]conversion`: its length, the number, and the format.
fn specifier(text: &str) -> Option<(usize, Option<usize>, Format)> {
    let mut rest = text.strip_prefix('%')?;
    let mut number = None;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && rest[digits..].starts_with('$') {
        number = Some(rest[..digits].parse().ok()?);
        rest = &rest[digits + 1..];
    }
    let mut format = Format::default();
    while let Some(flag) = rest.bytes().next().filter(|byte| b"-0+".contains(byte)) {
        match flag {
            b'-' => format.left = true,
            b'0' => format.zeros = true,
            _ => format.plus = true,
        }
        rest = &rest[1..];
    }
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 {
        format.width = rest[..digits].parse().ok().filter(|width| *width <= WIDEST)?;
        rest = &rest[digits..];
    }
    format.conversion = match rest.bytes().next()? {
        b's' => Conversion::Text,
        b'S' => Conversion::UpperText,
        b'd' => Conversion::Decimal,
        b'x' => Conversion::Hex,
        b'X' => Conversion::UpperHex,
        _ => return None,
    };
    let text_padded_by_zeros = format.zeros && !format.wants_number();
    let width_missing = format.width == 0 && (format.left || format.zeros);
    if text_padded_by_zeros || width_missing || (format.left && format.zeros) {
        return None;
    }
    Some((text.len() - rest.len() + 1, number, format))
}
