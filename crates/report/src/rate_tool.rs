//! What modrate, searchrate, authrate and addrate show: a row an interval, as the original tools show it, and at
//! the end a summary, which they do not have.
//!
//! Header lines and columns are an interface: scripts read them. They are the original's, letter by letter.

mod csv;
mod figures;
mod live;
mod notice;
mod summary;
mod table;

use loadgen_model::histogram::Histogram;
use std::time::Duration;

pub use figures::Figures;
pub use live::{Describe, Live, Setting};
pub use notice::{PURGE, purged, purging, warming_up};
pub use summary::{FailureGroup, Summary};

/// What was counted in a stretch of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// How long it was.
    pub length: Duration,
    /// Operations that succeeded.
    pub succeeded: u64,
    /// Operations that did not.
    pub failed: u64,
    /// Sum of the times of both.
    pub time: Duration,
    /// Entries that successful searches found.
    pub entries: u64,
    /// How many of the successful operations were adds; in addrate the others are deletes.
    pub added: u64,
}

/// What rows look like.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// A table for people, or values for scripts.
    pub form: Form,
    /// Percentiles that have a column, from 0 to 100, ascending.
    pub percentiles: Vec<f64>,
    /// The column that only some tools have.
    pub extra: Extra,
}

/// A table for people, or values for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Aligned columns.
    Table,
    /// Comma-separated values.
    Csv,
}

/// The column that only some tools have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extra {
    /// modrate and authrate.
    None,
    /// searchrate: entries for each successful search.
    EntriesPerSearch,
    /// addrate: share of adds in the successful operations.
    AddShare,
}

/// The rows of a run, one after another.
#[derive(Debug, Clone)]
pub struct Rows {
    layout: Layout,
    total: Counts,
}

impl Counts {
    /// Operations, whatever became of them.
    pub fn operations(&self) -> u64 {
        self.succeeded + self.failed
    }

    /// Adds what was counted in another stretch.
    pub fn add(&mut self, other: &Counts) {
        self.length += other.length;
        self.succeeded += other.succeeded;
        self.failed += other.failed;
        self.time += other.time;
        self.entries += other.entries;
        self.added += other.added;
    }
}

impl Layout {
    /// The lines above the rows, ending with a line break.
    pub fn header(&self) -> String {
        match self.form {
            Form::Table => table::header(self),
            Form::Csv => csv::header(self),
        }
    }

    /// One row, ending with a line break.
    pub fn row(&self, figures: &Figures) -> String {
        match self.form {
            Form::Table => table::row(self, figures),
            Form::Csv => csv::row(self, figures),
        }
    }
}

impl Rows {
    /// No row yet.
    pub fn new(layout: Layout) -> Self {
        Self { layout, total: Counts::default() }
    }

    /// The lines above the rows, ending with a line break.
    pub fn header(&self) -> String {
        self.layout.header()
    }

    /// The row of an interval, ending with a line break.
    ///
    /// `times` are those of all operations so far, without the warm-up: as in the original, percentiles are of
    /// the whole run.
    pub fn row(&mut self, interval: &Counts, times: &Histogram) -> String {
        self.total.add(interval);
        self.layout.row(&Figures::of(interval, &self.total, times, &self.layout))
    }

    /// What was counted so far.
    pub fn total(&self) -> &Counts {
        &self.total
    }
}
