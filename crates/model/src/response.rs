//! What checks and captures read of a response.

use std::time::Duration;

/// A response as checks and captures see it.
#[derive(Debug, Clone, Copy)]
pub struct Response<'a> {
    /// Status code.
    pub status: u16,
    /// The head as it came, from the status line to the blank line; empty when nothing reads it.
    pub head: &'a [u8],
    /// The decoded body; empty when nothing reads it.
    pub body: &'a [u8],
    /// Length of the body as it came, bytes, whether it was kept or not.
    pub size: u64,
    /// Service time so far.
    pub time: Duration,
}

impl<'a> Response<'a> {
    /// A response of which only the head is looked at.
    pub fn of_head(head: &'a [u8]) -> Self {
        Self { status: 0, head, body: b"", size: 0, time: Duration::ZERO }
    }

    /// The first value of a header, without the blanks around it; names are compared without case.
    pub fn header(&self, name: &str) -> Option<&'a [u8]> {
        self.headers(name).next()
    }

    /// All values of a header.
    pub fn headers<'n>(&self, name: &'n str) -> impl Iterator<Item = &'a [u8]> + use<'a, 'n> {
        self.head.split(|byte| *byte == b'\n').skip(1).filter_map(move |line| {
            let (key, value) = line.split_at(line.iter().position(|byte| *byte == b':')?);
            key.eq_ignore_ascii_case(name.as_bytes()).then(|| value[1..].trim_ascii())
        })
    }

    /// The value of a cookie that the response sets.
    pub fn cookie(&self, name: &str) -> Option<&'a [u8]> {
        self.headers("set-cookie").find_map(|line| {
            let pair = line.split(|byte| *byte == b';').next()?;
            let (key, value) = pair.split_at(pair.iter().position(|byte| *byte == b'=')?);
            (key.trim_ascii() == name.as_bytes()).then(|| value[1..].trim_ascii())
        })
    }
}
