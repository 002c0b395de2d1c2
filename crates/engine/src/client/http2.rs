//! HTTP/2 (RFC 9113): one connection for many requests at once. Framing and header compression are the crate
//! `h2`'s; a response is handed on in the shape of HTTP/1.1, so that all else is the same for both.

mod broken;
mod message;
mod wire;

use crate::client::Traffic;
use crate::client::answer::Answer;
use crate::client::connection::Connection;
use crate::client::scratch::Scratch;
use crate::local::Local;
use bytes::Bytes;
use h2::RecvStream;
use h2::client::{Builder, SendRequest};
use loadgen_model::Failure;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use wire::{Bytewise, Watch, Wire};

pub(crate) use broken::{Again, Broken};

/// What the target may send of one response before it was read here. It is read at once: the window never
/// holds up a target.
const STREAM_WINDOW: u32 = 8 << 20;
/// The same of all responses of a connection together.
const CONNECTION_WINDOW: u32 = 256 << 20;
/// A response's head may have so many bytes, as in HTTP/1.1.
const HEAD_LIMIT: u32 = 256 * 1024;
/// Requests that are sent before the target said how many at once it takes (RFC 9113 section 6.5.2): it refuses
/// what is too many.
const BEFORE_SETTINGS: usize = 1;
/// Requests given up here of which the connection remembers that answers may still come.
const GIVEN_UP_KEPT: usize = 10_000;

/// A connection of HTTP/2, for any number of users of a thread.
#[derive(Clone)]
pub(crate) struct Handle {
    requests: SendRequest<Bytes>,
    wire: Rc<Wire>,
}

impl Handle {
    /// Begins HTTP/2 on a connection. What moves its bytes belongs to the thread.
    pub(crate) async fn begin(local: &Local, connection: Connection) -> Result<Self, Failure> {
        let wire = Rc::new(Wire::default());
        let (requests, driver) = Builder::new()
            .enable_push(false)
            .initial_window_size(STREAM_WINDOW)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .max_header_list_size(HEAD_LIMIT)
            .initial_max_send_streams(BEFORE_SETTINGS)
            .max_concurrent_reset_streams(GIVEN_UP_KEPT)
            .handshake(Bytewise::new(connection, wire.clone()))
            .await
            .map_err(|error| Broken::by(&error).failure)?;
        local.spawn(async move {
            // How it ends is told to each of its requests.
            let _ = driver.await;
        });
        Ok(Self { requests, wire })
    }

    /// Whether another request can be sent over it.
    pub(crate) fn is_usable(&mut self) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        !self.wire.is_retired() && !matches!(self.requests.poll_ready(&mut context), Poll::Ready(Err(_)))
    }

    /// Whether it was given up here, and not by the target.
    pub(crate) fn is_retired(&self) -> bool {
        self.wire.is_retired()
    }

    /// Sends `scratch.request`, which is rendered as for HTTP/1.1, and reads the response to it.
    ///
    /// Bytes are counted by the connection: those that came and went since they were last asked for.
    pub(crate) async fn exchange(
        self,
        tls: bool,
        answer: &mut Answer,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<(), Broken> {
        let (request, body) = message::request(&scratch.request, tls)?;
        let mut watch = Watch::new(&self.wire, traffic);
        let done = converse(self.requests, request, body, answer, scratch).await;
        watch.is_over();
        done
    }
}

async fn converse(
    mut requests: SendRequest<Bytes>,
    request: http::Request<()>,
    body: Bytes,
    answer: &mut Answer,
    scratch: &mut Scratch,
) -> Result<(), Broken> {
    poll_fn(|context| requests.poll_ready(context)).await.map_err(|error| Broken::unsent(&error))?;
    let (response, mut stream) =
        requests.send_request(request, body.is_empty()).map_err(|error| Broken::unsent(&error))?;
    if !body.is_empty() {
        stream.send_data(body, true).map_err(|error| Broken::by(&error))?;
    }
    let response = response.await.map_err(|error| Broken::by(&error))?;
    let (head, body) = response.into_parts();
    message::begin(answer, &head, &mut scratch.kept);
    read(body, answer, scratch).await?;
    Ok(())
}

/// Reads a body to its end, trailers included.
async fn read(mut body: RecvStream, answer: &mut Answer, scratch: &mut Scratch) -> Result<(), Failure> {
    let failure = |error| Broken::by(&error).failure;
    while let Some(piece) = body.data().await {
        let piece = piece.map_err(failure)?;
        body.flow_control().release_capacity(piece.len()).map_err(failure)?;
        answer.take_body(&piece, &mut scratch.kept)?;
    }
    if !body.is_end_stream() {
        body.trailers().await.map_err(failure)?;
    }
    Ok(())
}
