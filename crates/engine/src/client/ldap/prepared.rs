//! Operations made ready to send: everything that no variable changes is bytes already.

use crate::client::ldap::encoding::{Encoding, Unwritten};
use crate::client::ldap::line::Expected;
use crate::client::ldap::{reader, request};
use crate::origins::{OriginId, Origins};
use crate::session::Known;
use loadgen_model::ldap::{Ask, Bind, Mechanism, Operation, RecordSource};
use std::sync::OnceLock;

/// Result codes whose first diagnostic message is kept: all of RFC 4511 and those that extend it.
const CODES: usize = 128;

/// An operation made ready to send.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// As the plan has it.
    pub(crate) operation: Operation,
    pub(crate) origin: OriginId,
    /// The operation; what its messages are made of if it is a bind of several.
    pub(crate) ask: Encoding,
    pub(crate) controls: Encoding,
    /// Entries a page.
    pub(crate) page: Option<u32>,
    /// What comes of it.
    pub(crate) asks: Asks,
    /// Whether an entry of its answer has to be kept.
    entry: bool,
    /// What servers said with each result code, the first time: messages that differ from request to request would
    /// be as many reasons for one failure.
    said: Box<[OnceLock<Box<str>>]>,
}

/// What comes of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// An answer.
    Answer,
    /// The end of the connection, without an answer.
    End,
    /// A connection, without an answer.
    Connection,
}

impl Prepared {
    /// Makes an operation ready.
    pub(crate) fn new(operation: Operation, origins: &mut Origins) -> Self {
        let page = match &operation.ask {
            Ask::Search(search) => search.page_size,
            _ => None,
        };
        Self {
            origin: origins.intern(operation.transport, &operation.server),
            ask: request::encoding(&operation.ask),
            controls: request::controls(&operation.controls),
            page,
            asks: match &operation.ask {
                Ask::Unbind => Asks::End,
                Ask::Connect => Asks::Connection,
                _ => Asks::Answer,
            },
            entry: operation.needs_entry(),
            said: (0..CODES).map(|_| OnceLock::new()).collect(),
            operation,
        }
    }

    /// Appends the operation and its controls with their values.
    pub(crate) fn write(
        &self,
        known: &mut Known<'_>,
        operation: &mut Vec<u8>,
        controls: &mut Vec<u8>,
    ) -> Result<(), Unwritten> {
        match &self.operation.ask {
            Ask::Record(source) => known.record(*source, operation, controls)?,
            _ => self.ask.write(known, operation)?,
        }
        self.controls.write(known, controls)
    }

    /// Whether it makes the user somebody.
    pub(crate) fn is_bind(&self) -> bool {
        matches!(self.operation.ask, Ask::Bind(_))
    }

    /// The mechanism of a bind of several messages.
    pub(crate) fn exchanged(&self) -> Option<Mechanism> {
        match &self.operation.ask {
            Ask::Bind(Bind::Sasl { mechanism, .. }) if mechanism.has_challenges() => Some(*mechanism),
            _ => None,
        }
    }

    /// What answers the rendered operation.
    pub(crate) fn expected(&self, operation: &[u8]) -> Expected {
        Expected { tag: request::answer_tag(operation), entry: self.entry }
    }

    /// Whether it is the turn of its iteration.
    pub(crate) fn is_turn(&self) -> bool {
        matches!(self.operation.ask, Ask::Record(RecordSource::Turn))
    }

    /// What a code is called in the report, with what a server first said of it.
    pub(crate) fn describe(&self, code: u32, diagnostic: &[u8]) -> Box<str> {
        let text = || reader::describe(code, diagnostic).into_boxed_str();
        match self.said.get(code as usize) {
            Some(said) => said.get_or_init(text).clone(),
            None => reader::describe(code, b"").into_boxed_str(),
        }
    }
}
