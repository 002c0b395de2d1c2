//! A connection: plain or TLS, read and written without a lock or a copy that is not needed.

use rustix::net::RecvFlags;
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::client::TlsStream;

/// Content type of an alert record (RFC 8446 section 5.1).
const TLS_ALERT: u8 = 21;

/// A connection.
pub(crate) enum Connection {
    /// TCP.
    Plain(TcpStream),
    /// TLS over TCP.
    Tls(Box<TlsStream<TcpStream>>),
    /// A socket of this machine.
    Local(UnixStream),
}

impl Connection {
    /// Sends all bytes.
    pub(crate) async fn send(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let sent = poll_fn(|context| self.poll_write(context, bytes)).await?;
            if sent == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = &bytes[sent..];
        }
        poll_fn(|context| self.poll_flush(context)).await
    }

    /// Sends what was written; it may wait in TLS alone.
    pub(crate) fn poll_flush(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self {
            Connection::Plain(_) | Connection::Local(_) => Poll::Ready(Ok(())),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_flush(context),
        }
    }

    /// Writes some of the bytes: how many.
    pub(crate) fn poll_write(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self {
            Connection::Plain(stream) => Pin::new(stream).poll_write(context, bytes),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_write(context, bytes),
            Connection::Local(stream) => Pin::new(stream).poll_write(context, bytes),
        }
    }

    /// Sends all bytes without waiting; false when that is not possible.
    pub(crate) fn is_sent_at_once(&mut self, context: &mut Context<'_>, bytes: &[u8]) -> bool {
        let sent = matches!(self.poll_write(context, bytes), Poll::Ready(Ok(sent)) if sent == bytes.len());
        sent && self.poll_flush(context).is_ready()
    }

    /// Reads into `buffer`; how many bytes came, 0 at the end of the stream.
    pub(crate) fn poll_read(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        let mut buffer = ReadBuf::new(buffer);
        self.poll_fill(context, &mut buffer).map_ok(|()| buffer.filled().len())
    }

    /// Reads behind what `buffer` holds; nothing at the end of the stream.
    pub(crate) fn poll_fill(
        &mut self,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self {
            Connection::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Connection::Tls(stream) => Pin::new(&mut **stream).poll_read(context, buffer),
            Connection::Local(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }

    /// Whether ALPN has chosen HTTP/2.
    pub(crate) fn is_http2(&self) -> bool {
        match self {
            Connection::Plain(_) | Connection::Local(_) => false,
            Connection::Tls(stream) => stream.get_ref().1.alpn_protocol() == Some(b"h2"),
        }
    }

    /// Whether the other side has closed an idle connection, or sent what nobody asked for.
    ///
    /// Costs no system call while nothing has come.
    pub(crate) fn is_stale(&self) -> bool {
        let (stream, tls) = match self {
            Connection::Plain(stream) => (stream, false),
            Connection::Tls(stream) => (stream.get_ref().0, true),
            // HTTP does not go over it.
            Connection::Local(_) => return false,
        };
        let mut byte = [0];
        let peeked = stream.try_io(Interest::READABLE, || {
            let (_, length) = rustix::net::recv(stream, &mut byte, RecvFlags::PEEK)?;
            Ok(length)
        });
        match peeked {
            Ok(0) => true,
            // Over TLS a session ticket may come at any time; an alert (RFC 8446 section 6) ends it.
            Ok(_) => !tls || byte[0] == TLS_ALERT,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}
