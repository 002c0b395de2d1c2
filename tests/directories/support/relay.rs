//! A relay between LoadGen and a directory that loses connections or falls silent when a test wants it to, and keeps
//! what passed.

use rustix::net::sockopt::set_socket_linger;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// More than any test sends; what comes later is passed on and not kept.
const KEPT_BYTES: usize = 4 << 20;

/// A relay on a loopback port; it ends with the tests.
pub(crate) struct Relay {
    address: SocketAddr,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// Nothing is passed on, in either direction.
    is_silent: AtomicBool,
    open: Mutex<Vec<Arc<Pair>>>,
    /// What clients sent, passed on or not, and what the server sent.
    said: [Mutex<Vec<u8>>; 2],
}

/// A connection of a client, and the one to the server that belongs to it. Both are closed when nobody holds it.
struct Pair {
    ends: [TcpStream; 2],
    is_reset: AtomicBool,
}

impl Relay {
    /// A relay to a directory at `ldap://ADDRESS` or `ldaps://ADDRESS`.
    pub(crate) fn to(url: &str) -> Self {
        let (_, target) = url.split_once("://").unwrap();
        let target: SocketAddr = target.parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let state = Arc::<State>::default();
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming() {
                // Where nobody is there, the client sees its connection end.
                let (Ok(client), Ok(server)) = (client, TcpStream::connect(target)) else { continue };
                connect(&shared, client, server);
            }
        });
        Self { address, state }
    }

    pub(crate) fn url(&self) -> String {
        format!("ldap://{}", self.address)
    }

    /// Breaks all connections (RST), and takes new ones.
    pub(crate) fn reset(&self) {
        for pair in self.state.open.lock().unwrap().drain(..) {
            pair.is_reset.store(true, Ordering::SeqCst);
            for end in &pair.ends {
                // With this, closing says RST instead of FIN.
                let _ = set_socket_linger(end, Some(Duration::ZERO));
            }
            for end in &pair.ends {
                // Wakes the threads that read and hold the pair; sends nothing.
                let _ = end.shutdown(Shutdown::Read);
            }
        }
    }

    /// Passes nothing on from now on.
    pub(crate) fn fall_silent(&self) {
        self.state.is_silent.store(true, Ordering::SeqCst);
    }

    /// Passes on what comes from now on.
    pub(crate) fn resume(&self) {
        self.state.is_silent.store(false, Ordering::SeqCst);
    }

    /// All that clients sent, connections mixed.
    pub(crate) fn asked(&self) -> Vec<u8> {
        self.state.said[0].lock().unwrap().clone()
    }

    /// All that the server sent, connections mixed.
    pub(crate) fn answered(&self) -> Vec<u8> {
        self.state.said[1].lock().unwrap().clone()
    }
}

fn connect(state: &Arc<State>, client: TcpStream, server: TcpStream) {
    client.set_nodelay(true).unwrap();
    server.set_nodelay(true).unwrap();
    let pair = Arc::new(Pair { ends: [client, server], is_reset: AtomicBool::new(false) });
    let mut open = state.open.lock().unwrap();
    // Whose threads are both gone.
    open.retain(|pair| Arc::strong_count(pair) > 1);
    open.push(Arc::clone(&pair));
    drop(open);
    for direction in 0..2 {
        let (state, pair) = (Arc::clone(state), Arc::clone(&pair));
        std::thread::spawn(move || pump(&state, &pair, direction));
    }
}

fn pump(state: &State, pair: &Pair, direction: usize) {
    let (mut from, mut to) = (&pair.ends[direction], &pair.ends[1 - direction]);
    let mut buffer = [0; 16 << 10];
    while let Ok(length @ 1..) = from.read(&mut buffer) {
        let said = &buffer[..length];
        {
            let mut kept = state.said[direction].lock().unwrap();
            if kept.len() < KEPT_BYTES {
                kept.extend_from_slice(said);
            }
        }
        if !state.is_silent.load(Ordering::SeqCst) && to.write_all(said).is_err() {
            return;
        }
    }
    if !pair.is_reset.load(Ordering::SeqCst) {
        let _ = to.shutdown(Shutdown::Write);
    }
}
