//! Aligned columns that never grow wider than the line.
//!
//! What does not fit gives way in this order: the second blank between columns, letters of the flexible
//! column beyond 32, the columns that may be left out, letters beyond 8, and at last the end of the line.

use crate::style::Mark;
use crate::{Style, prose};

/// Letters that a flexible column keeps while other columns can be left out.
const NAME: usize = 32;

/// Letters that a flexible column keeps in any case.
const SHORT_NAME: usize = 8;

/// Columns and what stands in them.
pub(crate) struct Grid {
    columns: Vec<Column>,
    rows: Vec<Row>,
}

/// One column.
pub(crate) struct Column {
    head: String,
    align: Align,
    /// Columns may be left out, lowest first; none is never left out.
    leaves: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Align {
    Left,
    Right,
    /// Left, and the one that gives way.
    Flexible,
}

/// One figure or word.
pub(crate) struct Cell {
    text: String,
    mark: Option<Mark>,
}

enum Row {
    Cells(Vec<Cell>),
    Heading(String),
}

impl Column {
    pub(crate) fn left(head: &str) -> Self {
        Self { head: head.to_owned(), align: Align::Left, leaves: None }
    }

    pub(crate) fn right(head: &str) -> Self {
        Self { head: head.to_owned(), align: Align::Right, leaves: None }
    }

    pub(crate) fn flexible(head: &str) -> Self {
        Self { head: head.to_owned(), align: Align::Flexible, leaves: None }
    }

    /// Gives way when the line is narrow, the lowest order first.
    pub(crate) fn leaves(self, order: u8) -> Self {
        Self { leaves: Some(order), ..self }
    }
}

impl Cell {
    pub(crate) fn marked(text: impl Into<String>, mark: Mark) -> Self {
        Self { text: text.into(), mark: Some(mark) }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { text: prose::harmless(&text.into()), mark: None }
    }
}

impl Grid {
    pub(crate) fn new(columns: Vec<Column>) -> Self {
        Self { columns, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column");
        self.rows.push(Row::Cells(cells));
    }

    /// A line of its own between rows.
    pub(crate) fn heading(&mut self, text: &str) {
        self.rows.push(Row::Heading(text.to_owned()));
    }

    /// The lines, none wider than the style.
    pub(crate) fn lines(&self, style: &Style) -> Vec<String> {
        let layout = self.layout(style.columns());
        let head: Vec<(&str, Option<Mark>)> =
            self.columns.iter().map(|column| (column.head.as_str(), None)).collect();
        let mut lines = vec![self.line(&layout, &head, style)];
        for row in &self.rows {
            lines.push(match row {
                Row::Heading(text) => prose::cut(text, style.columns(), style),
                Row::Cells(cells) => {
                    let cells: Vec<_> = cells.iter().map(|cell| (cell.text.as_str(), cell.mark)).collect();
                    self.line(&layout, &cells, style)
                }
            });
        }
        lines
    }

    fn layout(&self, limit: usize) -> Layout {
        let mut layout = Layout { gap: 2, columns: self.widths().into_iter().enumerate().collect() };
        if layout.width() > limit {
            layout.gap = 1;
        }
        self.squeeze(&mut layout, limit, NAME);
        while layout.width() > limit {
            let next = |&place: &usize| self.columns[layout.columns[place].0].leaves;
            match (0..layout.columns.len()).filter(|place| next(place).is_some()).min_by_key(next) {
                Some(place) => drop(layout.columns.remove(place)),
                None => break,
            }
        }
        self.squeeze(&mut layout, limit, SHORT_NAME);
        layout
    }

    fn squeeze(&self, layout: &mut Layout, limit: usize, least: usize) {
        let excess = layout.width().saturating_sub(limit);
        for (index, width) in &mut layout.columns {
            if self.columns[*index].align == Align::Flexible {
                *width = width.saturating_sub(excess).max(least.min(*width));
            }
        }
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.columns.iter().map(|column| prose::width(&column.head)).collect();
        for row in &self.rows {
            if let Row::Cells(cells) = row {
                for (width, cell) in widths.iter_mut().zip(cells) {
                    *width = (*width).max(prose::width(&cell.text));
                }
            }
        }
        widths
    }

    fn line(&self, layout: &Layout, cells: &[(&str, Option<Mark>)], style: &Style) -> String {
        let mut line = String::new();
        let mut left = style.columns();
        for (place, &(index, width)) in layout.columns.iter().enumerate() {
            let (text, mark) = cells[index];
            let gap = if place == 0 { 0 } else { layout.gap };
            let text = prose::cut(text, width, style);
            let padded = match self.columns[index].align {
                Align::Right => format!("{:gap$}{text:>width$}", ""),
                Align::Left | Align::Flexible => format!("{:gap$}{text:<width$}", ""),
            };
            let padded = prose::cut(&padded, left, style);
            left -= prose::width(&padded);
            match mark {
                Some(mark) if padded.contains(&text) => {
                    line.push_str(&padded.replacen(&text, &style.paint(mark, &text), 1));
                }
                _ => line.push_str(&padded),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// The columns that are shown, by number and width, and the blanks between them.
struct Layout {
    gap: usize,
    columns: Vec<(usize, usize)>,
}

impl Layout {
    fn width(&self) -> usize {
        let text: usize = self.columns.iter().map(|(_, width)| width).sum();
        text + self.gap * self.columns.len().saturating_sub(1)
    }
}
