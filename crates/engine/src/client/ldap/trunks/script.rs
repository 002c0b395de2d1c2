//! What tests of shared connections need: a thread's part of a run, and a server that does what a test says.

use crate::client::ldap::ber::{self, ENUMERATED, INTEGER, OCTETS, SEQUENCE};
use crate::client::ldap::message::Message;
use crate::client::{Client, Traffic};
use crate::local::Local;
use crate::run::prepare;
use crate::session::Session;
use loadgen_model::arrivals::Share;
use loadgen_model::ldap::{Ask, Bind, Check, Condition, Dereference, Filter, Operation, Scope, Search};
use loadgen_model::plan::Semantics;
use loadgen_model::request::{Connection, Origin, Sharing, Transport, TransportId};
use loadgen_model::{Failure, Plan, Template};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::Instant;

pub(super) const BIND_DONE: u8 = 0x61;
pub(super) const SEARCH_DONE: u8 = 0x65;
pub(super) const MODIFY_DONE: u8 = 0x67;
pub(super) const DELETE_DONE: u8 = 0x6b;

/// A server, and the operations that go to it.
pub(super) struct Stand {
    pub(super) local: Rc<Local>,
    listener: TcpListener,
}

/// A connection as the server sees it.
pub(super) struct Peer {
    pub(super) stream: TcpStream,
    came: Vec<u8>,
}

impl Stand {
    /// Users ask these, over so many connections with so many places each; over their own when there are none.
    pub(super) async fn new(shared: Option<(u32, u32)>, asks: &[Ask], bind: Option<u16>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Origin::parse_ldap(&format!("ldap://{}", listener.local_addr().unwrap())).unwrap();
        let sharing = shared.map(|(connections, streams)| Sharing { connections, streams });
        let operations = asks.iter().enumerate().map(|(number, ask)| Operation {
            ask: ask.clone(),
            server: server.clone(),
            transport: TransportId(0),
            connection: Connection::KeepAlive,
            timeout: Duration::from_secs(10),
            controls: Vec::new(),
            // Each search finds as many entries as its number.
            checks: matches!(ask, Ask::Search(_)).then(|| entries(number as u64)).into_iter().collect(),
            captures: Vec::new(),
        });
        let plan = Plan {
            name: String::new(),
            target_environment: String::new(),
            generator_environment: String::new(),
            seed: 1,
            semantics: Semantics::Native,
            groups: Vec::new(),
            scenarios: Vec::new(),
            rows: Vec::new(),
            requests: Vec::new(),
            operations: operations.collect(),
            variables: Vec::new(),
            data: Vec::new(),
            transports: vec![Transport { sharing, bind, ..Transport::default() }],
            setup: Vec::new(),
            teardown: Vec::new(),
            objectives: Vec::new(),
            grace: None,
        };
        let local = Local::new(prepare(&Arc::new(plan)), Instant::now(), Share::WHOLE).unwrap();
        Self { local: Rc::new(local), listener }
    }

    /// A new user performs an operation.
    pub(super) fn ask(&self, index: usize) -> JoinHandle<(Result<(), Failure>, Traffic)> {
        let local = self.local.clone();
        tokio::task::spawn_local(async move {
            let (mut client, mut session) = (Client::default(), Session::new(&local, 0, &[]));
            let mut traffic = Traffic::default();
            let prepared = &local.shared.operations[index];
            let done = client.operate(&local, prepared, &mut session, Instant::now(), &mut traffic).await;
            (done, traffic)
        })
    }

    /// The next connection.
    pub(super) async fn accept(&self) -> Peer {
        let (stream, _) = self.listener.accept().await.unwrap();
        Peer { stream, came: Vec::new() }
    }

    /// Connections opened, found closed, and used again; operations sent again.
    pub(super) fn counts(&self) -> [u64; 4] {
        let counts = self.local.counts.borrow();
        let connections = &counts.connections;
        [connections.opened, connections.closed_by_peer, connections.reused, connections.resent]
    }
}

impl Peer {
    /// The next message: its number, the tag of its operation, its content.
    pub(super) async fn next(&mut self) -> (i64, u8, Vec<u8>) {
        loop {
            if let Ok(Some(length)) = ber::message_length(&self.came)
                && self.came.len() >= length
            {
                let whole: Vec<u8> = self.came.drain(..length).collect();
                let message = Message::parse(&whole).unwrap();
                return (message.id, message.tag, message.content.to_vec());
            }
            assert_ne!(self.stream.read_buf(&mut self.came).await.unwrap(), 0, "the client closed");
        }
    }

    /// The numbers of the next messages.
    pub(super) async fn ids(&mut self, count: usize) -> Vec<i64> {
        let mut ids = Vec::new();
        for _ in 0..count {
            ids.push(self.next().await.0);
        }
        ids
    }

    /// Answers a message with a result.
    pub(super) async fn say(&mut self, id: i64, tag: u8, code: i64) {
        self.stream.write_all(&result(id, tag, code, b"")).await.unwrap();
    }
}

/// A message with a result.
pub(super) fn result(id: i64, tag: u8, code: i64, text: &[u8]) -> Vec<u8> {
    let mut content = Vec::new();
    ber::write_integer(ENUMERATED, code, &mut content);
    ber::write(OCTETS, b"", &mut content);
    ber::write(OCTETS, text, &mut content);
    message(id, tag, &content)
}

/// A message with an entry that has no attributes.
pub(super) fn entry(id: i64) -> Vec<u8> {
    message(id, 0x64, b"\x04\x04cn=a\x30\x00")
}

fn message(id: i64, tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let start = ber::open(SEQUENCE, &mut out);
    ber::write_integer(INTEGER, id, &mut out);
    ber::write(tag, content, &mut out);
    ber::close(start, &mut out);
    out
}

fn entries(number: u64) -> Check {
    Check { label: String::new(), condition: Condition::Entries(number..=number) }
}

pub(super) fn search() -> Ask {
    Ask::Search(Box::new(Search {
        base: Template::text("dc=x"),
        scope: Scope::Sub,
        dereference: Dereference::Never,
        size_limit: 0,
        time_limit_s: 0,
        types_only: false,
        filter: Filter::Present("cn".to_owned()),
        attributes: Vec::new(),
        page_size: None,
    }))
}

pub(super) fn modify() -> Ask {
    Ask::Modify { dn: Template::text("cn=a"), changes: Vec::new() }
}

pub(super) fn delete(length: usize) -> Ask {
    Ask::Delete { dn: Template::text(vec![b'a'; length]) }
}

pub(super) fn bind() -> Ask {
    Ask::Bind(Bind::Simple { dn: Template::text("cn=admin"), password: Template::text("secret") })
}
