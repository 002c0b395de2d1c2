//! What `--argument` says: a value for each operation, drawn, counted or read from a file.

use crate::format::rate_tool::Numbering;
use crate::variable::{self, Data, DataId, Order, Scope, Slot, Variable};
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

/// Characters that change the meaning of a filter (RFC 4515 section 3).
const OF_FILTERS: [char; 5] = ['*', '(', ')', '\\', '\0'];

/// All `--argument` options in their order; the first is `{1}`.
#[derive(Debug, Clone, Default)]
pub struct Arguments {
    pub(super) generators: Vec<Generator>,
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

    /// Whether none of its values can change the meaning of a filter that it becomes part of.
    pub fn is_plain_in_filters(&self) -> bool {
        let is_plain = |text: &str| !text.contains(OF_FILTERS);
        match &self.source {
            Source::Fixed { text, .. } => is_plain(text),
            Source::Random { .. } | Source::Increment { .. } | Source::EachOnce { .. } => true,
            Source::RandomLine(file) | Source::NextLine(file) => file.lines.iter().all(|line| is_plain(line)),
            Source::Letters { alphabet, .. } => !alphabet.iter().any(|letter| OF_FILTERS.contains(letter)),
        }
    }

    /// Where its values come from; lines of a file become a data file of the plan. `seed` orders `xrand`.
    fn source(
        &self,
        numbering: Numbering,
        seed: u64,
        scope: Scope,
        data: &mut Vec<Data>,
    ) -> variable::Source {
        let each_user = numbering == Numbering::PerWorker;
        match &self.source {
            Source::Fixed { text, .. } => variable::Source::Choice(vec![text.clone()]),
            Source::Random { low, high } => variable::Source::Random { low: *low, high: *high },
            Source::Increment { low, high } => {
                variable::Source::Cycle { low: *low, high: *high, shuffled: None, each_user }
            }
            Source::EachOnce { low, high } => {
                variable::Source::Cycle { low: *low, high: *high, shuffled: Some(seed), each_user }
            }
            Source::RandomLine(file) => file.column(Order::Random, scope, data),
            Source::NextLine(file) if each_user => file.column(Order::EachUser, scope, data),
            Source::NextLine(file) => file.column(Order::Sequential, scope, data),
            Source::Letters { length, alphabet } => {
                variable::Source::Text { length: *length, alphabet: alphabet.clone() }
            }
        }
    }
}

impl Lines {
    fn column(&self, order: Order, scope: Scope, data: &mut Vec<Data>) -> variable::Source {
        let mut rows = Data::new("--argument".to_owned(), vec!["line".to_owned()], order, scope);
        self.lines.iter().for_each(|line| rows.push([line.as_str()]));
        data.push(rows);
        variable::Source::Column { data: DataId(data.len() as u16 - 1), column: 0 }
    }
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

    /// The variables of a plan that draw them, in the same order; `seed` is that of the run.
    pub fn variables(
        &self,
        numbering: Numbering,
        seed: u64,
        scope: Scope,
        data: &mut Vec<Data>,
    ) -> Vec<Variable> {
        let all = self.generators.iter().enumerate();
        all.map(|(index, generator)| Variable {
            name: format!("argument {}", index + 1),
            source: generator.source(numbering, seed.wrapping_add(index as u64), scope, data),
            scope,
        })
        .collect()
    }

    /// The slot of an argument of an index from 0, as templates have it.
    pub(super) fn slot(index: usize) -> Slot {
        Slot(index as u16)
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
