//! The platform's clock and its waits, to the microsecond.
//!
//! The runtime's own timers are a millisecond wide, as wide as many service times. One kernel timer
//! (`timerfd`) set to the earliest wait, and a heap of the others, wake within some tens of microseconds;
//! never before the time asked for.

use std::cell::{Cell, RefCell};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::future::Future;
use std::io;
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use rustix::time::{
    ClockId, Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, clock_gettime,
    timerfd_create, timerfd_settime,
};
use tokio::io::unix::AsyncFd;

/// The clock of one platform: its times count from when it was made. Clones share the clock.
#[derive(Clone)]
pub(crate) struct Timer {
    shared: Rc<Shared>,
}

struct Shared {
    /// `CLOCK_MONOTONIC` when the platform started.
    origin: Duration,
    kernel_timer: AsyncFd<OwnedFd>,
    waits: RefCell<BinaryHeap<Reverse<Wait>>>,
    /// What the kernel timer is set to, if it is set.
    set_to: Cell<Option<Duration>>,
}

/// A place in the heap.
struct Wait {
    due: Duration,
    waker: Rc<RefCell<Option<Waker>>>,
}

impl Timer {
    /// A clock that starts now. Must be made inside a runtime that has its I/O driver on.
    pub(crate) fn new() -> io::Result<Self> {
        let kernel_timer =
            timerfd_create(TimerfdClockId::Monotonic, TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC)?;
        #[expect(
            deprecated,
            reason = "its successor is unsafe for types that lie about their descriptor; OwnedFd does not"
        )]
        let kernel_timer = AsyncFd::new(kernel_timer)?;
        let shared =
            Shared { origin: monotonic(), kernel_timer, waits: RefCell::default(), set_to: Cell::new(None) };
        Ok(Self { shared: Rc::new(shared) })
    }

    /// Time since the start.
    pub(crate) fn now(&self) -> Duration {
        monotonic().saturating_sub(self.shared.origin)
    }

    /// `CLOCK_MONOTONIC` at the start: what turns this clock's times into those of the machine.
    pub(crate) fn origin(&self) -> Duration {
        self.shared.origin
    }

    /// Waits until `due`; at once when it has passed.
    pub(crate) fn until(&self, due: Duration) -> Until {
        Until { timer: self.clone(), due, waker: None }
    }

    /// Wakes what is due, for as long as it is polled.
    pub(crate) async fn run(&self) -> io::Result<()> {
        let mut expirations = [0; 8];
        loop {
            let mut ready = self.shared.kernel_timer.readable().await?;
            let read = ready.try_io(|timer| Ok(rustix::io::read(timer.get_ref(), &mut expirations)?));
            if let Ok(Err(error)) = read {
                return Err(error);
            }
            self.wake_due();
        }
    }

    fn wake_due(&self) {
        let now = self.now();
        let mut waits = self.shared.waits.borrow_mut();
        while waits.peek().is_some_and(|Reverse(wait)| wait.due <= now) {
            let waker = waits.pop().and_then(|Reverse(wait)| wait.waker.borrow_mut().take());
            if let Some(waker) = waker {
                waker.wake();
            }
        }
        self.shared.set_to.set(None);
        if let Some(Reverse(next)) = waits.peek() {
            self.set(next.due);
        }
    }

    fn add(&self, wait: Wait) {
        if self.shared.set_to.get().is_none_or(|set_to| wait.due < set_to) {
            self.set(wait.due);
        }
        self.shared.waits.borrow_mut().push(Reverse(wait));
    }

    fn set(&self, due: Duration) {
        let due_monotonic = self.shared.origin + due;
        let it_value = Timespec {
            tv_sec: due_monotonic.as_secs().cast_signed(),
            tv_nsec: due_monotonic.subsec_nanos().into(),
        };
        let once = Itimerspec { it_interval: Timespec { tv_sec: 0, tv_nsec: 0 }, it_value };
        timerfd_settime(self.shared.kernel_timer.get_ref(), TimerfdTimerFlags::ABSTIME, &once)
            .expect("the timer is open and its time is within bounds");
        self.shared.set_to.set(Some(due));
    }
}

/// A wait for a point in time.
pub(crate) struct Until {
    timer: Timer,
    due: Duration,
    waker: Option<Rc<RefCell<Option<Waker>>>>,
}

impl Future for Until {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        if self.timer.now() >= self.due {
            return Poll::Ready(());
        }
        if let Some(waker) = &self.waker {
            *waker.borrow_mut() = Some(context.waker().clone());
        } else {
            let waker = Rc::new(RefCell::new(Some(context.waker().clone())));
            self.timer.add(Wait { due: self.due, waker: Rc::clone(&waker) });
            self.waker = Some(waker);
        }
        Poll::Pending
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        if let Some(waker) = &self.waker {
            waker.borrow_mut().take();
        }
    }
}

impl PartialEq for Wait {
    fn eq(&self, other: &Self) -> bool {
        self.due == other.due
    }
}

impl Eq for Wait {}

impl PartialOrd for Wait {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wait {
    fn cmp(&self, other: &Self) -> Ordering {
        self.due.cmp(&other.due)
    }
}

fn monotonic() -> Duration {
    let time = clock_gettime(ClockId::Monotonic);
    Duration::new(time.tv_sec.cast_unsigned(), time.tv_nsec as u32)
}
