//! How large a terminal is.

use std::os::fd::AsFd;

/// How large a terminal is, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Characters in a line.
    pub columns: usize,
    /// Lines on the screen.
    pub rows: usize,
}

impl Size {
    /// The terminal's size now; none when the stream is no terminal or does not tell.
    pub fn of(stream: impl AsFd) -> Option<Self> {
        let size = rustix::termios::tcgetwinsize(stream).ok()?;
        let size = Self { columns: size.ws_col.into(), rows: size.ws_row.into() };
        (size.columns > 0 && size.rows > 0).then_some(size)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { columns: 80, rows: 24 }
    }
}
