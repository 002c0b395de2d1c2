//! Names and values with commas between them (RFC 2831 section 7.1).

use super::Broken;

/// Directives in order, each with its value, quotation marks taken off.
pub(super) struct Directives<'a>(pub(super) &'a [u8]);

impl<'a> Iterator for Directives<'a> {
    type Item = Result<(&'a [u8], Vec<u8>), Broken>;

    fn next(&mut self) -> Option<Self::Item> {
        let is_between = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
        let begin = self.0.iter().position(|byte| !is_between(byte))?;
        self.0 = &self.0[begin..];
        let directive = self.directive();
        if directive.is_err() {
            self.0 = &[];
        }
        Some(directive)
    }
}

impl<'a> Directives<'a> {
    fn directive(&mut self) -> Result<(&'a [u8], Vec<u8>), Broken> {
        let equals = self.0.iter().position(|byte| *byte == b'=');
        let equals = equals.ok_or(Broken::Challenge("a name has no value"))?;
        let name = self.0[..equals].trim_ascii();
        self.0 = self.0[equals + 1..].trim_ascii_start();
        let value = if self.0.first() == Some(&b'"') { self.quoted()? } else { self.token() };
        Ok((name, value))
    }

    fn token(&mut self) -> Vec<u8> {
        let end = self.0.iter().position(|byte| *byte == b',').unwrap_or(self.0.len());
        let (token, rest) = self.0.split_at(end);
        self.0 = rest;
        token.trim_ascii().to_vec()
    }

    fn quoted(&mut self) -> Result<Vec<u8>, Broken> {
        let mut value = Vec::new();
        let mut bytes = self.0.iter().enumerate().skip(1);
        while let Some((index, byte)) = bytes.next() {
            match byte {
                b'"' => {
                    self.0 = &self.0[index + 1..];
                    return Ok(value);
                }
                b'\\' => value.extend(bytes.next().map(|(_, escaped)| *escaped)),
                _ => value.push(*byte),
            }
        }
        Err(Broken::Challenge("a quotation mark is missing"))
    }
}
