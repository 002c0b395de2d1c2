//! Lines of LDIF put together: folded ones are one again, comments are gone, each knows where it began.

use std::borrow::Cow;

/// A line put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// Text that is not empty, without its line break.
    Text(Cow<'a, [u8]>),
    /// An empty one: a record ends.
    Empty,
    /// One that continues a line which is not there.
    Stray,
}

/// The lines of a file.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the next line of the file, from 1.
    next: u32,
}

impl Line<'_> {
    /// Whether it is a value of this name, which is compared without case.
    pub(super) fn begins(&self, name: &str) -> bool {
        let Line::Text(text) = self else { return false };
        text.get(name.len()) == Some(&b':') && text[..name.len()].eq_ignore_ascii_case(name.as_bytes())
    }
}

impl<'a> Lines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes), next: 1 }
    }

    /// A line as it stands, without LF or CRLF.
    fn physical(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        self.next = self.next.saturating_add(1);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// What the next line adds to the one before, if it continues it (RFC 2849, note 2).
    fn continuation(&mut self) -> Option<&'a [u8]> {
        if self.rest.first() != Some(&b' ') {
            return None;
        }
        self.physical().map(|line| &line[1..])
    }
}

/// Lines with the number of the line of the file that each begins in.
impl<'a> Iterator for Lines<'a> {
    type Item = (u32, Line<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let number = self.next;
            let line = self.physical()?;
            if line.is_empty() {
                return Some((number, Line::Empty));
            }
            if line.starts_with(b" ") {
                return Some((number, Line::Stray));
            }
            let mut whole = Cow::Borrowed(line);
            while let Some(more) = self.continuation() {
                if !more.is_empty() {
                    whole.to_mut().extend_from_slice(more);
                }
            }
            if !whole.starts_with(b"#") {
                return Some((number, Line::Text(whole)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(file: &str) -> Vec<(u32, String)> {
        Lines::new(file.as_bytes())
            .map(|(number, line)| match line {
                Line::Text(text) => (number, String::from_utf8_lossy(&text).into_owned()),
                other => (number, format!("{other:?}")),
            })
            .collect()
    }

    #[track_caller]
    fn check(file: &str, expected: &[(u32, &str)]) {
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect();
        assert_eq!(texts(file), expected);
    }

    #[test]
    fn folded_lines_are_one() {
        check("a: 1\n 2\r\n  3\nb: 4", &[(1, "a: 12 3"), (4, "b: 4")]);
    }

    #[test]
    fn comments_are_gone_with_what_continues_them() {
        check("# one\n two\na: 1\n#\nb: 2\n", &[(3, "a: 1"), (5, "b: 2")]);
    }

    #[test]
    fn what_continues_nothing_is_told() {
        check(" a\n\n b\n", &[(1, "Stray"), (2, "Empty"), (3, "Stray")]);
    }

    #[test]
    fn a_file_may_begin_with_a_byte_order_mark() {
        check("\u{feff}dn: a=b\n", &[(1, "dn: a=b")]);
    }
}
