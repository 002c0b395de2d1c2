//! Why a request failed.

use crate::capture::NotFound;
use crate::template::Missing;

/// Why a request failed; small enough to be counted as a key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure {
    /// The kind.
    pub kind: FailureKind,
    /// What exactly.
    pub detail: Detail,
}

/// The kinds of failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FailureKind {
    /// No connection: the name does not resolve, refused, unreachable, no port or descriptor left.
    Connect,
    /// The TLS handshake failed.
    Tls,
    /// No complete response within the timeout.
    Timeout,
    /// The connection ended before the response did.
    Reset,
    /// What came is not HTTP, or breaks a bound.
    Protocol,
    /// The status says so.
    Status,
    /// A check does not hold.
    Check,
    /// A value that the request needs was not there.
    Capture,
}

/// What exactly failed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Detail {
    /// A fixed text.
    Static(&'static str),
    /// A text that was made for it; rare failures only.
    Text(Box<str>),
    /// The status.
    Status(u16),
    /// Index of the check among the task's checks.
    Check(u16),
    /// The value that was missing, and why if it should have been captured.
    Missing(Missing, NotFound),
}

impl FailureKind {
    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            FailureKind::Connect => "connect",
            FailureKind::Tls => "tls",
            FailureKind::Timeout => "timeout",
            FailureKind::Reset => "reset",
            FailureKind::Protocol => "protocol",
            FailureKind::Status => "status",
            FailureKind::Check => "check",
            FailureKind::Capture => "capture",
        }
    }
}

impl Failure {
    /// A failure with a fixed text.
    pub fn fixed(kind: FailureKind, text: &'static str) -> Self {
        Self { kind, detail: Detail::Static(text) }
    }

    /// A failure with a text made for it.
    pub fn text(kind: FailureKind, text: impl Into<Box<str>>) -> Self {
        Self { kind, detail: Detail::Text(text.into()) }
    }
}
