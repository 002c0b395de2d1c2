//! A stream that may go away: what cannot be written is dropped, and nothing is written after that.

use std::io::Write;

/// A stream that may go away.
pub(crate) struct Screen {
    out: Option<Box<dyn Write + Send>>,
}

impl Screen {
    pub(crate) fn new(out: Box<dyn Write + Send>) -> Self {
        Self { out: Some(out) }
    }

    /// Writes the text at once, so that no half frame is seen.
    pub(crate) fn write(&mut self, text: &str) {
        if let Some(out) = &mut self.out
            && out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err()
        {
            self.out = None;
        }
    }
}
