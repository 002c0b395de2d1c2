//! Rows of a file that users draw from: fields of a table, or records of LDIF.

use crate::ldif::Records;
use crate::variable::Scope;
use rand::Rng;
use rand::distr::Distribution;
use std::sync::Arc;

/// Rows from a file.
#[derive(Debug, Clone)]
pub struct Data {
    /// The file, for messages.
    pub name: String,
    /// Names of the columns.
    pub columns: Vec<String>,
    /// In which order rows are drawn.
    pub order: Order,
    /// How long a row stays.
    pub scope: Scope,
    rows: Rows,
}

#[derive(Debug, Clone)]
enum Rows {
    Table {
        /// All fields, row after row.
        text: String,
        /// Where each field ends in `text`.
        ends: Vec<usize>,
    },
    /// The first column is the name, the others are attributes.
    Records(Arc<Records>),
}

/// In which order rows are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Order {
    /// Each row as likely.
    Random,
    /// One after another over all users, from the first again after the last.
    Sequential,
    /// One after another, each user from the first, and from the first again after the last.
    EachUser,
    /// One after another over all users, each once; a user that finds none stops.
    Unique,
    /// The n-th row with a probability proportional to 1/n^exponent: few hot rows, a long tail.
    Zipf {
        /// Above 0; 1 is the classic law.
        exponent: f64,
    },
}

impl Data {
    /// Rows of a file that were read already. Each row has a field for each column.
    pub fn new(name: String, columns: Vec<String>, order: Order, scope: Scope) -> Self {
        assert!(!columns.is_empty(), "a data file has at least one column");
        Self { name, columns, order, scope, rows: Rows::Table { text: String::new(), ends: Vec::new() } }
    }

    /// Records of an LDIF file. The first column is the name of the entry; each other one is named as the attribute
    /// whose first value it is, empty where a record has none.
    pub fn of_records(name: String, records: Records, order: Order, scope: Scope) -> Self {
        let columns = std::iter::once("dn".to_owned()).chain(records.attributes()).collect();
        Self { name, columns, order, scope, rows: Rows::Records(Arc::new(records)) }
    }

    /// Adds a row of exactly as many fields as there are columns to a table.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = &'a str>) {
        let Rows::Table { text, ends } = &mut self.rows else { panic!("records have no rows of fields") };
        for field in row {
            text.push_str(field);
            ends.push(text.len());
        }
        assert!(ends.len().is_multiple_of(self.columns.len()), "a row has a field for each column");
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        match &self.rows {
            Rows::Table { ends, .. } => ends.len() / self.columns.len(),
            Rows::Records(records) => records.len(),
        }
    }

    /// One field.
    pub fn field(&self, row: usize, column: usize) -> &[u8] {
        match &self.rows {
            Rows::Table { text, ends } => {
                let index = row * self.columns.len() + column;
                let start = if index == 0 { 0 } else { ends[index - 1] };
                &text.as_bytes()[start..ends[index]]
            }
            Rows::Records(records) if column == 0 => records.dn(row),
            Rows::Records(records) => records.value(row, &self.columns[column]).unwrap_or_default(),
        }
    }

    /// The records, when it is an LDIF file.
    pub fn records(&self) -> Option<&Records> {
        match &self.rows {
            Rows::Table { .. } => None,
            Rows::Records(records) => Some(records),
        }
    }

    /// Bytes of memory that the rows take. Records are there twice: as they are, and as they are sent.
    pub fn size(&self) -> u64 {
        (match &self.rows {
            Rows::Table { text, ends } => text.len() + ends.len() * size_of::<usize>(),
            Rows::Records(records) => 2 * records.size(),
        }) as u64
    }

    /// Draws a row; `next` hands out 0, 1, 2 … over all users, or for a user that goes through the rows by itself.
    /// None when a unique file is used up.
    pub fn draw(&self, random: &mut impl Rng, next: impl FnOnce() -> u64) -> Option<usize> {
        let rows = self.rows();
        match self.order {
            _ if rows == 0 => None,
            Order::Random => Some(random.random_range(0..rows)),
            Order::Sequential | Order::EachUser => Some((next() % rows as u64) as usize),
            Order::Unique => Some(next()).filter(|index| *index < rows as u64).map(|index| index as usize),
            Order::Zipf { exponent } => {
                let law = rand_distr::Zipf::new(rows as f64, exponent).expect("checked when parsed");
                Some((law.sample(random) as usize).clamp(1, rows) - 1)
            }
        }
    }
}
