//! The users of the platform: a generated population, and over it what was written since.
//!
//! An entry is a set of attributes under their directory names (`uid`, `sn`, `mail`). The systems show the
//! same entries in their own shapes: [`view`].

mod filter;
mod patch;
mod pointer;
pub(crate) mod population;
mod search;
mod view;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value};

pub(crate) use self::filter::Filter;
pub(crate) use self::patch::{Patch, merge};
pub(crate) use self::pointer::Pointer;
pub(crate) use self::search::{Position, Search};
pub(crate) use self::view::{Access, Field, View, Writing};

/// Written entries kept, deleted ones included; at this many further new ones are refused.
const WRITTEN_LIMIT: usize = 5_000_000;

/// One user.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) attributes: Map<String, Value>,
    /// Another after each write; 0 for a generated entry that was never written.
    pub(crate) revision: u64,
}

/// A user as it is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) enum User<'d> {
    /// Made from its number whenever it is asked for.
    Generated(u64),
    Written(&'d Entry),
}

/// Why an entry was not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteError {
    /// There is no such entry.
    Missing,
    /// There is one already.
    Exists,
    /// No more entries can be kept.
    Full,
}

/// Every user of the platform.
pub(crate) struct Directory {
    population: u64,
    /// What differs from the population; `None`: deleted.
    written: BTreeMap<String, Option<Entry>>,
    /// Written identifiers that are not in small letters, by what they are in small letters.
    capitals: HashMap<String, String>,
    entries: u64,
    revision: u64,
}

impl Directory {
    /// Users `user.0` up to `user.(population - 1)`.
    pub(crate) fn new(population: u64) -> Self {
        Self {
            population,
            written: BTreeMap::new(),
            capitals: HashMap::new(),
            entries: population,
            revision: 0,
        }
    }

    /// How many users there are.
    pub(crate) fn len(&self) -> u64 {
        self.entries
    }

    /// A number that grows with each write.
    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The entry of that identifier.
    pub(crate) fn get(&self, id: &str) -> Option<Cow<'_, Entry>> {
        match self.written.get(id) {
            Some(written) => written.as_ref().map(Cow::Borrowed),
            None => self.generated(id).map(Cow::Owned),
        }
    }

    /// The user of that identifier, as it is kept.
    pub(crate) fn find(&self, id: &str) -> Option<User<'_>> {
        match self.written.get(id) {
            Some(written) => written.as_ref().map(User::Written),
            None => self.generated_number(id).map(User::Generated),
        }
    }

    /// The identifier that there is, of those that differ from this one by no more than case.
    pub(crate) fn spelling<'i>(&'i self, id: &'i str) -> Option<Cow<'i, str>> {
        if self.contains(id) {
            return Some(Cow::Borrowed(id));
        }
        let small = small(id);
        let key = small.as_deref().unwrap_or(id);
        if self.contains(key) {
            return small.map(Cow::Owned);
        }
        self.capitals.get(key).filter(|id| self.contains(id)).map(|id| Cow::Borrowed(id.as_str()))
    }

    /// Whether there is such an entry.
    pub(crate) fn contains(&self, id: &str) -> bool {
        match self.written.get(id) {
            Some(written) => written.is_some(),
            None => self.is_generated(id),
        }
    }

    /// Whether there is such an entry and this is its password.
    pub(crate) fn has_password(&self, id: &str, password: &str) -> bool {
        match self.written.get(id) {
            Some(Some(entry)) => match entry.attributes.get("userPassword") {
                Some(Value::Array(passwords)) => passwords.iter().any(|one| one == password),
                Some(one) => one == password,
                None => false,
            },
            Some(None) => false,
            None => self.is_generated(id) && password == population::PASSWORD,
        }
    }

    /// Adds an entry and returns its revision.
    pub(crate) fn create(&mut self, id: &str, attributes: Map<String, Value>) -> Result<u64, WriteError> {
        if self.contains(id) {
            return Err(WriteError::Exists);
        }
        self.write(id, Some(attributes))
    }

    /// Replaces the attributes of an entry and returns its new revision.
    pub(crate) fn replace(&mut self, id: &str, attributes: Map<String, Value>) -> Result<u64, WriteError> {
        if !self.contains(id) {
            return Err(WriteError::Missing);
        }
        self.write(id, Some(attributes))
    }

    /// Adds an entry, or replaces its attributes.
    pub(crate) fn put(&mut self, id: &str, attributes: Map<String, Value>) -> Result<u64, WriteError> {
        self.write(id, Some(attributes))
    }

    /// Changes the attributes of a written entry where they are, but for its `uid`; false when it was never
    /// written or is not there.
    pub(crate) fn change(&mut self, id: &str, change: impl FnOnce(&mut Map<String, Value>)) -> bool {
        let Some(Some(entry)) = self.written.get_mut(id) else { return false };
        self.revision += 1;
        entry.revision = self.revision;
        change(&mut entry.attributes);
        true
    }

    /// Deletes an entry.
    pub(crate) fn delete(&mut self, id: &str) -> Result<(), WriteError> {
        if !self.contains(id) {
            return Err(WriteError::Missing);
        }
        self.write(id, None).map(|_| ())
    }

    fn write(&mut self, id: &str, attributes: Option<Map<String, Value>>) -> Result<u64, WriteError> {
        if self.written.len() >= WRITTEN_LIMIT && !self.written.contains_key(id) {
            return Err(WriteError::Full);
        }
        let existed = self.contains(id);
        self.revision += 1;
        let entry = attributes.map(|mut attributes| {
            if attributes.get("uid").is_none_or(|uid| uid != id) {
                attributes.insert("uid".to_owned(), Value::String(id.to_owned()));
            }
            Entry { attributes, revision: self.revision }
        });
        self.entries = self.entries + u64::from(entry.is_some()) - u64::from(existed);
        if let Some(small) = small(id) {
            match &entry {
                Some(_) => self.capitals.insert(small, id.to_owned()),
                None => self.capitals.remove(&small),
            };
        }
        if entry.is_some() || self.is_generated(id) {
            self.written.insert(id.to_owned(), entry);
        } else {
            self.written.remove(id);
        }
        Ok(self.revision)
    }

    fn is_generated(&self, id: &str) -> bool {
        self.generated_number(id).is_some()
    }

    fn generated_number(&self, id: &str) -> Option<u64> {
        population::number(id).filter(|&number| number < self.population)
    }

    fn generated(&self, id: &str) -> Option<Entry> {
        let number = self.generated_number(id)?;
        Some(Entry { attributes: population::attributes(number), revision: 0 })
    }
}

/// The text in small letters; `None` when it is.
fn small(text: &str) -> Option<String> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        return None;
    }
    Some(text.to_lowercase()).filter(|small| small != text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_entries_hide_generated_ones() {
        let mut directory = Directory::new(10_000_000);
        assert!(directory.has_password("user.9999999", "password"));
        assert!(!directory.contains("user.10000000"));
        assert_eq!(directory.create("user.7", Map::new()), Err(WriteError::Exists));
        directory.delete("user.7").unwrap();
        assert_eq!((directory.delete("user.7"), directory.len()), (Err(WriteError::Missing), 9_999_999));
        assert!(directory.get("user.7").is_none() && !directory.has_password("user.7", "password"));
        let revision = directory.create("user.7", Map::new()).unwrap();
        assert_eq!(directory.get("user.7").unwrap().revision, revision);
        assert!(directory.replace("user.7", Map::new()).unwrap() > revision);
        assert_eq!(directory.replace("new", Map::new()), Err(WriteError::Missing));
        directory.create("new", Map::new()).unwrap();
        assert_eq!(directory.len(), 10_000_001);
        directory.delete("new").unwrap();
        assert_eq!(directory.written.len(), 1, "a deleted entry that was never generated leaves no trace");
    }
}
