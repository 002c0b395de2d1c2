//! The smallest LDAP client that can check the platform: one connection, messages by number.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use loadgen_target::Target;

use super::ber::{boolean, choice, element, filter, group, integer, parts, split, text, texts};

/// The manager, who may write.
pub(crate) const MANAGER: &str = "cn=Directory Manager";

/// The name of a generated user.
pub(crate) fn user(number: u32) -> String {
    format!("uid=user.{number},ou=people,dc=example,dc=com")
}

/// One connection.
pub(crate) struct Client<S = TcpStream> {
    pub(crate) stream: S,
    received: Vec<u8>,
    number: u32,
    /// Sent with each request.
    pub(crate) controls: Vec<Vec<u8>>,
}

/// One message of the server.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) id: u32,
    pub(crate) tag: u8,
    pub(crate) content: Vec<u8>,
    pub(crate) controls: BTreeMap<String, Vec<u8>>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) dn: String,
    pub(crate) attributes: BTreeMap<String, Vec<String>>,
}

/// The end of an operation, and what came before it.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) code: u32,
    pub(crate) matched: String,
    pub(crate) message: String,
    /// Elements of the operation's own.
    pub(crate) more: Vec<(u8, Vec<u8>)>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) controls: BTreeMap<String, Vec<u8>>,
}

/// A control of a request.
pub(crate) fn control(name: &str, is_critical: bool, value: Option<&[u8]>) -> Vec<u8> {
    let mut parts = vec![text(name), boolean(is_critical)];
    parts.extend(value.map(|value| element(4, value)));
    group(0x30, &parts)
}

impl Client {
    pub(crate) fn to(target: &Target) -> Self {
        let stream = TcpStream::connect(target.ldap_address().unwrap()).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        Self::over(stream)
    }

    /// A connection of the manager's.
    pub(crate) fn manager(target: &Target) -> Self {
        let mut client = Self::to(target);
        assert_eq!(client.bind(MANAGER, "password").code, 0);
        client
    }
}

impl<S: Read + Write> Client<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self { stream, received: Vec::new(), number: 0, controls: Vec::new() }
    }

    /// The same with one more control at each request.
    pub(crate) fn with(mut self, control: Vec<u8>) -> Self {
        self.controls.push(control);
        self
    }

    /// Sends a request without waiting; returns its number.
    pub(crate) fn send(&mut self, operation: &[u8]) -> u32 {
        self.number += 1;
        let mut parts = vec![integer(self.number), operation.to_vec()];
        if !self.controls.is_empty() {
            parts.push(group(0xa0, &self.controls));
        }
        self.stream.write_all(&group(0x30, &parts)).unwrap();
        self.number
    }

    /// The next message; an error when the connection is closed instead.
    pub(crate) fn receive(&mut self) -> io::Result<Message> {
        loop {
            if let Some((0x30, content, rest)) = split(&self.received) {
                let message = Message::read(content);
                self.received = rest.to_vec();
                return Ok(message);
            }
            let mut bytes = vec![0; 65_536];
            match self.stream.read(&mut bytes)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => self.received.extend_from_slice(&bytes[..count]),
            }
        }
    }

    /// Sends a request and waits for the end of its operation.
    pub(crate) fn ask(&mut self, operation: &[u8]) -> Answer {
        let id = self.send(operation);
        let mut entries = Vec::new();
        loop {
            let message = self.receive().unwrap();
            assert_eq!(message.id, id, "{message:?}");
            if message.tag == 0x64 {
                entries.push(Entry::read(&message.content));
            } else {
                return Answer::read(message, entries);
            }
        }
    }

    pub(crate) fn bind(&mut self, dn: &str, password: &str) -> Answer {
        self.ask(&bind(dn, password))
    }

    pub(crate) fn sasl(&mut self, mechanism: &str, credentials: &[u8]) -> Answer {
        let sasl = group(0xa3, &[text(mechanism), element(4, credentials)]);
        self.ask(&group(0x60, &[integer(3), text(""), sasl]))
    }

    pub(crate) fn search(&mut self, base: &str, scope: u8, text: &str, attributes: &[&str]) -> Answer {
        self.ask(&search(base, scope, text, attributes, 0))
    }

    /// The one entry of that name.
    pub(crate) fn read(&mut self, dn: &str) -> Entry {
        let mut answer = self.search(dn, 0, "(objectClass=*)", &["*", "+"]);
        assert_eq!((answer.code, answer.entries.len()), (0, 1), "{answer:?}");
        answer.entries.remove(0)
    }

    pub(crate) fn add(&mut self, dn: &str, attributes: &[(&str, &[&str])]) -> Answer {
        let list: Vec<_> = attributes.iter().map(|(name, values)| attribute(name, values)).collect();
        self.ask(&group(0x68, &[text(dn), group(0x30, &list)]))
    }

    /// Changes: 0 adds, 1 deletes, 2 replaces, 3 increments.
    pub(crate) fn modify(&mut self, dn: &str, changes: &[(u8, &str, &[&str])]) -> Answer {
        self.ask(&modify(dn, changes))
    }

    pub(crate) fn delete(&mut self, dn: &str) -> Answer {
        self.ask(&element(0x4a, dn.as_bytes()))
    }

    pub(crate) fn compare(&mut self, dn: &str, name: &str, value: &str) -> Answer {
        self.ask(&group(0x6e, &[text(dn), texts(&[name, value])]))
    }

    pub(crate) fn rename(&mut self, dn: &str, new: &str, deletes_old: bool, above: Option<&str>) -> Answer {
        let mut parts = vec![text(dn), text(new), boolean(deletes_old)];
        parts.extend(above.map(|above| element(0x80, above.as_bytes())));
        self.ask(&group(0x6c, &parts))
    }

    pub(crate) fn extended(&mut self, name: &str, value: Option<&[u8]>) -> Answer {
        let mut parts = vec![element(0x80, name.as_bytes())];
        parts.extend(value.map(|value| element(0x81, value)));
        self.ask(&group(0x77, &parts))
    }
}

pub(crate) fn bind(dn: &str, password: &str) -> Vec<u8> {
    group(0x60, &[integer(3), text(dn), element(0x80, password.as_bytes())])
}

pub(crate) fn search(base: &str, scope: u8, text_of_filter: &str, attributes: &[&str], size: u32) -> Vec<u8> {
    let limits = [integer(size), integer(0), boolean(false)].concat();
    let head = [text(base), choice(scope), choice(0), limits].concat();
    group(0x63, &[head, filter(text_of_filter), texts(attributes)])
}

pub(crate) fn modify(dn: &str, changes: &[(u8, &str, &[&str])]) -> Vec<u8> {
    let list =
        changes.iter().map(|(kind, name, values)| group(0x30, &[choice(*kind), attribute(name, values)]));
    group(0x66, &[text(dn), group(0x30, &list.collect::<Vec<_>>())])
}

fn attribute(name: &str, values: &[&str]) -> Vec<u8> {
    group(0x30, &[text(name), group(0x31, &values.iter().map(|value| text(value)).collect::<Vec<_>>())])
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

impl Message {
    fn read(bytes: &[u8]) -> Self {
        let message = parts(bytes);
        let id = message[0].1.iter().fold(0, |id, &byte| id << 8 | u32::from(byte));
        let list = message.get(2).map(|(_, list)| parts(list)).unwrap_or_default();
        let controls = list.iter().map(|(_, control)| {
            let control = parts(control);
            let value = control.iter().skip(1).find(|(tag, _)| *tag == 4);
            (string(control[0].1), value.map(|(_, value)| value.to_vec()).unwrap_or_default())
        });
        Self { id, tag: message[1].0, content: message[1].1.to_vec(), controls: controls.collect() }
    }

    /// The result code.
    pub(crate) fn code(&self) -> u32 {
        parts(&self.content)[0].1.iter().fold(0, |code, &byte| code << 8 | u32::from(byte))
    }
}

impl Entry {
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let entry = parts(bytes);
        let attributes = parts(entry[1].1).into_iter().map(|(_, attribute)| {
            let attribute = parts(attribute);
            let values = parts(attribute[1].1).iter().map(|(_, value)| string(value)).collect();
            (string(attribute[0].1), values)
        });
        Self { dn: string(entry[0].1), attributes: attributes.collect() }
    }

    /// The only value of an attribute.
    #[track_caller]
    pub(crate) fn value(&self, name: &str) -> &str {
        let values = self.attributes.get(name).unwrap_or_else(|| panic!("no {name} in {self:?}"));
        assert_eq!(values.len(), 1, "{self:?}");
        &values[0]
    }
}

impl Answer {
    fn read(message: Message, entries: Vec<Entry>) -> Self {
        let result = parts(&message.content);
        Self {
            code: message.code(),
            matched: string(result[1].1),
            message: string(result[2].1),
            more: result[3..].iter().map(|(tag, content)| (*tag, content.to_vec())).collect(),
            entries,
            controls: message.controls,
        }
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        self.entries.iter().map(|entry| entry.dn.as_str()).collect()
    }
}
