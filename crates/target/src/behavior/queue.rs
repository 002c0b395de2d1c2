//! First come, first served at c servers, as arithmetic on times: no clock, no waiting, no work.
//!
//! The Kiefer-Wolfowitz recursion: a request that arrives at `a` and needs the service time `s`
//! starts when the earliest server is free, and completes at `f = max(a, earliest free) + s`. With one server this
//! is Lindley's recursion.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

/// The servers of one queue and when each is free again.
#[derive(Debug, Clone)]
pub(crate) struct Queue {
    /// `None`: as many servers as there are requests.
    free: Option<BinaryHeap<Reverse<Duration>>>,
}

impl Queue {
    /// A queue before `servers` servers, all free; `None` for unlimited servers.
    pub(crate) fn new(servers: Option<u32>) -> Self {
        Self { free: servers.map(|count| (0..count.max(1)).map(|_| Reverse(Duration::ZERO)).collect()) }
    }

    /// Admits a request and returns when it completes.
    ///
    /// `serve` tells when work that starts at a time is done. Requests are served in the order of these calls.
    pub(crate) fn admit(&mut self, arrival: Duration, serve: impl FnOnce(Duration) -> Duration) -> Duration {
        let Some(free) = &mut self.free else { return serve(arrival) };
        let mut earliest = free.peek_mut().expect("a queue has at least one server");
        let completion = serve(arrival.max(earliest.0));
        *earliest = Reverse(completion);
        completion
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Arrivals in order, and a service time for each, in µs.
    fn requests() -> impl Strategy<Value = Vec<(Duration, Duration)>> {
        proptest::collection::vec((0_u64..2_000, 0_u64..5_000), 1..200).prop_map(|pairs| {
            let mut clock = 0;
            pairs
                .into_iter()
                .map(|(gap, service)| {
                    clock += gap;
                    (Duration::from_micros(clock), Duration::from_micros(service))
                })
                .collect()
        })
    }

    proptest! {
        #[test]
        fn one_server_is_lindley(requests in requests()) {
            let mut queue = Queue::new(Some(1));
            let mut wait = Duration::ZERO;
            let mut previous: Option<(Duration, Duration)> = None;
            for (arrival, service) in requests {
                if let Some((last_arrival, last_service)) = previous {
                    wait = (wait + last_service).saturating_sub(arrival.saturating_sub(last_arrival));
                }
                prop_assert_eq!(queue.admit(arrival, |start| start + service), arrival + wait + service);
                previous = Some((arrival, service));
            }
        }

        #[test]
        fn never_more_in_service_than_servers(requests in requests(), servers in 1_u32..6) {
            let mut queue = Queue::new(Some(servers));
            let spans: Vec<_> = requests
                .into_iter()
                .map(|(arrival, service)| {
                    let completion = queue.admit(arrival, |start| start + service);
                    (completion.saturating_sub(service), completion, arrival)
                })
                .collect();
            for &(start, _, arrival) in &spans {
                prop_assert!(start >= arrival);
                let busy = spans.iter().filter(|&&(from, to, _)| from <= start && start < to).count();
                prop_assert!(busy <= servers as usize);
            }
            prop_assert!(spans.windows(2).all(|pair| pair[0].0 <= pair[1].0), "served in order");
        }

        #[test]
        fn unlimited_servers_never_wait(requests in requests()) {
            let mut queue = Queue::new(None);
            for (arrival, service) in requests {
                prop_assert_eq!(queue.admit(arrival, |start| start + service), arrival + service);
            }
        }
    }
}
