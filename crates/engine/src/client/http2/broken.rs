//! Why a request over HTTP/2 was not answered, in the kinds of failure that all requests have.

use crate::client::broken_off;
use loadgen_model::{Failure, FailureKind};

/// A request that was not answered.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) failure: Failure,
    pub(crate) again: Again,
}

/// Whether a request that was not answered may be sent again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// It may not.
    Never,
    /// The connection ended before the answer began: an idempotent one may, if the connection was idle before
    /// (RFC 9110 section 9.2.2).
    AfterIdle,
    /// The target has said that it did not look at it (RFC 9113 section 8.7), or it was not sent.
    Always,
}

impl Broken {
    /// What the connection reports, before anything of the answer came.
    pub(super) fn by(error: &h2::Error) -> Self {
        let reason = error.reason().map_or_else(String::new, |reason| format!("{reason:?}"));
        let by_target = |text: String| Failure::text(FailureKind::Reset, text);
        let failure = match error.get_io() {
            // What the library reports at the end of the stream of bytes.
            Some(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Failure::fixed(
                FailureKind::Reset,
                "the target closed the connection before the answer was there",
            ),
            Some(error) => broken_off(error),
            None if error.is_remote() && error.is_go_away() => {
                by_target(format!("the target ended the connection ({reason})"))
            }
            None if error.is_remote() => by_target(format!("the target reset the stream ({reason})")),
            None if error.is_library() => {
                let text = format!("the answer is not HTTP/2 as it should be ({reason})");
                Failure::text(FailureKind::Protocol, text)
            }
            None => Failure::text(FailureKind::Protocol, format!("HTTP/2: {error}")),
        };
        // A stream hears of the end of its connection only when it is beyond the last one that the target took
        // (RFC 9113 section 6.8).
        let refused = error.is_reset() && error.reason() == Some(h2::Reason::REFUSED_STREAM);
        let again = match error.is_remote() && (error.is_go_away() || refused) {
            true => Again::Always,
            false if error.is_io() => Again::AfterIdle,
            false => Again::Never,
        };
        Self { failure, again }
    }

    /// What the connection reports of a request that it did not take.
    pub(super) fn unsent(error: &h2::Error) -> Self {
        let again = if error.is_go_away() || error.is_io() { Again::Always } else { Again::Never };
        Self { again, ..Self::by(error) }
    }
}

/// A failure that is the last word.
impl From<Failure> for Broken {
    fn from(failure: Failure) -> Self {
        Self { failure, again: Again::Never }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use h2::Reason;

    #[test]
    fn an_end_by_this_side_is_no_fault_of_the_target() {
        let broken = Broken::by(&h2::Error::from(Reason::PROTOCOL_ERROR));
        assert_eq!((broken.failure.kind, broken.again), (FailureKind::Protocol, Again::Never));
    }
}
