//! Requests whose answers are not due yet, by when they are.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::time::Duration;

use crate::log::Record;
use crate::operation::Operation;

/// What becomes of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is answered with this code.
    Answer(u8),
    /// It is answered with success, and then TLS begins.
    StartTls,
    /// The connection is closed without an answer.
    Drop,
}

/// A request that was carried out.
pub(super) struct Request {
    /// The client's number.
    pub(super) id: u32,
    pub(super) operation: Operation,
    pub(super) fate: Fate,
    /// When there is a log.
    pub(super) record: Option<Box<Record>>,
}

/// One of those that wait.
struct Held {
    due: Duration,
    /// Of two that are due at the same time the earlier one goes first.
    number: u64,
    request: Request,
    answer: Vec<u8>,
}

/// Requests that wait for their time.
#[derive(Default)]
pub(super) struct Waiting {
    held: BinaryHeap<Reverse<Held>>,
    number: u64,
}

impl Waiting {
    pub(super) fn len(&self) -> usize {
        self.held.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn add(&mut self, due: Duration, request: Request, answer: Vec<u8>) {
        self.number += 1;
        self.held.push(Reverse(Held { due, number: self.number, request, answer }));
    }

    /// When the next one is due.
    pub(super) fn next(&self) -> Option<Duration> {
        self.held.peek().map(|Reverse(held)| held.due)
    }

    /// The next one that is due at `now`.
    pub(super) fn take_due(&mut self, now: Duration) -> Option<(Request, Vec<u8>)> {
        if self.next()? > now {
            return None;
        }
        self.held.pop().map(|Reverse(held)| (held.request, held.answer))
    }

    /// Takes out the one of that number.
    pub(super) fn abandon(&mut self, id: u32) -> Option<Request> {
        // Few clients abandon, and few requests wait: a walk through all of them is no loss.
        let mut all = std::mem::take(&mut self.held).into_vec();
        let at = all.iter().position(|Reverse(held)| held.request.id == id);
        let found = at.map(|at| all.swap_remove(at).0.request);
        self.held = all.into();
        found
    }

    /// Takes out all.
    pub(super) fn take_all(&mut self) -> impl Iterator<Item = Request> + use<> {
        std::mem::take(&mut self.held).into_iter().map(|Reverse(held)| held.request)
    }
}

impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Held {}

impl PartialOrd for Held {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Held {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.due, self.number).cmp(&(other.due, other.number))
    }
}
