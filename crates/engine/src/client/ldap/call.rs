//! An operation in flight on a connection that users share.

use crate::client::Traffic;
use crate::client::ldap::envelope::Letter;
use crate::client::ldap::line::Expected;
use crate::client::ldap::reader::Reader;
use crate::client::ldap::trunk::Trunk;
use crate::client::scratch::Kept;
use loadgen_model::Failure;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

/// What a connection knows of an operation in flight.
pub(super) struct Call {
    pub(super) reader: Reader,
    pub(super) kept: Kept,
    pub(super) state: State,
    /// Bytes of its answer.
    pub(super) received: u64,
    /// Its user; stays for the next operation, which is often of the same one.
    waker: Option<Waker>,
}

/// How far an operation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    Waiting,
    Answered,
    Failed(Failure),
}

/// A user's side of it. Whoever drops it before it is answered gives the operation up.
struct Waiting<'a> {
    trunk: &'a Trunk,
    id: i32,
    /// The number of its bytes, and where they end among all of the connection's.
    length: u64,
    end: u64,
    kept: &'a mut Kept,
    traffic: &'a mut Traffic,
}

impl Trunk {
    /// Sends an operation and waits for its answer.
    pub(crate) async fn ask(
        &self,
        (letter, cookie): (Letter<'_>, &[u8]),
        expected: Expected,
        kept: &mut Kept,
        traffic: &mut Traffic,
    ) -> (Reader, Result<(), Failure>) {
        if let Err(failure) = poll_fn(|context| self.poll_room(context)).await {
            return (Reader::new(0, expected.tag, false), Err(failure));
        }
        let mut waiting = Waiting::begin(self, (letter, cookie), expected, kept, traffic);
        poll_fn(|context| waiting.poll(context)).await
    }
}

impl<'a> Waiting<'a> {
    fn begin(
        trunk: &'a Trunk,
        (letter, cookie): (Letter<'_>, &[u8]),
        expected: Expected,
        kept: &'a mut Kept,
        traffic: &'a mut Traffic,
    ) -> Self {
        let mut wires = trunk.wires.borrow_mut();
        let (id, call) = wires.places.take().expect("who asks holds one of as many permits");
        call.reader = Reader::new(id, expected.tag, expected.entry);
        call.state = State::Waiting;
        call.received = 0;
        std::mem::swap(&mut call.kept, kept);
        let mut length = 0;
        let end = wires.append(|out| {
            let before = out.len();
            letter.write(id, cookie, out);
            length = (out.len() - before) as u64;
        });
        Self { trunk, id, length, end, kept, traffic }
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<(Reader, Result<(), Failure>)> {
        let mut wires = self.trunk.wires.borrow_mut();
        let call = wires.places.get_mut(self.id).expect("it holds its place until it is answered");
        let done = match &call.state {
            State::Waiting => {
                call.is_for(context.waker());
                return Poll::Pending;
            }
            State::Answered => Ok(()),
            State::Failed(failure) => Err(failure.clone()),
        };
        let reader = call.reader;
        drop(wires);
        self.is_over();
        Poll::Ready((reader, done))
    }

    /// Takes what the connection has for it; whether that is its whole answer, or all that will ever come.
    fn is_over(&mut self) -> bool {
        let mut wires = self.trunk.wires.borrow_mut();
        let sent = wires.sent.saturating_sub(self.end - self.length).min(self.length);
        let Some(call) = wires.places.get_mut(self.id) else { return true };
        self.traffic.sent += sent;
        self.traffic.received += call.received;
        std::mem::swap(&mut call.kept, self.kept);
        let is_over = call.state != State::Waiting;
        if is_over {
            wires.places.release(self.id);
        }
        is_over
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.is_over() {
            self.trunk.wires.borrow_mut().abandon(self.id);
        }
    }
}

impl Call {
    /// It is over, which its user is told.
    pub(super) fn ends(&mut self, state: State) {
        self.state = state;
        if let Some(waker) = &self.waker {
            waker.wake_by_ref();
        }
    }

    fn is_for(&mut self, user: &Waker) {
        if self.waker.as_ref().is_none_or(|waker| !waker.will_wake(user)) {
            self.waker = Some(user.clone());
        }
    }
}

impl Default for Call {
    fn default() -> Self {
        Self {
            reader: Reader::new(0, 0, false),
            kept: Kept::default(),
            state: State::Answered,
            received: 0,
            waker: None,
        }
    }
}
