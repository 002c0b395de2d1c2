//! Where values come from: generated, read from data, fetched, or captured from a response.

mod characters;
mod data;

use crate::permutation::permute;
use characters::push_characters;
pub use data::{Data, Order};
use rand::Rng;
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

impl Source {
    /// Whether the source can be drawn from a random generator alone.
    ///
    /// Writes the value and returns true, or returns false when a counter, a clock, data, an endpoint or a
    /// capture is needed.
    pub fn draw(&self, random: &mut impl Rng, out: &mut Vec<u8>) -> bool {
        match self {
            Source::Random { low, high } => push_number(random.random_range(*low..=*high), out),
            Source::Text { length, alphabet } => push_characters(*length, alphabet, random, out),
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
