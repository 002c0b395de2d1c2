//! Entries that are added and deleted again, so that a directory keeps its size: what a plan says of it.

mod population;

use crate::format::rate_tool::Entries;
use crate::format::rate_tool::operation::{Add, Deletion};
use crate::mix::ScenarioId;
pub use population::{MOST_LIVE, Population, Purge, Purging, Settled, Turn};
use std::sync::Arc;

/// A life of entries. An iteration is one turn: it adds the next entry or deletes one.
///
/// In both scenarios an operation that asks [`RecordSource::Turn`](crate::ldap::RecordSource::Turn) carries the turn
/// out; what else they do, such as binding first, goes on around it.
#[derive(Debug, Clone)]
pub struct Churn {
    /// Runs when an entry is added.
    pub add: ScenarioId,
    /// Runs when an entry is deleted.
    pub delete: ScenarioId,
    /// The entries, each by its number.
    pub entries: Arc<Entries>,
    /// When and in which order they are deleted while the run lasts.
    pub deletion: Deletion,
    /// Whether what is left is deleted at the end.
    pub purge: bool,
    /// The run ends after so many adds that succeeded; never when none.
    pub most: Option<u64>,
}

impl Churn {
    /// The life of entries that a rate tool asks for. `most` is the number of adds that end it.
    pub fn of(tool: &Add, most: Option<u64>, add: ScenarioId, delete: ScenarioId) -> Self {
        Self {
            add,
            delete,
            entries: Arc::new(tool.entries.clone()),
            deletion: tool.deletion,
            purge: tool.purge,
            most,
        }
    }
}

/// Entries are the same when they come from the same file, read once.
impl PartialEq for Churn {
    fn eq(&self, other: &Self) -> bool {
        let facts = |churn: &Self| (churn.add, churn.delete, churn.deletion, churn.purge, churn.most);
        Arc::ptr_eq(&self.entries, &other.entries) && facts(self) == facts(other)
    }
}
