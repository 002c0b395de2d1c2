//! What queueing theory says: recursions along a path, and formulas for the long run.

use crate::ordered::Ordered;
use crate::truth::Record;

/// When each of these requests is done by c servers, first come, first served: max(arrival, earliest free) + service
/// (Kiefer and Wolfowitz, "On the theory of queues with many servers", 1955; with one server, Lindley 1952).
///
/// The servers are free when the log says that they were, so that microseconds which it cuts off do not add up.
pub(crate) fn completions_us<'a>(
    records: impl Iterator<Item = &'a Record>,
    servers: usize,
) -> impl Iterator<Item = u64> {
    let mut free = vec![0_u64; servers];
    records.map(move |record| {
        let earliest = free.iter_mut().min().expect("there is at least one server");
        let completion = record.arrival_us.max(*earliest) + record.service_us;
        *earliest = record.due_us;
        completion
    })
}

/// Response times in ms of requests that arrive and are served without any delay but that of the queue: the same
/// recursion over intended arrivals, as a perfect generator on a perfect machine would have met it.
pub(crate) fn ideal_ms(
    intended_s: &[f64],
    services_us: impl Iterator<Item = u64>,
    servers: usize,
) -> Ordered {
    let mut free = vec![0.0_f64; servers];
    let times = intended_s.iter().zip(services_us).map(|(arrival, service_us)| {
        let earliest = free.iter_mut().min_by(|a, b| a.total_cmp(b)).expect("there is at least one server");
        *earliest = arrival.max(*earliest) + service_us as f64 / 1e6;
        (*earliest - arrival) * 1e3
    });
    Ordered::new(times.collect())
}

/// A target that stands still once for `length_s`, under an even open load over `run_s`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stall {
    pub(crate) length_s: f64,
    pub(crate) run_s: f64,
    /// Requests a second that are due.
    pub(crate) rate: f64,
    /// Requests a second that the target can answer.
    pub(crate) capacity: f64,
}

impl Stall {
    /// A quantile of response times, from 1 less the share of what meets the stall on: the first to wait does so for
    /// all of it, and the wait falls evenly to nothing while the backlog is worked off.
    pub(crate) fn response_s(&self, quantile: f64) -> f64 {
        let affected_s = self.length_s * self.capacity / (self.capacity - self.rate);
        self.length_s * (1.0 - (1.0 - quantile) * self.run_s / affected_s)
    }
}

/// An M/M/c queue: rates a second.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Queue {
    pub(crate) arrivals: f64,
    /// Of one server.
    pub(crate) services: f64,
    pub(crate) servers: u32,
}

impl Queue {
    /// The share that waits: Erlang's C, by way of his B (Erlang 1917; Cooper, Introduction to Queueing Theory, 3.5).
    fn waiting(&self) -> f64 {
        let offered = self.arrivals / self.services;
        let blocked = (1..=self.servers)
            .fold(1.0, |blocked, servers| offered * blocked / (f64::from(servers) + offered * blocked));
        let free = 1.0 - offered / f64::from(self.servers);
        blocked / (blocked + free * (1.0 - blocked))
    }

    /// The share of response times above a time in seconds: service, and an exponential wait for those that wait.
    fn above(&self, time_s: f64) -> f64 {
        let (waiting, served) = (self.waiting(), (-self.services * time_s).exp());
        let relief = f64::from(self.servers) * self.services - self.arrivals;
        if (relief / self.services - 1.0).abs() < 1e-9 {
            return served * (1.0 + waiting * self.services * time_s);
        }
        let both = (relief * served - self.services * (-relief * time_s).exp()) / (relief - self.services);
        (1.0 - waiting) * served + waiting * both
    }

    /// A quantile of response times, s: where the share above it is what the quantile leaves.
    pub(crate) fn response_s(&self, quantile: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0 / self.services);
        while self.above(high) > 1.0 - quantile {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.above(middle) > 1.0 - quantile { low = middle } else { high = middle }
        }
        high
    }
}

/// Users who think for a while and then queue for one of some servers; all times exponential.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Closed {
    pub(crate) users: u32,
    pub(crate) think_s: f64,
    pub(crate) service_s: f64,
    pub(crate) servers: u32,
}

impl Closed {
    /// Requests a second and mean response time in s, in the long run: the birth-death process of the machine
    /// repairman (Feller, vol. I, XVII.7), and Little's law.
    pub(crate) fn rate_and_response(&self) -> (f64, f64) {
        let mut weights = vec![1.0];
        for present in 1..=self.users {
            let born = f64::from(self.users - present + 1) / self.think_s;
            let died = f64::from(present.min(self.servers)) / self.service_s;
            weights.push(weights[present as usize - 1] * born / died);
        }
        let sum: f64 = weights.iter().sum();
        let busy: f64 =
            weights.iter().zip(0_u32..).map(|(weight, n)| weight * f64::from(n.min(self.servers))).sum();
        let rate = busy / sum / self.service_s;
        (rate, f64::from(self.users) / rate - self.think_s)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ideal_path_waits_for_the_queue_only() {
        let times = ideal_ms(&[0.0, 0.001, 0.010], [5_000, 5_000, 1_000].into_iter(), 1);
        let expected = [1.0, 5.0, 9.0];
        assert!(times.as_slice().iter().zip(expected).all(|(time, expected)| (time - expected).abs() < 1e-9));
        assert!((ideal_ms(&[0.0, 0.001], [5_000, 5_000].into_iter(), 2).quantile(1.0) - 5.0).abs() < 1e-9);
    }

    #[test]
    fn known_figures_come_out() {
        // M/M/1: T = -ln(1 - q) / (mu - lambda).
        let one = Queue { arrivals: 500.0, services: 1_000.0, servers: 1 };
        assert!((one.response_s(0.99) - 100_f64.ln() / 500.0).abs() < 1e-9);
        // M/M/4 at 80 %, mean service 16 ms (by independent simulation 69.1 ms for 16 ms of 4 x 62.5/s).
        let four = Queue { arrivals: 0.8 * 4.0 / 0.016, services: 1.0 / 0.016, servers: 4 };
        assert!((four.waiting() - 0.5964).abs() < 1e-3, "{}", four.waiting());
        // One user never waits.
        let alone = Closed { users: 1, think_s: 0.1, service_s: 0.01, servers: 1 };
        let (rate, response) = alone.rate_and_response();
        assert!((rate - 1.0 / 0.11).abs() < 1e-9 && (response - 0.01).abs() < 1e-9);
        // Very many users keep all servers busy.
        let many = Closed { users: 200, think_s: 0.1, service_s: 0.01, servers: 4 };
        assert!((many.rate_and_response().0 - 400.0).abs() < 0.01);
        let stall = Stall { length_s: 10.0, run_s: 100.0, rate: 1_000.0, capacity: 10_000.0 };
        assert!((stall.response_s(0.99) - 9.1).abs() < 0.01 && (stall.response_s(0.9) - 1.0).abs() < 0.01);
    }
}
