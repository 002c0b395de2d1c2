//! The two directions of a connection and its buffers: what has come and is not used, what is to go.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::timer::{Timer, Until};

/// What a connection reads at once, at first.
const FIRST_INPUT: usize = 4 << 10;

/// What it reads at once when the client sends much; a longer message takes what it needs.
const USUAL_INPUT: usize = 64 << 10;

/// A larger buffer for output is given back once it is empty.
const KEPT_OUTPUT: usize = 64 << 10;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// There is more input.
    Read,
    /// The time has come.
    Due,
    /// All output is on its way.
    Written,
    /// The client went away.
    Gone,
}

/// A stream with its buffers.
pub(super) struct Wire<'s, S> {
    stream: &'s mut S,
    buffer: Vec<u8>,
    /// The part of `buffer` that has come and is not used.
    start: usize,
    end: usize,
    /// The last reading left no room: there is more to come.
    was_filled: bool,
    /// What is to be sent.
    pub(super) output: Vec<u8>,
    sent: usize,
    wait: Option<(Duration, Until)>,
}

impl<'s, S: AsyncRead + AsyncWrite + Unpin> Wire<'s, S> {
    pub(super) fn new(stream: &'s mut S) -> Self {
        Self {
            stream,
            buffer: Vec::new(),
            start: 0,
            end: 0,
            was_filled: false,
            output: Vec::new(),
            sent: 0,
            wait: None,
        }
    }

    /// What has come and is not used.
    pub(super) fn input(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// What has come and is not used, and what is to be sent.
    pub(super) fn both(&mut self) -> (&[u8], &mut Vec<u8>) {
        (&self.buffer[self.start..self.end], &mut self.output)
    }

    /// So many bytes of the input have been used.
    pub(super) fn consume(&mut self, count: usize) {
        self.start += count;
        if self.start == self.end {
            (self.start, self.end) = (0, 0);
        }
    }

    /// Sends, reads if allowed, and waits, until there is something to do.
    pub(super) async fn turn(&mut self, may_read: bool, due: Option<Duration>, timer: &Timer) -> Turn {
        if self.wait.as_ref().map(|(wait, _)| *wait) != due {
            self.wait = due.map(|due| (due, timer.until(due)));
        }
        if may_read {
            self.make_room();
        }
        poll_fn(|context| self.poll(context, may_read)).await
    }

    fn poll(&mut self, context: &mut Context<'_>, may_read: bool) -> Poll<Turn> {
        match self.poll_send(context) {
            Poll::Ready(None) => return Poll::Ready(Turn::Gone),
            // Who may not read waits for the output to go.
            Poll::Ready(Some(had_output)) if !may_read && (had_output || self.wait.is_none()) => {
                return Poll::Ready(Turn::Written);
            }
            _ => {}
        }
        if may_read {
            let mut space = ReadBuf::new(&mut self.buffer[self.end..]);
            match Pin::new(&mut *self.stream).poll_read(context, &mut space) {
                Poll::Ready(Ok(())) if !space.filled().is_empty() => {
                    self.was_filled = space.remaining() == 0;
                    self.end += space.filled().len();
                    return Poll::Ready(Turn::Read);
                }
                Poll::Ready(_) => return Poll::Ready(Turn::Gone),
                Poll::Pending => {}
            }
        }
        match &mut self.wait {
            Some((_, until)) => {
                std::task::ready!(Pin::new(until).poll(context));
                self.wait = None;
                Poll::Ready(Turn::Due)
            }
            None => Poll::Pending,
        }
    }

    /// Sends what can be sent. When all is sent: whether there was anything; `None` when the stream is broken.
    fn poll_send(&mut self, context: &mut Context<'_>) -> Poll<Option<bool>> {
        let had_output = !self.output.is_empty();
        while self.sent < self.output.len() {
            let rest = &self.output[self.sent..];
            match std::task::ready!(Pin::new(&mut *self.stream).poll_write(context, rest)) {
                Ok(count) if count > 0 => self.sent += count,
                _ => return Poll::Ready(None),
            }
        }
        // TLS may hold back what it took.
        if std::task::ready!(Pin::new(&mut *self.stream).poll_flush(context)).is_err() {
            return Poll::Ready(None);
        }
        if self.output.capacity() > KEPT_OUTPUT {
            self.output = Vec::new();
        }
        self.output.clear();
        self.sent = 0;
        Poll::Ready(Some(had_output))
    }

    /// Makes room for further input. The limit on messages is that of whoever uses the input.
    fn make_room(&mut self) {
        if self.start > 0 && self.end == self.buffer.len() {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        let is_full = self.end == self.buffer.len();
        if is_full || self.was_filled && self.buffer.len() < USUAL_INPUT {
            let size = (self.buffer.len() * 2).max(FIRST_INPUT);
            self.buffer.resize(size, 0);
        } else if self.end == 0 && self.buffer.len() > USUAL_INPUT {
            self.buffer = vec![0; USUAL_INPUT];
        }
        self.was_filled = false;
    }
}
