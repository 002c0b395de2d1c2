//! Bytes that no honest client sends.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::ber::{element, group, integer, text};
use super::client::{Client, bind, search, user};
use super::target;

/// Sends bytes; the connection ends with a notice of disconnection (RFC 4511, 4.4.1).
#[track_caller]
fn check(bytes: &[u8]) {
    let target = target(&[]);
    let mut client = Client::to(&target);
    client.stream.write_all(bytes).unwrap();
    let notice = client.receive().unwrap();
    assert_eq!((notice.id, notice.tag, notice.code()), (0, 0x78, 2));
    let name = b"\x8a\x161.3.6.1.4.1.1466.20036";
    assert!(notice.content.windows(name.len()).any(|bytes| bytes == name), "{notice:?}");
    client.receive().unwrap_err();
    assert_eq!(Client::to(&target).bind(&user(1), "password").code, 0, "the platform goes on");
}

#[test]
fn malformed_messages_end_the_connection() {
    check(b"GET / HTTP/1.1\r\n\r\n");
    check(&[0x30, 0x80, 2, 1, 1, 0x42, 0, 0, 0]);
    check(&[0x30, 0x84, 0x7f, 0xff, 0xff, 0xff]);
    check(&group(0x30, &[integer(0), bind("", "")]));
    check(&group(0x30, &[element(2, &[0xff]), bind("", "")]));
    check(&group(0x30, &[integer(1), element(0x61, b"")]));
    check(&group(0x30, &[integer(1), element(0x63, b"\x04\x02")]));
    check(&group(0x30, &[integer(1), bind("", ""), element(4, b"more")]));
    check(&group(0x30, &[integer(1), search("", 3, "(a=*)", &[], 0)]));
    check(&group(0x30, &[integer(1), bind("", ""), group(0xa0, &[text("no control")])]));
}

#[test]
fn deep_filters_end_the_connection() {
    let deep = format!("{}(a=*){}", "(!".repeat(2_000), ")".repeat(2_000));
    check(&group(0x30, &[integer(1), search("", 0, &deep, &[], 0)]));
}

/// A small generator of pseudo-random numbers: which bytes are sent must not depend on the platform's.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[test]
fn no_bytes_stop_the_platform() {
    let target = target(&[]);
    let address = target.ldap_address().unwrap();
    let mut noise = Noise(7);
    let honest: Vec<Vec<u8>> = vec![
        group(0x30, &[integer(1), bind(&user(1), "password")]),
        group(
            0x30,
            &[integer(2), search("dc=example,dc=com", 2, "(&(uid=user.1)(!(cn=a*b*c)))", &["cn"], 9)],
        ),
        group(0x30, &[integer(3), super::client::modify(&user(1), &[(2, "l", &["x"])])]),
    ];
    for _ in 0..300 {
        let mut bytes = honest.concat();
        for _ in 0..=noise.next() % 4 {
            let at = noise.next() as usize % bytes.len();
            bytes[at] = noise.next() as u8;
        }
        bytes.truncate(1 + noise.next() as usize % bytes.len());
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        // It may be closed before all is sent.
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.read_to_end(&mut Vec::new());
    }
    assert_eq!(Client::to(&target).bind(&user(1), "password").code, 0);
}

#[test]
fn a_message_can_come_byte_by_byte_and_be_long() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    for byte in group(0x30, &[integer(77), bind(&user(1), "password")]) {
        client.stream.write_all(&[byte]).unwrap();
    }
    assert_eq!(client.receive().unwrap().code(), 0);
    let long = "x".repeat(3 << 20);
    assert_eq!(client.modify(&user(1), &[(2, "description", &[&long])]).code, 0);
    assert_eq!(client.read(&user(1)).value("description").len(), long.len());
    let longer = "x".repeat(5 << 20);
    let message =
        group(0x30, &[integer(1), super::client::modify(&user(1), &[(2, "description", &[&longer])])]);
    // It is refused by its length alone, and the rest is never read.
    let _ = client.stream.write_all(&message);
    assert!(client.receive().map_or(true, |notice| notice.id == 0));
    assert_eq!(Client::to(&target).read(&user(1)).value("description").len(), long.len());
}
