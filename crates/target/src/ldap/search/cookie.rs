//! Where a page of a search ends, as the client keeps it until it asks for the next one.

use crate::directory::Position;

/// A place in the order in which a search goes through the entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cookie {
    /// Before the base.
    Start,
    /// In the tree, after the entry of this key.
    Tree(Vec<u8>),
    /// Among all users.
    Users(Position),
    /// Among the few users that can match.
    Candidates(usize),
    /// In a sorted result, after so many.
    Sorted(usize),
}

impl Cookie {
    /// Reads what [`write`](Self::write) wrote; nothing stands for the start.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let Some((kind, rest)) = bytes.split_first() else { return Some(Self::Start) };
        if *kind == b't' {
            return Some(Self::Tree(rest.to_vec()));
        }
        let rest = std::str::from_utf8(rest).ok()?;
        match kind {
            b'u' => Position::parse(rest).map(Self::Users),
            b'c' => rest.parse().ok().map(Self::Candidates),
            b's' => rest.parse().ok().map(Self::Sorted),
            _ => None,
        }
    }

    pub(crate) fn write(&self) -> Vec<u8> {
        match self {
            Self::Start => Vec::new(),
            Self::Tree(key) => [b"t", key.as_slice()].concat(),
            Self::Users(position) => format!("u{position}").into_bytes(),
            Self::Candidates(count) => format!("c{count}").into_bytes(),
            Self::Sorted(count) => format!("s{count}").into_bytes(),
        }
    }
}
