//! An LDAP server that answers everything at once, for measuring what an operation costs a generator: one thread, one
//! write for all operations of a read, answers made beforehand. Not a platform: it looks at nothing but the number and
//! the kind of a message.
//!
//! `cargo run --release -p loadgen-target --example null_ldap -- PORT` listens on 127.0.0.1. When it is stopped, it
//! prints how many operations of each kind it answered, such as `search 1000`.

use std::cell::Cell;
use std::io;
use std::net::Ipv4Addr;
use std::rc::Rc;
use tokio::io::AsyncReadExt as _;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpListener, TcpStream};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::JoinSet;

/// Bytes read at once; a longer message ends its connection.
const READ: usize = 64 * 1024;
/// Connections at once; further ones wait.
const CONNECTIONS: usize = 10_000;
/// Attributes of the entry that every search finds, and bytes of each value: 800 bytes together.
const ATTRIBUTES: usize = 18;
const VALUE: usize = 26;

/// A kind of operation: the tags of its request and of its answer (RFC 4511 section 4.2 and those after it), its name.
struct Kind(u8, u8, &'static str);

/// Nothing answers an abandon, and an unbind ends its connection.
const KINDS: [Kind; 8] = [
    Kind(0x60, 0x61, "bind"),
    Kind(SEARCH, 0x65, "search"),
    Kind(0x66, 0x67, "modify"),
    Kind(0x68, 0x69, "add"),
    Kind(0x4a, 0x6b, "delete"),
    Kind(0x6c, 0x6d, "modifydn"),
    Kind(0x6e, 0x6f, "compare"),
    Kind(0x77, 0x78, "extended"),
];
const SEARCH: u8 = 0x63;
const UNBIND: u8 = 0x42;

/// What it answers.
struct Answers {
    /// The content of an entry, with its tag.
    entry: Vec<u8>,
    /// How many operations of each of the kinds.
    answered: [Cell<u64>; KINDS.len()],
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok());
    let port: u16 = port.ok_or_else(|| io::Error::other("usage: null_ldap PORT"))?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
    let answers = Rc::new(Answers { entry: entry(), answered: Default::default() });
    let work = tokio::task::LocalSet::new();
    let (mut stopped, mut interrupted) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let serving = answers.clone();
    work.run_until(async move {
        tokio::select! {
            _ = stopped.recv() => {}
            _ = interrupted.recv() => {}
            () = serve(listener, serving) => {}
        }
    })
    .await;
    for (Kind(_, _, name), count) in KINDS.iter().zip(&answers.answered) {
        #[expect(clippy::print_stdout, reason = "the counts are what it is run for")]
        {
            println!("{name} {}", count.get());
        }
    }
    Ok(())
}

async fn serve(listener: TcpListener, answers: Rc<Answers>) {
    let mut connections = JoinSet::new();
    loop {
        while connections.try_join_next().is_some() {}
        if connections.len() == CONNECTIONS {
            connections.join_next().await;
        }
        let Ok((stream, _)) = listener.accept().await else { return };
        connections.spawn_local(converse(stream, answers.clone()));
    }
}

/// Answers one connection until it ends or sends what is no message.
async fn converse(mut stream: TcpStream, answers: Rc<Answers>) {
    let _ = stream.set_nodelay(true);
    let (mut read, mut out, mut held) = (vec![0; READ], Vec::new(), 0);
    while held < READ {
        match stream.read(&mut read[held..]).await {
            Ok(0) | Err(_) => return,
            Ok(length) => held += length,
        }
        let mut used = 0;
        while let Some((length, id, tag)) = message(&read[used..held]) {
            used += length;
            if tag == UNBIND {
                return;
            }
            answers.write(id, tag, &mut out);
        }
        read.copy_within(used..held, 0);
        held -= used;
        if stream.write_all(&out).await.is_err() {
            return;
        }
        out.clear();
    }
}

impl Answers {
    /// The answer to a message, by the tag of its operation.
    fn write(&self, id: &[u8], tag: u8, out: &mut Vec<u8>) {
        /// Success, no name, no text.
        const RESULT: &[u8] = b"\x0a\x01\x00\x04\x00\x04\x00";
        let Some(index) = KINDS.iter().position(|kind| kind.0 == tag) else { return };
        if tag == SEARCH {
            envelope(id, self.entry.len(), out);
            out.extend_from_slice(&self.entry);
        }
        envelope(id, RESULT.len() + 2, out);
        out.extend_from_slice(&[KINDS[index].1, RESULT.len() as u8]);
        out.extend_from_slice(RESULT);
        let count = &self.answered[index];
        count.set(count.get() + 1);
    }
}

/// The message at the front: its length, its number in bytes, the tag of its operation. None before it is whole.
fn message(bytes: &[u8]) -> Option<(usize, &[u8], u8)> {
    let (header, length) = header(bytes)?;
    let content = bytes.get(header..header + length)?;
    let id = content.get(2..2 + usize::from(*content.get(1)?))?;
    Some((header + length, id, *content.get(2 + id.len())?))
}

/// Length of the header of an element and of its content.
fn header(bytes: &[u8]) -> Option<(usize, usize)> {
    let first = *bytes.get(1)?;
    if first < 0x80 {
        return Some((2, usize::from(first)));
    }
    let count = usize::from(first & 0x7f);
    let octets = bytes.get(2..2 + count)?;
    Some((2 + count, octets.iter().fold(0, |sum, octet| sum << 8 | usize::from(*octet))))
}

/// What stands before an operation of so many bytes.
fn envelope(id: &[u8], length: usize, out: &mut Vec<u8>) {
    begin(0x30, 2 + id.len() + length, out);
    begin(0x02, id.len(), out);
    out.extend_from_slice(id);
}

fn begin(tag: u8, length: usize, out: &mut Vec<u8>) {
    match length {
        0..0x80 => out.extend_from_slice(&[tag, length as u8]),
        _ => out.extend_from_slice(&[tag, 0x82, (length >> 8) as u8, length as u8]),
    }
}

fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    begin(tag, content.len(), &mut out);
    out.extend_from_slice(content);
    out
}

fn entry() -> Vec<u8> {
    let attributes = (0..ATTRIBUTES).flat_map(|number| {
        let name = element(0x04, format!("attribute{number:02}").as_bytes());
        let value = element(0x04, "v".repeat(VALUE).as_bytes());
        element(0x30, &[name, element(0x31, &value)].concat())
    });
    let attributes = element(0x30, &attributes.collect::<Vec<u8>>());
    let name = element(0x04, b"uid=user.1,ou=people,dc=example,dc=com");
    element(0x64, &[name, attributes].concat())
}
