//! Operations in flight on one connection, found by the number of their message.
//!
//! A number is the index of a place in its low bits, and above them how often the place was taken. So an answer finds
//! its operation without a search, and a late one to what was given up never meets another operation: a number comes
//! again after 2³¹ ÷ places operations at the soonest (RFC 4511 section 4.1.1.1).

/// A connection has so many places at most.
pub(crate) const MOST: u32 = 1 << 20;

/// Places on one connection. Each is made when it is first needed, and then kept.
pub(crate) struct Places<T> {
    /// Low bits of a number that are the index of a place.
    bits: u32,
    all: Vec<Place<T>>,
    /// Indices of those that are free; the last one freed is taken first.
    free: Vec<u32>,
    /// Whether numbers began anew: then every one of them may have been there.
    has_wrapped: bool,
}

struct Place<T> {
    /// The last number that it was taken with.
    id: i32,
    is_taken: bool,
    value: T,
}

impl<T: Default> Places<T> {
    /// So many places, but not more than 2²⁰.
    pub(crate) fn new(most: u32) -> Self {
        let bits = u32::BITS - (most.clamp(1, MOST) - 1).leading_zeros();
        Self { bits, all: Vec::new(), free: Vec::new(), has_wrapped: false }
    }

    /// Takes a place: the number of its message, and what it held the last time. None when all are taken.
    pub(crate) fn take(&mut self) -> Option<(i32, &mut T)> {
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.all.len() < 1 << self.bits => {
                let index = self.all.len() as u32;
                self.all.push(Place { id: index.cast_signed(), is_taken: false, value: T::default() });
                index
            }
            None => return None,
        };
        let place = &mut self.all[index as usize];
        place.id = match place.id.checked_add(1 << self.bits) {
            Some(next) => next,
            None => {
                self.has_wrapped = true;
                (1 << self.bits) | index.cast_signed()
            }
        };
        place.is_taken = true;
        Some((place.id, &mut place.value))
    }

    /// Frees the place of a number.
    pub(crate) fn release(&mut self, id: i32) {
        let index = self.index(id);
        let place = &mut self.all[index];
        if place.id == id && place.is_taken {
            place.is_taken = false;
            self.free.push(index as u32);
        }
    }

    /// What is in flight under this number.
    pub(crate) fn get_mut(&mut self, id: i32) -> Option<&mut T> {
        let index = self.index(id);
        self.all.get_mut(index).filter(|place| place.is_taken && place.id == id).map(|place| &mut place.value)
    }

    /// Whether an operation with this number was in flight, and is no more.
    pub(crate) fn is_past(&self, id: i32) -> bool {
        let Some(place) = self.all.get(self.index(id)).filter(|_| id >> self.bits > 0) else { return false };
        let is_current = place.id == id && place.is_taken;
        !is_current && (self.has_wrapped || id <= place.id)
    }

    /// All that is in flight.
    pub(crate) fn taken(&mut self) -> impl Iterator<Item = &mut T> {
        self.all.iter_mut().filter(|place| place.is_taken).map(|place| &mut place.value)
    }

    fn index(&self, id: i32) -> usize {
        (id.cast_unsigned() & ((1 << self.bits) - 1)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn numbers_begin_anew_when_they_are_used_up() {
        let mut places = Places::<u8>::new(MOST);
        let (first, _) = places.take().unwrap();
        places.release(first);
        let again = (0..u32::MAX).find(|_| {
            let (id, _) = places.take().unwrap();
            places.release(id);
            assert!(id > 0);
            id == first
        });
        assert_eq!(again, Some((1 << 11) - 2));
        assert!(places.is_past(first) && places.is_past(i32::MAX & !(MOST.cast_signed() - 1)));
    }

    proptest! {
        /// What is in flight is found under its number and nothing else is, whatever is taken and freed.
        #[test]
        fn an_operation_is_found_under_its_own_number(
            most in 1..9_u32,
            steps in proptest::collection::vec((any::<bool>(), any::<prop::sample::Index>()), 0..200),
        ) {
            let mut places = Places::<u64>::new(most);
            let (mut taken, mut past) = (BTreeMap::new(), BTreeSet::new());
            for (number, (takes, which)) in steps.into_iter().enumerate() {
                if takes || taken.is_empty() {
                    let Some((id, value)) = places.take() else {
                        prop_assert_eq!(taken.len(), most.next_power_of_two() as usize);
                        continue;
                    };
                    *value = number as u64;
                    prop_assert!(id > 0 && !past.contains(&id) && taken.insert(id, number as u64).is_none());
                } else {
                    let id = *which.get(&taken.keys().copied().collect::<Vec<_>>());
                    places.release(id);
                    taken.remove(&id);
                    past.insert(id);
                }
                for (id, value) in &taken {
                    prop_assert_eq!(places.get_mut(*id).copied(), Some(*value));
                    prop_assert!(!places.is_past(*id));
                }
                for id in &past {
                    prop_assert!(places.get_mut(*id).is_none() && places.is_past(*id));
                }
                prop_assert_eq!(places.taken().count(), taken.len());
            }
        }

        /// No number that a server makes up is taken for one of ours.
        #[test]
        fn a_number_that_was_never_sent_is_neither_in_flight_nor_past(id: i32, count in 0..20_usize) {
            let mut places = Places::<u64>::new(16);
            let mut sent = BTreeSet::new();
            for _ in 0..count {
                sent.extend(places.take().map(|(id, _)| id));
            }
            prop_assert_eq!(places.get_mut(id).is_some(), sent.contains(&id));
            prop_assert!(!places.is_past(id));
        }
    }
}
