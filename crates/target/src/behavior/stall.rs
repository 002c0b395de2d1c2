//! Times in which the platform does no work at all.
//!
//! A stall stops the clock that work is measured by. Arrivals are carried over to working time, the queue
//! reckons there, and completions are carried back: so a stall shifts everything that is in progress.

use std::time::Duration;

/// One time, or one repeated time, without work; measured from the start of the platform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stall {
    /// From `at` for `length`.
    Once {
        /// When it begins.
        at: Duration,
        /// How long it lasts.
        length: Duration,
    },
    /// At each multiple of `period` (not at 0) for `length`, which is shorter than `period`.
    Every {
        /// From one beginning to the next.
        period: Duration,
        /// How long each lasts.
        length: Duration,
    },
}

impl Stall {
    /// The first interval of this stall that ends after `time`.
    fn next(self, time: Duration) -> Option<(Duration, Duration)> {
        match self {
            Self::Once { at, length } => (at + length > time).then_some((at, at + length)),
            Self::Every { period, length } => {
                let turn = time.as_nanos() / period.as_nanos();
                let turn = u32::try_from(turn).unwrap_or(u32::MAX - 1);
                let current = period * turn;
                let begin = if turn > 0 && current + length > time { current } else { period * (turn + 1) };
                Some((begin, begin + length))
            }
        }
    }
}

/// The stalls of a platform, and the working time up to where it was last asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stalls {
    stalls: Vec<Stall>,
}

impl Stalls {
    /// No work is done in any of `stalls`.
    pub(crate) fn new(stalls: Vec<Stall>) -> Self {
        Self { stalls }
    }

    /// The first interval without work that ends after `time`.
    fn next(&self, time: Duration) -> Option<(Duration, Duration)> {
        self.stalls.iter().filter_map(|stall| stall.next(time)).min()
    }

    /// When work of length `work` that begins at `from` is done.
    ///
    /// Never inside a stall, and at `from + work` when no stall touches it.
    pub(crate) fn finish(&self, from: Duration, work: Duration) -> Duration {
        let mut time = from;
        let mut left = work;
        while let Some((begin, end)) = self.next(time) {
            let until_stall = begin.saturating_sub(time);
            if left < until_stall {
                break;
            }
            left -= until_stall;
            time = end;
        }
        time + left
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn work_waits_for_the_end_of_a_stall() {
        let stalls = Stalls::new(vec![Stall::Once { at: ms(100), length: ms(50) }]);
        assert_eq!(stalls.finish(ms(10), ms(20)), ms(30));
        assert_eq!(stalls.finish(ms(90), ms(20)), ms(160));
        assert_eq!(stalls.finish(ms(120), ms(0)), ms(150));
        assert_eq!(stalls.finish(ms(150), ms(5)), ms(155));
    }

    #[test]
    fn repeated_stalls_add_up() {
        let stalls = Stalls::new(vec![Stall::Every { period: ms(10), length: ms(2) }]);
        assert_eq!(stalls.finish(ms(0), ms(9)), ms(9));
        assert_eq!(
            stalls.finish(ms(0), ms(10)),
            ms(12),
            "what would be done as a stall begins is done as it ends"
        );
        assert_eq!(stalls.finish(ms(0), ms(26)), ms(32));
        assert_eq!(stalls.finish(ms(11), ms(0)), ms(12));
    }

    proptest! {
        #[test]
        fn never_early_never_in_a_stall(
            from in 0_u64..500, work in 0_u64..500, at in 0_u64..500, length in 1_u64..200,
            period in 20_u64..100, pause in 1_u64..20,
        ) {
            let all = [Stall::Once { at: ms(at), length: ms(length) }, Stall::Every { period: ms(period), length: ms(pause) }];
            let stalls = Stalls::new(all.to_vec());
            let done = stalls.finish(ms(from), ms(work));
            prop_assert!(done >= ms(from + work));
            prop_assert!(done < ms(at) || done >= ms(at + length));
            prop_assert!(done < ms(period) || done.as_millis() % u128::from(period) >= u128::from(pause));
            prop_assert!(stalls.finish(ms(from), ms(work + 1)) > done);
        }
    }
}
