//! Messages as clients send them (RFC 4511, 4.1.1): cut out of the stream, and read in place.

use super::ber::{self, Malformed, Reader, tag};
use super::request::Request;

/// Longer messages end the connection.
pub(crate) const MESSAGE_LIMIT: usize = 4 << 20;

/// What the bytes that have come begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A whole message of so many bytes.
    Whole(usize),
    /// A part of one that has so many bytes, as far as is known.
    Part(usize),
}

/// Finds the end of the first message.
pub(crate) fn frame(bytes: &[u8]) -> Result<Frame, Malformed> {
    if bytes.first().is_some_and(|&first| first != tag::SEQUENCE) {
        return Err(Malformed);
    }
    let Some(header) = ber::header(bytes)? else { return Ok(Frame::Part(bytes.len() + 1)) };
    let length = header.start.checked_add(header.length).filter(|&length| length <= MESSAGE_LIMIT);
    let length = length.ok_or(Malformed)?;
    Ok(if length <= bytes.len() { Frame::Whole(length) } else { Frame::Part(length) })
}

/// One message of a client.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message<'m> {
    /// From 1; the client's number for it.
    pub(crate) id: u32,
    pub(crate) request: Request<'m>,
    /// What the element of the controls holds, when there is one.
    pub(crate) controls: Option<&'m [u8]>,
}

impl<'m> Message<'m> {
    /// Reads a whole message.
    pub(crate) fn read(bytes: &'m [u8]) -> Result<Self, Malformed> {
        let mut outer = Reader::new(bytes);
        let mut parts = outer.inside(tag::SEQUENCE)?;
        outer.end()?;
        // Number 0 is the server's, for messages that answer nothing.
        let id = parts.number(tag::INTEGER)?;
        if id == 0 {
            return Err(Malformed);
        }
        let (tag, content) = parts.any()?;
        let request = Request::read(tag, content)?;
        let controls = parts.optional(0xa0)?;
        parts.end()?;
        Ok(Self { id, request, controls })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ldap::control::Controls;

    /// A search with a nested filter and controls, a modify, an add, a bind and an extended request.
    const MESSAGES: &[&[u8]] = &[
        b"\x30\x3d\x02\x01\x05\x63\x24\x04\x04dc=a\x0a\x01\x02\x0a\x01\x00\x02\x01\x00\x02\x01\x00\x01\x01\x00\
          \xa0\x0b\xa2\x03\x87\x01a\xa3\x04\x04\x00\x04\x00\x30\x00\xa0\x12\x30\x10\x04\x09\x31.2.3.4.5\x01\x01\xff\x04\x00",
        b"\x30\x1e\x02\x01\x07\x66\x19\x04\x04dc=a\x30\x11\x30\x0f\x0a\x01\x02\x30\x0a\x04\x02cn\x31\x04\x04\x02ab",
        b"\x30\x17\x02\x01\x07\x68\x12\x04\x04dc=a\x30\x0a\x30\x08\x04\x02cn\x31\x02\x04\x00",
        b"\x30\x0c\x02\x01\x01\x60\x07\x02\x01\x03\x04\x00\x80\x00",
        b"\x30\x0c\x02\x01\x01\x77\x07\x80\x03\x31.2\x81\x00",
    ];

    /// Reads all that there is to read, as the platform does.
    fn read_all(bytes: &[u8]) -> bool {
        let Ok(message) = Message::read(bytes) else { return false };
        Controls::read(&message).is_ok() && message.request.check_deeply()
    }

    #[test]
    fn whole_messages_are_cut_out() {
        let two = [MESSAGES[3], MESSAGES[4]].concat();
        assert_eq!(frame(&two), Ok(Frame::Whole(14)));
        assert_eq!(frame(&two[..13]), Ok(Frame::Part(14)));
        assert_eq!((frame(&two[..1]), frame(&[])), (Ok(Frame::Part(2)), Ok(Frame::Part(1))));
        for bytes in [
            &b"GET / HTTP/1.1"[..],
            b"\x30\x80",
            b"\x30\x84\x7f\xff\xff\xff",
            b"\x30\x88\xff\xff\xff\xff\xff\xff\xff\xff",
        ] {
            assert_eq!(frame(bytes), Err(Malformed), "{bytes:?}");
        }
    }

    #[test]
    fn deep_filters_are_refused() {
        let mut filter = b"\x87\x01a".to_vec();
        for _ in 0..500 {
            let mut outer = Vec::new();
            ber::put(&mut outer, 0xa2, &filter);
            filter = outer;
        }
        assert!(crate::ldap::filter::Filter::read(&filter).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..80),
            tag in prop_oneof![Just(0x60_u8), Just(0x63), Just(0x66), Just(0x68), Just(0x6c), Just(0x6e), Just(0x77), Just(0x4a), Just(0x50)],
        ) {
            read_all(&bytes);
            let mut message = vec![2, 1, 1];
            ber::put(&mut message, tag, &bytes);
            let mut whole = Vec::new();
            ber::put(&mut whole, 0x30, &message);
            read_all(&whole);
        }

        #[test]
        fn no_change_to_a_message_makes_it_panic(
            which in 0..MESSAGES.len(), changes in proptest::collection::vec((any::<usize>(), any::<u8>()), 1..4), cut in any::<usize>(),
        ) {
            let mut bytes = MESSAGES[which].to_vec();
            prop_assert!(Message::read(&bytes).is_ok());
            for (at, value) in changes {
                let at = at % bytes.len();
                bytes[at] = value;
            }
            read_all(&bytes);
            read_all(&bytes[..cut % bytes.len()]);
            let _ = frame(&bytes);
        }
    }
}
