//! The head of an HTTP/1.1 response (RFC 9112 section 4): what it says on how the response is read.

use loadgen_model::{Failure, FailureKind};
use std::mem::MaybeUninit;

/// A head may have so many lines.
const HEADERS: usize = 128;
/// So many interim answers may come before the final one.
const INTERIM: usize = 32;
/// A head up to this length is remembered.
const REMEMBERED: usize = 4 * 1024;

/// What a head says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) keep_alive: bool,
    /// The body is compressed or the like.
    pub(crate) encoded: bool,
    /// It sets cookies.
    pub(crate) cookies: bool,
}

/// How long a body is (RFC 9112 section 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Length(u64),
    Chunked,
    UntilClose,
}

/// A head that is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parsed {
    pub(crate) head: Head,
    pub(crate) framing: Framing,
    /// Where it begins: behind the interim answers.
    pub(crate) start: usize,
    /// Where the body begins.
    pub(crate) end: usize,
}

/// The last head that was parsed. A server that answers many requests alike often sends the very same bytes,
/// and comparing them takes a tenth of the time that parsing them takes.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    bytes: Vec<u8>,
    parsed: Option<Parsed>,
}

/// What came is not what HTTP allows.
pub(crate) fn broken(text: &'static str) -> Failure {
    Failure::fixed(FailureKind::Protocol, text)
}

impl Memo {
    /// Parses the head at the begin of `bytes`; none when it is not complete.
    pub(crate) fn parse(&mut self, bytes: &[u8]) -> Result<Option<Parsed>, Failure> {
        if let Some(parsed) = self.parsed
            && bytes.starts_with(&self.bytes)
        {
            return Ok(Some(parsed));
        }
        let parsed = parse(bytes)?;
        if let Some(Parsed { end, .. }) = parsed.filter(|parsed| parsed.end <= REMEMBERED) {
            self.bytes.clear();
            self.bytes.extend_from_slice(&bytes[..end]);
            self.parsed = parsed;
        }
        Ok(parsed)
    }
}

fn parse(bytes: &[u8]) -> Result<Option<Parsed>, Failure> {
    let mut start = 0;
    for _ in 0..=INTERIM {
        let Some(parsed) = parse_one(&bytes[start..])? else { return Ok(None) };
        let end = start + parsed.end;
        match parsed.head.status {
            101 => return Err(broken("the target switched protocols, which nobody asked for")),
            // An interim answer (RFC 9110 section 15.2): the final one follows it.
            100..200 => start = end,
            _ => return Ok(Some(Parsed { start, end, ..parsed })),
        }
    }
    Err(broken("more than 32 interim answers came before the final one"))
}

fn parse_one(bytes: &[u8]) -> Result<Option<Parsed>, Failure> {
    let mut lines = [const { MaybeUninit::uninit() }; HEADERS];
    let mut response = httparse::Response::new(&mut []);
    let parsed = httparse::ParserConfig::default().parse_response_with_uninit_headers(
        &mut response,
        bytes,
        &mut lines,
    );
    let end = match parsed {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(broken("the answer has more than 128 headers")),
        Err(_) => return Err(broken("the answer is not HTTP/1.1")),
    };
    let status = response.code.unwrap_or(0);
    let head = Head { status, keep_alive: response.version == Some(1), ..Head::default() };
    let mut fields = Fields { length: None, chunked: false, head };
    for header in response.headers.iter() {
        fields.read(header.name, header.value)?;
    }
    let framing = match (fields.chunked, fields.length) {
        (true, _) => Framing::Chunked,
        (false, Some(length)) => Framing::Length(length),
        (false, None) => Framing::UntilClose,
    };
    Ok(Some(Parsed { head: fields.head, framing, start: 0, end }))
}

/// What the header lines said so far.
struct Fields {
    length: Option<u64>,
    chunked: bool,
    head: Head,
}

impl Fields {
    /// Reads a line. Names are told apart by their length first: most lines are none of these.
    fn read(&mut self, name: &str, value: &[u8]) -> Result<(), Failure> {
        match name.len() {
            14 if name.eq_ignore_ascii_case("content-length") => {
                let length = std::str::from_utf8(value).ok().and_then(|text| text.trim().parse().ok());
                let length = length.ok_or_else(|| broken("the answer's Content-Length is no number"))?;
                if self.length.is_some_and(|other| other != length) {
                    return Err(broken("the answer has two different Content-Lengths"));
                }
                self.length = Some(length);
            }
            17 if name.eq_ignore_ascii_case("transfer-encoding") => self.chunked = ends_with_chunked(value),
            10 if name.eq_ignore_ascii_case("connection") => {
                if contains_token(value, b"close") {
                    self.head.keep_alive = false;
                } else if contains_token(value, b"keep-alive") {
                    self.head.keep_alive = true;
                }
            }
            16 if name.eq_ignore_ascii_case("content-encoding") => self.head.encoded = true,
            10 if name.eq_ignore_ascii_case("set-cookie") => self.head.cookies = true,
            _ => {}
        }
        Ok(())
    }
}

fn contains_token(value: &[u8], token: &[u8]) -> bool {
    value.split(|byte| *byte == b',').any(|part| part.trim_ascii().eq_ignore_ascii_case(token))
}

fn ends_with_chunked(value: &[u8]) -> bool {
    let last = value.rsplit(|byte| *byte == b',').next().unwrap_or(value);
    last.trim_ascii().eq_ignore_ascii_case(b"chunked")
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
    const CLOSED: &[u8] = b"HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

    #[test]
    fn a_remembered_head_says_what_a_parsed_one_says() {
        let mut memo = Memo::default();
        for bytes in [OK, OK, CLOSED, OK, CLOSED, CLOSED] {
            assert_eq!(memo.parse(bytes), parse(bytes));
        }
    }

    #[test]
    fn a_head_that_only_begins_like_the_last_one_is_parsed() {
        let mut memo = Memo::default();
        memo.parse(OK).unwrap();
        assert_eq!(memo.parse(&OK[..20]), Ok(None));
        let longer = b"HTTP/1.1 200 OK\r\nContent-Length: 55\r\n\r\n";
        assert_eq!(memo.parse(longer).unwrap().unwrap().framing, Framing::Length(55));
    }

    #[test]
    fn interim_answers_without_end_are_refused() {
        let flood = b"HTTP/1.1 100 Continue\r\n\r\n".repeat(10_000);
        assert_eq!(parse(&flood).unwrap_err().kind, FailureKind::Protocol);
    }
}
