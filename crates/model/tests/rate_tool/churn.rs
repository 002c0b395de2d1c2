//! The life of addrate's entries, by a model of workers that take turns and settle them in any order.

use crate::{World, run_in};
use loadgen_model::churn::{Churn, Population, Purging, Settled, Turn};
use loadgen_model::format::rate_tool::Operation;
use loadgen_model::mix::ScenarioId;
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

/// addrate's life of entries with these options; `count` entries in all, or without end.
fn churn(options: &str, count: Option<u64>, most: Option<u64>) -> Churn {
    let below = count.map_or_else(String::new, |count| format!(":{count}"));
    let template = format!(
        "branch: dc=example\nsubordinateTemplate: person{below}\n\ntemplate: person\nrdnAttr: uid\n\
         uid: u<sequential>\n"
    );
    match run_in(&format!("addrate {options} t"), &World::default().file("t", &template)).0.operation {
        Operation::Add(add) => Churn::of(&add, most, ScenarioId(0), ScenarioId(1)),
        other => panic!("{other:?}"),
    }
}

/// A directory, and workers whose turns are under way.
struct Stand {
    population: Population,
    under_way: VecDeque<Turn>,
    there: BTreeSet<u64>,
    added: u64,
    deleted: Vec<u64>,
    largest: usize,
}

impl Stand {
    fn new(churn: &Churn, seed: u64) -> Self {
        Self {
            population: Population::new(churn, seed),
            under_way: VecDeque::new(),
            there: BTreeSet::new(),
            added: 0,
            deleted: Vec::new(),
            largest: 0,
        }
    }

    /// A worker takes a turn. Entries that are being deleted are still there.
    fn take(&mut self, now: Duration) -> Turn {
        let turn = self.population.next(now);
        match turn {
            Turn::Add(number) => assert!(!self.there.contains(&number), "{number} is there"),
            Turn::Delete(number) => {
                assert!(self.there.contains(&number), "{number} is not there");
                assert!(!self.under_way.contains(&turn), "{number} is being deleted");
            }
            Turn::Wait | Turn::Done => return turn,
        }
        self.under_way.push_back(turn);
        turn
    }

    /// The turn at this place of those under way ends.
    fn settle(&mut self, place: usize, succeeded: bool, now: Duration) {
        let Some(turn) = self.under_way.remove(place % self.under_way.len().max(1)) else { return };
        match turn {
            Turn::Add(number) if succeeded => {
                self.added += 1;
                self.there.insert(number);
            }
            Turn::Delete(number) if succeeded => {
                self.there.remove(&number);
                self.deleted.push(number);
            }
            _ => {}
        }
        let settled = if succeeded { Settled::Done } else { Settled::Refused };
        self.population.settle(turn, settled, now);
        self.largest = self.largest.max(self.there.len());
    }

    /// One worker that always succeeds, until there is nothing to do, or so often.
    fn work(&mut self, times: u64, step: Duration) {
        for time in 0..times {
            let now = step * u32::try_from(time).unwrap();
            if matches!(self.take(now), Turn::Wait | Turn::Done) {
                return;
            }
            self.settle(0, true, now);
        }
    }

    fn purge(&mut self) {
        while let Some(purging) = self.population.next_purging() {
            assert!(self.there.remove(&purging.number), "{} is not there", purging.number);
            self.population.settle_purging(purging, true);
        }
    }
}

const MS: Duration = Duration::from_millis(1);

#[test]
fn the_oldest_goes_when_there_are_too_many() {
    let mut stand = Stand::new(&churn("-s 3", None, None), 1);
    stand.work(11, MS);
    assert_eq!(stand.there, BTreeSet::from([4, 5, 6]));
    assert_eq!(stand.deleted, [0, 1, 2, 3]);
    assert_eq!(stand.largest, 4);
}

#[test]
fn the_first_that_is_too_old_sets_the_size() {
    let mut stand = Stand::new(&churn("-a 1", None, None), 1);
    stand.work(1000, 100 * MS);
    // That of 0 s is older than 1 s first at 1.1 s, when 11 are there.
    assert_eq!(stand.largest, 12);
    assert!((11..=12).contains(&stand.there.len()));
    assert_eq!(stand.deleted[..3], [0, 1, 2]);
}

#[test]
fn a_random_order_is_that_of_the_seed() {
    let deleted = |seed| {
        let mut stand = Stand::new(&churn("-C random -s 50", None, None), seed);
        stand.work(500, MS);
        stand.deleted
    };
    assert_eq!(deleted(1), deleted(1));
    assert_ne!(deleted(1), deleted(2));
    assert!(!deleted(1).is_sorted());
}

#[test]
fn without_deletion_entries_stay_and_a_purge_takes_them_all() {
    let churn = churn("-C off", None, Some(20));
    let mut stand = Stand::new(&churn, 1);
    stand.work(1000, MS);
    assert_eq!((stand.there.len(), stand.population.next(MS)), (20, Turn::Done));
    stand.purge();
    let purge = stand.population.purge().unwrap();
    assert_eq!((purge.deleted, purge.of, purge.failed, stand.there.len()), (20, 20, 0, 0));
}

#[test]
fn entries_that_come_to_an_end_end_the_run() {
    let mut stand = Stand::new(&churn("-C off", Some(7), None), 1);
    stand.work(1000, MS);
    assert_eq!((stand.added, stand.population.next(MS)), (7, Turn::Done));
}

#[test]
fn an_add_that_fails_makes_room_for_another() {
    let mut stand = Stand::new(&churn("-C off", None, Some(2)), 1);
    assert_eq!([(); 3].map(|()| stand.take(MS)), [Turn::Add(0), Turn::Add(1), Turn::Wait]);
    stand.settle(0, false, MS);
    assert_eq!([(); 2].map(|()| stand.take(MS)), [Turn::Add(2), Turn::Wait]);
    stand.settle(0, true, MS);
    stand.settle(0, true, MS);
    assert_eq!((stand.take(MS), stand.there), (Turn::Done, BTreeSet::from([1, 2])));
}

#[test]
fn what_was_not_answered_is_no_entry_but_is_purged() {
    let mut stand = Stand::new(&churn("-C off", None, Some(2)), 1);
    for settled in [Settled::Unanswered, Settled::Done, Settled::Done] {
        let turn = stand.population.next(MS);
        stand.population.settle(turn, settled, MS);
    }
    assert_eq!((stand.population.added(), stand.population.next(MS)), (2, Turn::Done));
    let purged = std::iter::from_fn(|| {
        let purging = stand.population.next_purging()?;
        stand.population.settle_purging(purging, true);
        Some(purging.number)
    });
    assert_eq!(purged.collect::<Vec<_>>(), [2, 1, 0]);
}

#[test]
fn a_purge_tries_again_once_and_gives_up_on_a_directory_that_refuses() {
    let numbers = |population: &mut Population, succeeded: bool| -> Vec<u64> {
        let next = || -> Option<Purging> {
            let purging = population.next_purging()?;
            population.settle_purging(purging, succeeded);
            Some(purging)
        };
        std::iter::from_fn(next).map(|purging| purging.number).collect()
    };
    let mut few = Stand::new(&churn("-C off", None, Some(2)), 1);
    few.work(2, MS);
    assert_eq!(numbers(&mut few.population, false), [1, 0, 0, 1], "the newest first, and each once more");
    assert_eq!(few.population.purge().map(|purge| (purge.deleted, purge.of, purge.failed)), Some((0, 2, 2)));
    let mut many = Stand::new(&churn("-C off", None, Some(1000)), 1);
    many.work(1000, MS);
    assert_eq!(numbers(&mut many.population, false).len(), 100);
    assert_eq!(many.population.purge().map(|purge| (purge.deleted, purge.of)), Some((0, 1000)));
    assert_eq!(many.population.left(), 1000);
}

proptest! {
    #[test]
    fn no_order_of_events_deletes_what_is_not_there(
        options in prop::sample::select(vec!["-s 5", "-C random -s 5", "-a 1", "-C off", "-C off -n", "-s 1 -n"]),
        workers in 1..9_usize,
        most in prop::option::of(1..60_u64),
        count in prop::option::of(1..80_u64),
        seed: u64,
        events in prop::collection::vec((any::<bool>(), 0..8_usize, 0..10_u8), 0..400),
    ) {
        let churn = churn(options, count, most);
        let mut stand = Stand::new(&churn, seed);
        let mut now = Duration::ZERO;
        for (takes, place, luck) in events {
            now += 10 * MS;
            if takes && stand.under_way.len() < workers {
                if stand.take(now) == Turn::Done {
                    let all = most.is_some_and(|most| stand.added == most);
                    let none_left = stand.under_way.iter().all(|turn| !matches!(turn, Turn::Add(_)));
                    prop_assert!(all || (none_left && count.is_some()));
                }
            } else {
                stand.settle(place, luck > 0, now);
            }
            prop_assert!(most.is_none_or(|most| stand.added <= most));
        }
        prop_assert_eq!(stand.population.added(), stand.added);
        while !stand.under_way.is_empty() {
            stand.settle(0, true, now);
        }
        if options.contains("-s 5") {
            // Deletions that failed leave theirs behind.
            prop_assert!(stand.largest <= 5 + workers + stand.population.left() as usize);
        }
        if churn.purge {
            stand.purge();
            prop_assert!(stand.there.is_empty());
        }
    }

    #[test]
    fn workers_that_go_on_to_the_end_add_exactly_what_was_asked_for(
        workers in 1..9_usize,
        most in 1..60_u64,
        luck in prop::collection::vec((0..8_usize, 0..3_u8), 2000),
    ) {
        let mut stand = Stand::new(&churn("-s 4", None, Some(most)), 1);
        for (place, luck) in luck {
            while stand.under_way.len() < workers && !matches!(stand.take(MS), Turn::Wait | Turn::Done) {}
            stand.settle(place, luck > 0, MS);
        }
        prop_assert_eq!((stand.added, stand.take(MS)), (most, Turn::Done));
    }
}
