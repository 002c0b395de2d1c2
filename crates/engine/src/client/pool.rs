//! Connections that the users of a thread share, to one server: a user borrows a place on one for a request, and
//! waits in line when all are taken.

use crate::client::connection::Connection;
use crate::client::http2::Handle;
use crate::client::link::Link;
use crate::client::loads::Loads;
use crate::client::permits::{Permit, Permits};
use crate::client::tls::Sessions;
use crate::local::Local;
use crate::origins::OriginId;
use loadgen_model::Failure;
use loadgen_model::arrivals::Share;
use loadgen_model::request::{Http, Sharing, Transport};
use std::cell::RefCell;
use tokio::sync::Mutex;

/// The shared connections to a server.
pub(crate) struct Pool {
    /// One for each request that can be under way; first come, first served.
    places: Permits,
    /// Of HTTP/1.1: not in use. Together with those in use never more than there are places.
    idle: RefCell<Vec<Connection>>,
    /// Of HTTP/2: by number; none before the first request of each.
    multiplexed: Vec<Mutex<Option<Handle>>>,
    /// Of HTTP/2: requests under way on each.
    loads: RefCell<Loads>,
    sessions: RefCell<Sessions>,
}

/// A place for one request; free again when it is dropped.
pub(crate) struct Place<'p> {
    pool: &'p Pool,
    /// Which connection of HTTP/2.
    number: Option<usize>,
    _permit: Permit<'p>,
}

/// The part of the shared connections that a thread with this share of the load has.
pub(crate) fn connections_of(sharing: Sharing, share: Share) -> usize {
    let all = u64::from(sharing.connections);
    // There are never more threads than connections.
    (all / share.of + u64::from(share.index < all % share.of)).max(1) as usize
}

impl Pool {
    /// The pool of a thread that carries this share of the load: its part of the connections.
    pub(crate) fn new(transport: &Transport, sharing: Sharing, share: Share) -> Self {
        let connections = connections_of(sharing, share);
        let multiplexed = if transport.http == Http::Two { connections } else { 0 };
        Self {
            places: Permits::new(connections * sharing.streams as usize),
            idle: RefCell::default(),
            multiplexed: (0..multiplexed).map(|_| Mutex::default()).collect(),
            loads: RefCell::new(Loads::new(multiplexed)),
            sessions: RefCell::default(),
        }
    }

    /// Waits for a place.
    pub(crate) async fn place(&self) -> Place<'_> {
        let permit = self.places.take().await;
        Place { pool: self, number: self.loads.borrow_mut().take(), _permit: permit }
    }
}

impl Place<'_> {
    /// The connection of this place, opened if needed; and whether it was open.
    pub(crate) async fn link(&self, local: &Local, origin: OriginId) -> Result<(Link, bool), Failure> {
        match self.number {
            Some(number) => self.multiplexed(local, origin, number).await,
            None => self.exclusive(local, origin).await,
        }
    }

    /// A connection of HTTP/1.1 is free again, and stands.
    pub(crate) fn give_back(&self, connection: Connection) {
        self.pool.idle.borrow_mut().push(connection);
    }

    async fn open(&self, local: &Local, origin: OriginId) -> Result<Link, Failure> {
        let connector = self.pool.sessions.borrow_mut().connector(local, origin)?;
        Link::open(local, origin, connector).await
    }

    async fn exclusive(&self, local: &Local, origin: OriginId) -> Result<(Link, bool), Failure> {
        while let Some(connection) = { self.pool.idle.borrow_mut().pop() } {
            if !connection.is_stale() {
                return Ok((Link::Http1(connection), true));
            }
            local.counts.borrow_mut().connections.closed_by_peer += 1;
        }
        Ok((self.open(local, origin).await?, false))
    }

    async fn multiplexed(
        &self,
        local: &Local,
        origin: OriginId,
        number: usize,
    ) -> Result<(Link, bool), Failure> {
        // Those who come while it is opened wait for it.
        let mut held = self.pool.multiplexed[number].lock().await;
        if let Some(handle) = &mut *held {
            if handle.is_usable() {
                return Ok((Link::Http2(handle.clone()), true));
            }
            local.counts.borrow_mut().connections.closed_by_peer += u64::from(!handle.is_retired());
            *held = None;
        }
        let link = self.open(local, origin).await?;
        if let Link::Http2(handle) = &link {
            *held = Some(handle.clone());
        }
        Ok((link, false))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        if let Some(number) = self.number {
            self.pool.loads.borrow_mut().give_back(number);
        }
    }
}
