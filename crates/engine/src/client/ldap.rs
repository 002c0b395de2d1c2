//! LDAP (RFC 4511): performs an operation over the user's own connection to a directory.

pub(crate) mod ber;
mod control;
mod encoding;
pub(crate) mod envelope;
mod filter;
mod judge;
mod line;
pub(crate) mod message;
pub(crate) mod prepared;
mod reader;
pub(crate) mod record;
mod request;
#[cfg(test)]
mod tests;

use crate::client::judge::missing_value;
use crate::client::scratch::{Kept, Scratch};
use crate::client::tls::Sessions;
use crate::client::{Client, Traffic, open};
use crate::local::Local;
use crate::session::{Known, Session};
use encoding::Unwritten;
use envelope::Letter;
use line::{Expected, Line};
use loadgen_model::churn::Settled;
use loadgen_model::ldap::result::SUCCESS;
use loadgen_model::request::Connection;
use loadgen_model::{Failure, FailureKind};
use prepared::Prepared;
use reader::{Answer, Progress, Reader};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// After a connection that could not be opened, its user waits: so long, then twice as long, and so on.
const SHORTEST_WAIT: Duration = Duration::from_millis(10);
/// But not longer than this, nor longer than a quarter of its timeout.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What a user has with one directory.
#[derive(Default)]
pub(crate) struct Directory {
    /// The connection while there is one.
    line: Option<Line>,
    /// The last bind that succeeded, with its controls: it is repeated on a new connection. Empty when nobody is
    /// bound. Holds a secret.
    bound: Option<Box<(Vec<u8>, Vec<u8>)>>,
    /// Connections in a row that could not be opened.
    refused: u32,
}

impl Client {
    /// Performs an operation: connects if needed, sends, reads, checks and captures.
    ///
    /// `traffic` counts what was sent and received also when it fails or is given up.
    pub(crate) async fn operate(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        started: Instant,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        let mut scratch = local.take_scratch();
        let outcome = self.answer(local, prepared, session, started, traffic, &mut scratch).await;
        local.give_back(scratch);
        if prepared.is_turn() {
            session.turn_settled = settled(&outcome);
        }
        outcome
    }

    async fn answer(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        started: Instant,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let mut known = Known { session, local };
        prepared.write(&mut known, &mut scratch.body, &mut scratch.value).map_err(|error| match error {
            Unwritten::Missing(missing) => missing_value(known.session, missing),
            Unwritten::Filter(reason) => {
                Failure::text(FailureKind::Protocol, format!("the filter cannot be read: {reason}"))
            }
        })?;
        let Client { directories, sessions, .. } = self;
        let index = directories.iter().position(|(to, _)| *to == prepared.origin);
        let index = index.unwrap_or_else(|| {
            directories.push((prepared.origin, Directory::default()));
            directories.len() - 1
        });
        let directory = &mut directories[index].1;
        let Some(tag) = request::answer_tag(&scratch.body) else {
            return directory.unbind(scratch, traffic).await;
        };
        let expected = Expected { tag, entry: prepared.entry };
        if prepared.is_bind() {
            directory.unbound();
        }
        let answer = directory.converse(local, sessions, prepared, expected, traffic, scratch).await?;
        if prepared.is_bind() {
            directory.remember(answer.code, &scratch.body, &scratch.value);
        }
        if prepared.operation.connection == Connection::Close {
            directory.close();
        }
        judge::judge(local, prepared, session, started, answer, scratch)
    }

    /// Gives up the operations that are under way: they took too long.
    pub(crate) fn give_up(&mut self) {
        for (_, directory) in &mut self.directories {
            if directory.line.as_mut().is_some_and(|line| !line.abandon()) {
                directory.line = None;
            }
        }
    }
}

impl Directory {
    /// Closes the connection, which the server is told; nobody is bound any more.
    pub(crate) fn close(&mut self) {
        if let Some(mut line) = self.line.take() {
            line.hang_up();
        }
        self.unbound();
    }

    /// A bind begins: until it has succeeded nobody is bound (RFC 4511 section 4.2.1).
    fn unbound(&mut self) {
        if let Some(bound) = &mut self.bound {
            bound.0.clear();
        }
    }

    /// A bind was answered.
    fn remember(&mut self, code: u32, operation: &[u8], controls: &[u8]) {
        if code != SUCCESS {
            return;
        }
        let (kept, kept_controls) = &mut **self.bound.get_or_insert_default();
        kept.clear();
        kept.extend_from_slice(operation);
        kept_controls.clear();
        kept_controls.extend_from_slice(controls);
    }

    /// RFC 4511 section 4.3: the server is told, and nothing is waited for.
    async fn unbind(&mut self, scratch: &mut Scratch, traffic: &mut Traffic) -> Result<(), Failure> {
        let Some(mut line) = self.line.take() else { return Ok(()) };
        self.unbound();
        let letter = Letter { operation: &scratch.body, controls: &scratch.value, page: None };
        line.tell(letter, &mut scratch.request, traffic).await
    }

    /// Sends the rendered operation, and reads its answer; page by page, if it wants pages.
    async fn converse(
        &mut self,
        local: &Local,
        sessions: &mut Sessions,
        prepared: &Prepared,
        expected: Expected,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<Answer, Failure> {
        let Scratch { request: out, body, value, kept } = scratch;
        let letter = Letter { operation: body, controls: value, page: prepared.page };
        let mut cookie = Vec::new();
        let mut entries = 0;
        loop {
            let reused = self.reach(local, sessions, prepared, traffic).await?;
            local.counts.borrow_mut().connections.reused += u64::from(reused);
            let line = self.line.as_mut().expect("it was opened just now");
            let (reader, done) = line.ask(local, (letter, &cookie), expected, out, kept, traffic).await;
            match done {
                Ok(()) => {
                    entries += reader.answer.entries;
                    next_page(prepared, &kept.head, &mut cookie)?;
                    if cookie.is_empty() {
                        return Ok(Answer { entries, ..reader.answer });
                    }
                }
                Err(failure) => {
                    self.line = None;
                    // A page is only there on the connection that made it.
                    let again = reused && cookie.is_empty() && prepared.operation.is_repeatable();
                    if !again || reader.has_begun || failure.kind != FailureKind::Reset {
                        return Err(failure);
                    }
                    local.counts.borrow_mut().connections.resent += 1;
                }
            }
        }
    }

    /// Sees that there is a connection, and that the user is still who it was; whether it was open.
    async fn reach(
        &mut self,
        local: &Local,
        sessions: &mut Sessions,
        prepared: &Prepared,
        traffic: &mut Traffic,
    ) -> Result<bool, Failure> {
        if let Some(line) = &mut self.line {
            if !line.is_gone(local) {
                return Ok(true);
            }
            self.line = None;
            local.counts.borrow_mut().connections.closed_by_peer += 1;
        }
        // Rare enough to be kept out of the hot path's memory.
        Box::pin(self.open(local, sessions, prepared, traffic)).await?;
        Ok(false)
    }

    async fn open(
        &mut self,
        local: &Local,
        sessions: &mut Sessions,
        prepared: &Prepared,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        let connector = sessions.connector(local, prepared.origin)?;
        let stream = match open(local, prepared.origin, connector).await {
            Ok(stream) => stream,
            Err(failure) => {
                let wait = SHORTEST_WAIT.saturating_mul(1 << self.refused.min(16)).min(LONGEST_WAIT);
                self.refused = self.refused.saturating_add(1);
                tokio::time::sleep(wait.min(prepared.operation.timeout / 4)).await;
                return Err(failure);
            }
        };
        self.refused = 0;
        let mut line = Line::new(stream);
        if let Some(bound) = self.bound.as_ref().filter(|bound| !bound.0.is_empty()) {
            bind_again(&mut line, local, bound, traffic).await?;
        }
        self.line = Some(line);
        Ok(())
    }
}

/// What an answer tells of a turn. One that does not come in time leaves it unanswered.
fn settled(outcome: &Result<(), Failure>) -> Settled {
    match outcome.as_ref().map_err(|failure| failure.kind) {
        Ok(()) => Settled::Done,
        Err(FailureKind::Connect | FailureKind::Tls | FailureKind::Status | FailureKind::Capture) => {
            Settled::Refused
        }
        Err(_) => Settled::Unanswered,
    }
}

/// Makes the user on a new connection who it was on the last one.
async fn bind_again(
    line: &mut Line,
    local: &Local,
    bound: &(Vec<u8>, Vec<u8>),
    traffic: &mut Traffic,
) -> Result<(), Failure> {
    const BIND_RESPONSE: u8 = 0x61;
    let mut scratch = local.take_scratch();
    let letter = Letter { operation: &bound.0, controls: &bound.1, page: None };
    let expected = Expected { tag: BIND_RESPONSE, entry: false };
    let Scratch { request, kept, .. } = &mut scratch;
    let (Reader { answer, .. }, done) =
        line.ask(local, (letter, &[]), expected, request, kept, traffic).await;
    local.give_back(scratch);
    done?;
    if answer.code == SUCCESS {
        return Ok(());
    }
    let code = reader::describe(answer.code, b"");
    Err(Failure::text(FailureKind::Status, format!("{code}, to the bind of a new connection")))
}

/// Asks for TLS on an open connection (RFC 4511 section 4.14).
pub(crate) async fn start_tls(stream: &mut TcpStream) -> Result<(), Failure> {
    let broken = |error: std::io::Error| super::broken_off(&error);
    stream.write_all(&envelope::start_tls(1)).await.map_err(broken)?;
    let mut reader = Reader::new(1, message::EXTENDED, false);
    let (mut partial, mut kept) = (Vec::new(), Kept::default());
    // Byte by byte, so that nothing of what follows the answer is taken from TLS.
    while reader.feed(&[stream.read_u8().await.map_err(broken)?], &mut partial, &mut kept)? == Progress::More
    {
    }
    if reader.answer.code == SUCCESS {
        return Ok(());
    }
    let message = message::Message::parse(&kept.head).map_err(reader::malformed)?;
    let result = message::LdapResult::parse(message.content).map_err(reader::malformed)?;
    let said = reader::describe(result.code, result.diagnostic);
    Err(Failure::text(FailureKind::Tls, format!("the target does not start TLS: {said}")))
}

/// What the next page is asked with, of the last answer; empty when there is none.
fn next_page(prepared: &Prepared, head: &[u8], cookie: &mut Vec<u8>) -> Result<(), Failure> {
    cookie.clear();
    if prepared.page.is_some() {
        let message = message::Message::parse(head).map_err(reader::malformed)?;
        cookie.extend_from_slice(message::page_cookie(message.controls));
    }
    Ok(())
}
