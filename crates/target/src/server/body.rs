//! The body of an answer on its way to the client.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};

use super::Server;
use crate::http::Content;
use crate::timer::Until;

/// What long bodies are made of.
static CHUNK: [u8; 65_536] = [b'x'; 65_536];

/// The rest of a body, and the request in progress that it belongs to.
pub(super) struct Sending {
    rest: Rest,
    _progress: Progress,
}

enum Rest {
    Whole(Option<Bytes>),
    Repeated { left: u64, chunked: bool, pause: Option<Until> },
}

/// Counts a request as in progress for as long as this lives.
pub(super) struct Progress {
    server: Rc<Server>,
}

impl Progress {
    pub(super) fn begin(server: &Rc<Server>) -> Self {
        server.in_progress.update(|count| count + 1);
        Self { server: Rc::clone(server) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.server.in_progress.update(|count| count - 1);
    }
}

impl Sending {
    pub(super) fn new(content: Content, progress: Progress) -> Self {
        let rest = match content {
            Content::Whole(bytes) => Rest::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())),
            Content::Repeated { length, chunked, pause } => {
                let timer = &progress.server.timer;
                let pause = (!pause.is_zero()).then(|| timer.until(timer.now() + pause));
                Rest::Repeated { left: length, chunked, pause }
            }
        };
        Self { rest, _progress: progress }
    }
}

impl Body for Sending {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let bytes = match &mut self.rest {
            Rest::Whole(bytes) => bytes.take(),
            Rest::Repeated { left, pause, .. } => {
                if let Some(wait) = pause {
                    std::task::ready!(Pin::new(wait).poll(context));
                    *pause = None;
                }
                let size = (*left).min(CHUNK.len() as u64);
                *left -= size;
                (size > 0).then(|| Bytes::from_static(&CHUNK[..size as usize]))
            }
        };
        Poll::Ready(bytes.map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        match &self.rest {
            Rest::Whole(bytes) => bytes.is_none(),
            Rest::Repeated { left, chunked, .. } => *left == 0 && !chunked,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.rest {
            Rest::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Rest::Repeated { chunked: true, .. } => SizeHint::default(),
            Rest::Repeated { left, .. } => SizeHint::with_exact(*left),
        }
    }
}
