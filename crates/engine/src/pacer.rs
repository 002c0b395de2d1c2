//! The users of an open load on one thread, and the pacer that hands them iterations when they are due.
//!
//! The schedule is only read as iterations are taken from it: what is due and waits for a user takes no memory,
//! however long it waits, and the schedule never slows down for a target that does.

use crate::control::Tempo;
use crate::local::Local;
use crate::user::User;
use loadgen_model::mix::weighted;
use loadgen_model::plan::Task;
use loadgen_model::variable::Slot;
use loadgen_model::{Arrival, Arrivals, Load, Mix, Open, Step};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// A paused schedule without an end is looked at again after this.
const A_LONG_TIME: Duration = Duration::from_secs(100 * 366 * 86_400);

/// The iterations of one thread.
type Schedule = Arrivals<Xoshiro256PlusPlus>;

/// The users of an open load on one thread.
pub(crate) struct Pacer {
    local: Rc<Local>,
    group: usize,
    schedule: RefCell<Schedule>,
    /// A second reading of the schedule: what was due until now, taken or not.
    due: RefCell<Schedule>,
    /// Until when that second reading has come.
    counted: Cell<Duration>,
    /// Users without work; the one that had some last gets the next, so that few connections stay warm.
    idle: RefCell<Vec<Rc<Seat>>>,
    users: Cell<u64>,
    most: u64,
    /// Waits for a user to be idle while all are at work.
    waiting: Cell<Option<Waker>>,
    /// Tells of a schedule that was changed.
    retuned: Notify,
    /// When no more iterations begin.
    closed: Cell<Option<Duration>>,
}

/// Where an idle user waits for work.
#[derive(Default)]
pub(crate) struct Seat {
    given: Cell<Option<Work>>,
    waker: Cell<Option<Waker>>,
}

/// An iteration for a user.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Work {
    pub(crate) arrival: Arrival,
    /// When a user was free for it, if that was after it was due.
    pub(crate) free: Option<Instant>,
}

impl Pacer {
    /// The pacer of a group on this thread; none when its users are closed.
    pub(crate) fn new(local: &Rc<Local>, group: usize) -> Option<Rc<Self>> {
        let Load::Open(open) = &local.plan.groups[group].load else { return None };
        let schedule = schedule(local, group, open);
        let share = local.share;
        // The remainder goes to the first threads.
        let most = open.max_users / share.of + u64::from(share.index < open.max_users % share.of);
        Some(Rc::new(Self {
            due: RefCell::new(schedule.clone()),
            schedule: RefCell::new(schedule),
            counted: Cell::new(Duration::ZERO),
            idle: RefCell::default(),
            users: Cell::new(0),
            most,
            waiting: Cell::new(None),
            retuned: Notify::new(),
            closed: Cell::new(None),
            local: local.clone(),
            group,
        }))
    }

    /// Hands out what is due, when it is due, until the schedule or the run is over and all users are done.
    /// `first` is the index of the group's first user in the run.
    pub(crate) async fn drive(self: Rc<Self>, first: u64, known: Vec<(Slot, Vec<u8>)>) {
        let mut users = JoinSet::new();
        while let Some(wake) = self.next_wake() {
            tokio::select! {
                () = self.local.timer.sleep_until(wake) => {}
                () = self.retuned.notified() => continue,
            }
            if self.closed.get().is_some() || self.local.stop.is_requested() {
                break;
            }
            if self.is_busy() {
                self.a_user_is_idle().await;
                continue;
            }
            self.hand_out(first, &known, &mut users);
        }
        self.end();
        while users.join_next().await.is_some() {}
    }

    /// Hands out all that is due now and finds a user.
    fn hand_out(self: &Rc<Self>, first: u64, known: &[(Slot, Vec<u8>)], users: &mut JoinSet<()>) {
        let now = Instant::now();
        while !self.is_busy()
            && let Some(arrival) = self.take_due(now)
        {
            let work = Work { arrival, free: None };
            let idle = self.idle.borrow_mut().pop();
            match idle {
                Some(seat) => seat.give(work),
                None => {
                    let share = self.local.share;
                    let index = first + self.users.get() * share.of + share.index;
                    self.users.set(self.users.get() + 1);
                    let user = User::new(self.local.clone(), index, known);
                    users.spawn_local(user.serve(self.clone(), work));
                }
            }
        }
    }

    /// The next iteration for a user that is done with its last one; none when there is none for it any more.
    pub(crate) async fn next(&self, seat: &Rc<Seat>) -> Option<Work> {
        let now = Instant::now();
        if let Some(arrival) = self.take_due(now) {
            // With room for more users it was not for want of one that it waited, but the generator that was late.
            return Some(Work { arrival, free: self.is_full().then_some(now) });
        }
        if self.closed.get().is_some() {
            return None;
        }
        self.idle.borrow_mut().push(seat.clone());
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
        poll_fn(|context| match seat.given.take() {
            Some(work) => Poll::Ready(Some(work)),
            None if self.closed.get().is_some() => Poll::Ready(None),
            None => {
                seat.waker.set(Some(context.waker().clone()));
                Poll::Pending
            }
        })
        .await
    }

    /// The group that it works for.
    pub(crate) fn group(&self) -> usize {
        self.group
    }

    /// Counts what became due since this was last asked.
    pub(crate) fn count_due(&self, now: Duration) {
        let until = self.closed.get().map_or(now, |closed| closed.min(now));
        self.counted.set(until);
        let mut due = self.due.borrow_mut();
        let mut count = 0;
        while due.peek().is_some_and(|arrival| arrival.at < until) {
            due.next();
            count += 1;
        }
        self.local.counts.borrow_mut().arrivals.due += count;
    }

    /// No more iterations: the schedule is over, the run is stopped, or there is no data left for them.
    pub(crate) fn end(&self) {
        if self.closed.get().is_none() {
            let length = self.local.plan.groups[self.group].load.length();
            let now = self.moment_of_the_end();
            self.closed.set(Some(length.map_or(now, |length| length.min(now))));
        }
        for seat in self.idle.borrow_mut().drain(..) {
            seat.wake();
        }
        if let Some(waker) = self.waiting.take() {
            waker.wake();
        }
    }

    /// Now; but where a stop comes between an iteration and the moment that this thread would have come to it, with
    /// users free for it, that iteration was not due any more: it did not wait for a user.
    fn moment_of_the_end(&self) -> Duration {
        let now = self.local.since_start(Instant::now());
        if !self.local.stop.is_requested() || self.is_busy() {
            return now;
        }
        let next = self.schedule.borrow_mut().peek().map_or(now, |arrival| arrival.at);
        next.max(self.counted.get()).min(now)
    }

    /// From `tempo.since` on the rate is so much of what was planned.
    pub(crate) fn retune(&self, tempo: Tempo) {
        for schedule in [&self.schedule, &self.due] {
            schedule.borrow_mut().retune(tempo.since, tempo.factor());
        }
        self.retuned.notify_one();
    }

    /// When to look at the schedule again: when the next iteration is due, or while the load is paused at the end of
    /// the run. None when the schedule is over.
    fn next_wake(&self) -> Option<Instant> {
        let next = self.schedule.borrow_mut().peek().map(|arrival| arrival.at);
        let end = || self.local.plan.groups[self.group].load.length().unwrap_or(A_LONG_TIME);
        let paused = || self.local.tempo.get().is_paused().then(end);
        let at = self.local.epoch + next.or_else(paused)?;
        // A pause that lasts until the end ends there.
        (next.is_some() || Instant::now() < at).then_some(at)
    }

    /// The next iteration if it is due.
    fn take_due(&self, now: Instant) -> Option<Arrival> {
        let now = now.saturating_duration_since(self.local.epoch);
        if self.closed.get().is_some() {
            return None;
        }
        self.schedule.borrow_mut().take_due(now)
    }

    /// Whether there is no room for a new user.
    pub(crate) fn is_full(&self) -> bool {
        self.users.get() == self.most
    }

    /// Whether there is neither an idle user nor room for a new one.
    fn is_busy(&self) -> bool {
        self.is_full() && self.idle.borrow().is_empty()
    }

    async fn a_user_is_idle(&self) {
        poll_fn(|context| {
            if self.closed.get().is_some() || !self.is_busy() {
                return Poll::Ready(());
            }
            self.waiting.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }

    /// Counts what was due and has not begun; nothing begins any more.
    pub(crate) fn count_never_begun(&self) {
        let Some(closed) = self.closed.get() else { return };
        let plan = &self.local.plan;
        let mix = &plan.groups[self.group].mix;
        let mut schedule = self.schedule.borrow_mut();
        let mut counts = self.local.counts.borrow_mut();
        while let Some(arrival) = schedule.peek().filter(|arrival| arrival.at < closed) {
            schedule.next();
            counts.arrivals.never_begun += 1;
            let scenario = match mix {
                Mix::Weights(weights) => weighted(weights, arrival.index),
                // What it would have been, nobody knows; the first thing that a run does is an add.
                Mix::Churn(churn) => churn.add,
                Mix::Iterations(_) => continue,
            };
            if let Some(task) = first_task(&plan.scenario(scenario).steps) {
                counts.never_start(task.row, closed.saturating_sub(arrival.at));
            }
        }
    }
}

impl Seat {
    fn give(&self, work: Work) {
        self.given.set(Some(work));
        self.wake();
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// This thread's part of the iterations of a group.
fn schedule(local: &Local, group: usize, open: &Open) -> Schedule {
    // Every thread draws the same numbers, and takes its own of them.
    let seed = local.plan.seed.wrapping_add(group as u64);
    Arrivals::new(open, local.share, Xoshiro256PlusPlus::seed_from_u64(seed))
}

/// The request that is due when an iteration begins.
fn first_task(steps: &[Step]) -> Option<Task> {
    steps.iter().find_map(|step| match step {
        Step::Task(task) => Some(*task),
        Step::Sleep(_) => None,
        Step::Repeat { steps, .. } => first_task(steps),
    })
}
