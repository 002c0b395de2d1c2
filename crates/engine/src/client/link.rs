//! Requests over HTTP/2 and over shared connections: all but a user's own HTTP/1.1, which has its own short way.

use crate::client::answer::{Answer, Wants};
use crate::client::connection::Connection;
use crate::client::http1::Reader;
use crate::client::http2::{Again, Broken, Handle};
use crate::client::scratch::Scratch;
use crate::client::{Client, Traffic, is_idempotent, open, transfer};
use crate::local::Local;
use crate::origins::OriginId;
use loadgen_model::request::Http;
use loadgen_model::{Failure, FailureKind};
use tokio_rustls::TlsConnector;

/// A request is sent again so many times at most: a target may refuse it for ever.
const REPEATS: u32 = 3;

/// What one request goes over.
pub(crate) enum Link {
    /// For this request alone.
    Http1(Connection),
    /// Together with others.
    Http2(Handle),
}

/// One request and its response, without redirects.
pub(crate) struct Hop<'a> {
    pub(crate) local: &'a Local,
    pub(crate) origin: OriginId,
    pub(crate) method: &'a str,
    /// Whether the connection may be used again.
    pub(crate) keep: bool,
}

impl Link {
    /// Opens a connection and sees which version of HTTP it speaks.
    pub(crate) async fn open(
        local: &Local,
        id: OriginId,
        connector: Option<TlsConnector>,
    ) -> Result<Self, Failure> {
        let connection = open(local, id, connector).await?;
        let http = local.transport(id).http;
        if connection.is_http2() || (http == Http::Two && matches!(connection, Connection::Plain(_))) {
            return Ok(Link::Http2(Handle::begin(local, connection).await?));
        }
        Ok(Link::Http1(connection))
    }
}

impl Hop<'_> {
    /// Sends `scratch.request` and reads the response to it.
    pub(crate) async fn perform(
        &self,
        client: &mut Client,
        wants: Wants,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<Answer, Failure> {
        let pool = self.local.pool(self.origin);
        let mut repeats = 0;
        loop {
            let place = match &pool {
                Some(pool) => Some(pool.place().await),
                None => None,
            };
            let (link, reused) = match &place {
                Some(place) => place.link(self.local, self.origin).await?,
                None => self.own(client).await?,
            };
            self.local.counts.borrow_mut().connections.reused += u64::from(reused);
            let mut answer = Answer::new(wants);
            let broken = match self.exchange(link, &mut answer, scratch, traffic).await {
                Ok(None) => return Ok(answer),
                Ok(Some(connection)) => {
                    match &place {
                        Some(place) => place.give_back(connection),
                        None => client.idle.push((self.origin, connection)),
                    }
                    return Ok(answer);
                }
                Err(broken) => broken,
            };
            let again = match broken.again {
                Again::Never => false,
                Again::AfterIdle => reused && is_idempotent(self.method),
                Again::Always => true,
            };
            if !again || repeats == REPEATS {
                return Err(broken.failure);
            }
            repeats += 1;
            self.local.counts.borrow_mut().connections.resent += 1;
        }
    }

    /// A connection of the user's own, and whether it was open.
    async fn own(&self, client: &mut Client) -> Result<(Link, bool), Failure> {
        while let Some(index) = client.multiplexed.iter().position(|(to, _)| *to == self.origin) {
            let handle = &mut client.multiplexed[index].1;
            if handle.is_usable() {
                return Ok((Link::Http2(handle.clone()), true));
            }
            let ended = u64::from(!handle.is_retired());
            self.local.counts.borrow_mut().connections.closed_by_peer += ended;
            client.multiplexed.swap_remove(index);
        }
        if let Some(connection) = client.take_idle(self.local, self.origin) {
            return Ok((Link::Http1(connection), true));
        }
        let connector = client.sessions.connector(self.local, self.origin)?;
        let link = Link::open(self.local, self.origin, connector).await?;
        if let (Link::Http2(handle), true) = (&link, self.keep) {
            client.multiplexed.push((self.origin, handle.clone()));
        }
        Ok((link, false))
    }

    /// Sends the request over a link; the connection of HTTP/1.1 when it can be used again.
    async fn exchange(
        &self,
        link: Link,
        answer: &mut Answer,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<Option<Connection>, Broken> {
        let local = self.local;
        match link {
            Link::Http1(mut connection) => {
                let mut reader = Reader::new(answer.wants);
                let done = transfer(local, &mut connection, &mut reader, scratch, traffic).await;
                *answer = reader.answer;
                let beyond = done.map_err(|failure| {
                    let lost = failure.kind == FailureKind::Reset && !reader.has_begun();
                    Broken { failure, again: if lost { Again::AfterIdle } else { Again::Never } }
                })?;
                Ok((self.keep && answer.head.keep_alive && !beyond).then_some(connection))
            }
            Link::Http2(handle) => {
                let tls = local.origins.borrow().get(self.origin).1.tls;
                handle.exchange(tls, answer, scratch, traffic).await?;
                Ok(None)
            }
        }
    }
}
