//! An open connection to a directory, one operation at a time.

use crate::client::connection::Connection;
use crate::client::ldap::ber::message_length;
use crate::client::ldap::envelope::{self, Letter};
use crate::client::ldap::message::Message;
use crate::client::ldap::reader::{Progress, Reader, malformed};
use crate::client::ldap::request::BIND;
use crate::client::scratch::Kept;
use crate::client::{Traffic, broken_off};
use crate::local::Local;
use loadgen_model::{Failure, FailureKind};
use std::future::poll_fn;
use std::task::{Context, Poll, Waker, ready};

/// An open connection to a directory.
pub(crate) struct Line {
    stream: Connection,
    /// What came of a message that is not whole yet.
    partial: Vec<u8>,
    /// The number of the last message.
    last_id: i32,
    under_way: UnderWay,
}

/// What a connection is in the middle of. Tells what became of an operation that was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UnderWay {
    Nothing,
    /// A message may be half sent.
    Sending,
    /// The answer has not come.
    Waiting,
    /// The same of a bind, which nothing can give up (RFC 4511 section 4.11).
    Binding,
}

/// What comes back for a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    /// The tag of the final answer.
    pub(crate) tag: u8,
    /// Whether something reads the first entry.
    pub(crate) entry: bool,
}

impl Line {
    pub(crate) fn new(stream: Connection) -> Self {
        Self { stream, partial: Vec::new(), last_id: 0, under_way: UnderWay::Nothing }
    }

    /// The connection, and what came on it of a message that is not whole yet.
    pub(crate) fn into_parts(self) -> (Connection, Vec<u8>) {
        (self.stream, self.partial)
    }

    /// Sends an operation and reads its answer. `out` is a buffer for the message.
    pub(crate) async fn ask(
        &mut self,
        local: &Local,
        (letter, cookie): (Letter<'_>, &[u8]),
        expected: Expected,
        out: &mut Vec<u8>,
        kept: &mut Kept,
        traffic: &mut Traffic,
    ) -> (Reader, Result<(), Failure>) {
        let id = self.next_id();
        let mut reader = Reader::new(id, expected.tag, expected.entry);
        out.clear();
        letter.write(id, cookie, out);
        if let Err(failure) = self.send(out, traffic).await {
            return (reader, Err(failure));
        }
        if letter.operation.first() == Some(&BIND) {
            self.under_way = UnderWay::Binding;
        }
        let read = poll_fn(|context| self.poll_answer(context, local, &mut reader, kept, traffic)).await;
        (reader, read)
    }

    /// Sends an operation that has no answer.
    pub(crate) async fn tell(
        &mut self,
        letter: Letter<'_>,
        out: &mut Vec<u8>,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        out.clear();
        letter.write(self.next_id(), &[], out);
        self.send(out, traffic).await
    }

    fn next_id(&mut self) -> i32 {
        self.last_id = self.last_id.checked_add(1).unwrap_or(1);
        self.last_id
    }

    async fn send(&mut self, message: &[u8], traffic: &mut Traffic) -> Result<(), Failure> {
        self.under_way = UnderWay::Sending;
        self.stream.send(message).await.map_err(|error| broken_off(&error))?;
        self.under_way = UnderWay::Waiting;
        traffic.sent += message.len() as u64;
        Ok(())
    }

    fn poll_answer(
        &mut self,
        context: &mut Context<'_>,
        local: &Local,
        reader: &mut Reader,
        kept: &mut Kept,
        traffic: &mut Traffic,
    ) -> Poll<Result<(), Failure>> {
        let mut buffer = local.read_buffer.borrow_mut();
        let mut progress = if self.partial.is_empty() {
            Progress::More
        } else {
            // What stood behind the last answer may be this one.
            reader.feed(&[], &mut self.partial, kept)?
        };
        while progress == Progress::More {
            let read = ready!(self.stream.poll_read(context, &mut buffer));
            let length = read.map_err(|error| broken_off(&error))?;
            traffic.received += length as u64;
            if length == 0 {
                return Poll::Ready(Err(Failure::fixed(
                    FailureKind::Reset,
                    "the target closed the connection before its answer was complete",
                )));
            }
            progress = reader.feed(&buffer[..length], &mut self.partial, kept)?;
        }
        self.under_way = UnderWay::Nothing;
        Poll::Ready(Ok(()))
    }

    /// Whether the server has closed an idle connection, or said that it will. Late answers to what was given up
    /// are thrown away. Costs no system call while nothing has come.
    pub(crate) fn is_gone(&mut self, local: &Local) -> bool {
        let mut buffer = local.read_buffer.borrow_mut();
        let mut context = Context::from_waker(Waker::noop());
        loop {
            match self.stream.poll_read(&mut context, &mut buffer) {
                Poll::Pending => return false,
                Poll::Ready(Ok(0) | Err(_)) => return true,
                Poll::Ready(Ok(length)) => self.partial.extend_from_slice(&buffer[..length]),
            }
            if self.throw_away().is_err() {
                return true;
            }
        }
    }

    /// Takes late answers away; an error when what came is none.
    fn throw_away(&mut self) -> Result<(), Failure> {
        let mut used = 0;
        while let Some(length) = message_length(&self.partial[used..]).map_err(malformed)? {
            let Some(message) = self.partial.get(used..used + length) else { break };
            let message = Message::parse(message).map_err(malformed)?;
            if message.id == 0 {
                return Err(crate::client::ldap::reader::notice(&message));
            }
            used += length;
        }
        self.partial.drain(..used);
        Ok(())
    }

    /// Gives up the operation that is under way: the server is told so (RFC 4511 section 4.11). Whether the
    /// connection can still be used.
    pub(crate) fn abandon(&mut self) -> bool {
        match self.under_way {
            UnderWay::Nothing => return true,
            UnderWay::Sending | UnderWay::Binding => return false,
            UnderWay::Waiting => {}
        }
        let other = self.last_id;
        let message = envelope::abandon(self.next_id(), other);
        self.under_way = UnderWay::Nothing;
        self.is_sent_at_once(&message)
    }

    /// Says that the connection is closed (RFC 4511 section 4.3), if that can be said without waiting.
    pub(crate) fn hang_up(&mut self) {
        if self.under_way == UnderWay::Nothing {
            let message = envelope::unbind(self.next_id());
            self.is_sent_at_once(&message);
        }
    }

    fn is_sent_at_once(&mut self, message: &[u8]) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        self.stream.is_sent_at_once(&mut context, message)
    }
}
