//! Why a platform does not start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a platform does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another program listens there.
    #[error("cannot listen on {address}: the address is in use; choose another port, or 0 for a free one")]
    AddressInUse {
        /// Where it should have listened.
        address: SocketAddr,
    },
    /// The system refuses to listen there.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// The certificate, or the key, cannot be used.
    #[error("cannot serve TLS: {reason}")]
    Tls {
        /// What is wrong with which of the two.
        reason: String,
    },
    /// The log cannot be created.
    #[error("cannot write the log {}: {source}", .path.display())]
    Log {
        /// The log's path.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The system gives no thread, timer or event queue.
    #[error("cannot start the platform: {0}")]
    System(#[from] io::Error),
}

impl Error {
    pub(crate) fn listen(address: SocketAddr, source: io::Error) -> Self {
        if source.kind() == io::ErrorKind::AddrInUse {
            Self::AddressInUse { address }
        } else {
            Self::Listen { address, source }
        }
    }
}
