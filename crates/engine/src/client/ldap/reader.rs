//! The answer to one operation, out of whatever a server sends.

use crate::client::ldap::ber::{Malformed, message_length};
use crate::client::ldap::message::{ENTRY, EXTENDED, INTERMEDIATE, LdapResult, Message, REFERENCE};
use crate::client::scratch::Kept;
use loadgen_model::ldap::result;
use loadgen_model::{Failure, FailureKind};

/// Characters of a diagnostic message that are shown.
const DIAGNOSTIC_SHOWN: usize = 200;

/// An answer.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Answer {
    /// Its result code.
    pub(crate) code: u32,
    /// Entries that came.
    pub(crate) entries: u64,
}

/// What is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader {
    pub(crate) id: i32,
    /// The tag of the final answer.
    pub(crate) tag: u8,
    /// Whether something reads the first entry.
    pub(crate) wants_entry: bool,
    pub(crate) answer: Answer,
    /// Whether anything of the answer has come.
    pub(crate) has_begun: bool,
}

/// How far the answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    More,
    Done,
}

impl Reader {
    pub(crate) fn new(id: i32, tag: u8, wants_entry: bool) -> Self {
        Self { id, tag, wants_entry, answer: Answer::default(), has_begun: false }
    }

    /// Takes bytes that came. What is no whole message yet, and what stands behind the answer, stays in `partial`.
    /// The message with the result is kept as the head, the first entry as the body if something reads it.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        partial: &mut Vec<u8>,
        kept: &mut Kept,
    ) -> Result<Progress, Failure> {
        if partial.is_empty() {
            let (used, progress) = self.scan(bytes, kept)?;
            partial.extend_from_slice(&bytes[used..]);
            return Ok(progress);
        }
        partial.extend_from_slice(bytes);
        let (used, progress) = self.scan(partial, kept)?;
        partial.drain(..used);
        Ok(progress)
    }

    /// Takes whole messages off the front; how many bytes they were.
    fn scan(&mut self, bytes: &[u8], kept: &mut Kept) -> Result<(usize, Progress), Failure> {
        let mut used = 0;
        while let Some(length) = message_length(&bytes[used..]).map_err(malformed)? {
            let Some(message) = bytes.get(used..used + length) else { break };
            used += length;
            if self.take(message, kept)? == Progress::Done {
                return Ok((used, Progress::Done));
            }
        }
        Ok((used, Progress::More))
    }

    fn take(&mut self, bytes: &[u8], kept: &mut Kept) -> Result<Progress, Failure> {
        let message = Message::parse(bytes).map_err(malformed)?;
        if message.id == 0 {
            return Err(notice(&message));
        }
        if message.id != i64::from(self.id) {
            // An answer to what was given up may still come.
            return if message.id < i64::from(self.id) { Ok(Progress::More) } else { Err(unasked()) };
        }
        self.accept(&message, bytes, kept)
    }

    /// Takes a message that carries this operation's number; `bytes` is all of it.
    pub(crate) fn accept(
        &mut self,
        message: &Message<'_>,
        bytes: &[u8],
        kept: &mut Kept,
    ) -> Result<Progress, Failure> {
        self.has_begun = true;
        match message.tag {
            tag if tag == self.tag => {
                self.answer.code = LdapResult::parse(message.content).map_err(malformed)?.code;
                kept.head.clear();
                kept.head.extend_from_slice(bytes);
                return Ok(Progress::Done);
            }
            ENTRY => {
                if self.wants_entry && self.answer.entries == 0 && kept.body.is_empty() {
                    kept.body.extend_from_slice(message.content);
                }
                self.answer.entries += 1;
            }
            REFERENCE | INTERMEDIATE => {}
            _ => return Err(unasked()),
        }
        Ok(Progress::More)
    }
}

/// What a server says before it closes the connection by itself (RFC 4511 section 4.4.1).
pub(crate) fn notice(message: &Message<'_>) -> Failure {
    let said = (message.tag == EXTENDED).then(|| LdapResult::parse(message.content).ok()).flatten();
    match said {
        Some(said) => {
            let text = format!("notice of disconnection: {}", describe(said.code, said.diagnostic));
            Failure::text(FailureKind::Reset, text)
        }
        None => unasked(),
    }
}

/// A code and what the server says of it, bounded and on one line.
pub(crate) fn describe(code: u32, diagnostic: &[u8]) -> String {
    let text = String::from_utf8_lossy(diagnostic);
    let shown: String =
        text.trim().chars().take(DIAGNOSTIC_SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let code = result::describe(code);
    if shown.is_empty() { code } else { format!("{code}: {shown}") }
}

pub(crate) fn malformed(Malformed: Malformed) -> Failure {
    Failure::fixed(FailureKind::Protocol, "what came is not LDAP, or longer than 64 MiB")
}

pub(crate) fn unasked() -> Failure {
    Failure::fixed(FailureKind::Protocol, "the target answered what nobody asked")
}
