//! Wakes users when their think time is over, to the microsecond: a queue behind one timerfd a thread.
//!
//! The runtime's own timers are 1 ms wide, which would show as lag.

use rustix::time::{Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::future::poll_fn;
use std::os::fd::OwnedFd;
use std::task::{Poll, Waker};
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::time::Instant;

/// A thread's queue of sleepers.
pub(crate) struct Timer {
    sleepers: RefCell<BinaryHeap<Reverse<Sleeper>>>,
    next: Cell<u64>,
    armed: Cell<Option<Instant>>,
    ended: Cell<bool>,
    clock: AsyncFd<OwnedFd>,
}

struct Sleeper {
    at: Instant,
    /// Keeps the order total and first come, first served.
    number: u64,
    waker: Waker,
}

impl Timer {
    /// A timer for the runtime that this is called in.
    pub(crate) fn new() -> std::io::Result<Self> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let fd = rustix::time::timerfd_create(TimerfdClockId::Monotonic, flags)?;
        #[expect(deprecated, reason = "sound here: an owned descriptor stays what it is; the heir is unsafe")]
        let clock = AsyncFd::with_interest(fd, Interest::READABLE)?;
        Ok(Self {
            sleepers: RefCell::default(),
            next: Cell::new(0),
            armed: Cell::new(None),
            ended: Cell::new(false),
            clock,
        })
    }

    /// Returns at `at`, or at once when `end` was called.
    pub(crate) async fn sleep_until(&self, at: Instant) {
        let mut waiting = false;
        poll_fn(|context| {
            if self.ended.get() || Instant::now() >= at {
                return Poll::Ready(());
            }
            // A user may be woken for another reason, such as a timeout left from its last request.
            if !std::mem::replace(&mut waiting, true) {
                self.enqueue(at, context.waker().clone());
            }
            Poll::Pending
        })
        .await;
    }

    fn enqueue(&self, at: Instant, waker: Waker) {
        let number = self.next.get();
        self.next.set(number + 1);
        self.sleepers.borrow_mut().push(Reverse(Sleeper { at, number, waker }));
        if self.armed.get().is_none_or(|armed| at < armed) {
            self.arm(at);
        }
    }

    fn arm(&self, at: Instant) {
        // A zero time would disarm the clock.
        let wait = at.saturating_duration_since(Instant::now()).max(std::time::Duration::from_nanos(1));
        let value =
            Timespec { tv_sec: wait.as_secs().cast_signed(), tv_nsec: i64::from(wait.subsec_nanos()) };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value: value };
        rustix::time::timerfd_settime(self.clock.get_ref(), TimerfdTimerFlags::empty(), &once)
            .expect("the descriptor is a timer and the time is valid");
        self.armed.set(Some(at));
    }

    /// Wakes sleepers when they are due, for as long as it is polled.
    pub(crate) async fn drive(&self) {
        loop {
            let Ok(mut ready) = self.clock.readable().await else { return };
            // Readiness is told at its edge: setting the clock anew makes the next one, so nothing needs to be read.
            ready.clear_ready();
            self.wake_due();
        }
    }

    /// Wakes all that are due at one wake-up, then sets the clock for the next one.
    fn wake_due(&self) {
        let now = Instant::now();
        self.armed.set(None);
        let mut sleepers = self.sleepers.borrow_mut();
        while sleepers.peek().is_some_and(|Reverse(sleeper)| sleeper.at <= now) {
            if let Some(Reverse(sleeper)) = sleepers.pop() {
                sleeper.waker.wake();
            }
        }
        if let Some(Reverse(sleeper)) = sleepers.peek() {
            self.arm(sleeper.at);
        }
    }

    /// Ends all sleeps, those to come too: the run is to stop.
    pub(crate) fn end(&self) {
        self.ended.set(true);
        for Reverse(sleeper) in self.sleepers.borrow_mut().drain() {
            sleeper.waker.wake();
        }
    }
}

impl PartialEq for Sleeper {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Sleeper {}

impl PartialOrd for Sleeper {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Sleeper {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::rc::Rc;
    use std::time::Duration;

    /// Sleepers that are due after these times, in ms, on a driven timer; the order in which they woke.
    async fn order(millis: &[u64]) -> Vec<u64> {
        let timer = Rc::new(Timer::new().unwrap());
        let woken = Rc::new(RefCell::new(Vec::new()));
        let start = Instant::now();
        let mut sleepers = tokio::task::JoinSet::new();
        for time in millis.iter().copied() {
            let (timer, woken) = (timer.clone(), woken.clone());
            sleepers.spawn_local(async move {
                timer.sleep_until(start + Duration::from_millis(time)).await;
                assert!(start.elapsed() >= Duration::from_millis(time), "nobody wakes early");
                woken.borrow_mut().push(time);
            });
        }
        tokio::select! {
            _ = sleepers.join_all() => {}
            () = timer.drive() => {}
        }
        Rc::try_unwrap(woken).unwrap().into_inner()
    }

    #[tokio::test]
    async fn sleepers_wake_in_the_order_of_their_times() {
        let woken = tokio::task::LocalSet::new().run_until(order(&[30, 10, 0, 20, 10])).await;
        assert_eq!(woken, [0, 10, 10, 20, 30]);
    }

    #[tokio::test]
    async fn a_wake_up_for_another_reason_does_not_end_a_sleep() {
        let timer = Timer::new().unwrap();
        let mut sleep = std::pin::pin!(timer.sleep_until(Instant::now() + Duration::from_secs(60)));
        let mut context = std::task::Context::from_waker(Waker::noop());
        for _ in 0..3 {
            assert!(sleep.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(timer.sleepers.borrow().len(), 1, "it waits once, however often it is woken");
    }

    #[tokio::test]
    async fn an_end_ends_every_sleep() {
        let timer = Timer::new().unwrap();
        let day = Instant::now() + Duration::from_secs(86_400);
        tokio::select! {
            biased;
            () = timer.sleep_until(day) => {}
            () = async { timer.end(); std::future::pending().await } => {}
        }
        assert!(timer.sleepers.borrow().is_empty());
    }
}
