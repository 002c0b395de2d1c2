//! Performs requests for one user: it does not measure, log, retry what failed or print.

pub(crate) mod body;
pub(crate) mod connect;
pub(crate) mod connection;
pub(crate) mod cookies;
pub(crate) mod head;
pub(crate) mod http1;
pub(crate) mod resolver;
pub(crate) mod scratch;
pub(crate) mod tls;

use crate::local::Local;
use crate::origins::OriginId;
use crate::prepared::{BeginError, Place, Prepared};
use crate::session::{Known, Session};
use connection::Connection;
use cookies::Jar;
use http1::{Progress, Reader, Wants};
use loadgen_model::check::Condition;
use loadgen_model::failure::Detail;
use loadgen_model::plan::Semantics;
use loadgen_model::request;
use loadgen_model::response::Response;
use loadgen_model::template::Missing;
use loadgen_model::{Check, Failure, FailureKind};
use scratch::Scratch;
use std::future::poll_fn;
use std::io;
use std::task::{Poll, ready};
use std::time::Duration;
use tokio::time::Instant;

/// The connections and cookies of one user.
#[derive(Default)]
pub(crate) struct Client {
    idle: Vec<(OriginId, Connection)>,
    cookies: Option<Box<Jar>>,
}

/// Bytes that a request took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traffic {
    pub(crate) sent: u64,
    pub(crate) received: u64,
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
        let mut reader = self.hop(local, prepared, method, origin, scratch, traffic).await?;
        if is_redirect(prepared, &reader) || reader.head.cookies {
            // Rare enough to be kept out of the hot path's memory.
            reader =
                Box::pin(self.follow(local, prepared, session, origin, reader, scratch, traffic)).await?;
        }
        judge(local, prepared, session, started, &reader, scratch)
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
    ) -> Result<Reader, Failure> {
        loop {
            let (mut connection, reused) = match self.take_idle(local, origin) {
                Some(connection) => (connection, true),
                None => (Box::pin(open(local, origin)).await?, false),
            };
            let mut reader = Reader::new(Wants { headless: method == "HEAD", ..prepared.wants });
            match transfer(local, &mut connection, &mut reader, scratch, traffic).await {
                Ok(beyond) => {
                    let keep = reader.head.keep_alive
                        && !beyond
                        && prepared.request.connection != request::Connection::Close;
                    if keep {
                        self.idle.push((origin, connection));
                    }
                    return Ok(reader);
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
        mut reader: Reader,
        scratch: &mut Scratch,
        traffic: &mut Traffic,
    ) -> Result<Reader, Failure> {
        let server = |id: OriginId| local.origins.borrow().get(id).1.clone();
        let mut place = Place { origin: server(origin), path: request_path(&scratch.request).to_vec() };
        let home = place.origin.clone();
        let mut method = prepared.request.method.clone();
        let mut hops = 0;
        loop {
            self.keep_cookies(prepared, &place, &reader, scratch);
            let response = Response::of_head(&scratch.kept.head);
            let Some(location) = response.header("location").filter(|_| is_redirect(prepared, &reader))
            else {
                return Ok(reader);
            };
            if hops == prepared.request.redirects {
                return Err(Failure::fixed(FailureKind::Protocol, "more redirects than `redirects` allows"));
            }
            hops += 1;
            local.counts.borrow_mut().connections.redirects += 1;
            place = place.follow(location).map_err(|text| Failure::text(FailureKind::Protocol, text))?;
            // RFC 9110 section 15.4: after these, browsers ask with GET and without the body.
            let status = reader.head.status;
            if status == 303 && method != "HEAD" || matches!(status, 301 | 302) && method == "POST" {
                "GET".clone_into(&mut method);
            }
            self.write_redirect(local, prepared, session, &method, &place, place.origin == home, scratch)?;
            origin = local.origins.borrow_mut().intern(prepared.request.transport, &place.origin);
            reader = self.hop(local, prepared, &method, origin, scratch, traffic).await?;
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

    fn keep_cookies(&mut self, prepared: &Prepared, place: &Place, reader: &Reader, scratch: &Scratch) {
        if !reader.head.cookies || !prepared.request.cookies {
            return;
        }
        let response = Response::of_head(&scratch.kept.head);
        let jar = self.cookies.get_or_insert_default();
        for header in response.headers("set-cookie") {
            jar.store(header, &place.origin, &place.path);
        }
    }
}

fn is_redirect(prepared: &Prepared, reader: &Reader) -> bool {
    prepared.wants.redirect && matches!(reader.head.status, 301 | 302 | 303 | 307 | 308)
}

/// Opens a connection and counts it.
async fn open(local: &Local, id: OriginId) -> Result<Connection, Failure> {
    let (transport, origin) = local.origins.borrow().get(id).clone();
    let connection = connect::connect(local, transport, &origin).await?;
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

fn missing_value(session: &Session, missing: Missing) -> Failure {
    let detail = Detail::Missing(missing, session.why_missing(missing));
    Failure { kind: FailureKind::Capture, detail }
}

/// Checks a response, then captures from it.
fn judge(
    local: &Local,
    prepared: &Prepared,
    session: &mut Session,
    started: Instant,
    reader: &Reader,
    scratch: &mut Scratch,
) -> Result<(), Failure> {
    let Scratch { kept, value, .. } = scratch;
    if reader.head.encoded && prepared.wants.body && !kept.body.is_empty() {
        let head = Response::of_head(&kept.head);
        body::decode(head.header("content-encoding").unwrap_or_default(), &mut kept.body)?;
    }
    let status = reader.head.status;
    let request = &prepared.request;
    // Only a check on the time needs the time.
    let timed = request.checks.iter().any(|check| matches!(check.condition, Condition::Time(_)));
    let response = Response {
        status,
        head: &kept.head,
        body: &kept.body,
        size: reader.size,
        time: if timed { started.elapsed() } else { Duration::ZERO },
    };
    let is_on_status = |check: &Check| matches!(check.condition, Condition::Status(_));
    // Why a page of errors does not hold what was wanted is its status.
    if status >= 400 && !request.checks.iter().any(is_on_status) {
        return Err(bad_status(status));
    }
    for (index, check) in request.checks.iter().enumerate() {
        let on_status = is_on_status(check);
        let mut known = Known { session, local };
        match check.holds(&response, &mut known, value) {
            Ok(true) => {}
            Ok(false) if on_status => return Err(bad_status(status)),
            Ok(false) => {
                return Err(Failure { kind: FailureKind::Check, detail: Detail::Check(index as u16) });
            }
            Err(missing) => return Err(missing_value(session, missing)),
        }
    }
    capture(local.plan.semantics, prepared, session, &response, value);
    Ok(())
}

fn bad_status(status: u16) -> Failure {
    Failure { kind: FailureKind::Status, detail: Detail::Status(status) }
}

/// Keeps what the response holds for later requests. In jobs of the original format a value that was kept stays
/// until another response replaces it: that is what their `persist` means.
fn capture(
    semantics: Semantics,
    prepared: &Prepared,
    session: &mut Session,
    response: &Response<'_>,
    value: &mut Vec<u8>,
) {
    for capture in &prepared.request.captures {
        value.clear();
        match capture.from.find(response, value) {
            Ok(()) => session.captured(capture.slot, capture.lifetime, value),
            Err(_) if semantics == Semantics::Original && session.holds(capture.slot) => {}
            Err(why) => session.not_captured(capture.slot, why),
        }
    }
}
