//! The requests of RFC 4511, 4.2 to 4.12, borrowed from their message.

use super::ber::{Malformed, Reader, tag};
use super::filter::Filter;
use super::selection::Selection;
use crate::operation::Operation;

/// More changes or attributes in one request are refused as malformed.
const ITEMS_LIMIT: usize = 10_000;

/// More values of one attribute in one request are refused as malformed.
const VALUES_LIMIT: usize = 10_000;

/// What a client asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Request<'m> {
    Bind(Bind<'m>),
    Unbind,
    Search(Search<'m>),
    Modify {
        dn: &'m [u8],
        changes: Changes<'m>,
    },
    Add {
        dn: &'m [u8],
        attributes: Attributes<'m>,
    },
    Delete {
        dn: &'m [u8],
    },
    Rename(Rename<'m>),
    Compare {
        dn: &'m [u8],
        attribute: &'m [u8],
        value: &'m [u8],
    },
    /// The number of the message that needs no answer any more.
    Abandon(u32),
    Extended {
        name: &'m [u8],
        value: Option<&'m [u8]>,
    },
}

/// Who the client says it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bind<'m> {
    pub(crate) version: u32,
    pub(crate) dn: &'m [u8],
    pub(crate) credentials: Credentials<'m>,
}

/// How it proves it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Credentials<'m> {
    Simple(&'m [u8]),
    Sasl { mechanism: &'m [u8], credentials: &'m [u8] },
    Other,
}

/// Which entries are looked for, and what is wanted of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'m> {
    pub(crate) base: &'m [u8],
    pub(crate) scope: Scope,
    /// 0: as many as there are.
    pub(crate) size_limit: u32,
    pub(crate) types_only: bool,
    pub(crate) filter: Filter<'m>,
    pub(crate) selection: Selection<'m>,
}

/// How far below its base a search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    Base,
    One,
    Subtree,
}

/// A new name, and perhaps another place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rename<'m> {
    pub(crate) dn: &'m [u8],
    pub(crate) new_rdn: &'m [u8],
    pub(crate) delete_old_rdn: bool,
    pub(crate) new_superior: Option<&'m [u8]>,
}

/// Attributes with their values, well-formed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attributes<'m>(&'m [u8]);

/// One attribute: its name and its values, one element each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute<'m> {
    pub(crate) name: &'m [u8],
    values: Reader<'m>,
}

/// Changes of attributes, well-formed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Changes<'m>(&'m [u8]);

/// What is done with the values of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Add,
    Delete,
    Replace,
    /// RFC 4525.
    Increment,
    /// One that we do not know.
    Other,
}

impl<'m> Request<'m> {
    /// Reads the operation of a message.
    pub(crate) fn read(tag: u8, content: &'m [u8]) -> Result<Self, Malformed> {
        let mut parts = Reader::new(content);
        let request = match tag {
            0x60 => Self::Bind(Bind::read(&mut parts)?),
            0x42 => Self::Unbind,
            0x63 => Self::Search(Search::read(&mut parts)?),
            0x66 => Self::Modify { dn: parts.octets()?, changes: Changes::read(&mut parts)? },
            0x68 => Self::Add { dn: parts.octets()?, attributes: Attributes::read(&mut parts)? },
            0x4a => return Ok(Self::Delete { dn: content }),
            0x6c => Self::Rename(Rename::read(&mut parts)?),
            0x6e => {
                let dn = parts.octets()?;
                let mut assertion = parts.inside(tag::SEQUENCE)?;
                let (attribute, value) = (assertion.octets()?, assertion.octets()?);
                assertion.end()?;
                Self::Compare { dn, attribute, value }
            }
            0x50 => return super::ber::number(content).map(Self::Abandon),
            0x77 => Self::Extended { name: parts.expect(0x80)?, value: parts.optional(0x81)? },
            _ => return Err(Malformed),
        };
        parts.end()?;
        Ok(request)
    }

    pub(crate) fn operation(&self) -> Operation {
        match self {
            Self::Bind(_) => Operation::LdapBind,
            Self::Unbind => Operation::LdapUnbind,
            Self::Search(_) => Operation::LdapSearch,
            Self::Modify { .. } => Operation::LdapModify,
            Self::Add { .. } => Operation::LdapAdd,
            Self::Delete { .. } => Operation::LdapDelete,
            Self::Rename(_) => Operation::LdapModifyDn,
            Self::Compare { .. } => Operation::LdapCompare,
            Self::Abandon(_) => Operation::LdapAbandon,
            Self::Extended { .. } => Operation::LdapExtended,
        }
    }

    /// The tag of the answer; `None` for requests that have none.
    pub(crate) fn answer_tag(&self) -> Option<u8> {
        match self {
            Self::Bind(_) => Some(0x61),
            Self::Search(_) => Some(0x65),
            Self::Modify { .. } => Some(0x67),
            Self::Add { .. } => Some(0x69),
            Self::Delete { .. } => Some(0x6b),
            Self::Rename(_) => Some(0x6d),
            Self::Compare { .. } => Some(0x6f),
            Self::Extended { .. } => Some(0x78),
            Self::Unbind | Self::Abandon(_) => None,
        }
    }

    /// The entry that it is about, as sent; the name of an extended operation.
    pub(crate) fn subject(&self) -> &'m [u8] {
        match *self {
            Self::Bind(Bind { dn, .. })
            | Self::Search(Search { base: dn, .. })
            | Self::Modify { dn, .. }
            | Self::Add { dn, .. }
            | Self::Delete { dn }
            | Self::Rename(Rename { dn, .. })
            | Self::Compare { dn, .. }
            | Self::Extended { name: dn, .. } => dn,
            Self::Unbind | Self::Abandon(_) => b"",
        }
    }

    /// Reads everything in it; true whatever comes of it.
    #[cfg(test)]
    pub(crate) fn check_deeply(&self) -> bool {
        match self {
            Self::Modify { changes, .. } => {
                changes.iter().flat_map(|(_, attribute)| attribute.values()).count() < usize::MAX
            }
            Self::Add { attributes, .. } => {
                attributes.iter().flat_map(|attribute| attribute.values()).count() < usize::MAX
            }
            Self::Search(search) => !search.selection.wants_named(b"\0"),
            _ => true,
        }
    }
}

impl<'m> Bind<'m> {
    fn read(parts: &mut Reader<'m>) -> Result<Self, Malformed> {
        let (version, dn) = (parts.number(tag::INTEGER)?, parts.octets()?);
        let credentials = match parts.any()? {
            (0x80, password) => Credentials::Simple(password),
            (0xa3, sasl) => {
                let mut sasl = Reader::new(sasl);
                let mechanism = sasl.octets()?;
                let credentials = sasl.optional(tag::OCTETS)?.unwrap_or_default();
                sasl.end()?;
                Credentials::Sasl { mechanism, credentials }
            }
            _ => Credentials::Other,
        };
        Ok(Self { version, dn, credentials })
    }
}

impl<'m> Search<'m> {
    fn read(parts: &mut Reader<'m>) -> Result<Self, Malformed> {
        let base = parts.octets()?;
        let scope = match parts.number(tag::ENUMERATED)? {
            0 => Scope::Base,
            1 => Scope::One,
            2 => Scope::Subtree,
            _ => return Err(Malformed),
        };
        // There are no aliases to follow, and no search is long enough for a time limit.
        let _aliases = parts.number(tag::ENUMERATED)?;
        let size_limit = parts.number(tag::INTEGER)?;
        let _time_limit = parts.number(tag::INTEGER)?;
        let types_only = parts.boolean()?;
        let before = parts.rest();
        parts.any()?;
        let filter = Filter::read(&before[..before.len() - parts.rest().len()])?;
        let selection = Selection::read(parts.expect(tag::SEQUENCE)?)?;
        Ok(Self { base, scope, size_limit, types_only, filter, selection })
    }
}

impl<'m> Rename<'m> {
    fn read(parts: &mut Reader<'m>) -> Result<Self, Malformed> {
        Ok(Self {
            dn: parts.octets()?,
            new_rdn: parts.octets()?,
            delete_old_rdn: parts.boolean()?,
            new_superior: parts.optional(0x80)?,
        })
    }
}

impl<'m> Attribute<'m> {
    fn read(mut parts: Reader<'m>) -> Result<Self, Malformed> {
        let name = parts.octets()?;
        let values = parts.inside(tag::SET)?;
        parts.end()?;
        let mut unread = values;
        for _ in 0..VALUES_LIMIT {
            if unread.is_empty() {
                return Ok(Self { name, values });
            }
            unread.octets()?;
        }
        Err(Malformed)
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &'m [u8]> + use<'m> {
        let mut unread = self.values;
        std::iter::from_fn(move || unread.octets().ok())
    }
}

impl<'m> Attributes<'m> {
    fn read(parts: &mut Reader<'m>) -> Result<Self, Malformed> {
        let list = parts.expect(tag::SEQUENCE)?;
        let mut unread = Reader::new(list);
        for _ in 0..ITEMS_LIMIT {
            if unread.is_empty() {
                return Ok(Self(list));
            }
            Attribute::read(unread.inside(tag::SEQUENCE)?)?;
        }
        Err(Malformed)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Attribute<'m>> {
        let mut unread = Reader::new(self.0);
        std::iter::from_fn(move || Attribute::read(unread.inside(tag::SEQUENCE).ok()?).ok())
    }
}

impl<'m> Changes<'m> {
    fn read(parts: &mut Reader<'m>) -> Result<Self, Malformed> {
        let list = parts.expect(tag::SEQUENCE)?;
        let mut unread = Reader::new(list);
        for _ in 0..ITEMS_LIMIT {
            if unread.is_empty() {
                return Ok(Self(list));
            }
            change(&mut unread)?;
        }
        Err(Malformed)
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = (Kind, Attribute<'m>)> {
        let mut unread = Reader::new(self.0);
        std::iter::from_fn(move || change(&mut unread).ok())
    }
}

fn change<'m>(list: &mut Reader<'m>) -> Result<(Kind, Attribute<'m>), Malformed> {
    let mut parts = list.inside(tag::SEQUENCE)?;
    let kind = match parts.number(tag::ENUMERATED)? {
        0 => Kind::Add,
        1 => Kind::Delete,
        2 => Kind::Replace,
        3 => Kind::Increment,
        _ => Kind::Other,
    };
    let attribute = Attribute::read(parts.inside(tag::SEQUENCE)?)?;
    parts.end()?;
    Ok((kind, attribute))
}
