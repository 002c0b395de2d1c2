//! Which entries are there, and what comes next: a state machine without a clock.
//!
//! Whoever takes a turn settles it, so that an entry is never deleted twice nor before it was added.

use crate::churn::Churn;
use crate::format::rate_tool::operation::Deletion;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::VecDeque;
use std::time::Duration;

/// Entries that are kept in mind, 1 GiB of them: the run ends there, as if so many adds were asked for.
pub const MOST_LIVE: usize = 1 << 26;
/// A purge is given up after so many deletions in a row that failed: the directory is gone, or refuses.
const MOST_FAILURES: u64 = 100;

/// What an iteration is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// Add the entry of this number.
    Add(u64),
    /// Delete the entry of this number.
    Delete(u64),
    /// Nothing now: adds that are under way may be all that are left.
    Wait,
    /// Nothing any more.
    Done,
}

/// What became of a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Settled {
    /// The directory did it.
    Done,
    /// It said that it did not, or it was never asked.
    Refused,
    /// It did not say: whether the entry is there nobody knows.
    #[default]
    Unanswered,
}

/// How far a purge is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Purge {
    /// Entries that it deleted.
    pub deleted: u64,
    /// Entries that it was to delete.
    pub of: u64,
    /// Entries that it could not delete.
    pub failed: u64,
}

/// A deletion of the purge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Purging {
    /// The entry.
    pub number: u64,
    /// Whether it is not tried once more.
    last: bool,
}

/// An entry that is there.
#[derive(Debug, Clone, Copy)]
struct Life {
    number: u64,
    /// Since the start of the run.
    added_ms: u64,
}

/// The entries that were added and not deleted.
#[derive(Debug)]
pub struct Population {
    deletion: Deletion,
    most: Option<u64>,
    /// Entries that there are to add; none without end.
    count: Option<u64>,
    /// Whether anything will ever be deleted.
    is_kept: bool,
    most_live: usize,
    /// The number of the next entry.
    next: u64,
    /// The oldest first, unless the order is random.
    live: VecDeque<Life>,
    adding: u64,
    added: u64,
    /// Live entries beyond which one is deleted; none until the rule by age has one.
    threshold: Option<u64>,
    /// Entries whose deletion failed, or whose add was not answered; the purge tries to delete them, once.
    undeleted: Vec<u64>,
    random: Xoshiro256PlusPlus,
    purge: Option<Purge>,
    purging: u64,
    failures_in_a_row: u64,
}

impl Population {
    /// No entry is there yet. `seed` decides a random order.
    pub fn new(churn: &Churn, seed: u64) -> Self {
        Self {
            deletion: churn.deletion,
            most: churn.most,
            count: churn.entries.count(),
            is_kept: churn.purge || churn.deletion != Deletion::Off,
            most_live: MOST_LIVE,
            next: 0,
            live: VecDeque::new(),
            adding: 0,
            added: 0,
            threshold: match churn.deletion {
                Deletion::OldestBeyond(size) | Deletion::RandomBeyond(size) => Some(size),
                Deletion::Off | Deletion::OlderThan(_) => None,
            },
            undeleted: Vec::new(),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            purge: None,
            purging: 0,
            failures_in_a_row: 0,
        }
    }

    /// What comes next. `now` is since the start of the run.
    pub fn next(&mut self, now: Duration) -> Turn {
        if self.purge.is_some() || self.most.is_some_and(|most| self.added >= most) {
            return Turn::Done;
        }
        if self.is_too_large(now)
            && let Some(life) = self.take()
        {
            return Turn::Delete(life.number);
        }
        if self.may_add() {
            self.adding += 1;
            self.next += 1;
            return Turn::Add(self.next - 1);
        }
        // Of those under way one may fail, and another take its place; a last number is gone with it.
        if self.adding > 0 { Turn::Wait } else { Turn::Done }
    }

    /// What became of a turn. An entry is live when its add was answered so, and until its deletion was; what is not
    /// known, or could not be deleted, is left to the purge.
    pub fn settle(&mut self, turn: Turn, settled: Settled, now: Duration) {
        match turn {
            Turn::Add(number) => {
                self.adding -= 1;
                self.added += u64::from(settled == Settled::Done);
                match settled {
                    _ if !self.is_kept => {}
                    Settled::Done => {
                        let added_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
                        self.live.push_back(Life { number, added_ms });
                    }
                    Settled::Refused => {}
                    Settled::Unanswered => self.undeleted.push(number),
                }
            }
            Turn::Delete(number) if settled != Settled::Done => self.undeleted.push(number),
            Turn::Delete(_) | Turn::Wait | Turn::Done => {}
        }
    }

    /// The next entry that a purge deletes; none when there is none left now, or it was given up. The newest comes
    /// first, so that entries go before those that they are below.
    pub fn next_purging(&mut self) -> Option<Purging> {
        let given_up = self.failures_in_a_row >= MOST_FAILURES;
        let found = match given_up {
            true => None,
            false if !self.live.is_empty() => {
                let newest = self.live.pop_back();
                newest.map(|life| Purging { number: life.number, last: false })
            }
            false => self.undeleted.pop().map(|number| Purging { number, last: true }),
        };
        self.purging += u64::from(found.is_some());
        let left = self.left();
        let purge = self.purge.get_or_insert_default();
        purge.of = purge.deleted + purge.failed + self.purging + left;
        found
    }

    /// What became of a deletion of the purge. One that failed is tried once more when all others are done.
    pub fn settle_purging(&mut self, purging: Purging, succeeded: bool) {
        self.purging -= 1;
        let purge = self.purge.get_or_insert_default();
        self.failures_in_a_row = if succeeded { 0 } else { self.failures_in_a_row + 1 };
        match succeeded {
            true => purge.deleted += 1,
            false if purging.last => purge.failed += 1,
            false => self.undeleted.push(purging.number),
        }
    }

    /// How far the purge is; none before it began.
    pub fn purge(&self) -> Option<Purge> {
        self.purge
    }

    /// Adds that succeeded.
    pub fn added(&self) -> u64 {
        self.added
    }

    /// Entries that were added, perhaps, and not deleted, nor are being deleted, as far as they are kept in mind: not at
    /// all when nothing is ever deleted.
    pub fn left(&self) -> u64 {
        (self.live.len() + self.undeleted.len()) as u64
    }

    /// Whether no more entries can be kept in mind, which ends the run.
    pub fn is_full(&self) -> bool {
        self.left() as usize >= self.most_live
    }

    /// Whether another add may begin: if all under way succeed there is still one asked for.
    fn may_add(&self) -> bool {
        self.most.is_none_or(|most| self.added + self.adding < most)
            && self.count.is_none_or(|count| self.next < count)
            && self.left() + self.adding < self.most_live as u64
    }

    /// Whether an entry is to be deleted. The first that is older than the rule by age has it makes the size of that
    /// moment the limit.
    fn is_too_large(&mut self, now: Duration) -> bool {
        if let (Deletion::OlderThan(age), None, Some(oldest)) =
            (self.deletion, self.threshold, self.live.front())
            && now.saturating_sub(Duration::from_millis(oldest.added_ms)) > age
        {
            self.threshold = Some(self.live.len() as u64);
        }
        self.threshold.is_some_and(|threshold| self.live.len() as u64 > threshold)
    }

    fn take(&mut self) -> Option<Life> {
        match self.deletion {
            Deletion::RandomBeyond(_) if !self.live.is_empty() => {
                let index = self.random.random_range(0..self.live.len());
                self.live.swap_remove_back(index)
            }
            _ => self.live.pop_front(),
        }
    }
}
