//! What `--argument` says: a value for each operation, drawn, counted or read from a file.

use crate::format::rate_tool::permutation::permute;
use crate::variable::push_number;
use rand::Rng;
use std::fmt;
use std::sync::Arc;

/// One `--argument`, ready to be drawn from.
#[derive(Clone)]
pub struct Generator {
    pub(super) source: Source,
}

#[derive(Clone)]
pub(super) enum Source {
    /// The same for every operation.
    Fixed { text: String, number: Option<i64> },
    /// `rand(min,max)`: uniform, both ends included.
    Random { low: i64, high: i64 },
    /// `inc(min,max)`: from `low` to `high` and again.
    Increment { low: i64, high: i64 },
    /// `xrand(min,max)`: in random order, each number once before any comes again.
    EachOnce { low: i64, high: i64 },
    /// `rand(file)`.
    RandomLine(Arc<Lines>),
    /// `inc(file)`.
    NextLine(Arc<Lines>),
    /// `randstr(length,charset)`.
    Letters { length: usize, alphabet: Vec<char> },
}

/// The lines of a file; at least one. An empty line is a value.
pub(super) struct Lines {
    pub(super) lines: Vec<String>,
}

/// All `--argument` options in their order; the first is `{1}`.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    pub(super) generators: Vec<Generator>,
}

/// The values of one operation. Every template of the operation sees the same ones.
#[derive(Default)]
pub struct Row {
    text: Vec<u8>,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    end: usize,
    number: Option<i64>,
}

impl Generator {
    /// Whether all its values are whole numbers, as `%d` demands.
    pub fn is_number(&self) -> bool {
        match &self.source {
            Source::Fixed { number, .. } => number.is_some(),
            Source::Random { .. } | Source::Increment { .. } | Source::EachOnce { .. } => true,
            Source::RandomLine(_) | Source::NextLine(_) | Source::Letters { .. } => false,
        }
    }

    /// Appends a value. `next` hands out 0, 1, 2 … and is asked at most once; `seed` orders `xrand`.
    fn draw(&self, random: &mut impl Rng, next: impl FnOnce() -> u64, seed: u64, row: &mut Row) {
        match &self.source {
            Source::Fixed { text, number } => row.push(text.as_bytes(), *number),
            Source::Random { low, high } => row.push_number(random.random_range(*low..=*high)),
            Source::Increment { low, high } => {
                row.push_number(from_low(*low, u128::from(next()) % size(*low, *high)));
            }
            Source::EachOnce { low, high } => {
                // A range of 2^64 numbers never comes to its second pass; its last number is left out.
                let size = u64::try_from(size(*low, *high)).unwrap_or(u64::MAX);
                let index = next();
                row.push_number(from_low(*low, permute(index % size, size, seed, index / size).into()));
            }
            Source::RandomLine(file) => {
                row.push(file.lines[random.random_range(0..file.lines.len())].as_bytes(), None);
            }
            Source::NextLine(file) => {
                row.push(file.lines[(next() % file.lines.len() as u64) as usize].as_bytes(), None);
            }
            Source::Letters { length, alphabet } => row.push_letters(random, *length, alphabet),
        }
    }
}

/// How many numbers a range has.
fn size(low: i64, high: i64) -> u128 {
    (i128::from(high) - i128::from(low) + 1) as u128
}

fn from_low(low: i64, offset: u128) -> i64 {
    i128::from(low).wrapping_add_unsigned(offset) as i64
}

impl Arguments {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.generators.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.generators.is_empty()
    }

    /// The generator of an index from 0.
    pub fn get(&self, index: usize) -> Option<&Generator> {
        self.generators.get(index)
    }

    /// Draws the values of one operation into `row`, whose earlier values are gone.
    ///
    /// `next` hands out 0, 1, 2 … for the argument of an index from 0: over all workers, so that no two of them
    /// use the same number, or within each worker, as the original tools do. `seed` is that of the run.
    pub fn draw(&self, random: &mut impl Rng, mut next: impl FnMut(usize) -> u64, seed: u64, row: &mut Row) {
        row.clear();
        for (index, generator) in self.generators.iter().enumerate() {
            generator.draw(random, || next(index), seed.wrapping_add(index as u64), row);
        }
    }
}

impl Row {
    fn clear(&mut self) {
        self.text.clear();
        self.cells.clear();
    }

    /// Appends a value that no generator made: the name of the entry that a search found.
    pub fn push_text(&mut self, text: &[u8]) {
        self.push(text, None);
    }

    fn push(&mut self, text: &[u8], number: Option<i64>) {
        self.text.extend_from_slice(text);
        self.cells.push(Cell { end: self.text.len(), number });
    }

    fn push_number(&mut self, number: i64) {
        push_number(number, &mut self.text);
        self.cells.push(Cell { end: self.text.len(), number: Some(number) });
    }

    fn push_letters(&mut self, random: &mut impl Rng, length: usize, alphabet: &[char]) {
        let mut buffer = [0; 4];
        for _ in 0..length {
            let letter = alphabet[random.random_range(0..alphabet.len())];
            self.text.extend_from_slice(letter.encode_utf8(&mut buffer).as_bytes());
        }
        self.cells.push(Cell { end: self.text.len(), number: None });
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The value of an index from 0; empty when there is none.
    pub fn text(&self, index: usize) -> &[u8] {
        let Some(cell) = self.cells.get(index) else { return b"" };
        let start = index.checked_sub(1).map_or(0, |before| self.cells[before].end);
        &self.text[start..cell.end]
    }

    /// The value of an index from 0 as a number, when it is one.
    pub fn number(&self, index: usize) -> Option<i64> {
        self.cells.get(index).and_then(|cell| cell.number)
    }
}

/// Lines of a file may be names of people: only their number is shown.
impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            Source::Fixed { text, .. } => write!(f, "Fixed({} bytes)", text.len()),
            Source::Random { low, high } => write!(f, "Random({low}, {high})"),
            Source::Increment { low, high } => write!(f, "Increment({low}, {high})"),
            Source::EachOnce { low, high } => write!(f, "EachOnce({low}, {high})"),
            Source::RandomLine(file) => write!(f, "RandomLine({} lines)", file.lines.len()),
            Source::NextLine(file) => write!(f, "NextLine({} lines)", file.lines.len()),
            Source::Letters { length, alphabet } => write!(f, "Letters({length} of {})", alphabet.len()),
        }
    }
}
