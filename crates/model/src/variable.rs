//! Where values come from: generated, read from data, fetched, or captured from a response.

use crate::permutation::permute;
use rand::Rng;
use rand::distr::Distribution;
use std::time::Duration;

/// Index of a variable in [`crate::Plan::variables`] and of its value in a user's session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u16);

/// Index of a data file in [`crate::Plan::data`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DataId(pub u16);

/// A variable that is not a constant; constants are part of the templates that use them.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name without `$`.
    pub name: String,
    /// Where its value comes from.
    pub source: Source,
    /// How long a value stays.
    pub scope: Scope,
}

/// Where a value comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// A uniform whole number, both ends included.
    Random {
        /// Smallest.
        low: i64,
        /// Largest.
        high: i64,
    },
    /// A counter that is unique over all users of the run.
    Increment {
        /// First value.
        start: i64,
    },
    /// A number of a range, from its begin again after its end.
    Cycle {
        /// Smallest.
        low: i64,
        /// Largest.
        high: i64,
        /// In another random order each time through, which this seed decides; upwards when none.
        shuffled: Option<u64>,
        /// Whether each user goes through the range by itself, instead of all users together.
        each_user: bool,
    },
    /// A counter of each user, from 0: the original's `$INCREMENT`.
    UserIncrement,
    /// The user's index, from 0: the original's `$THREADID`.
    UserIndex,
    /// Random text.
    Text {
        /// Characters.
        length: usize,
        /// What they are drawn from; not empty.
        alphabet: Vec<char>,
    },
    /// A random UUID (RFC 9562 version 4).
    Uuid,
    /// Milliseconds since 1970-01-01 UTC when the value is drawn.
    Now,
    /// One of several texts, each as likely.
    Choice(Vec<String>),
    /// A column of the row that was drawn from a data file; all columns of a file share their row.
    Column {
        /// The file.
        data: DataId,
        /// The column, from 0.
        column: usize,
    },
    /// A value fetched over HTTP before the run and refreshed while it lasts.
    Endpoint(Box<Endpoint>),
    /// Filled by a capture.
    Captured,
}

/// How long a value stays before another one is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Each place where it stands draws anew.
    Use,
    /// The same within a task; each task that uses it draws anew.
    Task,
    /// The same within an iteration.
    Iteration,
    /// The same for all iterations of a user.
    User,
}

/// A value fetched over HTTP.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The request; its first capture gives the value, the whole body when there is none.
    pub request: crate::Request,
    /// How often it is fetched again; never when none.
    pub refresh: Option<Duration>,
}

/// Rows of text from a file.
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
    /// All fields, row after row.
    text: String,
    /// Where each field ends in `text`.
    ends: Vec<usize>,
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
        Self { name, columns, order, scope, text: String::new(), ends: Vec::new() }
    }

    /// Adds a row of exactly as many fields as there are columns.
    pub fn push<'a>(&mut self, row: impl IntoIterator<Item = &'a str>) {
        for field in row {
            self.text.push_str(field);
            self.ends.push(self.text.len());
        }
        assert!(self.ends.len().is_multiple_of(self.columns.len()), "a row has a field for each column");
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.ends.len() / self.columns.len()
    }

    /// One field.
    pub fn field(&self, row: usize, column: usize) -> &str {
        let index = row * self.columns.len() + column;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
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

impl Source {
    /// Whether the source can be drawn from a random generator alone.
    ///
    /// Writes the value and returns true, or returns false when a counter, a clock, data, an endpoint or a
    /// capture is needed.
    pub fn draw(&self, random: &mut impl Rng, out: &mut Vec<u8>) -> bool {
        match self {
            Source::Random { low, high } => push_number(random.random_range(*low..=*high), out),
            Source::Text { length, alphabet } => {
                let mut buffer = [0; 4];
                for _ in 0..*length {
                    let character = alphabet[random.random_range(0..alphabet.len())];
                    out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
                }
            }
            Source::Uuid => push_uuid(random.random(), out),
            Source::Choice(texts) => {
                out.extend_from_slice(texts[random.random_range(0..texts.len())].as_bytes());
            }
            _ => return false,
        }
        true
    }
}

/// The number of a cycle for an index that counts up from 0.
pub fn in_cycle(low: i64, high: i64, shuffled: Option<u64>, index: u64) -> i64 {
    let size = (i128::from(high) - i128::from(low) + 1).cast_unsigned();
    let offset = match shuffled {
        None => u128::from(index) % size,
        Some(seed) => {
            // A range of 2^64 numbers never comes to its second pass; its last number is left out.
            let size = u64::try_from(size).unwrap_or(u64::MAX);
            permute(index % size, size, seed, index / size).into()
        }
    };
    i128::from(low).wrapping_add_unsigned(offset) as i64
}

/// Appends a decimal number.
pub fn push_number(number: i64, out: &mut Vec<u8>) {
    let mut digits = [0_u8; 20];
    let mut place = digits.len();
    let mut rest = number.unsigned_abs();
    loop {
        place -= 1;
        digits[place] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[place..]);
}

/// RFC 9562 section 5.4: version and variant bits over random ones.
fn push_uuid(bits: u128, out: &mut Vec<u8>) {
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    for (index, digit) in format!("{bits:032x}").bytes().enumerate() {
        if matches!(index, 8 | 12 | 16 | 20) {
            out.push(b'-');
        }
        out.push(digit);
    }
}
