//! Results in the order that a client asks for (RFC 2891).

use std::cmp::Ordering;
use std::ops::Range;

use super::ber::{Malformed, Reader, tag};
use super::image::Image;
use super::matching::order;

/// More keys are refused as malformed.
const KEYS_LIMIT: usize = 20;

/// Entries that wait to be sorted.
pub(crate) struct Sorting {
    keys: Vec<Key>,
    found: Vec<Found>,
    messages: Vec<u8>,
}

struct Key {
    attribute: Vec<u8>,
    is_reversed: bool,
}

struct Found {
    /// The least value of each key; entries without one come last.
    values: Vec<Option<Vec<u8>>>,
    message: Range<usize>,
}

impl Sorting {
    /// Reads the keys of the control.
    pub(crate) fn read(mut list: Reader<'_>) -> Result<Self, Malformed> {
        let mut keys = Vec::new();
        while !list.is_empty() {
            let mut parts = list.inside(tag::SEQUENCE)?;
            let attribute = parts.octets()?.to_vec();
            // There is one way to order values.
            let _rule = parts.optional(0x80)?;
            let is_reversed = parts.optional(0x81)?.is_some_and(|byte| byte != [0]);
            parts.end()?;
            keys.push(Key { attribute, is_reversed });
            if keys.len() > KEYS_LIMIT {
                return Err(Malformed);
            }
        }
        if keys.is_empty() {
            return Err(Malformed);
        }
        Ok(Self { keys, found: Vec::new(), messages: Vec::new() })
    }

    /// Adds an entry; `write` writes its message.
    pub(crate) fn add(&mut self, image: &Image, write: impl FnOnce(&mut Vec<u8>)) {
        let least = |key: &Key| {
            let values = image.values(&key.attribute)?;
            values.min_by(|one, other| order(one, other)).map(<[u8]>::to_vec)
        };
        let values = self.keys.iter().map(least).collect();
        let start = self.messages.len();
        write(&mut self.messages);
        self.found.push(Found { values, message: start..self.messages.len() });
    }

    /// Writes some of the entries in order; returns how many there are.
    pub(crate) fn write(&mut self, from: usize, count: usize, out: &mut Vec<u8>) -> usize {
        let keys = &self.keys;
        self.found.sort_by(|one, other| compare(keys, &one.values, &other.values));
        for found in self.found.iter().skip(from).take(count) {
            out.extend_from_slice(&self.messages[found.message.clone()]);
        }
        self.found.len()
    }
}

fn compare(keys: &[Key], one: &[Option<Vec<u8>>], other: &[Option<Vec<u8>>]) -> Ordering {
    let pairs = keys.iter().zip(one.iter().zip(other));
    let orders = pairs.map(|(key, pair)| {
        let found = match pair {
            (Some(one), Some(other)) => order(one, other),
            (one, other) => one.is_none().cmp(&other.is_none()),
        };
        if key.is_reversed { found.reverse() } else { found }
    });
    orders.fold(Ordering::Equal, Ordering::then)
}
