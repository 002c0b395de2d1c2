//! What the users of one thread have in common, and the little that all threads share.

use crate::client::head::Memo;
use crate::client::ldap;
use crate::client::ldap::sasl::salted::SaltedPasswords;
use crate::client::ldap::trunks::Trunks;
use crate::client::pool::Pool;
use crate::client::resolver::Resolver;
use crate::client::scratch::Scratch;
use crate::client::tls::Connector;
use crate::control::Tempo;
use crate::flight::Flight;
use crate::origins::{OriginId, Origins};
use crate::prepared::Prepared;
use crate::program::Program;
use crate::stop::Stop;
use crate::timer::Timer;
use loadgen_model::arrivals::Share;
use loadgen_model::churn::{Population, Purge};
use loadgen_model::plan::RequestId;
use loadgen_model::request::{Connection, Protocol, Transport};
use loadgen_model::{Plan, Snapshot};
use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Bytes read at once.
const READ_BUFFER: usize = 64 * 1024;
/// Buffers that a thread keeps for its next requests; more than so many requests at once give theirs back.
const SCRATCHES_KEPT: usize = 256;

/// Connects that a thread has under way at the same time; further ones wait for their turn.
const CONNECTS_AT_ONCE: usize = 256;

/// What the users of one thread have in common.
pub(crate) struct Local {
    pub(crate) plan: Arc<Plan>,
    pub(crate) shared: Arc<Shared>,
    /// When the run began.
    pub(crate) epoch: Instant,
    /// This thread's counts of the running second.
    pub(crate) counts: RefCell<Snapshot>,
    pub(crate) timer: Timer,
    /// How much of the planned load there is.
    pub(crate) tempo: Cell<Tempo>,
    /// Tells users that wait while the load is paused.
    pub(crate) resumed: Notify,
    /// Requests under way.
    pub(crate) flight: Flight,
    /// Connects under way.
    pub(crate) connects: Semaphore,
    /// Counts the connects that came from one of several local addresses.
    pub(crate) source_turn: Cell<usize>,
    pub(crate) stop: Stop,
    pub(crate) origins: RefCell<Origins>,
    pub(crate) resolver: RefCell<Resolver>,
    /// Values fetched over HTTP, by slot.
    pub(crate) endpoints: RefCell<Vec<Option<Rc<[u8]>>>>,
    /// Iterations of each group begun on this thread.
    pub(crate) begun: Vec<Cell<u64>>,
    /// What is read lands here first: one buffer serves all connections of a thread.
    pub(crate) read_buffer: Rc<RefCell<Box<[u8]>>>,
    /// The head of the last response: the next one is often the same.
    pub(crate) last_head: RefCell<Memo>,
    scratches: RefCell<Vec<Scratch>>,
    /// Connections that users share, by server.
    pools: RefCell<BTreeMap<OriginId, Rc<Pool>>>,
    /// The same of LDAP, by the number of the server.
    trunks: RefCell<Vec<Option<Rc<Trunks>>>>,
    /// What moves the bytes of shared connections and of HTTP/2; ends with its connection, or with the thread's part.
    drivers: RefCell<JoinSet<()>>,
    /// Keys that SCRAM made of passwords.
    pub(crate) salted: RefCell<SaltedPasswords>,
    /// Nonces are drawn on their own: how many there are depends on connections, and must not change the values
    /// that users draw.
    pub(crate) nonces: RefCell<SplitMix64>,
    /// This thread's part of the load.
    pub(crate) share: Share,
}

/// What all threads share: read-only but for counters that hand out numbers.
pub(crate) struct Shared {
    pub(crate) requests: Vec<Prepared>,
    pub(crate) operations: Vec<ldap::prepared::Prepared>,
    pub(crate) programs: Vec<Program>,
    /// By transport.
    pub(crate) connectors: Vec<Connector>,
    /// By data file: rows handed out.
    pub(crate) data: Vec<Counter>,
    /// By data file: its records, where operations are made of them.
    pub(crate) records: Vec<ldap::record::Records>,
    /// By group: the entries that its churn added; none when its mix is another one.
    pub(crate) populations: Vec<Option<Mutex<Population>>>,
    /// By slot: numbers handed out.
    pub(crate) increments: Vec<Counter>,
}

impl Shared {
    /// How far deleting what was added is; none before it begins.
    pub(crate) fn purge(&self) -> Option<Purge> {
        let locked = |population: &Mutex<Population>| {
            population.lock().unwrap_or_else(PoisonError::into_inner).purge()
        };
        let all = self.populations.iter().flatten().filter_map(locked);
        all.reduce(|sum, more| Purge {
            deleted: sum.deleted + more.deleted,
            of: sum.of + more.of,
            failed: sum.failed + more.failed,
        })
    }

    /// Whether more entries were added than can be kept in mind.
    pub(crate) fn is_full(&self) -> bool {
        let full = |population: &Mutex<Population>| {
            population.lock().unwrap_or_else(PoisonError::into_inner).is_full()
        };
        self.populations.iter().flatten().any(full)
    }

    /// What happens to the connection of a request, and how long it may take.
    pub(crate) fn limits(&self, request: RequestId) -> (Connection, Duration) {
        match request {
            RequestId::Http(index) => {
                let request = &self.requests[usize::from(index)].request;
                (request.connection, request.timeout)
            }
            RequestId::Ldap(index) => {
                let operation = &self.operations[usize::from(index)].operation;
                (operation.connection, operation.timeout)
            }
        }
    }
}

/// Hands out 0, 1, 2 … over all threads. One atomic addition, no lock.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// What a thread starts with.
#[derive(Clone)]
pub(crate) struct Seed {
    pub(crate) plan: Arc<Plan>,
    pub(crate) shared: Arc<Shared>,
    pub(crate) origins: Origins,
    pub(crate) resolver: Resolver,
    pub(crate) endpoints: Vec<Option<Vec<u8>>>,
}

impl Local {
    /// A thread's part; called inside of its runtime.
    pub(crate) fn new(seed: Seed, epoch: Instant, share: Share) -> std::io::Result<Self> {
        let counts = Snapshot::new(seed.plan.rows.len(), seed.plan.scenarios.len(), Duration::ZERO);
        let begun = seed.plan.groups.iter().map(|_| Cell::new(0)).collect();
        Ok(Self {
            counts: RefCell::new(counts),
            timer: Timer::new()?,
            tempo: Cell::default(),
            resumed: Notify::new(),
            flight: Flight::default(),
            connects: Semaphore::new(CONNECTS_AT_ONCE),
            source_turn: Cell::new(share.index as usize),
            stop: Stop::default(),
            origins: RefCell::new(seed.origins),
            resolver: RefCell::new(seed.resolver),
            endpoints: RefCell::new(seed.endpoints.into_iter().map(|value| value.map(Rc::from)).collect()),
            begun,
            read_buffer: Rc::new(RefCell::new(vec![0; READ_BUFFER].into_boxed_slice())),
            last_head: RefCell::default(),
            scratches: RefCell::default(),
            pools: RefCell::default(),
            trunks: RefCell::default(),
            drivers: RefCell::default(),
            salted: RefCell::default(),
            nonces: RefCell::new(SplitMix64::seed_from_u64(!seed.plan.seed.wrapping_add(share.index))),
            share,
            plan: seed.plan,
            shared: seed.shared,
            epoch,
        })
    }

    /// How a server is reached.
    pub(crate) fn transport(&self, id: OriginId) -> &Transport {
        let transport = self.origins.borrow().get(id).0;
        &self.plan.transports[usize::from(transport.0)]
    }

    /// The connections to a server that users share; none when each has its own.
    pub(crate) fn pool(&self, id: OriginId) -> Option<Rc<Pool>> {
        let transport = self.transport(id);
        let sharing = transport.sharing?;
        let mut pools = self.pools.borrow_mut();
        let pool = pools.entry(id).or_insert_with(|| Rc::new(Pool::new(transport, sharing, self.share)));
        Some(pool.clone())
    }

    /// The connections to a directory that users share; none when each has its own.
    pub(crate) fn trunks(&self, id: OriginId) -> Option<Rc<Trunks>> {
        let index = id.0 as usize;
        if let Some(known) = self.trunks.borrow().get(index) {
            return known.clone();
        }
        // Directories are all known before the run, so that there are never more of these than in the plan.
        let mut all = self.trunks.borrow_mut();
        for other in all.len()..=index {
            let id = OriginId(other as u32);
            let is_directory = self.origins.borrow().get(id).1.protocol != Protocol::Http;
            let sharing = self.transport(id).sharing.filter(|_| is_directory);
            all.push(sharing.map(|sharing| Rc::new(Trunks::new(sharing, self.share))));
        }
        all[index].clone()
    }

    /// Opens the connections that are to be open when the load begins.
    pub(crate) async fn open_early(&self) {
        let mut opened = BTreeSet::new();
        for prepared in &self.shared.operations {
            if self.transport(prepared.origin).opens_early
                && opened.insert(prepared.origin)
                && let Some(trunks) = self.trunks(prepared.origin)
            {
                trunks.open_all(self, prepared).await;
            }
        }
    }

    /// Runs beside the users until it is done or the thread's part is over.
    pub(crate) fn spawn(&self, driver: impl Future<Output = ()> + 'static) {
        let mut drivers = self.drivers.borrow_mut();
        while drivers.try_join_next().is_some() {}
        drivers.spawn_local(driver);
    }

    /// Time since the run began.
    pub(crate) fn since_start(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.epoch)
    }

    /// Buffers for a request.
    pub(crate) fn take_scratch(&self) -> Scratch {
        self.scratches.borrow_mut().pop().unwrap_or_default()
    }

    /// Gives buffers back.
    pub(crate) fn give_back(&self, mut scratch: Scratch) {
        let mut kept = self.scratches.borrow_mut();
        if kept.len() < SCRATCHES_KEPT && scratch.trim() {
            kept.push(scratch);
        }
    }

    /// Counts of the running second; a new second begins.
    pub(crate) fn take_counts(&self, now: Duration) -> Snapshot {
        let next = Snapshot::new(self.plan.rows.len(), self.plan.scenarios.len(), now);
        let mut counts = self.counts.replace(next);
        counts.to = now;
        counts.in_flight = self.flight.take(now);
        counts
    }
}
