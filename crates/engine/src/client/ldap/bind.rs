//! Who the user of a connection is: binds that take several messages, and what repeats a bind on a new connection.

use crate::client::Traffic;
use crate::client::ldap::ber::{self, Elements, Malformed, OCTETS, constructed, context};
use crate::client::ldap::envelope::Letter;
use crate::client::ldap::line::{Expected, Line};
use crate::client::ldap::message::{LdapResult, Message};
use crate::client::ldap::prepared::Prepared;
use crate::client::ldap::reader::{self, Reader, malformed};
use crate::client::ldap::request::BIND;
use crate::client::ldap::sasl::{Broken, Credentials, Exchange};
use crate::client::scratch::{Kept, Scratch};
use crate::local::Local;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use loadgen_model::ldap::Mechanism;
use loadgen_model::ldap::result::{SASL_BIND_IN_PROGRESS, SUCCESS};
use loadgen_model::{Failure, FailureKind};
use rand_xoshiro::rand_core::RngCore as _;

/// The tag of what answers a bind.
const BIND_RESPONSE: u8 = 0x61;
/// What a server says to a client during a bind (RFC 4511 section 4.2.2).
const SERVER_CREDENTIALS: u8 = context(7);
/// Messages of one bind. No mechanism needs more than three; a server that goes on asking would go on for ever.
const MOST_MESSAGES: usize = 8;

/// The last bind that succeeded: it is repeated on a new connection. Holds a secret.
#[derive(Default)]
pub(crate) struct Bound {
    /// The mechanism, when it took several messages.
    mechanism: Option<Mechanism>,
    /// The operation, or what its messages were made of; empty when nobody is bound.
    operation: Vec<u8>,
    controls: Vec<u8>,
}

/// What a bind of several messages is made of.
pub(super) struct Recipe<'a> {
    mechanism: Mechanism,
    /// Credentials, one after another.
    credentials: &'a [u8],
    controls: &'a [u8],
    /// The server's name.
    host: &'a str,
}

impl Bound {
    /// Whether nobody is bound.
    pub(super) fn is_empty(&self) -> bool {
        self.operation.is_empty()
    }

    /// A bind begins: until it has succeeded nobody is bound (RFC 4511 section 4.2.1).
    pub(super) fn forget(&mut self) {
        self.operation.clear();
    }

    /// A bind has succeeded.
    pub(super) fn remember(&mut self, prepared: &Prepared, operation: &[u8], controls: &[u8]) {
        self.mechanism = prepared.exchanged();
        self.operation.clear();
        self.operation.extend_from_slice(operation);
        self.controls.clear();
        self.controls.extend_from_slice(controls);
    }

    /// Makes the user on a new connection who it was on the last one.
    pub(super) async fn repeat(
        &self,
        line: &mut Line,
        prepared: &Prepared,
        local: &Local,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        let mut scratch = local.take_scratch();
        let expected = Expected { tag: BIND_RESPONSE, entry: false };
        let Scratch { request, kept, .. } = &mut scratch;
        let letter = Letter { operation: &self.operation, controls: &self.controls, page: None };
        let (Reader { answer, .. }, done) = match self.mechanism {
            Some(mechanism) => {
                let recipe = Recipe::new(prepared, mechanism, letter);
                recipe.exchange(line, local, (request, kept), traffic).await
            }
            None => line.ask(local, (letter, &[]), expected, request, kept, traffic).await,
        };
        local.give_back(scratch);
        done?;
        if answer.code == SUCCESS {
            return Ok(());
        }
        let code = reader::describe(answer.code, b"");
        Err(Failure::text(FailureKind::Status, format!("{code}, to the bind of a new connection")))
    }
}

impl<'a> Recipe<'a> {
    /// The messages of a prepared bind, of its rendered credentials and controls.
    pub(super) fn new(prepared: &'a Prepared, mechanism: Mechanism, letter: Letter<'a>) -> Self {
        let server = &prepared.operation.server;
        // A socket of this machine has no name.
        let host = if server.port == 0 { "localhost" } else { &server.host };
        Self { mechanism, credentials: letter.operation, controls: letter.controls, host }
    }

    /// Performs the bind. The last answer is kept, as of any operation.
    pub(super) async fn exchange(
        &self,
        line: &mut Line,
        local: &Local,
        (out, kept): (&mut Vec<u8>, &mut Kept),
        traffic: &mut Traffic,
    ) -> (Reader, Result<(), Failure>) {
        let expected = Expected { tag: BIND_RESPONSE, entry: false };
        let mut last = Reader::new(0, BIND_RESPONSE, false);
        let (mut exchange, mut response) = match self.begin(local) {
            Ok(begun) => begun,
            Err(failure) => return (last, Err(failure)),
        };
        let mut operation = Vec::new();
        for _ in 0..MOST_MESSAGES {
            operation.clear();
            write_bind(self.mechanism, response.as_deref(), &mut operation);
            let letter = Letter { operation: &operation, controls: self.controls, page: None };
            let (reader, done) = line.ask(local, (letter, &[]), expected, out, kept, traffic).await;
            last = Reader { has_begun: last.has_begun || reader.has_begun, ..reader };
            let next = done.and_then(|()| take(&mut exchange, last.answer.code, &kept.head, local));
            match next {
                Ok(Some(next)) => response = Some(next),
                Ok(None) => return (last, Ok(())),
                Err(failure) => return (last, Err(failure)),
            }
        }
        let text = "the target goes on asking after 8 messages of one bind";
        (last, Err(Failure::fixed(FailureKind::Protocol, text)))
    }

    /// The exchange and what the client says first.
    fn begin(&self, local: &Local) -> Result<(Exchange<'_>, Option<Vec<u8>>), Failure> {
        let credentials = Credentials::read(self.credentials)
            .ok_or_else(|| broken(&Broken::Credential("the name or password", "it is not UTF-8")))?;
        let mut exchange = Exchange::new(self.mechanism, credentials, self.host, nonce(local))
            .expect("only binds with challenges have a recipe");
        let first = exchange.begin().map_err(|error| broken(&error))?;
        Ok((exchange, first))
    }
}

impl<'a> Credentials<'a> {
    /// Reads them as `request::encoding` writes them.
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let mut parts = Elements(bytes);
        let mut next = || std::str::from_utf8(parts.take(OCTETS).ok()?).ok();
        let (authorization_id, authentication_id) = (next()?, next()?);
        Some(Self { authorization_id, authentication_id, password: next()?, realm: next()? })
    }
}

/// What an answer asks for; none when the bind is over, in whatever way.
fn take(
    exchange: &mut Exchange<'_>,
    code: u32,
    head: &[u8],
    local: &Local,
) -> Result<Option<Vec<u8>>, Failure> {
    let said = server_credentials(head).map_err(malformed)?;
    let next = match code {
        SASL_BIND_IN_PROGRESS => {
            exchange.respond(said.unwrap_or_default(), &mut local.salted.borrow_mut()).map(Some)
        }
        SUCCESS => exchange.finish(said).map(|()| None),
        _ => Ok(None),
    };
    next.map_err(|error| broken(&error))
}

fn server_credentials(head: &[u8]) -> Result<Option<&[u8]>, Malformed> {
    Ok(LdapResult::parse(Message::parse(head)?.content)?.find(SERVER_CREDENTIALS))
}

/// One message of a bind (RFC 4511 section 4.2).
fn write_bind(mechanism: Mechanism, response: Option<&[u8]>, out: &mut Vec<u8>) {
    let bind = ber::open(BIND, out);
    ber::write_integer(ber::INTEGER, 3, out);
    ber::write(OCTETS, b"", out);
    let sasl = ber::open(constructed(3), out);
    ber::write(OCTETS, mechanism.name().as_bytes(), out);
    if let Some(response) = response {
        ber::write(OCTETS, response, out);
    }
    ber::close(sasl, out);
    ber::close(bind, out);
}

/// 192 bits that were not there before, printable and without comma.
fn nonce(local: &Local) -> String {
    let mut bytes = [0; 24];
    local.nonces.borrow_mut().fill_bytes(&mut bytes);
    STANDARD.encode(bytes)
}

fn broken(error: &Broken) -> Failure {
    Failure::text(FailureKind::Protocol, error.to_string())
}
