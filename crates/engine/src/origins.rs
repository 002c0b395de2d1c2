//! Servers by a small number: what connections are kept under.

use loadgen_model::request::{Origin, TransportId};

/// A server reached in a certain way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OriginId(pub(crate) u32);

/// The servers of a run; those that only a redirect or a variable names are added as they come.
#[derive(Debug, Clone, Default)]
pub(crate) struct Origins {
    known: Vec<(TransportId, Origin)>,
}

impl Origins {
    /// The number of a server.
    pub(crate) fn intern(&mut self, transport: TransportId, origin: &Origin) -> OriginId {
        let found = self.known.iter().position(|(by, known)| *by == transport && known == origin);
        let index = found.unwrap_or_else(|| {
            self.known.push((transport, origin.clone()));
            self.known.len() - 1
        });
        OriginId(index as u32)
    }

    /// The server of a number.
    pub(crate) fn get(&self, id: OriginId) -> &(TransportId, Origin) {
        &self.known[id.0 as usize]
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = (TransportId, &Origin)> {
        self.known.iter().map(|(transport, origin)| (*transport, origin))
    }
}
