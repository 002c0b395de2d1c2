//! How many requests the platform has received and answered, readable while it runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::operation::Operation;

/// What a platform has counted up to now.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Connections accepted.
    pub connections: u64,
    /// Requests by the name of their operation; operations without a request are left out.
    pub operations: BTreeMap<&'static str, OperationCounts>,
}

/// The requests of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OperationCounts {
    /// Requests that arrived whole.
    pub received: u64,
    /// Requests answered, simulated errors included.
    pub answered: u64,
    /// Simulated errors: answered 503.
    pub errors: u64,
    /// Simulated drops: the connection was closed without an answer.
    pub drops: u64,
}

impl Counts {
    /// The requests of one operation, all 0 for one that was never asked for.
    pub fn operation(&self, name: &str) -> OperationCounts {
        self.operations.get(name).copied().unwrap_or_default()
    }

    /// Requests received, of all operations.
    pub fn received(&self) -> u64 {
        self.operations.values().map(|counts| counts.received).sum()
    }

    /// Requests answered, of all operations.
    pub fn answered(&self) -> u64 {
        self.operations.values().map(|counts| counts.answered).sum()
    }
}

/// The counters themselves: written by the platform's thread, read by any.
pub(crate) struct Counters {
    /// Accepted, of any protocol.
    pub(crate) connections: Counter,
    pub(crate) ldap_connections: Counter,
    pub(crate) ldap_closed: Counter,
    operations: [OperationCounters; Operation::COUNT],
}

impl Default for Counters {
    fn default() -> Self {
        let operations = std::array::from_fn(|_| OperationCounters::default());
        Self {
            connections: Counter::default(),
            ldap_connections: Counter::default(),
            ldap_closed: Counter::default(),
            operations,
        }
    }
}

/// The counters of one operation.
#[derive(Default)]
pub(crate) struct OperationCounters {
    pub(crate) received: Counter,
    pub(crate) answered: Counter,
    pub(crate) errors: Counter,
    pub(crate) drops: Counter,
}

/// A number that only grows, one at a time.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// Adds one and returns how many there were before.
    pub(crate) fn increment(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Counters {
    pub(crate) fn of(&self, operation: Operation) -> &OperationCounters {
        &self.operations[operation as usize]
    }

    pub(crate) fn read(&self) -> Counts {
        let operations = Operation::ALL.iter().map(|&operation| {
            let counters = self.of(operation);
            let counts = OperationCounts {
                received: counters.received.get(),
                answered: counters.answered.get(),
                errors: counters.errors.get(),
                drops: counters.drops.get(),
            };
            (operation.name(), counts)
        });
        Counts {
            connections: self.connections.get(),
            operations: operations.filter(|(_, counts)| counts.received > 0).collect(),
        }
    }
}
