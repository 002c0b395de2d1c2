//! Answers, written (RFC 4511, 4.1.9 and 4.4.1).

use super::ber::{begin, end, put, put_number, tag};
use super::code::Code;

/// How an operation ended, and all that its answer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) code: Code,
    /// The nearest entry that there is, when the one asked for is not there.
    pub(crate) matched: String,
    /// For people.
    pub(crate) message: &'static str,
    /// Elements of this operation's answer only, encoded.
    pub(crate) more: Vec<u8>,
    /// Controls of the answer, encoded.
    pub(crate) controls: Vec<u8>,
}

impl Outcome {
    pub(crate) fn new(code: Code) -> Self {
        Self { code, matched: String::new(), message: "", more: Vec::new(), controls: Vec::new() }
    }

    pub(crate) fn success() -> Self {
        Self::new(Code::Success)
    }

    /// Writes the answer to message `id`; `tag` tells which operation it was.
    pub(crate) fn write(&self, id: u32, tag: u8, out: &mut Vec<u8>) {
        let message = begin(out, tag::SEQUENCE);
        put_number(out, tag::INTEGER, id);
        let result = begin(out, tag);
        put_number(out, tag::ENUMERATED, self.code as u32);
        put(out, tag::OCTETS, self.matched.as_bytes());
        put(out, tag::OCTETS, self.message.as_bytes());
        out.extend_from_slice(&self.more);
        end(out, result);
        if !self.controls.is_empty() {
            put(out, 0xa0, &self.controls);
        }
        end(out, message);
    }
}

/// Writes the notice that comes before the server closes a connection (RFC 4511, 4.4.1).
pub(crate) fn write_disconnection(code: Code, message: &'static str, out: &mut Vec<u8>) {
    let mut outcome = code.because(message);
    put(&mut outcome.more, 0x8a, b"1.3.6.1.4.1.1466.20036");
    outcome.write(0, 0x78, out);
}
