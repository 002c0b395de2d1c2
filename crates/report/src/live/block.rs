//! The block on a terminal, redrawn in place and gone when the run is over.

use std::fmt::Write as _;
use std::io::Write;

use loadgen_model::sink::{Sink, SinkError};
use loadgen_model::{Progress, Report};

use super::frame;
use super::screen::Screen;
use crate::{Size, Style, prose};

/// A block of at most twelve lines that is redrawn in place with each interval.
///
/// It never grows beyond the terminal: tasks that do not fit are counted, lines that do not fit are cut.
pub struct LiveBlock {
    screen: Screen,
    style: Style,
    size: Box<dyn Fn() -> Size + Send>,
    /// What stands on the screen now.
    drawn: Vec<String>,
}

impl LiveBlock {
    /// Most lines of the block.
    pub const MAX_LINES: usize = 12;

    /// A block on `out`, a terminal whose size is asked for at each redraw.
    pub fn new(out: Box<dyn Write + Send>, style: Style, size: impl Fn() -> Size + Send + 'static) -> Self {
        Self { screen: Screen::new(out), style, size: Box::new(size), drawn: Vec::new() }
    }

    /// Text that moves the cursor to the block's first line and clears from there on.
    ///
    /// Lines drawn for a wider terminal may since have been broken into several.
    fn erase(&self, columns: usize) -> String {
        let rows: usize = self.drawn.iter().map(|line| visible(line).div_ceil(columns.max(1)).max(1)).sum();
        match rows {
            0 => String::new(),
            rows => format!("\x1b[{rows}A\r\x1b[J"),
        }
    }
}

impl Sink for LiveBlock {
    fn progress(&mut self, progress: &Progress) {
        let size = (self.size)();
        let height = size.rows.saturating_sub(1).min(Self::MAX_LINES);
        // One column stays free: a full last column makes some terminals break the line.
        let width = size.columns.saturating_sub(1);
        let lines = frame::lines(progress, &self.style.with_width(width), height);
        let mut text = self.erase(size.columns);
        for line in &lines {
            writeln!(text, "{line}").expect("writing to a string cannot fail");
        }
        self.screen.write(&text);
        self.drawn = lines;
    }

    fn notice(&mut self, message: &str) {
        let mut text = self.erase((self.size)().columns);
        for line in std::iter::once(&prose::harmless(message)).chain(&self.drawn) {
            writeln!(text, "{line}").expect("writing to a string cannot fail");
        }
        self.screen.write(&text);
    }

    fn finish(&mut self, _report: &Report) -> Result<(), SinkError> {
        let text = self.erase((self.size)().columns);
        self.screen.write(&text);
        self.drawn.clear();
        Ok(())
    }
}

/// Characters of a line that take up room: all but colour.
fn visible(line: &str) -> usize {
    let mut in_escape = false;
    line.chars()
        .filter(|&letter| {
            let starts = letter == '\x1b';
            let hidden = starts || in_escape;
            in_escape = starts || (in_escape && letter != 'm');
            !hidden
        })
        .count()
}
