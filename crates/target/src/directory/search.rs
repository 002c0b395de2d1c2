//! Looking through the directory, page by page, in a fixed order: the population by number, then the
//! entries created since by identifier.

use std::fmt;
use std::ops::{Bound, ControlFlow};

use serde_json::{Map, Value};

use super::filter::Candidates;
use super::{Directory, Entry, Filter, User, View, population};

/// Entries looked at for one page. A page that ends here is short, and says where to go on.
const LOOK_THROUGH_LIMIT: usize = 5_000;

/// What is looked for.
pub(crate) struct Search<'s> {
    pub(crate) filter: &'s Filter,
    pub(crate) view: &'s View,
    /// Where to begin.
    pub(crate) from: Position,
    /// Matches to leave out before the first one returned.
    pub(crate) skip: usize,
    /// Matches to return at most.
    pub(crate) size: usize,
}

/// A place in the order of entries: the next one to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Position {
    /// This number of the population, then all after it.
    Generated(u64),
    /// The created entries after this identifier.
    CreatedAfter(String),
}

/// Some of what was found.
pub(crate) struct Page {
    pub(crate) documents: Vec<Map<String, Value>>,
    /// Where to go on; `None` at the end.
    pub(crate) next: Option<Position>,
}

impl Directory {
    /// The next matches.
    pub(crate) fn search(&self, search: &Search<'_>) -> Page {
        let mut finder = Finder { search, found: Vec::new(), skip: search.skip, looked_at: 0 };
        let next = match search.filter.candidates(search.view) {
            Some(candidates) => {
                self.look_at(&candidates, &mut finder);
                None
            }
            None => self.look_through(&mut finder),
        };
        Page { documents: finder.found, next }
    }

    /// Looks at a few entries that can match; they are one page.
    fn look_at(&self, candidates: &Candidates, finder: &mut Finder<'_>) {
        if finder.search.from != Position::Generated(0) {
            return;
        }
        for id in &candidates.ids {
            finder.look(self, id);
        }
        if candidates.written.is_empty() {
            return;
        }
        let has_value = |entry: &Entry| {
            candidates.written.iter().any(|(attribute, value)| match entry.attributes.get(*attribute) {
                Some(Value::String(found)) => found.to_lowercase() == value.to_lowercase(),
                Some(Value::Array(_)) => true,
                _ => false,
            })
        };
        for (id, entry) in &self.written {
            let is_candidate = entry.as_ref().is_some_and(has_value);
            if is_candidate && !candidates.ids.contains(id) && !finder.is_done() {
                finder.look(self, id);
            }
        }
    }

    fn look_through(&self, finder: &mut Finder<'_>) -> Option<Position> {
        self.walk(&finder.search.from.clone(), |id, _| {
            if finder.is_done() {
                return ControlFlow::Break(());
            }
            finder.look(self, id);
            ControlFlow::Continue(())
        })
    }

    /// Shows users from a place on until `show` breaks off; returns the place of the one that it broke off
    /// at, `None` at the end.
    pub(crate) fn walk<'d>(
        &'d self,
        from: &Position,
        mut show: impl FnMut(&str, User<'d>) -> ControlFlow<()>,
    ) -> Option<Position> {
        let mut last = "";
        let after = match from {
            Position::Generated(first) => {
                let mut id = String::new();
                for number in *first..self.population {
                    id.clear();
                    population::write_identifier(number, &mut id);
                    let written = if self.written.is_empty() { None } else { self.written.get(&id) };
                    let user = match written {
                        None => User::Generated(number),
                        Some(Some(entry)) => User::Written(entry),
                        Some(None) => continue,
                    };
                    if show(&id, user).is_break() {
                        return Some(Position::Generated(number));
                    }
                }
                Bound::Unbounded
            }
            Position::CreatedAfter(id) => {
                last = id;
                Bound::Excluded(id.as_str())
            }
        };
        for (id, entry) in self.written.range::<str, _>((after, Bound::Unbounded)) {
            let Some(entry) = entry else { continue };
            if self.is_generated(id) {
                continue;
            }
            if show(id, User::Written(entry)).is_break() {
                return Some(Position::CreatedAfter(last.to_owned()));
            }
            last = id;
        }
        None
    }

    /// Identifiers of written users one of whose values of an attribute is `value`, but for case.
    pub(crate) fn written_with(&self, attribute: &str, value: &str) -> impl Iterator<Item = &str> {
        let value = value.to_lowercase();
        self.written.iter().filter_map(move |(id, entry)| {
            let is_it = |found: &Value| found.as_str().is_some_and(|found| found.to_lowercase() == value);
            let has_it = match entry.as_ref()?.attributes.get(attribute)? {
                Value::Array(values) => values.iter().any(is_it),
                found => is_it(found),
            };
            has_it.then_some(id.as_str())
        })
    }
}

struct Finder<'s> {
    search: &'s Search<'s>,
    found: Vec<Map<String, Value>>,
    skip: usize,
    looked_at: usize,
}

impl Finder<'_> {
    fn is_done(&self) -> bool {
        self.found.len() >= self.search.size || self.looked_at >= LOOK_THROUGH_LIMIT
    }

    fn look(&mut self, directory: &Directory, id: &str) {
        self.looked_at += 1;
        let Some(entry) = directory.get(id) else { return };
        let document = self.search.view.show(id, &entry);
        if !self.search.filter.matches(&document) {
            return;
        }
        if self.skip > 0 {
            self.skip -= 1;
        } else {
            self.found.push(document);
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Generated(number) => write!(out, "generated:{number}"),
            Self::CreatedAfter(id) => write!(out, "created:{id}"),
        }
    }
}

impl Position {
    /// Reads what [`Display`](fmt::Display) writes.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.split_once(':')? {
            ("generated", number) => number.parse().ok().map(Self::Generated),
            ("created", id) => Some(Self::CreatedAfter(id.to_owned())),
            _ => None,
        }
    }
}
