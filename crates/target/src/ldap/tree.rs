//! The entries that are not users of the platform: those above the users, and whatever clients add.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::code::Code;
use super::contents::Contents;
use super::dn::is_below;
use super::reply::Outcome;

/// Entries kept; further ones are refused.
const ENTRIES_LIMIT: usize = 1_000_000;

/// The topmost entry.
pub(crate) const SUFFIX: &str = "dc=example,dc=com";
pub(crate) const SUFFIX_KEY: &[u8] = b"dc=com\0dc=example";

/// What the users of the platform are below.
pub(crate) const PEOPLE: &str = "ou=people,dc=example,dc=com";
pub(crate) const PEOPLE_KEY: &[u8] = b"dc=com\0dc=example\0ou=people";

/// An entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stored {
    /// Its name as it is shown.
    pub(crate) dn: String,
    pub(crate) contents: Contents,
    /// Another after each write.
    pub(crate) revision: u64,
}

/// Entries by their keys.
#[derive(Debug)]
pub(crate) struct Tree {
    entries: BTreeMap<Vec<u8>, Stored>,
    revision: u64,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let mut tree = Self { entries: BTreeMap::new(), revision: 0 };
        tree.put_first(SUFFIX_KEY, SUFFIX, [("objectClass", "domain"), ("dc", "example")]);
        tree.put_first(PEOPLE_KEY, PEOPLE, [("objectClass", "organizationalUnit"), ("ou", "people")]);
        tree
    }

    fn put_first(&mut self, key: &[u8], dn: &str, attributes: [(&str, &str); 2]) {
        let mut contents = Contents::default();
        for (name, value) in [("objectClass", "top")].into_iter().chain(attributes) {
            contents.ensure(name.as_bytes(), value.as_bytes()).expect("these are names of attributes");
        }
        self.entries.insert(key.to_vec(), Stored { dn: dn.to_owned(), contents, revision: 0 });
    }

    pub(crate) fn get(&self, key: &[u8]) -> Option<&Stored> {
        self.entries.get(key)
    }

    /// Adds an entry, or puts another one in its place.
    pub(crate) fn put(&mut self, key: &[u8], dn: String, contents: Contents) -> Result<(), Outcome> {
        if self.entries.len() >= ENTRIES_LIMIT && !self.entries.contains_key(key) {
            return Err(Code::AdminLimitExceeded.because("the platform keeps no further entries"));
        }
        self.revision += 1;
        let stored = Stored { dn, contents, revision: self.revision };
        self.entries.insert(key.to_vec(), stored);
        Ok(())
    }

    pub(crate) fn remove(&mut self, key: &[u8]) {
        self.entries.remove(key);
    }

    /// Whether anything that is kept here is below that key.
    pub(crate) fn has_below(&self, key: &[u8]) -> bool {
        self.below(key, None).next().is_some()
    }

    /// What is below that key, in order; only what comes after the key `after`, if given.
    pub(crate) fn below<'t>(
        &'t self,
        key: &'t [u8],
        after: Option<&'t [u8]>,
    ) -> impl Iterator<Item = (&'t [u8], &'t Stored)> {
        let start = Bound::Excluded(after.unwrap_or(key));
        let range = self.entries.range::<[u8], _>((start, Bound::Unbounded));
        // Keys that begin with `key` and go on with another byte than zero come later than those below it.
        range
            .take_while(move |(found, _)| is_below(found, key))
            .map(|(found, stored)| (found.as_slice(), stored))
    }

    /// Takes out everything below a key.
    pub(crate) fn take_below(&mut self, key: &[u8]) -> Vec<(Vec<u8>, Stored)> {
        let keys: Vec<Vec<u8>> = self.below(key, None).map(|(found, _)| found.to_vec()).collect();
        let taken = keys.into_iter().filter_map(|key| self.entries.remove_entry(&key));
        taken.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_neither_the_entry_nor_its_neighbours() {
        let mut tree = Tree::new();
        for name in ["ou=a", "ou=a\0cn=x", "ou=a\0cn=x\0cn=y", "ou=a b", "ou=ab"] {
            let key = [SUFFIX_KEY, b"\0", name.as_bytes()].concat();
            tree.put(&key, name.to_owned(), Contents::default()).unwrap();
        }
        let key = [SUFFIX_KEY, b"\0ou=a"].concat();
        let names: Vec<_> = tree.below(&key, None).map(|(_, stored)| stored.dn.as_str()).collect();
        assert_eq!(names, ["ou=a\0cn=x", "ou=a\0cn=x\0cn=y"]);
        assert_eq!(tree.below(&key, Some(&[&key[..], b"\0cn=x"].concat())).count(), 1);
        assert_eq!(tree.take_below(&key).len(), 2);
        assert!(!tree.has_below(&key) && tree.has_below(b"") && tree.has_below(SUFFIX_KEY));
    }
}
