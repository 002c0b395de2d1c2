//! LDAP (RFC 4511): performs an operation over the user's own connection to a directory, or over one of those that
//! users share.

pub(crate) mod ber;
mod bind;
mod call;
mod control;
mod encoding;
pub(crate) mod envelope;
mod filter;
mod frames;
mod judge;
mod line;
pub(crate) mod message;
mod opening;
mod places;
pub(crate) mod prepared;
mod reader;
pub(crate) mod record;
mod request;
pub(crate) mod sasl;
#[cfg(test)]
mod tests;
mod trunk;
pub(crate) mod trunks;

use crate::client::judge::missing_value;
use crate::client::scratch::{Kept, Scratch};
use crate::client::tls::Sessions;
use crate::client::{Client, Traffic};
use crate::local::Local;
use crate::session::{Known, Session};
use bind::{Bound, Recipe};
use encoding::Unwritten;
use envelope::Letter;
use line::{Expected, Line};
use loadgen_model::churn::Settled;
use loadgen_model::ldap::result::SUCCESS;
use loadgen_model::request::Connection;
use loadgen_model::{Failure, FailureKind};
use opening::Opening;
use prepared::{Asks, Prepared};
use reader::{Answer, Progress, Reader};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// What a user has with one directory.
#[derive(Default)]
pub(crate) struct Directory {
    /// The connection while there is one.
    line: Option<Line>,
    /// Who the user is.
    bound: Option<Box<Bound>>,
    opening: Opening,
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
        let answer = match local.trunks(prepared.origin) {
            Some(trunks) => trunks.perform(local, prepared, traffic, scratch).await?,
            None => self.perform_alone(local, prepared, traffic, scratch).await?,
        };
        match answer {
            Some(answer) => {
                traffic.entries += answer.entries;
                judge::judge(local, prepared, session, started, answer, scratch)
            }
            None => Ok(()),
        }
    }

    /// Performs the rendered operation over the user's own connection; its answer if it has one.
    async fn perform_alone(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<Option<Answer>, Failure> {
        let Client { directories, sessions, .. } = self;
        let index = directories.iter().position(|(to, _)| *to == prepared.origin);
        let index = index.unwrap_or_else(|| {
            directories.push((prepared.origin, Directory::default()));
            directories.len() - 1
        });
        let directory = &mut directories[index].1;
        match prepared.asks {
            Asks::Answer => {}
            Asks::End => {
                directory.unbind(scratch, traffic).await?;
                return Ok(None);
            }
            Asks::Connection => {
                let reused = directory.reach(local, sessions, prepared, traffic).await?;
                local.counts.borrow_mut().connections.reused += u64::from(reused);
                return Ok(None);
            }
        }
        let expected = prepared.expected(&scratch.body);
        if prepared.is_bind() {
            directory.unbound();
        }
        let answer = directory.converse(local, sessions, prepared, expected, traffic, scratch).await?;
        if prepared.is_bind() && answer.code == SUCCESS {
            directory.bound.get_or_insert_default().remember(prepared, &scratch.body, &scratch.value);
        }
        if prepared.operation.connection == Connection::Close {
            directory.close();
        }
        Ok(Some(answer))
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
            bound.forget();
        }
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
            let (reader, done) = match prepared.exchanged() {
                None => line.ask(local, (letter, &cookie), expected, out, kept, traffic).await,
                Some(mechanism) => {
                    let recipe = Recipe::new(prepared, mechanism, letter);
                    // Kept out of the memory of users that bind otherwise.
                    Box::pin(recipe.exchange(line, local, (out, kept), traffic)).await
                }
            };
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
        let bound = self.bound.as_deref().filter(|bound| !bound.is_empty());
        self.line = Some(self.opening.open(local, connector, prepared, bound, traffic).await?);
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
