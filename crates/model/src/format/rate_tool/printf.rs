//! The part of Java's format strings that rate tools are used with: `%d`, `%s`, `%x`, flags, width, and `%2$s`.
//!
//! Source: the documentation of `java.util.Formatter`, "Format String Syntax".

use crate::format::rate_tool::generator::Row;
use crate::format::rate_tool::template::Segment;

/// Widest field: wider than any value that a directory names entries by.
const WIDEST: usize = 1024;

/// How a value is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Format {
    conversion: Conversion,
    width: usize,
    left: bool,
    zeros: bool,
    plus: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conversion {
    Text,
    UpperText,
    Decimal,
    Hex,
    UpperHex,
}

impl Default for Format {
    /// The value as it is.
    fn default() -> Self {
        Self { conversion: Conversion::Text, width: 0, left: false, zeros: false, plus: false }
    }
}

impl Format {
    pub(super) fn wants_number(&self) -> bool {
        !matches!(self.conversion, Conversion::Text | Conversion::UpperText)
    }

    /// Appends the value of an index.
    pub(super) fn write(&self, row: &Row, index: usize, out: &mut Vec<u8>) {
        if self.width == 0 && !self.plus && matches!(self.conversion, Conversion::Text | Conversion::Decimal)
        {
            out.extend_from_slice(row.text(index));
            return;
        }
        let number = row.number(index).unwrap_or_default();
        let (sign, digits) = match self.conversion {
            Conversion::Text => ("", String::from_utf8_lossy(row.text(index)).into_owned()),
            Conversion::UpperText => ("", String::from_utf8_lossy(row.text(index)).to_uppercase()),
            Conversion::Decimal => (sign(number, self.plus), number.unsigned_abs().to_string()),
            Conversion::Hex => ("", format!("{number:x}")),
            Conversion::UpperHex => ("", format!("{number:X}")),
        };
        let missing = self.width.saturating_sub(sign.len() + digits.chars().count());
        let (blanks, zeros) = if self.zeros { (0, missing) } else { (missing, 0) };
        if !self.left {
            out.resize(out.len() + blanks, b' ');
        }
        out.extend_from_slice(sign.as_bytes());
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(digits.as_bytes());
        if self.left {
            out.resize(out.len() + blanks, b' ');
        }
    }
}

fn sign(number: i64, plus: bool) -> &'static str {
    match number {
        ..0 => "-",
        _ if plus => "+",
        _ => "",
    }
}

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
