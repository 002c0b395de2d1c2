//! The bytes below HTTP/2: how many came and went, and whether anything came at all.

use crate::client::Traffic;
use crate::client::connection::Connection;
use std::cell::Cell;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What is known of the bytes of a connection.
#[derive(Debug, Default)]
pub(super) struct Wire {
    /// Not yet counted as the traffic of a request.
    sent: Cell<u64>,
    received: Cell<u64>,
    /// How often something came.
    heard: Cell<u64>,
    retired: Cell<bool>,
}

impl Wire {
    /// Whether no further request goes over it.
    pub(super) fn is_retired(&self) -> bool {
        self.retired.get()
    }
}

/// Watches over one request: counts its bytes however it ends, and when it was given up without a byte having
/// come for any request, no other one is sent after it: the connection may be dead.
pub(super) struct Watch<'a> {
    wire: &'a Wire,
    traffic: &'a mut Traffic,
    heard: u64,
    over: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(wire: &'a Wire, traffic: &'a mut Traffic) -> Self {
        Self { heard: wire.heard.get(), wire, traffic, over: false }
    }

    /// The request has ended, in whatever way: it was not given up.
    pub(super) fn is_over(&mut self) {
        self.over = true;
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.traffic.sent += self.wire.sent.take();
        self.traffic.received += self.wire.received.take();
        if !self.over && self.wire.heard.get() == self.heard {
            self.wire.retired.set(true);
        }
    }
}

/// A connection as HTTP/2 wants it.
pub(super) struct Bytewise {
    connection: Connection,
    wire: Rc<Wire>,
}

impl Bytewise {
    pub(super) fn new(connection: Connection, wire: Rc<Wire>) -> Self {
        Self { connection, wire }
    }

    fn count(&self, sent: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(length)) = sent {
            self.wire.sent.update(|sent| sent + length as u64);
        }
        sent
    }
}

impl AsyncRead for Bytewise {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(self.connection.poll_fill(context, buffer))?;
        let length = buffer.filled().len() - before;
        self.wire.received.update(|received| received + length as u64);
        self.wire.heard.update(|heard| heard + 1);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Bytewise {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let sent = match &mut self.connection {
            Connection::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_write(context, bytes),
            Connection::Local(stream) => Pin::new(stream).poll_write(context, bytes),
        };
        self.count(sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let sent = match &mut self.connection {
            Connection::Plain(stream) => Pin::new(stream).poll_write_vectored(context, slices),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_write_vectored(context, slices),
            Connection::Local(stream) => Pin::new(stream).poll_write_vectored(context, slices),
        };
        self.count(sent)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.connection {
            Connection::Plain(stream) => Pin::new(stream).poll_flush(context),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_flush(context),
            Connection::Local(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.connection {
            Connection::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_shutdown(context),
            Connection::Local(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
