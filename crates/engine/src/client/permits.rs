//! Permits that the users of one thread take and give back, and wait for in line when all are taken. A semaphore that
//! threads could share costs a lock for each; here most are a number that goes up and down.

use std::cell::Cell;
use tokio::sync::Semaphore;

/// So many may be held at once.
pub(crate) struct Permits {
    /// Those that nobody holds; none while somebody waits.
    free: Cell<usize>,
    /// Users that wait, or have just been given one.
    waiting: Cell<usize>,
    /// Gives what comes back to those who wait, first come, first served.
    line: Semaphore,
}

/// One that is held; free again when it is dropped.
pub(crate) struct Permit<'p>(&'p Permits);

/// Somebody in line.
struct Waiting<'p>(&'p Cell<usize>);

impl Permits {
    /// So many, all free.
    pub(crate) fn new(count: usize) -> Self {
        Self { free: Cell::new(count), waiting: Cell::new(0), line: Semaphore::new(0) }
    }

    /// Waits for one.
    pub(crate) async fn take(&self) -> Permit<'_> {
        match self.free.get().checked_sub(1) {
            Some(rest) => self.free.set(rest),
            None => {
                let _waiting = Waiting::new(&self.waiting);
                self.line.acquire().await.expect("the line is never closed").forget();
            }
        }
        Permit(self)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        match self.0.waiting.get() {
            0 => self.0.free.set(self.0.free.get() + 1),
            _ => self.0.line.add_permits(1),
        }
    }
}

impl<'p> Waiting<'p> {
    fn new(waiting: &'p Cell<usize>) -> Self {
        waiting.set(waiting.get() + 1);
        Self(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    #[derive(Debug, Clone)]
    enum Step {
        Take,
        GiveBack(prop::sample::Index),
        /// Somebody who waits goes away, who may have been given one already.
        Leave(prop::sample::Index),
        /// Those who wait look whether they have one.
        Look,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => Just(Step::Take),
            2 => any::<prop::sample::Index>().prop_map(Step::GiveBack),
            1 => any::<prop::sample::Index>().prop_map(Step::Leave),
            2 => Just(Step::Look),
        ]
    }

    type Taking<'p> = Pin<Box<dyn Future<Output = Permit<'p>> + 'p>>;

    fn looked<'p>(taking: &mut Taking<'p>) -> Option<Permit<'p>> {
        match taking.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(permit) => Some(permit),
            Poll::Pending => None,
        }
    }

    proptest! {
        /// Whoever comes and goes: never more are held than there are, nobody waits while one is free, and none
        /// overtakes another.
        #[test]
        fn permits_are_neither_lost_nor_made(
            count in 1..4_usize,
            steps in proptest::collection::vec(step(), 0..100),
        ) {
            let permits = Permits::new(count);
            let (mut held, mut line): (Vec<Permit<'_>>, VecDeque<Taking<'_>>) = Default::default();
            for step in steps {
                match step {
                    Step::Take => {
                        let mut taking: Taking<'_> = Box::pin(permits.take());
                        match looked(&mut taking) {
                            Some(permit) => held.push(permit),
                            None => line.push_back(taking),
                        }
                    }
                    Step::GiveBack(which) if !held.is_empty() => drop(held.swap_remove(which.index(held.len()))),
                    Step::Leave(which) if !line.is_empty() => drop(line.remove(which.index(line.len()))),
                    Step::Look => {
                        let mut is_through = true;
                        let mut still = VecDeque::new();
                        for mut taking in line.drain(..) {
                            match looked(&mut taking) {
                                Some(permit) => {
                                    prop_assert!(is_through, "somebody was overtaken");
                                    held.push(permit);
                                }
                                None => {
                                    is_through = false;
                                    still.push_back(taking);
                                }
                            }
                        }
                        line = still;
                        prop_assert!(line.is_empty() || held.len() == count, "somebody waits for what is free");
                    }
                    _ => {}
                }
                prop_assert!(held.len() <= count);
            }
            drop((held, line));
            let mut all: Vec<Taking<'_>> = (0..=count).map(|_| Box::pin(permits.take()) as Taking<'_>).collect();
            let taken: Vec<_> = all.iter_mut().filter_map(looked).collect();
            prop_assert_eq!(taken.len(), count);
        }
    }
}
