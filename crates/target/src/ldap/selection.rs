//! Which attributes a client wants to see (RFC 4511, 4.5.1.8).

use super::ber::{Malformed, Reader};
use super::image::Class;
use super::matching::equal;

/// Attributes by name, and by class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Selection<'m> {
    names: Reader<'m>,
    all_user: bool,
    all_operational: bool,
    named: bool,
}

impl<'m> Selection<'m> {
    /// Reads the names in an attribute selection. None at all stands for all user attributes.
    pub(crate) fn read(names: &'m [u8]) -> Result<Self, Malformed> {
        let names = Reader::new(names);
        let mut selection = Self { names, all_user: names.is_empty(), all_operational: false, named: false };
        let mut unread = names;
        while !unread.is_empty() {
            match unread.octets()? {
                b"*" => selection.all_user = true,
                // RFC 3673.
                b"+" => selection.all_operational = true,
                b"1.1" => {}
                _ => selection.named = true,
            }
        }
        Ok(selection)
    }

    /// Whether an attribute is to be shown.
    pub(crate) fn wants(&self, name: &[u8], class: Class) -> bool {
        let by_class = match class {
            Class::User => self.all_user,
            Class::Operational => self.all_operational,
            Class::Secret => return false,
        };
        by_class || self.wants_named(name)
    }

    /// Whether an attribute is asked for by its name.
    pub(crate) fn wants_named(&self, name: &[u8]) -> bool {
        if !self.named {
            return false;
        }
        let mut unread = self.names;
        std::iter::from_fn(move || unread.octets().ok()).any(|wanted| equal(wanted, name))
    }
}

#[cfg(test)]
mod tests {
    use super::super::ber::{put, tag};
    use super::*;

    fn check(names: &[&str], shown: [bool; 3]) {
        let mut bytes = Vec::new();
        for name in names {
            put(&mut bytes, tag::OCTETS, name.as_bytes());
        }
        let selection = Selection::read(&bytes).unwrap();
        let found = [
            selection.wants(b"cn", Class::User),
            selection.wants(b"etag", Class::Operational),
            selection.wants(b"userPassword", Class::Secret),
        ];
        assert_eq!(found, shown, "{names:?}");
    }

    #[test]
    fn classes_and_names_add_up() {
        check(&[], [true, false, false]);
        check(&["*"], [true, false, false]);
        check(&["+"], [false, true, false]);
        check(&["*", "+"], [true, true, false]);
        check(&["1.1"], [false, false, false]);
        check(&["CN", "1.1"], [true, false, false]);
        check(&["eTag", "userPassword"], [false, true, false]);
    }
}
