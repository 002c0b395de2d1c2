//! A connection to a directory that users share: many operations in flight, their answers told apart by the numbers
//! of their messages.
//!
//! One task moves its bytes. It reads once for all answers that have come and wakes their users; what these send
//! next, all in the same turn, goes out at once.

use crate::client::broken_off;
use crate::client::connection::Connection;
use crate::client::ldap::call::{Call, State};
use crate::client::ldap::envelope;
use crate::client::ldap::frames::Frames;
use crate::client::ldap::message::Message;
use crate::client::ldap::places::Places;
use crate::client::ldap::reader::{Progress, malformed, notice, unasked};
use loadgen_model::{Failure, FailureKind};
use std::cell::{Cell, RefCell};
use std::io;
use std::task::{Context, Poll, Waker, ready};

/// Bytes that may wait to be sent; who wants to send more waits until they have gone. One message may go beyond.
const UNSENT: usize = 256 * 1024;

/// A connection that users share.
pub(crate) struct Trunk {
    pub(super) wires: RefCell<Wires>,
    /// Whether somebody has counted that it was lost.
    is_loss_counted: Cell<bool>,
}

/// What goes in and out of it.
pub(super) struct Wires {
    /// None when it has ended.
    stream: Option<Connection>,
    frames: Frames,
    pub(super) places: Places<Call>,
    /// What waits to be sent, and how much of its front was.
    out: Vec<u8>,
    gone: usize,
    /// Bytes of messages in all, and how many of them were sent.
    written: u64,
    pub(super) sent: u64,
    /// The task that moves the bytes.
    driver: Option<Waker>,
    /// Users that wait to send; never more than places.
    held: Vec<Waker>,
    /// Why it ended.
    pub(super) end: Option<Failure>,
}

impl Trunk {
    /// A connection with so many places, in use from now on; `partial` has come already.
    pub(crate) fn new(stream: Connection, places: u32, partial: &[u8]) -> Result<Self, Failure> {
        let mut wires = Wires {
            stream: Some(stream),
            frames: Frames::default(),
            places: Places::new(places),
            out: Vec::new(),
            gone: 0,
            written: 0,
            sent: 0,
            driver: None,
            held: Vec::new(),
            end: None,
        };
        wires.receive(partial)?;
        Ok(Self { wires: RefCell::new(wires), is_loss_counted: Cell::new(false) })
    }

    /// Moves bytes until the connection ends.
    pub(crate) fn poll_drive(&self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<()> {
        let mut wires = self.wires.borrow_mut();
        if wires.driver.as_ref().is_none_or(|driver| !driver.will_wake(context.waker())) {
            wires.driver = Some(context.waker().clone());
        }
        let done = wires.poll_send(context);
        let read = wires.poll_receive(context, buffer);
        match (done, read) {
            (Poll::Ready(Err(failure)), Poll::Pending) | (_, Poll::Ready(failure)) => {
                wires.end(&failure);
                Poll::Ready(())
            }
            _ => Poll::Pending,
        }
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.wires.borrow().end.is_some()
    }

    /// 1 for the first who asks after the server has closed it, else 0.
    pub(crate) fn take_loss(&self) -> u64 {
        let wires = self.wires.borrow();
        let is_lost = wires.end.as_ref().is_some_and(|end| end.kind == FailureKind::Reset);
        u64::from(is_lost && !self.is_loss_counted.replace(true))
    }

    /// Waits until something can be sent.
    pub(super) fn poll_room(&self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        let mut wires = self.wires.borrow_mut();
        if let Some(end) = &wires.end {
            return Poll::Ready(Err(end.clone()));
        }
        if wires.has_room() {
            return Poll::Ready(Ok(()));
        }
        if !wires.held.iter().any(|held| held.will_wake(context.waker())) {
            wires.held.push(context.waker().clone());
        }
        Poll::Pending
    }
}

impl Wires {
    /// Appends a message; where it ends among all bytes.
    pub(super) fn append(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> u64 {
        assert!(self.has_room(), "who sends has seen that there is room");
        // Whoever is not the first knows that the task was woken.
        if self.out.is_empty()
            && let Some(driver) = &self.driver
        {
            driver.wake_by_ref();
        }
        let before = self.out.len();
        write(&mut self.out);
        self.written += (self.out.len() - before) as u64;
        self.written
    }

    /// Gives up an operation, and tells the server so (RFC 4511 section 4.11). A server that does not read is not
    /// told: its answer is thrown away all the same.
    pub(super) fn abandon(&mut self, id: i32) {
        self.places.release(id);
        if self.end.is_some() || !self.has_room() {
            return;
        }
        // The message has a number of its own, and no answer that would wait for one.
        if let Some((own, _)) = self.places.take() {
            self.places.release(own);
            self.append(|out| out.extend_from_slice(&envelope::abandon(own, id)));
        }
    }

    fn has_room(&self) -> bool {
        self.out.len() - self.gone < UNSENT
    }

    /// Sends what waits.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        let Some(stream) = self.stream.as_mut().filter(|_| !self.out.is_empty()) else {
            return Poll::Ready(Ok(()));
        };
        while self.gone < self.out.len() {
            match stream.poll_write(context, &self.out[self.gone..]) {
                Poll::Pending => {
                    self.out.drain(..self.gone);
                    self.gone = 0;
                    return Poll::Pending;
                }
                Poll::Ready(Ok(0)) => return Poll::Ready(Err(broken_off(&io::ErrorKind::WriteZero.into()))),
                Poll::Ready(Ok(length)) => {
                    self.gone += length;
                    self.sent += length as u64;
                }
                Poll::Ready(Err(error)) => return Poll::Ready(Err(broken_off(&error))),
            }
        }
        ready!(stream.poll_flush(context)).map_err(|error| broken_off(&error))?;
        self.gone = 0;
        self.out.clear();
        self.out.shrink_to(UNSENT);
        self.held.drain(..).for_each(Waker::wake);
        Poll::Ready(Ok(()))
    }

    /// Reads what has come, until that ends the connection.
    fn poll_receive(&mut self, context: &mut Context<'_>, buffer: &mut [u8]) -> Poll<Failure> {
        loop {
            let Some(stream) = &mut self.stream else { return Poll::Pending };
            let failure = match ready!(stream.poll_read(context, buffer)) {
                Ok(0) => Failure::fixed(
                    FailureKind::Reset,
                    "the target closed the connection before its answer was complete",
                ),
                Ok(length) => match self.receive(&buffer[..length]) {
                    Ok(()) => continue,
                    Err(failure) => failure,
                },
                Err(error) => broken_off(&error),
            };
            return Poll::Ready(failure);
        }
    }

    /// Gives each message to the operation that it answers.
    fn receive(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Self { frames, places, .. } = self;
        frames.feed(bytes, |bytes| {
            let message = Message::parse(bytes).map_err(malformed)?;
            if message.id == 0 {
                return Err(notice(&message));
            }
            let id = i32::try_from(message.id).map_err(|_| unasked())?;
            let Some(call) = places.get_mut(id) else {
                // An answer to what was given up may still come.
                return if places.is_past(id) { Ok(()) } else { Err(unasked()) };
            };
            if call.state != State::Waiting {
                return Err(unasked());
            }
            call.received += bytes.len() as u64;
            if call.reader.accept(&message, bytes, &mut call.kept)? == Progress::Done {
                call.ends(State::Answered);
            }
            Ok(())
        })
    }

    /// The connection is over, and so is all that was in flight.
    fn end(&mut self, failure: &Failure) {
        self.stream = None;
        self.frames = Frames::default();
        (self.out, self.gone) = (Vec::new(), 0);
        self.end = Some(failure.clone());
        for call in self.places.taken().filter(|call| call.state == State::Waiting) {
            call.ends(State::Failed(failure.clone()));
        }
        self.held.drain(..).for_each(Waker::wake);
    }
}
