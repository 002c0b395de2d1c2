//! Reads an HTTP/1.1 response (RFC 9112) from whatever pieces it comes in. No I/O here.

use crate::client::answer::{Answer, Wants};
use crate::client::head::{Framing, Memo, Parsed, broken};
use crate::client::scratch::Kept;
use loadgen_model::{Failure, FailureKind};

/// A response's head may have so many bytes.
const HEAD_LIMIT: usize = 256 * 1024;

/// Reads one response.
#[derive(Debug)]
pub(crate) struct Reader {
    state: State,
    /// The begin of a head that came in pieces.
    partial: Vec<u8>,
    /// What has come.
    pub(crate) answer: Answer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Head,
    Length(u64),
    Chunk(Chunk),
    UntilClose,
    Done,
}

/// Where in the chunked coding (RFC 9112 section 7.1) the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Chunk {
    /// In the size; its value and number of digits so far.
    Size(u64, u8),
    /// In an extension, or in the line break after the size.
    Extension(u64),
    Data(u64),
    /// In the line break after the data.
    End,
    /// In the trailer; the bytes of its current line so far.
    Trailer(u32),
}

/// How far the response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// More bytes are needed.
    More,
    /// It is complete. Bytes beyond it mean that the connection cannot be used again.
    Done { beyond: bool },
}

impl Reader {
    /// A reader for the response to one request.
    pub(crate) fn new(wants: Wants) -> Self {
        Self { state: State::Head, partial: Vec::new(), answer: Answer::new(wants) }
    }

    /// Whether any byte of the response has come.
    pub(crate) fn has_begun(&self) -> bool {
        self.state != State::Head || !self.partial.is_empty()
    }

    /// Takes the next bytes.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        kept: &mut Kept,
        memo: &mut Memo,
    ) -> Result<Progress, Failure> {
        loop {
            if self.state == State::Done {
                return Ok(Progress::Done { beyond: !bytes.is_empty() });
            }
            if bytes.is_empty() {
                return Ok(Progress::More);
            }
            bytes = match self.state {
                State::Head => self.feed_head(bytes, kept, memo)?,
                State::Length(left) => {
                    let taken = (bytes.len() as u64).min(left) as usize;
                    self.answer.take_body(&bytes[..taken], kept)?;
                    let left = left - taken as u64;
                    self.state = if left == 0 { State::Done } else { State::Length(left) };
                    &bytes[taken..]
                }
                State::Chunk(chunk) => self.feed_chunk(chunk, bytes, kept)?,
                State::UntilClose => {
                    self.answer.take_body(bytes, kept)?;
                    &[]
                }
                State::Done => unreachable!("handled above"),
            };
        }
    }

    /// The connection ended.
    pub(crate) fn end(&mut self) -> Result<(), Failure> {
        let reset = |text| Err(Failure::fixed(FailureKind::Reset, text));
        match self.state {
            State::UntilClose | State::Done => Ok(()),
            State::Head if !self.has_begun() => reset("the target closed the connection without an answer"),
            State::Head => reset("the target closed the connection within the head of its answer"),
            State::Length(_) | State::Chunk(_) => {
                reset("the target closed the connection within the body of its answer")
            }
        }
    }

    fn feed_head<'b>(
        &mut self,
        bytes: &'b [u8],
        kept: &mut Kept,
        memo: &mut Memo,
    ) -> Result<&'b [u8], Failure> {
        if self.partial.is_empty() {
            if let Some(parsed) = memo.parse(bytes)? {
                self.begin_body(&parsed, bytes, kept);
                return Ok(&bytes[parsed.end..]);
            }
            self.partial.extend_from_slice(bytes);
            return Ok(&[]);
        }
        let before = self.partial.len();
        let mut whole = std::mem::take(&mut self.partial);
        whole.extend_from_slice(bytes);
        match memo.parse(&whole)? {
            Some(parsed) => {
                self.begin_body(&parsed, &whole, kept);
                Ok(&bytes[parsed.end - before..])
            }
            None if whole.len() > HEAD_LIMIT => Err(broken("the head of the answer is longer than 256 KiB")),
            None => {
                self.partial = whole;
                Ok(&[])
            }
        }
    }

    /// The head is complete: what comes next, and whether it is kept.
    fn begin_body(&mut self, parsed: &Parsed, bytes: &[u8], kept: &mut Kept) {
        if self.answer.begin(parsed.head) {
            kept.head.clear();
            kept.head.extend_from_slice(&bytes[parsed.start..parsed.end]);
        }
        let status = parsed.head.status;
        let empty = self.answer.wants.headless || matches!(status, 204 | 304);
        self.state = match parsed.framing {
            _ if empty => State::Done,
            Framing::Length(0) => State::Done,
            Framing::Length(length) => State::Length(length),
            Framing::Chunked => State::Chunk(Chunk::Size(0, 0)),
            Framing::UntilClose => {
                self.answer.head.keep_alive = false;
                State::UntilClose
            }
        };
    }

    fn feed_chunk<'b>(
        &mut self,
        mut chunk: Chunk,
        bytes: &'b [u8],
        kept: &mut Kept,
    ) -> Result<&'b [u8], Failure> {
        let mut at = 0;
        while at < bytes.len() {
            if let Chunk::Data(left) = chunk {
                let taken = ((bytes.len() - at) as u64).min(left) as usize;
                self.answer.take_body(&bytes[at..at + taken], kept)?;
                at += taken;
                let left = left - taken as u64;
                chunk = if left == 0 { Chunk::End } else { Chunk::Data(left) };
                continue;
            }
            at += 1;
            let Some(next) = chunk.step(bytes[at - 1])? else {
                self.state = State::Done;
                return Ok(&bytes[at..]);
            };
            chunk = next;
        }
        self.state = State::Chunk(chunk);
        Ok(&[])
    }
}

impl Chunk {
    /// What follows a byte that is no data; none at the end of the body.
    fn step(self, byte: u8) -> Result<Option<Chunk>, Failure> {
        let bad = || broken("the answer's chunked coding is broken");
        Ok(Some(match self {
            Chunk::Size(size, digits) => match (byte as char).to_digit(16) {
                Some(digit) if digits < 15 => Chunk::Size(size * 16 + u64::from(digit), digits + 1),
                None if digits > 0 && matches!(byte, b'\r' | b';' | b' ' | b'\t') => Chunk::Extension(size),
                None if digits > 0 && byte == b'\n' => Chunk::after_size(size),
                _ => return Err(bad()),
            },
            Chunk::Extension(size) => match byte {
                b'\n' => Chunk::after_size(size),
                _ => Chunk::Extension(size),
            },
            Chunk::End => match byte {
                b'\r' => Chunk::End,
                b'\n' => Chunk::Size(0, 0),
                _ => return Err(bad()),
            },
            Chunk::Trailer(length) => match byte {
                b'\n' if length == 0 => return Ok(None),
                b'\n' => Chunk::Trailer(0),
                b'\r' => Chunk::Trailer(length),
                _ if length as usize > HEAD_LIMIT => return Err(bad()),
                _ => Chunk::Trailer(length + 1),
            },
            Chunk::Data(_) => return Err(bad()),
        }))
    }

    fn after_size(size: u64) -> Chunk {
        if size == 0 { Chunk::Trailer(0) } else { Chunk::Data(size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]], wants: Wants) -> Result<(Reader, Kept, Progress), Failure> {
        let (mut reader, mut kept, mut memo) = (Reader::new(wants), Kept::default(), Memo::default());
        let mut progress = Progress::More;
        for piece in pieces {
            progress = reader.feed(piece, &mut kept, &mut memo)?;
        }
        Ok((reader, kept, progress))
    }

    const BODY: Wants = Wants { head: true, body: true, cookies: true, redirect: true, headless: false };

    #[test]
    fn reads_a_body_by_its_length() {
        let (reader, kept, progress) =
            read(&[b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello"], BODY).unwrap();
        assert_eq!(progress, Progress::Done { beyond: false });
        assert_eq!(
            (reader.answer.head.status, reader.answer.head.keep_alive, reader.answer.size),
            (201, true, 5)
        );
        assert_eq!(kept.body, b"hello");
    }

    #[test]
    fn passes_over_interim_answers() {
        let (reader, _, progress) = read(
            &[b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"],
            BODY,
        )
        .unwrap();
        assert_eq!((reader.answer.head.status, progress), (204, Progress::Done { beyond: false }));
    }

    #[test]
    fn an_answer_to_a_head_has_no_body() {
        let wants = Wants { headless: true, ..BODY };
        let (_, _, progress) = read(&[b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"], wants).unwrap();
        assert_eq!(progress, Progress::Done { beyond: false });
    }

    #[test]
    fn bytes_beyond_the_answer_are_noticed() {
        let (_, _, progress) = read(&[b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc"], BODY).unwrap();
        assert_eq!(progress, Progress::Done { beyond: true });
    }

    #[test]
    fn an_end_within_the_answer_is_a_reset() {
        let (mut reader, _, _) = read(&[b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"], BODY).unwrap();
        assert_eq!(reader.end().unwrap_err().kind, FailureKind::Reset);
        let (mut reader, _, _) = read(&[b"HTTP/1.1 200 OK\r\n\r\nabc"], BODY).unwrap();
        assert!(reader.end().is_ok(), "a body without length ends with its connection");
    }

    #[test]
    fn what_is_not_http_is_refused() {
        for bad in [
            &b"SSH-2.0-OpenSSH_9.2\r\n"[..],
            b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        ] {
            assert_eq!(read(&[bad], BODY).map(|_| ()).unwrap_err().kind, FailureKind::Protocol);
        }
    }

    proptest! {
        #[test]
        fn chunks_in_any_pieces_give_the_body(
            chunks in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..50), 0..6),
            trailer in any::<bool>(),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        ) {
            let mut wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
            for chunk in &chunks {
                wire.extend_from_slice(format!("{:x};note=1\r\n", chunk.len()).as_bytes());
                wire.extend_from_slice(chunk);
                wire.extend_from_slice(b"\r\n");
            }
            wire.extend_from_slice(if trailer { b"0\r\nX-Sum: 1\r\n\r\n" } else { b"0\r\n\r\n" });
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(wire.len())).collect();
            cuts.extend([0, wire.len()]);
            cuts.sort_unstable();
            let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &wire[pair[0]..pair[1]]).collect();
            let (reader, kept, progress) = read(&pieces, BODY).unwrap();
            // A last empty piece reports the same as the piece before it.
            prop_assert_eq!(progress, Progress::Done { beyond: false });
            prop_assert_eq!(kept.body, chunks.concat());
            prop_assert_eq!(reader.answer.size, chunks.concat().len() as u64);
        }

        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let mut wire = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
            let _ = read(&[&bytes], BODY);
            wire.extend_from_slice(&bytes);
            let _ = read(&[&wire], BODY);
        }
    }
}
