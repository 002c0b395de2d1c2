//! Modify DN (RFC 4511, 4.9): another name, perhaps elsewhere, with all that is below.

use super::{above, check_identifier, is_fixed, joined};
use crate::ldap::code::Code;
use crate::ldap::dn::{Dn, is_below};
use crate::ldap::entries::Owned;
use crate::ldap::reply::Outcome;
use crate::ldap::request::Rename;
use crate::ldap::{Call, bad_name};

impl Call<'_> {
    pub(in crate::ldap) fn rename(&mut self, rename: &Rename<'_>) -> Result<Outcome, Outcome> {
        self.check_may_write()?;
        self.dn.read(rename.dn).map_err(bad_name)?;
        let place = self.entries.place(self.dn);
        let Some(mut contents) = self.entries.contents(&place) else {
            return Err(self.entries.missing(self.dn));
        };
        let old = Source {
            key: self.dn.key().to_vec(),
            shown: self.entries.shown_dn(&place).unwrap_or_default(),
            place: place.owned()?,
        };
        if is_fixed(&old.key) {
            return Err(Code::UnwillingToPerform.because("the users are below this entry"));
        }
        let above = match rename.new_superior {
            Some(text) => Some(Dn::of(text).map_err(bad_name)?),
            None => above(self.dn, rename.dn),
        };
        let (new, shown) = self.new_name(rename.new_rdn, above.as_ref(), &old)?;
        let mut outcome = Outcome::success();
        self.check_before(&mut outcome)?;
        if rename.delete_old_rdn {
            for (name, value) in self.dn.leaf() {
                contents.remove(name, value);
            }
        }
        for (name, value) in new.leaf() {
            contents.ensure(name, value)?;
        }
        let target = self.entries.place(&new).owned()?;
        if matches!((&old.place, &target), (Owned::User(_), Owned::Tree(_))) {
            contents.show_classes()?;
        }
        check_identifier(&target, &contents)?;
        self.entries.create(&target, shown.clone(), contents)?;
        if target != old.place {
            self.entries.delete(&old.place)?;
        }
        for (key, mut stored) in self.entries.tree.take_below(&old.key) {
            let key = [new.key(), &key[old.key.len()..]].concat();
            let kept = stored.dn.len().saturating_sub(old.shown.len());
            stored.dn.truncate(kept);
            stored.dn.push_str(&shown);
            self.entries.tree.put(&key, stored.dn, stored.contents)?;
        }
        *self.dn = new;
        self.read_after(&mut outcome);
        Ok(outcome)
    }

    /// The name that an entry is to have, and how it is shown.
    fn new_name(&self, leaf: &[u8], above: Option<&Dn>, old: &Source) -> Result<(Dn, String), Outcome> {
        let missing = || Code::NoSuchObject.because("there is no such new superior");
        let above = above.filter(|above| above.depth() > 0).ok_or_else(missing)?;
        if above.key() == old.key || is_below(above.key(), &old.key) {
            return Err(Code::UnwillingToPerform.because("an entry cannot be moved below itself"));
        }
        let shown = joined(leaf, &self.entries.shown_dn(&self.entries.place(above)).ok_or_else(missing)?);
        let new = Dn::of(shown.as_bytes()).map_err(bad_name)?;
        if new.depth() != above.depth() + 1 {
            return Err(Code::NamingViolation.because("the new name has more than one part"));
        }
        if new.key() != old.key && self.entries.exists(&self.entries.place(&new)) {
            return Err(Code::EntryAlreadyExists.because("there is such an entry already"));
        }
        Ok((new, shown))
    }
}

/// The entry that gets another name.
struct Source {
    key: Vec<u8>,
    shown: String,
    place: Owned,
}
