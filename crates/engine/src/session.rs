//! What a user knows: the values of its variables, and how long each of them holds.

use crate::local::Local;
use loadgen_model::capture::{Lifetime, NotFound};
use loadgen_model::churn::Settled;
use loadgen_model::ldap::RecordSource;
use loadgen_model::template::{Missing, Values};
use loadgen_model::variable::{DataId, Order, Scope, Slot, Source, in_cycle, push_number};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// A value that holds for ever.
const FOR_EVER: u64 = u64::MAX;

/// What a user knows.
pub(crate) struct Session {
    /// The user's index, from 0.
    user: u64,
    /// Its own random numbers.
    pub(crate) random: Xoshiro256PlusPlus,
    values: Box<[Value]>,
    rows: Box<[Row]>,
    /// Counts iterations from 1.
    iteration: u64,
    /// Counts tasks from 1.
    task: u64,
    /// The operation that the turn of the iteration is, as it is sent.
    pub(crate) turn: Vec<u8>,
    /// What became of it.
    pub(crate) turn_settled: Settled,
}

#[derive(Clone, Default)]
struct Value {
    text: Vec<u8>,
    /// The iteration or task that it holds in; 0: in none.
    holds: u64,
    /// Counts draws: the original's `$INCREMENT`.
    drawn: u64,
    /// Why it does not hold, when it should have been captured.
    missing: Option<NotFound>,
}

#[derive(Clone, Default)]
struct Row {
    index: usize,
    holds: u64,
    /// Counts draws.
    drawn: u64,
}

impl Session {
    /// A user that knows nothing but what set-up captured.
    pub(crate) fn new(local: &Local, user: u64, known: &[(Slot, Vec<u8>)]) -> Self {
        let mut values = vec![Value::default(); local.plan.variables.len()].into_boxed_slice();
        for (slot, text) in known {
            values[usize::from(slot.0)] = Value { text: text.clone(), holds: FOR_EVER, ..Value::default() };
        }
        // Users of neighbouring indices must not have neighbouring random numbers: the seeding function of
        // the generator (SplitMix64) takes care of that.
        let seed = local.plan.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(user);
        Self {
            user,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            values,
            rows: vec![Row::default(); local.plan.data.len()].into_boxed_slice(),
            iteration: 0,
            task: 0,
            turn: Vec::new(),
            turn_settled: Settled::default(),
        }
    }

    /// A new iteration: what held for the last one holds no more.
    pub(crate) fn begin_iteration(&mut self) {
        self.iteration += 1;
    }

    /// A new task.
    pub(crate) fn begin_task(&mut self) {
        self.task += 1;
    }

    /// Keeps a captured value; `text` is left with what the slot held before.
    pub(crate) fn captured(&mut self, slot: Slot, lifetime: Lifetime, text: &mut Vec<u8>) {
        let holds = match lifetime {
            Lifetime::Iteration => self.iteration,
            Lifetime::User => FOR_EVER,
        };
        let value = &mut self.values[usize::from(slot.0)];
        std::mem::swap(&mut value.text, text);
        value.holds = holds;
        value.missing = None;
    }

    /// Whether a captured value is there now.
    pub(crate) fn holds(&self, slot: Slot) -> bool {
        let holds = self.values[usize::from(slot.0)].holds;
        holds == FOR_EVER || holds == self.iteration
    }

    /// The response did not hold the value: there is none now.
    pub(crate) fn not_captured(&mut self, slot: Slot, why: NotFound) {
        let value = &mut self.values[usize::from(slot.0)];
        value.holds = 0;
        value.missing = Some(why);
    }

    /// Why a value is missing.
    pub(crate) fn why_missing(&self, missing: Missing) -> NotFound {
        match missing {
            Missing::NotCaptured(slot) => {
                self.values[usize::from(slot.0)].missing.unwrap_or(NotFound::NotAsked)
            }
            Missing::Exhausted(_) | Missing::NotFetched(_) => NotFound::Absent,
        }
    }

    /// All values that hold for ever: what set-up hands to the users.
    pub(crate) fn lasting(&self) -> Vec<(Slot, Vec<u8>)> {
        let lasting = self.values.iter().enumerate().filter(|(_, value)| value.holds == FOR_EVER);
        lasting.map(|(index, value)| (Slot(index as u16), value.text.clone())).collect()
    }

    /// A stamp that a value of this scope holds with now.
    fn stamp(&self, scope: Scope) -> u64 {
        match scope {
            Scope::Use => 0,
            Scope::Task => self.task,
            Scope::Iteration => self.iteration,
            Scope::User => FOR_EVER,
        }
    }
}

/// A user's values together with what its thread holds.
pub(crate) struct Known<'a> {
    pub(crate) session: &'a mut Session,
    pub(crate) local: &'a Local,
}

impl Values for Known<'_> {
    fn write(&mut self, slot: Slot, out: &mut Vec<u8>) -> Result<(), Missing> {
        let local = self.local;
        let variable = local.plan.variable(slot);
        match &variable.source {
            Source::UserIndex => push_number(self.session.user.cast_signed(), out),
            Source::Endpoint(_) => match &local.endpoints.borrow()[usize::from(slot.0)] {
                Some(value) => out.extend_from_slice(value),
                None => return Err(Missing::NotFetched(slot)),
            },
            Source::Column { data, column } => {
                let row = self.row(*data).ok_or(Missing::Exhausted(slot))?;
                out.extend_from_slice(local.plan.data[usize::from(data.0)].field(row, *column));
            }
            Source::Captured => {
                if !self.session.holds(slot) {
                    return Err(Missing::NotCaptured(slot));
                }
                out.extend_from_slice(&self.session.values[usize::from(slot.0)].text);
            }
            source => self.draw(slot, source, variable.scope, out),
        }
        Ok(())
    }
}

impl Known<'_> {
    /// Appends a record and its controls, as they are sent.
    pub(crate) fn record(
        &mut self,
        source: RecordSource,
        operation: &mut Vec<u8>,
        controls: &mut Vec<u8>,
    ) -> Result<(), Missing> {
        match source {
            RecordSource::Data { data, dn } => {
                let row = self.row(data).ok_or(Missing::Exhausted(dn))?;
                let (of_record, with_it) = self.local.shared.records[usize::from(data.0)].get(row);
                operation.extend_from_slice(of_record);
                controls.extend_from_slice(with_it);
            }
            RecordSource::Turn => {
                operation.extend_from_slice(&self.session.turn);
                // It is sent from now on, and nobody knows until it is answered.
                self.session.turn_settled = Settled::Unanswered;
            }
        }
        Ok(())
    }

    /// The row of a data file that holds now; drawn when there is none.
    fn row(&mut self, id: DataId) -> Option<usize> {
        let index = usize::from(id.0);
        let data = &self.local.plan.data[index];
        let stamp = self.session.stamp(data.scope);
        let held = &self.session.rows[index];
        if stamp != 0 && held.holds == stamp {
            return Some(held.index);
        }
        let counter = &self.local.shared.data[index];
        let before = held.drawn;
        let next = || if data.order == Order::EachUser { before } else { counter.next() };
        let drawn = data.draw(&mut self.session.random, next)?;
        self.session.rows[index] = Row { index: drawn, holds: stamp, drawn: before + 1 };
        Some(drawn)
    }

    /// A drawn value that holds now, or a new one.
    fn draw(&mut self, slot: Slot, source: &Source, scope: Scope, out: &mut Vec<u8>) {
        let index = usize::from(slot.0);
        let stamp = self.session.stamp(scope);
        let session = &mut *self.session;
        let value = &mut session.values[index];
        if stamp == 0 || value.holds != stamp {
            value.text.clear();
            value.holds = stamp;
            if !source.draw(&mut session.random, &mut value.text) {
                let number = match source {
                    Source::Increment { start } => {
                        start.wrapping_add_unsigned(self.local.shared.increments[index].next())
                    }
                    Source::UserIncrement => value.drawn.cast_signed(),
                    Source::Cycle { low, high, shuffled, each_user } => {
                        let counter = &self.local.shared.increments[index];
                        let index = if *each_user { value.drawn } else { counter.next() };
                        in_cycle(*low, *high, *shuffled, index)
                    }
                    _ => jiff::Timestamp::now().as_millisecond(),
                };
                push_number(number, &mut value.text);
            }
            value.drawn += 1;
        }
        out.extend_from_slice(&value.text);
    }
}
