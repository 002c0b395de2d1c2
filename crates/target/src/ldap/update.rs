//! What changes entries: add, modify, delete, modify DN (RFC 4511, 4.6 to 4.9).

mod rename;
mod replace;

use super::bind::Identity;
use super::code::Code;
use super::contents::Contents;
use super::control::{POST_READ, PRE_READ};
use super::dn::Dn;
use super::entries::{Owned, show_contents};
use super::matching::equal;
use super::reply::Outcome;
use super::request::{Attributes, Changes};
use super::selection::Selection;
use super::tree::{PEOPLE_KEY, SUFFIX_KEY};
use super::{Call, bad_name};

impl Call<'_> {
    pub(super) fn modify(&mut self, name: &[u8], changes: Changes<'_>) -> Result<Outcome, Outcome> {
        self.check_may_write()?;
        self.dn.read(name).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        if !self.entries.exists(&place) {
            return Err(self.entries.missing(self.dn));
        }
        let place = place.owned()?;
        let mut outcome = Outcome::success();
        self.check_before(&mut outcome)?;
        let is_done =
            matches!(&place, Owned::User(id) if replace::in_place(self.entries.directory, id, changes));
        if !is_done {
            self.change(&place, changes)?;
        }
        self.read_after(&mut outcome);
        Ok(outcome)
    }

    /// Applies changes to the entry whose name was read: all of them, or none.
    fn change(&mut self, place: &Owned, changes: Changes<'_>) -> Result<(), Outcome> {
        let Some(mut contents) = self.entries.contents(&self.entries.place(self.dn)) else {
            return Err(self.entries.missing(self.dn));
        };
        let is_classes = |name: &[u8]| equal(name, b"objectClass");
        if matches!(place, Owned::User(_)) && changes.iter().any(|(_, attribute)| is_classes(attribute.name))
        {
            contents.show_classes()?;
        }
        contents.apply(changes)?;
        if self.dn.leaf().any(|(name, value)| !contents.has(name, value)) {
            return Err(Code::NotAllowedOnRdn.because("the value is part of the entry's name"));
        }
        check_identifier(place, &contents)?;
        self.entries.rewrite(place, contents)
    }

    pub(super) fn add(&mut self, name: &[u8], attributes: Attributes<'_>) -> Result<Outcome, Outcome> {
        self.check_may_write()?;
        self.dn.read(name).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        if self.entries.exists(&place) {
            return Err(Code::EntryAlreadyExists.because("there is such an entry already"));
        }
        let place = place.owned()?;
        let above = above(self.dn, name).map_or_else(|| Err(self.entries.missing(self.dn)), Ok)?;
        let Some(above) =
            self.entries.shown_dn(&self.entries.place(&above)).filter(|above| !above.is_empty())
        else {
            return Err(self.entries.missing(self.dn));
        };
        let mut contents = Contents::of(attributes)?;
        for (name, value) in self.dn.leaf() {
            contents.ensure(name, value)?;
        }
        check_identifier(&place, &contents)?;
        if self.controls.assertion.is_some() {
            self.image.begin(|out| out.extend_from_slice(name));
            show_contents(&contents, self.image);
            self.check_assertion()?;
        }
        let leaf = &name[self.dn.leaf_text()];
        self.entries.create(&place, joined(leaf, &above), contents)?;
        let mut outcome = Outcome::success();
        self.read_after(&mut outcome);
        Ok(outcome)
    }

    pub(super) fn delete(&mut self, name: &[u8]) -> Result<Outcome, Outcome> {
        self.check_may_write()?;
        self.dn.read(name).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        if !self.entries.exists(&place) {
            return Err(self.entries.missing(self.dn));
        }
        let place = place.owned()?;
        if is_fixed(self.dn.key()) || self.entries.tree.has_below(self.dn.key()) {
            return Err(Code::NotAllowedOnNonLeaf.because("there are entries below it"));
        }
        let mut outcome = Outcome::success();
        self.check_before(&mut outcome)?;
        self.entries.delete(&place)?;
        Ok(outcome)
    }

    pub(super) fn check_may_write(&self) -> Result<(), Outcome> {
        if *self.identity == Identity::Anonymous {
            return Err(Code::InsufficientAccessRights.because("writing needs a bind"));
        }
        Ok(())
    }

    /// The assertion holds for the entry whose name was read, and the control that shows it before it
    /// changes is in the outcome.
    fn check_before(&mut self, outcome: &mut Outcome) -> Result<(), Outcome> {
        if self.controls.assertion.is_none() && self.controls.pre_read.is_none() {
            return Ok(());
        }
        let place = self.entries.place(self.dn);
        self.entries.show(&place, self.image);
        self.check_assertion()?;
        if let Some(selection) = self.controls.pre_read {
            self.read_control(PRE_READ, &selection, outcome);
        }
        Ok(())
    }

    /// Puts the control that shows the changed entry into the outcome.
    fn read_after(&mut self, outcome: &mut Outcome) {
        if let Some(selection) = self.controls.post_read {
            let place = self.entries.place(self.dn);
            self.entries.show(&place, self.image);
            self.read_control(POST_READ, &selection, outcome);
        }
    }

    fn read_control(&self, name: &str, selection: &Selection<'_>, outcome: &mut Outcome) {
        let mut value = Vec::new();
        self.image.write(selection, false, &mut value);
        outcome.control(name, Some(&value));
    }
}

/// A user's identifier is its only `uid`, on the HTTP side too.
fn check_identifier(place: &Owned, contents: &Contents) -> Result<(), Outcome> {
    if matches!(place, Owned::User(_)) && contents.values(b"uid").len() != 1 {
        return Err(Code::UnwillingToPerform.because("a user of the platform has exactly one uid"));
    }
    Ok(())
}

/// The entries that the users are below.
fn is_fixed(key: &[u8]) -> bool {
    key == SUFFIX_KEY || key == PEOPLE_KEY
}

/// The name above the one that was read from `text`; `None` when that is the root.
fn above(dn: &Dn, text: &[u8]) -> Option<Dn> {
    if dn.depth() < 2 {
        return None;
    }
    Dn::of(text.get(dn.leaf_text().end + 1..)?).ok()
}

/// A name as it is shown.
fn joined(leaf: &[u8], above: &str) -> String {
    let leaf = String::from_utf8_lossy(leaf);
    // A space at the end may have been escaped.
    let trimmed = leaf.trim_end();
    let leaf = if trimmed.ends_with('\\') { leaf.as_ref() } else { trimmed };
    format!("{},{above}", leaf.trim_start())
}
