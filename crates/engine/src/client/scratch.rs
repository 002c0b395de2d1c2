//! Buffers that a request uses while it is under way; an idle user holds none.

/// A buffer that grew beyond this is given back to the system.
const KEPT: usize = 64 * 1024;

/// Buffers of one request.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The request as it is sent.
    pub(crate) request: Vec<u8>,
    /// The request's body while it is rendered; the response's body when it is decoded.
    pub(crate) body: Vec<u8>,
    /// What is kept of the response.
    pub(crate) kept: Kept,
    /// For values of checks and cookies.
    pub(crate) value: Vec<u8>,
}

/// What is kept of a response because something reads it.
#[derive(Default)]
pub(crate) struct Kept {
    /// The head as it came.
    pub(crate) head: Vec<u8>,
    /// The body, its transfer coding taken off.
    pub(crate) body: Vec<u8>,
}

impl Scratch {
    /// Makes the buffers ready for another request; false when they are too large to be kept.
    pub(crate) fn trim(&mut self) -> bool {
        let Self { request, body, kept, value } = self;
        [request, body, &mut kept.head, &mut kept.body, value].into_iter().all(|buffer| {
            buffer.clear();
            buffer.capacity() <= KEPT
        })
    }
}
