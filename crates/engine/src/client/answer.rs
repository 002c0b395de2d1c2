//! What is read of a response, whichever version of HTTP it comes in.

use crate::client::head::{Head, broken};
use crate::client::scratch::Kept;
use loadgen_model::Failure;

/// A body that a check or a capture reads may be so long; others may have any length.
const BODY_LIMIT: usize = 64 * 1024 * 1024;

/// What of a response something reads.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says of one thing whether it is wanted")]
pub(crate) struct Wants {
    pub(crate) head: bool,
    pub(crate) body: bool,
    pub(crate) cookies: bool,
    pub(crate) redirect: bool,
    /// The request was a HEAD: no body follows whatever the head says.
    pub(crate) headless: bool,
}

/// A response as far as it came.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) wants: Wants,
    /// What the head said.
    pub(crate) head: Head,
    /// Bytes of the body so far, its transfer coding taken off.
    pub(crate) size: u64,
}

impl Answer {
    /// The answer to a request, before anything of it came.
    pub(crate) fn new(wants: Wants) -> Self {
        Self { wants, head: Head::default(), size: 0 }
    }

    /// The head came; whether something reads it.
    pub(crate) fn begin(&mut self, head: Head) -> bool {
        self.head = head;
        let redirects = self.wants.redirect && (300..400).contains(&head.status);
        self.wants.head || head.encoded || redirects || (self.wants.cookies && head.cookies)
    }

    /// A piece of the body came.
    pub(crate) fn take_body(&mut self, bytes: &[u8], kept: &mut Kept) -> Result<(), Failure> {
        self.size += bytes.len() as u64;
        if self.wants.body {
            if kept.body.len() + bytes.len() > BODY_LIMIT {
                return Err(broken("the body is longer than the 64 MiB that a check or capture may read"));
            }
            kept.body.extend_from_slice(bytes);
        }
        Ok(())
    }
}
