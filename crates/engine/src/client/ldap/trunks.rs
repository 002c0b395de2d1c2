//! The connections to a directory that the users of a thread share: a user borrows a place on one for an operation,
//! and waits in line when all are taken.

#[cfg(test)]
mod script;
#[cfg(test)]
mod tests;

use crate::client::Traffic;
use crate::client::ldap::envelope::Letter;
use crate::client::ldap::line::Expected;
use crate::client::ldap::next_page;
use crate::client::ldap::opening::Opening;
use crate::client::ldap::places::MOST;
use crate::client::ldap::prepared::{Asks, Prepared};
use crate::client::ldap::reader::Answer;
use crate::client::ldap::trunk::Trunk;
use crate::client::loads::Loads;
use crate::client::permits::{Permit, Permits};
use crate::client::pool::connections_of;
use crate::client::scratch::Scratch;
use crate::client::tls::Sessions;
use crate::local::Local;
use loadgen_model::arrivals::Share;
use loadgen_model::request::Sharing;
use loadgen_model::{Failure, FailureKind};
use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use tokio::sync::Mutex;

/// The shared connections to a directory.
pub(crate) struct Trunks {
    /// One for each operation that can be in flight; first come, first served.
    places: Permits,
    /// Operations in flight on each connection.
    loads: RefCell<Loads>,
    /// The connections by number.
    all: Vec<Seat>,
    /// Operations at once on each.
    streams: u32,
    sessions: RefCell<Sessions>,
}

/// Where a connection is, while there is one.
#[derive(Default)]
struct Seat {
    open: RefCell<Option<Rc<Trunk>>>,
    /// Held by whoever opens it; those who come meanwhile wait.
    opening: Mutex<Opening>,
}

/// A place for one operation; free again when it is dropped.
struct Place<'t> {
    trunks: &'t Trunks,
    number: usize,
    _permit: Permit<'t>,
}

impl Trunks {
    /// The connections of a thread that carries this share of the load: its part of them.
    pub(crate) fn new(sharing: Sharing, share: Share) -> Self {
        let connections = connections_of(sharing, share);
        let streams = sharing.streams.clamp(1, MOST);
        Self {
            places: Permits::new(connections * streams as usize),
            loads: RefCell::new(Loads::new(connections)),
            all: (0..connections).map(|_| Seat::default()).collect(),
            streams,
            sessions: RefCell::default(),
        }
    }

    /// Performs the rendered operation; its answer if it has one.
    pub(crate) async fn perform(
        &self,
        local: &Local,
        prepared: &Prepared,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<Option<Answer>, Failure> {
        match prepared.asks {
            Asks::Answer if !prepared.is_bind() => {}
            Asks::Connection => {
                self.connect(local, prepared, traffic).await?;
                return Ok(None);
            }
            Asks::Answer | Asks::End => {
                let text = "users that share connections neither bind nor unbind: give each its own";
                return Err(Failure::fixed(FailureKind::Protocol, text));
            }
        }
        let expected = prepared.expected(&scratch.body);
        self.converse(local, prepared, expected, traffic, scratch).await.map(Some)
    }

    /// Sends an operation, and reads its answer; page by page, if it wants pages.
    async fn converse(
        &self,
        local: &Local,
        prepared: &Prepared,
        expected: Expected,
        traffic: &mut Traffic,
        scratch: &mut Scratch,
    ) -> Result<Answer, Failure> {
        let Scratch { body, value, kept, .. } = scratch;
        let letter = Letter { operation: body, controls: value, page: prepared.page };
        let place = self.place().await;
        let mut cookie = Vec::new();
        let mut entries = 0;
        let mut is_resent = false;
        // A page is only there on the connection that made it.
        let mut same: Option<Rc<Trunk>> = None;
        loop {
            let (trunk, reused) = match same.take() {
                Some(trunk) => (trunk, true),
                None => place.trunk(local, prepared, traffic).await?,
            };
            local.counts.borrow_mut().connections.reused += u64::from(reused);
            let (reader, done) = trunk.ask((letter, &cookie), expected, kept, traffic).await;
            if let Err(failure) = done {
                local.counts.borrow_mut().connections.closed_by_peer += trunk.take_loss();
                let again = reused && !is_resent && cookie.is_empty() && prepared.operation.is_repeatable();
                if !again || reader.has_begun || failure.kind != FailureKind::Reset {
                    return Err(failure);
                }
                is_resent = true;
                local.counts.borrow_mut().connections.resent += 1;
                continue;
            }
            entries += reader.answer.entries;
            next_page(prepared, &kept.head, &mut cookie)?;
            if cookie.is_empty() {
                return Ok(Answer { entries, ..reader.answer });
            }
            same = Some(trunk);
        }
    }

    /// Sees that there is a connection at the next place.
    async fn connect(
        &self,
        local: &Local,
        prepared: &Prepared,
        traffic: &mut Traffic,
    ) -> Result<(), Failure> {
        let place = self.place().await;
        let (_, reused) = place.trunk(local, prepared, traffic).await?;
        local.counts.borrow_mut().connections.reused += u64::from(reused);
        Ok(())
    }

    /// Opens all connections. One that cannot be opened is tried again by the first operation that comes to it.
    pub(crate) async fn open_all(&self, local: &Local, prepared: &Prepared) {
        let mut places = Vec::new();
        for _ in &self.all {
            // While the others are held, each is on a connection of its own.
            places.push(self.place().await);
        }
        for place in &places {
            let _ = place.trunk(local, prepared, &mut Traffic::default()).await;
        }
    }

    /// Waits for a place, on the connection that has least in flight.
    async fn place(&self) -> Place<'_> {
        let permit = self.places.take().await;
        let number = self.loads.borrow_mut().take().expect("a thread has at least one connection");
        Place { trunks: self, number, _permit: permit }
    }
}

impl Place<'_> {
    /// The connection of this place, opened if needed; and whether it was open.
    async fn trunk(
        &self,
        local: &Local,
        prepared: &Prepared,
        traffic: &mut Traffic,
    ) -> Result<(Rc<Trunk>, bool), Failure> {
        if let Some(trunk) = self.open_one(local) {
            return Ok((trunk, true));
        }
        // Rare enough to be kept out of the hot path's memory.
        Box::pin(self.open(local, prepared, traffic)).await
    }

    /// The connection while it stands.
    fn open_one(&self, local: &Local) -> Option<Rc<Trunk>> {
        let mut open = self.trunks.all[self.number].open.borrow_mut();
        let trunk = open.as_ref()?;
        if !trunk.has_ended() {
            return Some(trunk.clone());
        }
        local.counts.borrow_mut().connections.closed_by_peer += trunk.take_loss();
        *open = None;
        None
    }

    async fn open(
        &self,
        local: &Local,
        prepared: &Prepared,
        traffic: &mut Traffic,
    ) -> Result<(Rc<Trunk>, bool), Failure> {
        let seat = &self.trunks.all[self.number];
        let mut opening = seat.opening.lock().await;
        if let Some(trunk) = self.open_one(local) {
            return Ok((trunk, true));
        }
        let connector = self.trunks.sessions.borrow_mut().connector(local, prepared.origin)?;
        let line = opening.open(local, connector, prepared, None, traffic).await?;
        let (stream, partial) = line.into_parts();
        let trunk = Rc::new(Trunk::new(stream, self.trunks.streams, &partial)?);
        let (driven, buffer) = (trunk.clone(), local.read_buffer.clone());
        local.spawn(async move {
            poll_fn(|context| driven.poll_drive(context, &mut buffer.borrow_mut())).await;
        });
        *seat.open.borrow_mut() = Some(trunk.clone());
        Ok((trunk, false))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.trunks.loads.borrow_mut().give_back(self.number);
    }
}
