//! Names of entries (RFC 4514): read into a key under which equal names are equal and whose order is that
//! of the tree.
//!
//! A key holds the parts of a name from the root on, separated by zero bytes: `dc=com`, `dc=example`. The
//! entries below it are those whose keys go on with a zero byte.

use std::ops::Range;

use super::matching::fold;

/// Longer chains of names are refused.
const PARTS_LIMIT: usize = 100;

/// Between the parts of a key.
const SEPARATOR: u8 = 0;

/// The text is not the name of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a distinguished name")]
pub(crate) struct InvalidDn;

/// The name of an entry. Reading another one into it uses its buffers again.
#[derive(Debug, Default, Clone)]
pub(crate) struct Dn {
    key: Vec<u8>,
    /// The normalised parts, the leaf's first, and where each ends.
    normal: Vec<u8>,
    ends: Vec<usize>,
    /// Values of the leaf's part as they were typed, without escapes, and the text of the part.
    typed: Vec<u8>,
    leaf: Vec<(Range<usize>, Range<usize>)>,
    leaf_text: Range<usize>,
}

impl Dn {
    /// Reads a name into a new one.
    pub(crate) fn of(text: &[u8]) -> Result<Self, InvalidDn> {
        let mut dn = Self::default();
        dn.read(text)?;
        Ok(dn)
    }

    /// Reads a name; an empty text is the root.
    pub(crate) fn read(&mut self, text: &[u8]) -> Result<(), InvalidDn> {
        self.clear();
        let mut parser = Parser { text, at: 0 };
        parser.skip_spaces();
        while !parser.is_at_end() || !self.ends.is_empty() {
            if self.ends.len() >= PARTS_LIMIT {
                return Err(InvalidDn);
            }
            let start = parser.at;
            self.read_part(&mut parser)?;
            if self.ends.len() == 1 {
                self.leaf_text = start..parser.at;
            }
            if !parser.skip_any(b",;") {
                break;
            }
        }
        if !parser.is_at_end() {
            return Err(InvalidDn);
        }
        for part in (0..self.ends.len()).rev() {
            let start = if part == 0 { 0 } else { self.ends[part - 1] };
            if !self.key.is_empty() {
                self.key.push(SEPARATOR);
            }
            self.key.extend_from_slice(&self.normal[start..self.ends[part]]);
        }
        Ok(())
    }

    fn clear(&mut self) {
        self.key.clear();
        self.normal.clear();
        self.ends.clear();
        self.typed.clear();
        self.leaf.clear();
        self.leaf_text = 0..0;
    }

    /// One part: `uid=user.7`, or several pairs joined by `+`.
    fn read_part(&mut self, parser: &mut Parser<'_>) -> Result<(), InvalidDn> {
        let is_leaf = self.ends.is_empty();
        let start = self.normal.len();
        let mut pairs = 0;
        loop {
            parser.skip_spaces();
            let name = parser.attribute()?;
            let typed = self.typed.len();
            self.typed.extend_from_slice(name);
            let value = self.typed.len();
            parser.value(&mut self.typed)?;
            if pairs > 0 {
                self.normal.push(b'+');
            }
            pairs += 1;
            self.normal.extend(name.iter().map(u8::to_ascii_lowercase));
            self.normal.push(b'=');
            normalize(&self.typed[value..], &mut self.normal);
            if is_leaf {
                self.leaf.push((typed..value, value..self.typed.len()));
            } else {
                self.typed.truncate(typed);
            }
            if !parser.skip_any(b"+") {
                break;
            }
        }
        if pairs > 1 {
            let part = self.normal.split_off(start);
            let mut sorted: Vec<_> = part.split(|&byte| byte == b'+').collect();
            sorted.sort_unstable();
            self.normal.extend(sorted.join(&b'+'));
        }
        self.ends.push(self.normal.len());
        Ok(())
    }

    pub(crate) fn key(&self) -> &[u8] {
        &self.key
    }

    /// Names and values of the leaf's part, as typed.
    pub(crate) fn leaf(&self) -> impl ExactSizeIterator<Item = (&[u8], &[u8])> {
        self.leaf.iter().map(|(name, value)| (&self.typed[name.clone()], &self.typed[value.clone()]))
    }

    /// Where the leaf's part stands in the text that was read.
    pub(crate) fn leaf_text(&self) -> Range<usize> {
        self.leaf_text.clone()
    }

    /// How many parts there are.
    pub(crate) fn depth(&self) -> usize {
        self.ends.len()
    }
}

/// The key of the entry above; `None` for the root.
pub(crate) fn parent(key: &[u8]) -> Option<&[u8]> {
    if key.is_empty() {
        return None;
    }
    Some(&key[..key.iter().rposition(|&byte| byte == SEPARATOR).unwrap_or(0)])
}

/// Whether an entry is below another one.
pub(crate) fn is_below(key: &[u8], above: &[u8]) -> bool {
    above.is_empty() && !key.is_empty()
        || key.strip_prefix(above).is_some_and(|rest| rest.first() == Some(&SEPARATOR))
}

/// Writes a value so that it can stand in a name (RFC 4514, 2.4).
pub(crate) fn escape(value: &[u8], out: &mut Vec<u8>) {
    for (at, &byte) in value.iter().enumerate() {
        let is_edge = at == 0 || at + 1 == value.len();
        match byte {
            0 => out.extend_from_slice(b"\\00"),
            b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b' ' if is_edge => out.extend_from_slice(b"\\ "),
            b'#' if at == 0 => out.extend_from_slice(b"\\#"),
            _ => out.push(byte),
        }
    }
}

/// Small letters, single spaces; bytes that have a meaning in keys are written in another way.
fn normalize(value: &[u8], out: &mut Vec<u8>) {
    let folded = fold(value);
    let start = out.len();
    let mut space = false;
    for &byte in folded.iter() {
        if byte == b' ' {
            space = out.len() > start;
            continue;
        }
        if space {
            out.push(b' ');
            space = false;
        }
        match byte {
            0 => out.extend_from_slice(b"\\0"),
            1 => out.extend_from_slice(b"\\1"),
            b'+' => out.extend_from_slice(b"\\p"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            _ => out.push(byte),
        }
    }
}

struct Parser<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn is_at_end(&self) -> bool {
        self.at >= self.text.len()
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.peek()?;
        self.at += 1;
        Some(byte)
    }

    fn skip_spaces(&mut self) {
        while self.peek() == Some(b' ') {
            self.at += 1;
        }
    }

    fn skip_any(&mut self, wanted: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| wanted.contains(&byte));
        self.at += usize::from(found);
        found
    }

    /// A name and the equals sign after it.
    fn attribute(&mut self) -> Result<&'t [u8], InvalidDn> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"-.".contains(&byte)) {
            self.at += 1;
        }
        let name = &self.text[start..self.at];
        self.skip_spaces();
        if name.is_empty() || !self.skip_any(b"=") {
            return Err(InvalidDn);
        }
        self.skip_spaces();
        Ok(name)
    }

    /// A value, without its escapes; spaces at its end are not part of it.
    fn value(&mut self, out: &mut Vec<u8>) -> Result<(), InvalidDn> {
        let mut end = out.len();
        match self.peek() {
            Some(b'#') => return self.encoded(out),
            Some(b'"') => return self.quoted(out),
            _ => {}
        }
        while let Some(byte) = self.peek() {
            match byte {
                b',' | b';' | b'+' => break,
                b'"' | b'<' | b'>' | 0 => return Err(InvalidDn),
                b'\\' => {
                    self.at += 1;
                    out.push(self.escaped()?);
                    end = out.len();
                }
                _ => {
                    self.at += 1;
                    out.push(byte);
                    if byte != b' ' {
                        end = out.len();
                    }
                }
            }
        }
        out.truncate(end);
        Ok(())
    }

    /// What follows a backslash: two hexadecimal digits, or a character that needs an escape.
    fn escaped(&mut self) -> Result<u8, InvalidDn> {
        match self.next().ok_or(InvalidDn)? {
            byte @ (b'"' | b'+' | b',' | b';' | b'<' | b'>' | b'\\' | b' ' | b'#' | b'=') => Ok(byte),
            byte => self.hexadecimal(byte),
        }
    }

    fn hexadecimal(&mut self, first: u8) -> Result<u8, InvalidDn> {
        let digit = |byte: u8| char::from(byte).to_digit(16).ok_or(InvalidDn);
        let high = digit(first)?;
        let low = digit(self.next().ok_or(InvalidDn)?)?;
        Ok((high << 4 | low) as u8)
    }

    /// `"a, b"`, as names were once written.
    fn quoted(&mut self, out: &mut Vec<u8>) -> Result<(), InvalidDn> {
        self.at += 1;
        loop {
            match self.next().ok_or(InvalidDn)? {
                b'"' => break,
                b'\\' => out.push(self.escaped()?),
                byte => out.push(byte),
            }
        }
        self.skip_spaces();
        Ok(())
    }

    /// `#` and a BER element in hexadecimal digits; what it holds is the value.
    fn encoded(&mut self, out: &mut Vec<u8>) -> Result<(), InvalidDn> {
        self.at += 1;
        let mut element = Vec::new();
        while self.peek().is_some_and(|byte| byte.is_ascii_hexdigit()) {
            let first = self.next().ok_or(InvalidDn)?;
            element.push(self.hexadecimal(first)?);
        }
        let mut reader = super::ber::Reader::new(&element);
        let (_, content) = reader.any().map_err(|_| InvalidDn)?;
        reader.end().map_err(|_| InvalidDn)?;
        out.extend_from_slice(content);
        self.skip_spaces();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(text: &str) -> Option<String> {
        Dn::of(text.as_bytes()).ok().map(|dn| String::from_utf8_lossy(dn.key()).replace('\0', "/"))
    }

    #[test]
    fn equal_names_have_equal_keys() {
        for (text, expected) in [
            ("", ""),
            ("dc=com", "dc=com"),
            (" UID = User.7 , ou=People,dc=example , dc=com", "dc=com/dc=example/ou=people/uid=user.7"),
            ("cn=a  B;dc=com", "dc=com/cn=a b"),
            ("cn=a\\2cb\\,c,dc=com", "dc=com/cn=a,b,c"),
            ("cn=\"a,b,c\",dc=com", "dc=com/cn=a,b,c"),
            ("uid=x+CN=y,dc=com", "dc=com/cn=y+uid=x"),
            ("cn=y+uid=X,dc=com", "dc=com/cn=y+uid=x"),
            ("cn=a\\+b", "cn=a\\pb"),
            ("1.2.3=#04024869", "1.2.3=hi"),
            ("cn=\\c3\\86RE", "cn=ære"),
            ("cn=", "cn="),
            ("cn=\\ a\\ ", "cn=a"),
        ] {
            assert_eq!(key(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "x", "=a", "cn=a,", ",cn=a", "cn=a\\", "cn=a\\zz", "cn=a\"b", "cn=#zz", "cn=\"a", "c n=a",
            "cn=a+",
        ] {
            assert_eq!(key(text), None, "{text}");
        }
        assert_eq!(key(&"cn=a,".repeat(200)), None);
    }

    #[test]
    fn the_leaf_stays_as_typed() {
        let dn = Dn::of(b" uid=J\\2cDoe ,dc=com").unwrap();
        assert_eq!(dn.leaf().collect::<Vec<_>>(), [(&b"uid"[..], &b"J,Doe"[..])]);
        assert_eq!(&b" uid=J\\2cDoe ,dc=com"[dn.leaf_text()], b"uid=J\\2cDoe ");
        assert_eq!(parent(dn.key()), Some(&b"dc=com"[..]));
        assert!(
            is_below(dn.key(), b"dc=com")
                && !is_below(dn.key(), dn.key())
                && !is_below(b"dc=com2", b"dc=com")
        );
    }

    proptest! {
        #[test]
        fn escaped_values_are_read_back(value in "\\PC{0,12}[ +,\"\\\\#=;<>a\u{0}]{0,6}") {
            let mut text = b"cn=".to_vec();
            escape(value.as_bytes(), &mut text);
            text.extend_from_slice(b",dc=com");
            let dn = Dn::of(&text).unwrap();
            prop_assert_eq!(dn.leaf().next().unwrap().1, value.as_bytes());
            prop_assert_eq!(dn.depth(), 2);
        }

        #[test]
        fn no_text_makes_it_panic(text in "[a-c=+,;\\\\\"# 0-9]{0,24}", bytes in proptest::collection::vec(any::<u8>(), 0..24)) {
            let _ = Dn::of(text.as_bytes());
            let _ = Dn::of(&bytes);
        }
    }
}
