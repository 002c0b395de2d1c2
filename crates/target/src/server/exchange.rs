//! One request and its answer: received, carried out, held until it is due, answered and logged.
//!
//! A call is carried out when it arrives and its answer waits, ready, until it is due: so the time that
//! carrying it out takes is inside the service time and not on top of it.

use std::rc::Rc;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Body, Incoming};
use hyper::header::{CONNECTION, CONTENT_TYPE, HOST, HeaderValue};
use hyper::{Request, Response, Version};

use super::body::{Progress, Sending};
use super::{Connection, Server};
use crate::behavior::Fault;
use crate::http::{Answer, Route};
use crate::log::{Record, Subject};
use crate::operation::Operation;

/// Longer request bodies are refused.
const BODY_LIMIT: usize = 16 << 20;

/// The connection is to be closed without an answer.
#[derive(Debug, thiserror::Error)]
#[error("closed without an answer")]
pub(super) struct Dropped;

/// Why there is no request to answer.
enum Unreadable {
    TooLong,
    Gone,
}

pub(super) async fn exchange(
    server: Rc<Server>,
    connection: Rc<Connection>,
    request: Request<Incoming>,
) -> Result<Response<Sending>, Dropped> {
    let progress = Progress::begin(&server);
    let version = request.version();
    let request = match whole(request).await {
        Ok(request) => request,
        Err(Unreadable::Gone) => return Err(Dropped),
        Err(Unreadable::TooLong) => {
            let answer = Answer::refusal(413, "The request body is too long");
            return Ok(response(answer, closing(true, version, &connection), progress));
        }
    };
    let arrival = server.timer.now();
    let route = Route::of(&request);
    let operation = route.operation();
    let mut receipt = Receipt::new(&server, &connection, &request, operation, arrival);

    let fault = server.simulation.borrow_mut().fault(operation);
    let answer = match fault {
        None => Some(server.platform.borrow_mut().answer(&route, &request, arrival)),
        Some(Fault::Error) => Some(Answer::refusal(503, "The simulated platform was told to fail")),
        Some(Fault::Drop) => None,
    };
    if fault.is_some() {
        let due = server.simulation.borrow().at_once(arrival);
        receipt.wait(Duration::ZERO, due).await;
    } else {
        let mut step_arrival = arrival;
        for &step in operation.visits() {
            let extra = if step == operation { route.extra_time() } else { Duration::ZERO };
            let visit = server.simulation.borrow_mut().visit(step, step_arrival, extra);
            receipt.wait(visit.service, visit.due).await;
            step_arrival = visit.due;
        }
    }
    let counters = server.counters.of(operation);
    let Some(answer) = answer else {
        counters.drops.increment();
        return Err(Dropped);
    };
    if fault == Some(Fault::Error) {
        counters.errors.increment();
    }
    receipt.answered(answer.status.as_u16());
    drop(receipt);
    connection.answers.update(|count| count + 1);
    let close = server.close_after.is_some_and(|limit| connection.answers.get() >= limit);
    Ok(response(answer, closing(close, version, &connection), progress))
}

/// Whether the answer has to say that it is the last: HTTP/2 tells it the connection (RFC 9113 section 6.8).
fn closing(close: bool, version: Version, connection: &Connection) -> bool {
    if close && version == Version::HTTP_2 {
        connection.last_answer.notify_one();
    }
    close && version != Version::HTTP_2
}

/// Reads the body to its end. What HTTP/2 names `:authority` is a header Host to the platform.
async fn whole(request: Request<Incoming>) -> Result<crate::http::Request, Unreadable> {
    let (mut head, body) = request.into_parts();
    if let Some(authority) = head.uri.authority().filter(|_| !head.headers.contains_key(HOST))
        && let Ok(host) = HeaderValue::from_str(authority.as_str())
    {
        head.headers.insert(HOST, host);
    }
    if body.is_end_stream() {
        return Ok(Request::from_parts(head, bytes::Bytes::new()));
    }
    match Limited::new(body, BODY_LIMIT).collect().await {
        Ok(collected) => Ok(Request::from_parts(head, collected.to_bytes())),
        Err(error) if error.is::<http_body_util::LengthLimitError>() => Err(Unreadable::TooLong),
        Err(_) => Err(Unreadable::Gone),
    }
}

fn response(answer: Answer, close: bool, progress: Progress) -> Response<Sending> {
    let mut response = Response::new(Sending::new(answer.content, progress));
    *response.status_mut() = answer.status;
    let headers = response.headers_mut();
    if !answer.content_type.is_empty() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(answer.content_type));
    }
    for (name, value) in answer.headers {
        headers.append(name, value);
    }
    if close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// What is known of a request; counted when it is made, logged when it is dropped, answered or not.
struct Receipt<'s> {
    server: &'s Server,
    operation: Operation,
    /// Only when there is a log.
    record: Option<Box<Record>>,
}

impl<'s> Receipt<'s> {
    fn new(
        server: &'s Server,
        connection: &Connection,
        request: &crate::http::Request,
        operation: Operation,
        arrival: Duration,
    ) -> Self {
        server.counters.of(operation).received.increment();
        let id = server.next_request();
        let record = server.log.as_ref().map(|_| {
            let arrival = server.timer.origin() + arrival;
            Box::new(Record {
                id,
                connection: connection.number,
                operation,
                subject: Subject::Http {
                    method: request.method().clone(),
                    path: request.uri().path().to_owned(),
                },
                arrival,
                service: Duration::ZERO,
                due: arrival,
                reply: None,
            })
        });
        Self { server, operation, record }
    }

    /// Holds the request until it is due.
    async fn wait(&mut self, service: Duration, due: Duration) {
        let timer = &self.server.timer;
        if let Some(record) = &mut self.record {
            record.service += service;
            record.due = timer.origin() + due;
        }
        timer.until(due).await;
    }

    fn answered(&mut self, status: u16) {
        self.server.counters.of(self.operation).answered.increment();
        if let Some(record) = &mut self.record {
            record.reply = Some((self.server.timer.origin() + self.server.timer.now(), status));
        }
    }
}

impl Drop for Receipt<'_> {
    fn drop(&mut self) {
        if let (Some(record), Some(log)) = (self.record.take(), &self.server.log) {
            log.borrow_mut().add(*record);
        }
    }
}
