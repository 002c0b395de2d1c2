//! The Basic Encoding Rules as far as LDAP uses them (RFC 4511, 5.1): tags of one byte, definite lengths.
//!
//! Reading is in place: what is read borrows from the message. No input makes it panic.

/// What an element is.
pub(crate) mod tag {
    pub(crate) const BOOLEAN: u8 = 0x01;
    pub(crate) const INTEGER: u8 = 0x02;
    pub(crate) const OCTETS: u8 = 0x04;
    pub(crate) const ENUMERATED: u8 = 0x0a;
    pub(crate) const SEQUENCE: u8 = 0x30;
    pub(crate) const SET: u8 = 0x31;
}

/// The bytes are not what the protocol says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("malformed BER")]
pub(crate) struct Malformed;

/// Reads elements one after another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reader<'b> {
    rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// What has not been read.
    pub(crate) fn rest(&self) -> &'b [u8] {
        self.rest
    }

    /// The tag of the next element; `None` at the end.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// The next element, whatever it is: its tag and what it holds.
    pub(crate) fn any(&mut self) -> Result<(u8, &'b [u8]), Malformed> {
        let tag = *self.rest.first().ok_or(Malformed)?;
        let header = header(self.rest)?.ok_or(Malformed)?;
        let end = header.start.checked_add(header.length).ok_or(Malformed)?;
        let content = self.rest.get(header.start..end).ok_or(Malformed)?;
        self.rest = &self.rest[end..];
        Ok((tag, content))
    }

    /// What the next element holds, which must have this tag.
    pub(crate) fn expect(&mut self, tag: u8) -> Result<&'b [u8], Malformed> {
        if self.peek() == Some(tag) { self.any().map(|(_, content)| content) } else { Err(Malformed) }
    }

    /// The same, `None` when the next element is another one.
    pub(crate) fn optional(&mut self, tag: u8) -> Result<Option<&'b [u8]>, Malformed> {
        if self.peek() == Some(tag) { self.expect(tag).map(Some) } else { Ok(None) }
    }

    /// The elements inside the next one.
    pub(crate) fn inside(&mut self, tag: u8) -> Result<Reader<'b>, Malformed> {
        self.expect(tag).map(Reader::new)
    }

    pub(crate) fn octets(&mut self) -> Result<&'b [u8], Malformed> {
        self.expect(tag::OCTETS)
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Malformed> {
        match self.expect(tag::BOOLEAN)? {
            [byte] => Ok(*byte != 0),
            _ => Err(Malformed),
        }
    }

    /// A number from 0 to 2^31 - 1, the `maxInt` of RFC 4511.
    pub(crate) fn number(&mut self, tag: u8) -> Result<u32, Malformed> {
        number(self.expect(tag)?)
    }

    /// There must be nothing left.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed) }
    }
}

/// The number that the content of an INTEGER or ENUMERATED is, from 0 to 2^31 - 1.
pub(crate) fn number(content: &[u8]) -> Result<u32, Malformed> {
    if !(1..=8).contains(&content.len()) || content[0] >= 0x80 {
        return Err(Malformed);
    }
    let value = content.iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
    i32::try_from(value).map(i32::cast_unsigned).map_err(|_| Malformed)
}

/// Where the content of an element begins, and how long it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) start: usize,
    pub(crate) length: usize,
}

/// The header of the element that `bytes` begin with; `None` when more bytes are needed to tell.
pub(crate) fn header(bytes: &[u8]) -> Result<Option<Header>, Malformed> {
    let (tag, first) = match bytes {
        [tag, first, ..] => (*tag, *first),
        _ => return Ok(None),
    };
    // A tag number of 31 or more takes further bytes; LDAP has none.
    if tag & 0x1f == 0x1f {
        return Err(Malformed);
    }
    if first < 0x80 {
        return Ok(Some(Header { start: 2, length: usize::from(first) }));
    }
    let count = usize::from(first & 0x7f);
    // 0x80 is the indefinite form, which RFC 4511 forbids. Some senders always use four bytes.
    if !(1..=8).contains(&count) {
        return Err(Malformed);
    }
    let Some(octets) = bytes.get(2..2 + count) else { return Ok(None) };
    let length = octets.iter().fold(0_u64, |length, &byte| length << 8 | u64::from(byte));
    let length = usize::try_from(length).map_err(|_| Malformed)?;
    Ok(Some(Header { start: 2 + count, length }))
}

/// Where an element began that is being written.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub(crate) struct Open(usize);

/// Begins an element; what is written until [`end`] is inside it.
pub(crate) fn begin(out: &mut Vec<u8>, tag: u8) -> Open {
    out.extend_from_slice(&[tag, 0]);
    Open(out.len())
}

/// Ends an element.
pub(crate) fn end(out: &mut Vec<u8>, open: Open) {
    let length = out.len() - open.0;
    if length < 0x80 {
        out[open.0 - 1] = length as u8;
        return;
    }
    // The length needs more than the byte that was left for it: the content moves.
    let octets = length.to_be_bytes();
    let used = &octets[length.leading_zeros() as usize / 8..];
    out[open.0 - 1] = 0x80 | used.len() as u8;
    out.splice(open.0..open.0, used.iter().copied());
}

/// Writes an element of bytes.
pub(crate) fn put(out: &mut Vec<u8>, tag: u8, content: &[u8]) {
    let open = begin(out, tag);
    out.extend_from_slice(content);
    end(out, open);
}

/// Writes a number as an INTEGER, or as an ENUMERATED.
pub(crate) fn put_number(out: &mut Vec<u8>, tag: u8, value: u32) {
    let octets = value.to_be_bytes();
    let mut first = (value.leading_zeros() as usize / 8).min(3);
    // Two's complement: a first bit that is set would make it negative.
    if octets[first] >= 0x80 {
        if first == 0 {
            out.extend_from_slice(&[tag, 5, 0]);
            out.extend_from_slice(&octets);
            return;
        }
        first -= 1;
    }
    out.extend_from_slice(&[tag, (4 - first) as u8]);
    out.extend_from_slice(&octets[first..]);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn forbidden_forms_are_refused() {
        for bytes in [&[0x30, 0x80, 0, 0][..], &[0x3f, 0x81, 0], &[0x30, 0x89, 0, 0, 0, 0, 0, 0, 0, 0, 1]] {
            assert_eq!(Reader::new(bytes).any(), Err(Malformed), "{bytes:?}");
        }
        for bytes in [&[2, 0][..], &[2, 1, 0x80], &[2, 5, 0, 0x80, 0, 0, 0], &[1, 1, 0]] {
            assert_eq!(Reader::new(bytes).number(tag::INTEGER), Err(Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn lengths_may_be_longer_than_needed() {
        let mut reader = Reader::new(&[4, 0x84, 0, 0, 0, 2, b'h', b'i', 5]);
        assert_eq!((reader.octets(), reader.rest()), (Ok(&b"hi"[..]), &[5][..]));
    }

    proptest! {
        #[test]
        fn what_was_written_is_read(content in proptest::collection::vec(any::<u8>(), 0..300), value in 0..=i32::MAX as u32) {
            let mut out = Vec::new();
            let open = begin(&mut out, tag::SEQUENCE);
            put(&mut out, tag::OCTETS, &content);
            put_number(&mut out, tag::INTEGER, value);
            end(&mut out, open);
            let mut outer = Reader::new(&out);
            let mut inner = outer.inside(tag::SEQUENCE).unwrap();
            prop_assert_eq!(inner.octets().unwrap(), &content[..]);
            prop_assert_eq!(inner.number(tag::INTEGER), Ok(value));
            prop_assert!(inner.end().is_ok() && outer.end().is_ok());
        }

        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let mut reader = Reader::new(&bytes);
            while reader.any().is_ok() {}
            prop_assert!(reader.rest().len() <= bytes.len());
        }
    }
}
