//! Performs requests for one user: it does not measure, log, retry what failed or print.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod connect;
pub(crate) mod connection;
pub(crate) mod cookies;
pub(crate) mod head;
pub(crate) mod http1;
pub(crate) mod http2;
pub(crate) mod judge;
pub(crate) mod ldap;
pub(crate) mod link;
pub(crate) mod loads;
pub(crate) mod permits;
pub(crate) mod pool;
pub(crate) mod resolver;
pub(crate) mod scratch;
pub(crate) mod tls;

use crate::local::Local;
use crate::origins::OriginId;
use crate::prepared::{BeginError, Place, Prepared};
use crate::session::{Known, Session};
use answer::{Answer, Wants};
use connection::Connection;
use cookies::Jar;
use http1::{Progress, Reader};
use judge::missing_value;
use loadgen_model::request;
use loadgen_model::response::Response;
use loadgen_model::{Failure, FailureKind};
use scratch::Scratch;
use std::future::poll_fn;
use std::io;
use std::task::{Poll, ready};
use tls::Sessions;
use tokio::time::Instant;
use tokio_rustls::TlsConnector;

/// The connections, TLS sessions and cookies of one user.
#[derive(Default)]
pub(crate) struct Client {
    /// Of HTTP/1.1, one request at a time.
    idle: Vec<(OriginId, Connection)>,
    /// Of HTTP/2.
    multiplexed: Vec<(OriginId, http2::Handle)>,
    /// Of LDAP.
    directories: Vec<(OriginId, ldap::Directory)>,
    sessions: Sessions,
    cookies: Option<Box<Jar>>,
}

/// What a request took and brought.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traffic {
    pub(crate) sent: u64,
    pub(crate) received: u64,
    /// Entries of a search.
    pub(crate) entries: u64,
}

impl Client {
    /// Performs a request: connects if needed, sends, reads, follows redirects, checks and captures.
    ///
    /// `traffic` counts what was sent and received also when it fails or is given up.
    pub(crate) async fn perform(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        started: Instant,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        let mut scratch = local.take_scratch();
        let outcome = self.exchange(local, prepared, session, started, traffic, &mut scratch).await;
        local.give_back(scratch);
        outcome
    }

    /// Forgets the cookies: the next iteration is somebody else's.
    pub(crate) fn forget(&mut self) {
        self.cookies = None;
    }

    /// Closes all connections: the iteration or the user is over.
    pub(crate) fn close(&mut self) {
        self.idle.clear();
        self.multiplexed.clear();
        self.directories.iter_mut().for_each(|(_, directory)| directory.close());
    }

    async fn exchange(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        started: Instant,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        let origin = self.write_request(local, prepared, session, scratch)?;
        let method = prepared.request.method.as_str();
        let mut answer = self.hop(local, prepared, method, origin, scratch, traffic).await?;
        if is_redirect(prepared, &answer) || answer.head.cookies {
            // Rare enough to be kept out of the hot path's memory.
            answer =
                Box::pin(self.follow(local, prepared, session, origin, answer, scratch, traffic)).await?;
        }
        judge::judge(local, prepared, session, started, &answer, scratch)
    }

    /// Renders the request into `scratch.request`.
    fn write_request(
        &self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        scratch: &mut Scratch,
    ) -> Result<OriginId, Failure> {
        let out = &mut scratch.request;
        let mut known = Known { session, local };
        let begun = prepared.begin(&local.origins, &mut known, out);
        let origin = begun.map_err(|error| match error {
            BeginError::Missing(missing) => missing_value(known.session, missing),
            BeginError::Url(text) => Failure::text(FailureKind::Protocol, text),
        })?;
        if let Some(jar) = self.cookies.as_ref().filter(|_| prepared.request.cookies) {
            let origins = local.origins.borrow();
            jar.write(&origins.get(origin).1, request_path(out), &mut scratch.value);
        }
        prepared
            .finish(true, &scratch.value, &mut scratch.body, &mut known, out)
            .map_err(|missing| missing_value(known.session, missing))?;
        scratch.value.clear();
        Ok(origin)
    }

    /// Sends `scratch.request` and reads the response to it.
    async fn hop(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        method: &str,
        origin: OriginId,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<Answer, Failure> {
        let wants = Wants { headless: method == "HEAD", ..prepared.wants };
        let keep = prepared.request.connection != request::Connection::Close;
        if !local.plan.transports[usize::from(prepared.request.transport.0)].is_own_http1() {
            // Kept out of the memory of users that do not need it.
            let hop = link::Hop { local, origin, method, keep };
            return Box::pin(hop.perform(self, wants, scratch, traffic)).await;
        }
        loop {
            let (mut connection, reused) = match self.take_idle(local, origin) {
                Some(connection) => (connection, true),
                None => {
                    let connector = self.sessions.connector(local, origin)?;
                    (Box::pin(open(local, origin, connector)).await?, false)
                }
            };
            local.counts.borrow_mut().connections.reused += u64::from(reused);
            let mut reader = Reader::new(wants);
            match transfer(local, &mut connection, &mut reader, scratch, traffic).await {
                Ok(beyond) => {
                    if keep && reader.answer.head.keep_alive && !beyond {
                        self.idle.push((origin, connection));
                    }
                    return Ok(reader.answer);
                }
                // The target closed an idle connection just as it was used again: what it did not read may
                // be sent again when that does no harm (RFC 9110 section 9.2.2).
                Err(failure)
                    if reused
                        && failure.kind == FailureKind::Reset
                        && !reader.has_begun()
                        && is_idempotent(method) =>
                {
                    local.counts.borrow_mut().connections.resent += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }

    /// An idle connection that still stands.
    fn take_idle(&mut self, local: &Local, origin: OriginId) -> Option<Connection> {
        while let Some(index) = self.idle.iter().rposition(|(to, _)| *to == origin) {
            let (_, connection) = self.idle.swap_remove(index);
            if !connection.is_stale() {
                return Some(connection);
            }
            local.counts.borrow_mut().connections.closed_by_peer += 1;
        }
        None
    }

    /// Keeps cookies and follows redirects until there is nothing more to follow.
    #[expect(clippy::too_many_arguments, reason = "the parts of one exchange, passed down once")]
    async fn follow(
        &mut self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        mut origin: OriginId,
        mut answer: Answer,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<Answer, Failure> {
        let server = |id: OriginId| local.origins.borrow().get(id).1.clone();
        let mut place = Place { origin: server(origin), path: request_path(&scratch.request).to_vec() };
        let home = place.origin.clone();
        let mut method = prepared.request.method.clone();
        let mut hops = 0;
        loop {
            self.keep_cookies(prepared, &place, &answer, scratch);
            let response = Response::of_head(&scratch.kept.head);
            let Some(location) = response.header("location").filter(|_| is_redirect(prepared, &answer))
            else {
                return Ok(answer);
            };
            if hops == prepared.request.redirects {
                return Err(Failure::fixed(FailureKind::Protocol, "more redirects than `redirects` allows"));
            }
            hops += 1;
            local.counts.borrow_mut().connections.redirects += 1;
            place = place.follow(location).map_err(|text| Failure::text(FailureKind::Protocol, text))?;
            // RFC 9110 section 15.4: after these, browsers ask with GET and without the body.
            let status = answer.head.status;
            if status == 303 && method != "HEAD" || matches!(status, 301 | 302) && method == "POST" {
                "GET".clone_into(&mut method);
            }
            self.write_redirect(local, prepared, session, &method, &place, place.origin == home, scratch)?;
            origin = local.origins.borrow_mut().intern(prepared.request.transport, &place.origin);
            answer = self.hop(local, prepared, &method, origin, scratch, traffic).await?;
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one exchange, passed down once")]
    fn write_redirect(
        &self,
        local: &Local,
        prepared: &Prepared,
        session: &mut Session,
        method: &str,
        place: &Place,
        authorized: bool,
        scratch: &mut Scratch,
    ) -> Result<(), Failure> {
        scratch.request.clear();
        scratch.value.clear();
        scratch.kept.head.clear();
        scratch.kept.body.clear();
        if let Some(jar) = self.cookies.as_ref().filter(|_| prepared.request.cookies) {
            jar.write(&place.origin, &place.path, &mut scratch.value);
        }
        let with_body = method == prepared.request.method;
        let out = &mut scratch.request;
        let mut known = Known { session, local };
        prepared
            .begin_at(method, place, authorized, &mut known, out)
            .and_then(|()| prepared.finish(with_body, &scratch.value, &mut scratch.body, &mut known, out))
            .map_err(|missing| missing_value(known.session, missing))
    }

    fn keep_cookies(&mut self, prepared: &Prepared, place: &Place, answer: &Answer, scratch: &Scratch) {
        if !answer.head.cookies || !prepared.request.cookies {
            return;
        }
        let response = Response::of_head(&scratch.kept.head);
        let jar = self.cookies.get_or_insert_default();
        for header in response.headers("set-cookie") {
            jar.store(header, &place.origin, &place.path);
        }
    }
}

fn is_redirect(prepared: &Prepared, answer: &Answer) -> bool {
    prepared.wants.redirect && matches!(answer.head.status, 301 | 302 | 303 | 307 | 308)
}

/// Opens a connection and counts it.
async fn open(local: &Local, id: OriginId, connector: Option<TlsConnector>) -> Result<Connection, Failure> {
    let (transport, origin) = local.origins.borrow().get(id).clone();
    let connection = connect::connect(local, transport, &origin, connector).await?;
    local.counts.borrow_mut().connections.opened += 1;
    Ok(connection)
}

/// Sends a request and reads its response; whether more came than the response.
async fn transfer(
    local: &Local,
    connection: &mut Connection,
    reader: &mut Reader,
    scratch: &mut Scratch,
    traffic: &mut Traffic,
) -> Result<bool, Failure> {
    connection.send(&scratch.request).await.map_err(|error| broken_off(&error))?;
    traffic.sent += scratch.request.len() as u64;
    let kept = &mut scratch.kept;
    poll_fn(|context| {
        let mut buffer = local.read_buffer.borrow_mut();
        loop {
            let read = ready!(connection.poll_read(context, &mut buffer));
            let length = read.map_err(|error| broken_off(&error))?;
            traffic.received += length as u64;
            if length == 0 {
                reader.end()?;
                return Poll::Ready(Ok(false));
            }
            let fed = reader.feed(&buffer[..length], kept, &mut local.last_head.borrow_mut());
            if let Progress::Done { beyond } = fed? {
                return Poll::Ready(Ok(beyond));
            }
        }
    })
    .await
}

/// A connection that broke.
fn broken_off(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::ConnectionReset => {
            Failure::fixed(FailureKind::Reset, "connection reset by the target")
        }
        io::ErrorKind::BrokenPipe => {
            Failure::fixed(FailureKind::Reset, "the target closed the connection while the request was sent")
        }
        io::ErrorKind::UnexpectedEof => {
            Failure::fixed(FailureKind::Reset, "the target closed the connection without ending TLS")
        }
        io::ErrorKind::InvalidData => Failure::text(FailureKind::Tls, error.to_string()),
        _ => Failure::text(FailureKind::Reset, error.to_string()),
    }
}

/// RFC 9110 section 9.2.2.
fn is_idempotent(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "PUT" | "DELETE" | "OPTIONS" | "TRACE")
}

/// Path and query of a rendered request line.
fn request_path(request: &[u8]) -> &[u8] {
    request.split(|byte| *byte == b' ').nth(1).unwrap_or(b"/")
}
