//! How a value is written: width, padding, and the base of a number.
//!
//! Source: the documentation of `java.util.Formatter`, "Format String Syntax", as far as rate tools are used with it.

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    /// What it is turned into.
    pub conversion: Conversion,
    /// Characters at least.
    pub width: usize,
    /// Whether blanks follow it instead of coming first.
    pub left: bool,
    /// Whether zeros fill the width.
    pub zeros: bool,
    /// Whether a number that is not negative has a sign.
    pub plus: bool,
}

/// What a value is turned into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    /// Nothing else.
    Text,
    /// Upper case.
    UpperText,
    /// A decimal number.
    Decimal,
    /// A hexadecimal number; a negative one as its two's complement.
    Hex,
    /// The same in upper case.
    UpperHex,
}

impl Default for Format {
    /// The value as it is.
    fn default() -> Self {
        Self { conversion: Conversion::Text, width: 0, left: false, zeros: false, plus: false }
    }
}

impl Format {
    /// Whether it is for numbers alone.
    pub fn wants_number(self) -> bool {
        !matches!(self.conversion, Conversion::Text | Conversion::UpperText)
    }

    /// Whether a value stays as it is.
    pub fn is_plain(self) -> bool {
        self.width == 0 && !self.plus && matches!(self.conversion, Conversion::Text | Conversion::Decimal)
    }

    /// The value, written so. What should be a number and is none counts as 0.
    pub(super) fn apply(self, value: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(value);
        let number: i64 = text.parse().unwrap_or_default();
        let (sign, digits) = match self.conversion {
            Conversion::Text => ("", text.into_owned()),
            Conversion::UpperText => ("", text.to_uppercase()),
            Conversion::Decimal => (sign(number, self.plus), number.unsigned_abs().to_string()),
            Conversion::Hex => ("", format!("{number:x}")),
            Conversion::UpperHex => ("", format!("{number:X}")),
        };
        let missing = self.width.saturating_sub(sign.len() + digits.chars().count());
        let (blanks, zeros) = if self.zeros { (0, missing) } else { (missing, 0) };
        let (before, after) = if self.left { (0, blanks) } else { (blanks, 0) };
        let padding = |count, with: &str| with.repeat(count);
        [&padding(before, " "), sign, &padding(zeros, "0"), &digits, &padding(after, " ")]
            .concat()
            .into_bytes()
    }
}

fn sign(number: i64, plus: bool) -> &'static str {
    match number {
        ..0 => "-",
        _ if plus => "+",
        _ => "",
    }
}
