//! Search filters (RFC 4511, 4.5.1.7): checked once, then evaluated where they stand in the message.

use super::ber::{Malformed, Reader, tag};
use super::image::Image;
use super::matching::{Substrings, equal, order};

/// Deeper filters are refused as malformed.
const DEPTH_LIMIT: usize = 64;

/// Filters of more parts are refused as malformed: they may be evaluated for every entry.
const PARTS_LIMIT: usize = 2_000;

/// What a condition is for an entry. The order is that of RFC 4511: `and` takes the least, `or` the greatest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Truth {
    False,
    Undefined,
    True,
}

/// A well-formed filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Filter<'m>(&'m [u8]);

/// One level of a filter.
#[derive(Debug)]
enum Node<'m> {
    And(Reader<'m>),
    Or(Reader<'m>),
    Not(Filter<'m>),
    Equal(&'m [u8], &'m [u8]),
    Substrings(&'m [u8], Reader<'m>),
    GreaterOrEqual(&'m [u8], &'m [u8]),
    LessOrEqual(&'m [u8], &'m [u8]),
    Present(&'m [u8]),
    Extensible,
}

impl<'m> Filter<'m> {
    /// Checks a whole filter.
    pub(crate) fn read(bytes: &'m [u8]) -> Result<Self, Malformed> {
        check(bytes, DEPTH_LIMIT, &mut 0)?;
        Ok(Self(bytes))
    }

    /// Whether it holds for an entry. What is undefined does not.
    pub(crate) fn matches(self, entry: &Image) -> bool {
        self.truth(entry) == Truth::True
    }

    /// The only values that an attribute of a matching entry can have, into `values`; false when it may
    /// have others. `name` tells whether an attribute is one of those asked for.
    pub(crate) fn values_of(
        self,
        is_wanted: fn(&[u8]) -> bool,
        values: &mut Vec<(&'m [u8], &'m [u8])>,
    ) -> bool {
        match self.node() {
            Some(Node::Equal(name, value)) if is_wanted(name) => {
                values.push((name, value));
                true
            }
            Some(Node::And(parts)) => {
                let before = values.len();
                filters(parts).any(|part| {
                    values.truncate(before);
                    part.values_of(is_wanted, values)
                })
            }
            Some(Node::Or(parts)) => {
                !parts.is_empty() && filters(parts).all(|part| part.values_of(is_wanted, values))
            }
            _ => false,
        }
    }

    fn node(self) -> Option<Node<'m>> {
        node(self.0).ok()
    }

    fn truth(self, entry: &Image) -> Truth {
        let Some(node) = self.node() else { return Truth::Undefined };
        match node {
            // Of no parts: true and false, by RFC 4526.
            Node::And(parts) => {
                least(filters(parts).map(|part| part.truth(entry)), Truth::False, Ord::min, Truth::True)
            }
            Node::Or(parts) => {
                least(filters(parts).map(|part| part.truth(entry)), Truth::True, Ord::max, Truth::False)
            }
            Node::Not(part) => match part.truth(entry) {
                Truth::True => Truth::False,
                Truth::False => Truth::True,
                Truth::Undefined => Truth::Undefined,
            },
            Node::Equal(name, value) => any(entry, name, |found| equal(found, value)),
            Node::Substrings(name, parts) => {
                let parts = substrings(parts);
                any(entry, name, |found| parts.match_value(found))
            }
            Node::GreaterOrEqual(name, value) => any(entry, name, |found| order(found, value).is_ge()),
            Node::LessOrEqual(name, value) => any(entry, name, |found| order(found, value).is_le()),
            Node::Present(name) => any(entry, name, |_| true),
            Node::Extensible => Truth::Undefined,
        }
    }
}

/// Folds truths from `start` on, up to the first that decides.
fn least(
    truths: impl Iterator<Item = Truth>,
    decides: Truth,
    combine: fn(Truth, Truth) -> Truth,
    start: Truth,
) -> Truth {
    let mut result = start;
    for truth in truths {
        result = combine(result, truth);
        if result == decides {
            break;
        }
    }
    result
}

fn any(entry: &Image, name: &[u8], holds: impl FnMut(&[u8]) -> bool) -> Truth {
    if entry.values(name).is_some_and(|mut values| values.any(holds)) { Truth::True } else { Truth::False }
}

/// The filters that follow each other in a set.
fn filters(mut parts: Reader<'_>) -> impl Iterator<Item = Filter<'_>> {
    std::iter::from_fn(move || {
        let before = parts.rest();
        parts.any().ok()?;
        Some(Filter(&before[..before.len() - parts.rest().len()]))
    })
}

fn node(bytes: &[u8]) -> Result<Node<'_>, Malformed> {
    let (tag, content) = Reader::new(bytes).any()?;
    let mut parts = Reader::new(content);
    let node = match tag {
        0xa0 => return Ok(Node::And(parts)),
        0xa1 => return Ok(Node::Or(parts)),
        0xa2 => return Ok(Node::Not(Filter(content))),
        // Approximately equal is equal.
        0xa3 | 0xa8 => Node::Equal(parts.octets()?, parts.octets()?),
        0xa4 => Node::Substrings(parts.octets()?, parts.inside(tag::SEQUENCE)?),
        0xa5 => Node::GreaterOrEqual(parts.octets()?, parts.octets()?),
        0xa6 => Node::LessOrEqual(parts.octets()?, parts.octets()?),
        0x87 => return Ok(Node::Present(content)),
        0xa9 => return Ok(Node::Extensible),
        _ => return Err(Malformed),
    };
    parts.end()?;
    Ok(node)
}

fn check(bytes: &[u8], depth: usize, parts_before: &mut usize) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed)?;
    *parts_before += 1;
    if *parts_before > PARTS_LIMIT {
        return Err(Malformed);
    }
    let mut whole = Reader::new(bytes);
    whole.any()?;
    whole.end()?;
    match node(bytes)? {
        Node::And(mut parts) | Node::Or(mut parts) => {
            while !parts.is_empty() {
                let before = parts.rest();
                parts.any()?;
                check(&before[..before.len() - parts.rest().len()], depth, parts_before)?;
            }
            Ok(())
        }
        Node::Not(part) => check(part.0, depth, parts_before),
        Node::Substrings(_, parts) => check_substrings(parts),
        _ => Ok(()),
    }
}

/// An initial part stands first, a final one last, and there is at least one.
fn check_substrings(mut parts: Reader<'_>) -> Result<(), Malformed> {
    let mut is_first = true;
    while !parts.is_empty() {
        match parts.any()?.0 {
            0x80 if is_first => {}
            0x81 => {}
            0x82 if parts.is_empty() => {}
            _ => return Err(Malformed),
        }
        is_first = false;
    }
    if is_first { Err(Malformed) } else { Ok(()) }
}

fn substrings(mut unread: Reader<'_>) -> Substrings<'_> {
    let mut parts = Substrings::default();
    while let Ok((tag, part)) = unread.any() {
        match tag {
            0x80 => parts.initial = Some(part),
            0x81 => parts.any.push(part),
            _ => parts.last = Some(part),
        }
    }
    parts
}
