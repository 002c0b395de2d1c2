//! What is said on one connection: messages are taken, carried out at once, and their answers held until
//! they are due, each on its own. No sockets: bytes come in and go out.

use std::rc::Rc;
use std::time::Duration;

use super::waiting::{Fate, Request, Waiting};
use crate::behavior::Fault;
use crate::ldap::{
    self, Code, Frame, Malformed, Message, Outcome, Session, Subject, frame, is_start_tls,
    write_disconnection,
};
use crate::log::{self, Record};
use crate::operation::Operation;
use crate::server::Server;
use crate::timer::Timer;

/// Requests of a connection that wait for their time; at this many no further ones are read.
const WAITING_LIMIT: usize = 10_000;

/// Bytes that are not sent yet; at this many no further requests are carried out, so that the first answer
/// does not wait for the last.
const OUTPUT_LIMIT: usize = 64 << 10;

/// How a connection ends, or goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Close,
    StartTls,
}

/// The state of a connection.
pub(super) struct Exchange {
    server: Rc<Server>,
    /// From 1.
    number: u64,
    session: Session,
    waiting: Waiting,
    is_encrypted: bool,
    /// Nothing else is looked at before the answer to a bind, or to StartTLS (RFC 4511, 4.2.1 and 4.14.1).
    is_exclusive: bool,
    /// A request is held back because something else must end first.
    is_held: bool,
    /// When the input that is being used had come.
    arrival: Duration,
    /// When requests could be looked at again.
    free_at: Duration,
    answers: u64,
    /// Requests whose answers have been written and not sent, with their codes.
    written: Vec<(Box<Record>, u8)>,
    end: Option<End>,
}

impl Exchange {
    pub(super) fn new(server: Rc<Server>, number: u64) -> Self {
        server.counters.ldap_connections.increment();
        Self {
            server,
            number,
            session: Session::default(),
            waiting: Waiting::default(),
            is_encrypted: false,
            is_exclusive: false,
            is_held: false,
            arrival: Duration::ZERO,
            free_at: Duration::ZERO,
            answers: 0,
            written: Vec::new(),
            end: None,
        }
    }

    pub(super) fn timer(&self) -> &Timer {
        &self.server.timer
    }

    /// From here on TLS protects the connection; `certificate` is the client's own, in DER.
    pub(super) fn start_tls(&mut self, certificate: Option<&[u8]>) {
        self.is_encrypted = true;
        self.session.certificate = certificate.and_then(Subject::of);
        self.end = None;
    }

    /// What comes once all output is sent.
    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    pub(super) fn next_due(&self) -> Option<Duration> {
        if self.end.is_some() { None } else { self.waiting.next() }
    }

    /// Whether more input is of use.
    pub(super) fn may_receive(&self) -> bool {
        !self.is_held && !self.is_exclusive && self.waiting.len() < WAITING_LIMIT
    }

    pub(super) fn note_arrival(&mut self, now: Duration) {
        self.arrival = now;
    }

    /// Closes the connection because of what the client sent.
    pub(super) fn disconnect(&mut self, out: &mut Vec<u8>) {
        write_disconnection(Code::ProtocolError, "this is not LDAP as RFC 4511 has it", out);
        self.end = Some(End::Close);
    }

    /// Writes the answers that are due.
    pub(super) fn release(&mut self, now: Duration, out: &mut Vec<u8>) {
        while self.end.is_none() {
            let Some((request, answer)) = self.waiting.take_due(now) else { return };
            self.server.in_progress.update(|count| count - 1);
            self.is_exclusive = false;
            self.free_at = now;
            out.extend_from_slice(&answer);
            self.finish(request);
        }
    }

    /// Carries out the messages that the input begins with, as far as may be; returns their bytes.
    pub(super) fn receive(&mut self, input: &[u8], out: &mut Vec<u8>) -> usize {
        let mut taken = 0;
        self.is_held = false;
        while self.end.is_none() && self.may_receive() {
            if out.len() >= OUTPUT_LIMIT {
                self.is_held = true;
                break;
            }
            let rest = &input[taken..];
            let read = match frame(rest) {
                Ok(Frame::Part(_)) => break,
                Ok(Frame::Whole(length)) => Message::read(&rest[..length]).map(|message| (message, length)),
                Err(error) => Err(error),
            };
            let Ok((message, length)) = read else {
                self.disconnect(out);
                break;
            };
            // RFC 4511, 4.2.1: what is under way ends before a bind is looked at.
            if matches!(message.request, ldap::Request::Bind(_)) && !self.waiting.is_empty() {
                self.is_held = true;
                break;
            }
            taken += length;
            self.perform(&message, out);
        }
        taken
    }

    fn perform(&mut self, message: &Message<'_>, out: &mut Vec<u8>) {
        let operation = message.request.operation();
        self.server.counters.of(operation).received.increment();
        match message.request {
            ldap::Request::Unbind => {
                self.server.counters.of(operation).answered.increment();
                self.end = Some(End::Close);
            }
            ldap::Request::Abandon(id) => {
                self.server.counters.of(operation).answered.increment();
                self.abandon(id);
            }
            _ => self.answer(message, operation, out),
        }
    }

    fn abandon(&mut self, id: u32) {
        if let Some(request) = self.waiting.abandon(id) {
            self.server.in_progress.update(|count| count - 1);
            self.log(request.record);
        }
    }

    /// Carries out a request that has an answer, and writes that or holds it.
    fn answer(&mut self, message: &Message<'_>, operation: Operation, out: &mut Vec<u8>) {
        let arrival = self.arrival.max(self.free_at);
        let server = Rc::clone(&self.server);
        let (fault, service, due) = {
            let mut simulation = server.simulation.borrow_mut();
            match simulation.fault(operation) {
                None => {
                    let visit = simulation.visit(operation, arrival, Duration::ZERO);
                    (None, visit.service, visit.due)
                }
                fault => (fault, Duration::ZERO, simulation.at_once(arrival)),
            }
        };
        let is_due = due <= arrival;
        let mut held = Vec::new();
        let answer = if is_due { &mut *out } else { &mut held };
        let fate = match fault {
            None => self.carry_out(message, answer),
            Some(Fault::Error) => Ok(refuse(message, operation, answer)),
            Some(Fault::Drop) => Ok(Fate::Drop),
        };
        let Ok(fate) = fate else {
            self.disconnect(out);
            return;
        };
        match fault {
            Some(Fault::Error) => drop(server.counters.of(operation).errors.increment()),
            Some(Fault::Drop) => drop(server.counters.of(operation).drops.increment()),
            None => {}
        }
        let record = server.log.is_some().then(|| self.record(message, operation, service, due));
        let request = Request { id: message.id, operation, fate, record };
        if is_due {
            self.finish(request);
            return;
        }
        server.in_progress.update(|count| count + 1);
        self.is_exclusive = operation == Operation::LdapBind || fate == Fate::StartTls;
        self.waiting.add(due, request, held);
    }

    fn carry_out(&mut self, message: &Message<'_>, out: &mut Vec<u8>) -> Result<Fate, Malformed> {
        let wants_tls = is_start_tls(&message.request);
        if wants_tls && (self.is_encrypted || !self.waiting.is_empty()) {
            let outcome = Code::OperationsError.because("TLS is on, or requests are under way");
            write(&outcome, message, out);
            return Ok(Fate::Answer(outcome.code as u8));
        }
        let mut platform = self.server.platform.borrow_mut();
        let mut ldap = self.server.ldap.borrow_mut();
        let counters = &self.server.counters;
        let code = ldap.answer(message, &mut self.session, platform.directory(), counters, out);
        match code? {
            Code::Success if wants_tls => Ok(Fate::StartTls),
            code => Ok(Fate::Answer(code as u8)),
        }
    }

    /// Counts and logs a request whose answer has been written.
    fn finish(&mut self, request: Request) {
        let code = match request.fate {
            Fate::Drop => {
                self.end = Some(End::Close);
                self.log(request.record);
                return;
            }
            Fate::StartTls => {
                self.end = Some(End::StartTls);
                0
            }
            Fate::Answer(code) => code,
        };
        self.server.counters.of(request.operation).answered.increment();
        self.answers += 1;
        if self.server.close_after.is_some_and(|limit| self.answers >= limit) {
            self.end = Some(End::Close);
        }
        self.written.extend(request.record.map(|record| (record, code)));
    }

    /// Logs the requests whose answers are about to be sent.
    pub(super) fn note_sending(&mut self) {
        if self.written.is_empty() {
            return;
        }
        let now = self.timer().origin() + self.timer().now();
        for (mut record, code) in std::mem::take(&mut self.written) {
            record.reply = Some((now, u16::from(code)));
            self.log(Some(record));
        }
    }

    fn record(
        &self,
        message: &Message<'_>,
        operation: Operation,
        service: Duration,
        due: Duration,
    ) -> Box<Record> {
        let origin = self.server.timer.origin();
        let dn = String::from_utf8_lossy(message.request.subject()).into_owned();
        Box::new(Record {
            id: self.server.next_request(),
            connection: self.number,
            operation,
            subject: log::Subject::Ldap { message: message.id, dn },
            arrival: origin + self.arrival,
            service,
            due: origin + due,
            reply: None,
        })
    }

    fn log(&self, record: Option<Box<Record>>) {
        if let (Some(record), Some(log)) = (record, &self.server.log) {
            log.borrow_mut().add(*record);
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        self.server.counters.ldap_closed.increment();
        for request in self.waiting.take_all() {
            self.server.in_progress.update(|count| count - 1);
            self.log(request.record);
        }
    }
}

/// The answer of a platform that was told to fail.
fn refuse(message: &Message<'_>, operation: Operation, out: &mut Vec<u8>) -> Fate {
    let code = if operation == Operation::LdapBind { Code::Unavailable } else { Code::Busy };
    write(&code.because("the simulated platform was told to fail"), message, out);
    Fate::Answer(code as u8)
}

fn write(outcome: &Outcome, message: &Message<'_>, out: &mut Vec<u8>) {
    if let Some(tag) = message.request.answer_tag() {
        outcome.write(message.id, tag, out);
    }
}
