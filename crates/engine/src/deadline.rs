//! A timeout that costs almost nothing while nothing times out.
//!
//! One timer serves all requests of a user. It is not set anew for each request: when it goes off, it looks
//! at the deadline that is in force, and waits on if that has moved.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use tokio::time::{Instant, Sleep};

/// A user's timer for timeouts.
#[derive(Default)]
pub(crate) struct Deadline {
    timer: Option<Pin<Box<Sleep>>>,
}

impl Deadline {
    /// The outcome of `work`, or none when it is not there at `at`.
    pub(crate) async fn limit<T>(&mut self, at: Instant, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        poll_fn(|context| {
            if let Poll::Ready(outcome) = work.as_mut().poll(context) {
                return Poll::Ready(Some(outcome));
            }
            let timer = match &mut self.timer {
                // It will wake this very task: there is no need to tell it so again.
                Some(timer) if timer.deadline() <= at && !timer.is_elapsed() => return Poll::Pending,
                Some(timer) => {
                    if Instant::now() >= at {
                        return Poll::Ready(None);
                    }
                    timer.as_mut().reset(at);
                    timer
                }
                timer => timer.insert(Box::pin(tokio::time::sleep_until(at))),
            };
            // Unconstrained, so that it is set whatever else this task did in its turn.
            pin!(tokio::task::unconstrained(timer.as_mut())).poll(context).map(|()| None)
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn work_that_takes_too_long_is_given_up_when_its_time_is_over() {
        let mut deadline = Deadline::default();
        let start = Instant::now();
        let late = deadline.limit(start + SECOND, tokio::time::sleep(5 * SECOND)).await;
        assert_eq!(late, None);
        assert_eq!(start.elapsed(), SECOND);
    }

    #[tokio::test(start_paused = true)]
    async fn a_timer_left_from_an_earlier_request_does_not_end_a_later_one() {
        let mut deadline = Deadline::default();
        for _ in 0..5 {
            let start = Instant::now();
            let done = deadline.limit(start + 3 * SECOND, tokio::time::sleep(2 * SECOND)).await;
            assert_eq!(done, Some(()));
            assert_eq!(start.elapsed(), 2 * SECOND);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_shorter_limit_after_a_longer_one_holds() {
        let mut deadline = Deadline::default();
        deadline.limit(Instant::now() + 60 * SECOND, tokio::time::sleep(SECOND)).await;
        let start = Instant::now();
        assert_eq!(deadline.limit(start + SECOND, tokio::time::sleep(5 * SECOND)).await, None);
        assert_eq!(start.elapsed(), SECOND);
    }
}
