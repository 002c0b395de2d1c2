//! The Basic Encoding Rules as far as LDAP uses them (X.690; RFC 4511 section 5.1): definite lengths, tags of
//! one byte.

/// A message may be so long; a server that announces more breaks the protocol.
pub(crate) const MESSAGE_LIMIT: usize = 64 * 1024 * 1024;

/// Universal tags.
pub(crate) const BOOLEAN: u8 = 0x01;
pub(crate) const INTEGER: u8 = 0x02;
pub(crate) const OCTETS: u8 = 0x04;
pub(crate) const ENUMERATED: u8 = 0x0a;
pub(crate) const SEQUENCE: u8 = 0x30;
pub(crate) const SET: u8 = 0x31;

/// A tag of a context, its content bytes.
pub(crate) const fn context(number: u8) -> u8 {
    0x80 | number
}

/// A tag of a context, its content elements.
pub(crate) const fn constructed(number: u8) -> u8 {
    0xa0 | number
}

/// What is no BER, or not what was to stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// An element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Element<'a> {
    pub(crate) tag: u8,
    pub(crate) content: &'a [u8],
}

/// Elements one after another.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elements<'a>(pub(crate) &'a [u8]);

impl<'a> Elements<'a> {
    /// The next one; none at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Element<'a>>, Malformed> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let (header, length) = header(self.0)?.ok_or(Malformed)?;
        let content = self.0.get(header..header + length).ok_or(Malformed)?;
        let element = Element { tag: self.0[0], content };
        self.0 = &self.0[header + length..];
        Ok(Some(element))
    }

    /// The content of the next one, which has this tag.
    pub(crate) fn take(&mut self, tag: u8) -> Result<&'a [u8], Malformed> {
        match self.next()? {
            Some(element) if element.tag == tag => Ok(element.content),
            _ => Err(Malformed),
        }
    }

    /// The same if it is there; else nothing is taken.
    pub(crate) fn take_if(&mut self, tag: u8) -> Result<Option<&'a [u8]>, Malformed> {
        if self.0.first() == Some(&tag) { self.take(tag).map(Some) } else { Ok(None) }
    }
}

/// Length of the header of an element and of its content; none when more has to come to know.
fn header(bytes: &[u8]) -> Result<Option<(usize, usize)>, Malformed> {
    let (Some(tag), Some(first)) = (bytes.first(), bytes.get(1)) else { return Ok(None) };
    if tag & 0x1f == 0x1f {
        return Err(Malformed);
    }
    if *first < 0x80 {
        return Ok(Some((2, usize::from(*first))));
    }
    let count = usize::from(first & 0x7f);
    // 0 would be an indefinite length; more than 4 bytes are never needed below the limit.
    if count == 0 || count > 4 {
        return Err(Malformed);
    }
    let Some(octets) = bytes.get(2..2 + count) else { return Ok(None) };
    let length = octets.iter().fold(0, |sum, octet| sum << 8 | usize::from(*octet));
    if length > MESSAGE_LIMIT { Err(Malformed) } else { Ok(Some((2 + count, length))) }
}

/// Length of the message at the front of what came; none when not even that has come.
pub(crate) fn message_length(bytes: &[u8]) -> Result<Option<usize>, Malformed> {
    if bytes.first().is_some_and(|tag| *tag != SEQUENCE) {
        return Err(Malformed);
    }
    Ok(header(bytes)?.map(|(header, length)| header + length))
}

/// A whole number of up to 8 bytes.
pub(crate) fn integer(content: &[u8]) -> Result<i64, Malformed> {
    let first = *content.first().ok_or(Malformed)?;
    if content.len() > 8 {
        return Err(Malformed);
    }
    let sign = if first & 0x80 == 0 { 0 } else { -1 };
    Ok(content.iter().fold(sign, |sum, octet| sum << 8 | i64::from(*octet)))
}

/// Begins an element whose length is not known yet; [`close`] takes what this gives.
pub(crate) fn open(tag: u8, out: &mut Vec<u8>) -> usize {
    out.extend_from_slice(&[tag, 0]);
    out.len()
}

/// Ends an element. A length that needs more than one byte moves the content: it is mostly short.
pub(crate) fn close(start: usize, out: &mut Vec<u8>) {
    let length = out.len() - start;
    if length < 0x80 {
        out[start - 1] = length as u8;
        return;
    }
    let octets = length.to_be_bytes();
    let octets = &octets[(length.leading_zeros() / 8) as usize..];
    out[start - 1] = 0x80 | octets.len() as u8;
    out.extend_from_slice(octets);
    out.copy_within(start..start + length, start + octets.len());
    out[start..start + octets.len()].copy_from_slice(octets);
}

/// Writes an element of bytes.
pub(crate) fn write(tag: u8, content: &[u8], out: &mut Vec<u8>) {
    let start = open(tag, out);
    out.extend_from_slice(content);
    close(start, out);
}

/// Writes a whole number in as few bytes as hold it.
pub(crate) fn write_integer(tag: u8, value: i64, out: &mut Vec<u8>) {
    let octets = value.to_be_bytes();
    let spare = |index: usize| {
        let sign = octets[index + 1] & 0x80 != 0;
        octets[index] == if sign { 0xff } else { 0 }
    };
    let from = (0..7).find(|index| !spare(*index)).unwrap_or(7);
    write(tag, &octets[from..], out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        write_integer(INTEGER, value, &mut out);
        out
    }

    #[test]
    fn numbers_take_as_few_bytes_as_hold_them() {
        assert_eq!(number(0), [2, 1, 0]);
        assert_eq!(number(127), [2, 1, 127]);
        assert_eq!(number(128), [2, 2, 0, 128]);
        assert_eq!(number(-128), [2, 1, 128]);
        assert_eq!(number(0x1234_5678), [2, 4, 0x12, 0x34, 0x56, 0x78]);
    }

    #[test]
    fn what_ldap_does_not_use_is_refused() {
        for bytes in [&[0x30, 0x80][..], &[0x30, 0x85, 0, 0, 0, 0, 1], &[0x30, 0x84, 0xff, 0, 0, 0], &[0x16]]
        {
            assert_eq!(message_length(bytes), Err(Malformed), "{bytes:?}");
        }
        assert_eq!(Elements(&[0x3f, 1, 0]).next(), Err(Malformed));
        assert_eq!(Elements(&[0x04, 5, 0]).next(), Err(Malformed));
        assert_eq!(message_length(&[0x30, 0x82, 1]), Ok(None));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(value in any::<i64>(), length in 0..70_000_usize) {
            let mut out = Vec::new();
            let start = open(SEQUENCE, &mut out);
            write_integer(INTEGER, value, &mut out);
            write(OCTETS, &vec![7; length], &mut out);
            close(start, &mut out);
            prop_assert_eq!(message_length(&out), Ok(Some(out.len())));
            let mut inside = Elements(Elements(&out).take(SEQUENCE).unwrap());
            prop_assert_eq!(integer(inside.take(INTEGER).unwrap()), Ok(value));
            prop_assert_eq!(inside.take(OCTETS).unwrap().len(), length);
            prop_assert_eq!(inside.next(), Ok(None));
        }
    }
}
