//! What happened to connections in a stretch of time; merges in any order.

use crate::histogram::Histogram;
use std::time::Duration;

/// What happened to connections.
#[derive(Clone, Default)]
pub struct Connections {
    /// Opened.
    pub opened: u64,
    /// Requests that went over a connection that was there already.
    pub reused: u64,
    /// Found closed by the target when they were to be used again; if users share them, also while answers were
    /// waited for.
    pub closed_by_peer: u64,
    /// Requests sent again because the target closed an idle connection under them, or said that it had not
    /// looked at them.
    pub resent: u64,
    /// Redirects followed.
    pub redirects: u64,
    /// TLS handshakes with key exchange and certificate.
    pub handshakes_full: u64,
    /// TLS handshakes that went on with an earlier session.
    pub handshakes_resumed: u64,
    /// How long it took to open them up to TLS: names, TCP, proxy.
    pub connect: Option<Box<Histogram>>,
    /// How long the TLS handshakes took.
    pub handshake: Option<Box<Histogram>>,
}

/// How a TLS session began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handshake {
    /// With key exchange and certificate.
    Full,
    /// From an earlier session (RFC 8446 section 2.2, RFC 5246 section 7.3).
    Resumed,
}

impl Connections {
    /// Counts a connection up to TLS.
    pub fn connected(&mut self, took: Duration) {
        self.connect.get_or_insert_default().record(took);
    }

    /// Counts a TLS handshake.
    pub fn shook_hands(&mut self, how: Handshake, took: Duration) {
        match how {
            Handshake::Full => self.handshakes_full += 1,
            Handshake::Resumed => self.handshakes_resumed += 1,
        }
        self.handshake.get_or_insert_default().record(took);
    }

    /// Adds what was counted elsewhere.
    pub fn merge(&mut self, other: &Connections) {
        self.opened += other.opened;
        self.reused += other.reused;
        self.closed_by_peer += other.closed_by_peer;
        self.resent += other.resent;
        self.redirects += other.redirects;
        self.handshakes_full += other.handshakes_full;
        self.handshakes_resumed += other.handshakes_resumed;
        for (sum, added) in [(&mut self.connect, &other.connect), (&mut self.handshake, &other.handshake)] {
            if let Some(added) = added {
                sum.get_or_insert_default().merge(added);
            }
        }
    }
}
