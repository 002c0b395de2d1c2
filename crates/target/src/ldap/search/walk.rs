//! The order in which a search goes through the entries: the base, the tree below it, the users.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::cookie::Cookie;
use crate::directory::Position;
use crate::ldap::dn::is_below;
use crate::ldap::entries::{Entries, Place, show_stored, show_user};
use crate::ldap::finder::{Finder, Stop};
use crate::ldap::image::Image;
use crate::ldap::matching::equal;
use crate::ldap::request::Scope;
use crate::ldap::tree::{PEOPLE_KEY, SUFFIX_KEY};

/// What a search goes through.
pub(crate) struct Walk<'w> {
    pub(crate) entries: &'w Entries<'w>,
    /// The key of the base.
    pub(crate) base: &'w [u8],
    pub(crate) place: &'w Place<'w>,
    pub(crate) scope: Scope,
}

impl Walk<'_> {
    /// Gives each entry to the finder, from a place on; returns why and where it stopped, `None` at the end.
    pub(crate) fn run(
        &self,
        from: Cookie,
        finder: &mut Finder<'_>,
        image: &mut Image,
    ) -> Option<(Stop, Cookie)> {
        let mut from = from;
        if from == Cookie::Start {
            if self.scope != Scope::One {
                self.entries.show(self.place, image);
                let taken = finder.check().and_then(|()| finder.take(image));
                if let Err(stop) = taken {
                    return Some((stop, Cookie::Start));
                }
            }
            if self.scope == Scope::Base || *self.place == Place::Monitor {
                return None;
            }
            from = Cookie::Tree(self.base.to_vec());
        }
        if let Cookie::Tree(after) = from {
            if let Some(stopped) = self.tree(&after, finder, image) {
                return Some(stopped);
            }
            from = Cookie::Users(Position::Generated(0));
        }
        let has_users = match self.scope {
            Scope::Base => false,
            Scope::One => self.base == PEOPLE_KEY,
            Scope::Subtree => self.base == PEOPLE_KEY || is_below(PEOPLE_KEY, self.base),
        };
        if !has_users {
            return None;
        }
        match (self.candidates(finder), from) {
            (Some(candidates), Cookie::Candidates(skip)) => self.few(&candidates, skip, finder, image),
            (Some(candidates), _) => self.few(&candidates, 0, finder, image),
            (None, Cookie::Users(position)) => self.users(&position, finder, image),
            (None, _) => None,
        }
    }

    fn tree(&self, after: &[u8], finder: &mut Finder<'_>, image: &mut Image) -> Option<(Stop, Cookie)> {
        let mut last = after;
        for (key, stored) in self.entries.tree.below(self.base, Some(after)) {
            if let Err(stop) = finder.check() {
                return Some((stop, Cookie::Tree(last.to_vec())));
            }
            if self.scope == Scope::Subtree || self.is_child(key) {
                show_stored(stored, image);
                if let Err(stop) = finder.take(image) {
                    return Some((stop, Cookie::Tree(last.to_vec())));
                }
            }
            last = key;
        }
        None
    }

    fn is_child(&self, key: &[u8]) -> bool {
        if self.base.is_empty() {
            return key == SUFFIX_KEY;
        }
        key.get(self.base.len() + 1..).is_some_and(|rest| !rest.contains(&0))
    }

    /// All users, from a position on.
    fn users(&self, from: &Position, finder: &mut Finder<'_>, image: &mut Image) -> Option<(Stop, Cookie)> {
        let mut stopped = None;
        let next = self.entries.directory.walk(from, |id, user| {
            let taken = finder.check().and_then(|()| {
                show_user(id, user, image);
                finder.take(image)
            });
            match taken {
                Ok(()) => ControlFlow::Continue(()),
                Err(stop) => {
                    stopped = Some(stop);
                    ControlFlow::Break(())
                }
            }
        });
        Some((stopped?, Cookie::Users(next?)))
    }

    /// Only these users.
    fn few(
        &self,
        candidates: &BTreeSet<String>,
        skip: usize,
        finder: &mut Finder<'_>,
        image: &mut Image,
    ) -> Option<(Stop, Cookie)> {
        for (at, id) in candidates.iter().enumerate().skip(skip) {
            let taken = finder.check().and_then(|()| match self.entries.directory.find(id) {
                Some(user) => {
                    show_user(id, user, image);
                    finder.take(image)
                }
                None => Ok(()),
            });
            if let Err(stop) = taken {
                return Some((stop, Cookie::Candidates(at)));
            }
        }
        None
    }

    /// The identifiers of the only users that can match, when the filter tells by `uid` or `mail`.
    fn candidates(&self, finder: &Finder<'_>) -> Option<BTreeSet<String>> {
        let mut values = Vec::new();
        let is_indexed = |name: &[u8]| equal(name, b"uid") || equal(name, b"mail");
        if !finder.search.filter.values_of(is_indexed, &mut values) {
            return None;
        }
        let directory = &self.entries.directory;
        let mut candidates = BTreeSet::new();
        for (name, value) in values {
            // Users have no values that are not text.
            let Ok(value) = std::str::from_utf8(value) else { continue };
            let is_mail = equal(name, b"mail");
            let id = if is_mail { value.split('@').next().unwrap_or_default() } else { value };
            candidates.extend(directory.spelling(id).map(Cow::into_owned));
            if is_mail {
                candidates.extend(directory.written_with("mail", value).map(str::to_owned));
            }
        }
        Some(candidates)
    }
}
