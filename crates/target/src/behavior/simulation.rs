//! The behaviour in action: draws faults and service times, keeps the queues.
//!
//! Times go in and come out; they count from the start of the platform. The same seed and the same order
//! of requests of an operation give the same draws, whatever other operations do meanwhile.

use std::time::Duration;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::queue::Queue;
use super::{Behavior, ServiceTime, Stalls};
use crate::operation::Operation;

/// What happens to a request instead of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Answered 503.
    Error,
    /// The connection is closed without an answer.
    Drop,
}

/// One passage of a request through a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visit {
    /// Time in service, without waiting.
    pub(crate) service: Duration,
    /// When it completes.
    pub(crate) due: Duration,
}

/// The state of a platform that behaves as told.
pub(crate) struct Simulation {
    stalls: Stalls,
    shared: Queue,
    lanes: Vec<Lane>,
}

/// What one operation has for itself.
struct Lane {
    service_time: ServiceTime,
    own_queue: Option<Queue>,
    shares_servers: bool,
    errors: f64,
    drops: f64,
    fault_draws: Xoshiro256PlusPlus,
    service_draws: Xoshiro256PlusPlus,
}

impl Simulation {
    /// A platform at rest.
    pub(crate) fn new(behavior: &Behavior, seed: u64) -> Self {
        Self {
            stalls: Stalls::new(behavior.stalls.clone()),
            shared: Queue::new(behavior.servers),
            lanes: Operation::ALL.iter().map(|&operation| Lane::new(behavior, operation, seed)).collect(),
        }
    }

    /// Whether, and how, this request fails.
    pub(crate) fn fault(&mut self, operation: Operation) -> Option<Fault> {
        let lane = &mut self.lanes[operation as usize];
        if lane.errors + lane.drops == 0.0 {
            return None;
        }
        let draw: f64 = lane.fault_draws.random();
        if draw < lane.drops {
            Some(Fault::Drop)
        } else if draw < lane.drops + lane.errors {
            Some(Fault::Error)
        } else {
            None
        }
    }

    /// When a request that needs no service is answered: at once, or at the end of the stall.
    pub(crate) fn at_once(&self, arrival: Duration) -> Duration {
        self.stalls.finish(arrival, Duration::ZERO)
    }

    /// Admits a request to the queue of an operation; `extra` is added to the service time drawn.
    pub(crate) fn visit(&mut self, operation: Operation, arrival: Duration, extra: Duration) -> Visit {
        let lane = &mut self.lanes[operation as usize];
        let service = lane.service_time.draw(&mut lane.service_draws) + extra;
        let serve = |start| self.stalls.finish(start, service);
        let due = match (&mut lane.own_queue, lane.shares_servers) {
            (Some(own), _) => own.admit(arrival, serve),
            (None, true) => self.shared.admit(arrival, serve),
            (None, false) => serve(arrival),
        };
        Visit { service, due }
    }
}

impl Lane {
    fn new(behavior: &Behavior, operation: Operation, seed: u64) -> Self {
        let settings = behavior.settings(operation);
        let stream = |purpose: u64| {
            let number = (operation as u64 * 2 + purpose + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            Xoshiro256PlusPlus::seed_from_u64(seed ^ number)
        };
        Self {
            service_time: settings.service_time.unwrap_or_default(),
            own_queue: settings.servers.map(|servers| Queue::new(Some(servers))),
            shares_servers: !operation.is_exempt(),
            errors: settings.errors.unwrap_or_default(),
            drops: settings.drops.unwrap_or_default(),
            fault_draws: stream(0),
            service_draws: stream(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simulation(specs: &[&str]) -> Simulation {
        let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
        Simulation::new(&Behavior::parse(&specs).unwrap(), 1)
    }

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn shares_of_faults_are_as_told() {
        let mut simulation = simulation(&["errors=0.01", "validate.errors=0.3", "validate.drops=0.1"]);
        let mut count = |operation, fault| {
            (0..100_000).filter(|_| simulation.fault(operation) == Some(fault)).count() as f64 / 1e5
        };
        assert!((count(Operation::Read, Fault::Error) - 0.01).abs() < 0.002);
        assert!((count(Operation::Validate, Fault::Error) - 0.3).abs() < 0.01);
        assert!((count(Operation::Validate, Fault::Drop) - 0.1).abs() < 0.01);
        assert!(count(Operation::Health, Fault::Error) == 0.0);
    }

    #[test]
    fn operations_share_servers_unless_they_have_their_own() {
        let mut simulation = simulation(&["default=fixed:10ms", "servers=1", "query.servers=1"]);
        assert_eq!(simulation.visit(Operation::Read, ms(0), ms(0)).due, ms(10));
        assert_eq!(simulation.visit(Operation::Update, ms(1), ms(0)).due, ms(20));
        assert_eq!(simulation.visit(Operation::Query, ms(1), ms(0)).due, ms(11));
        assert_eq!(simulation.visit(Operation::Sleep, ms(1), ms(5)).due, ms(6));
    }

    #[test]
    fn a_stall_shifts_what_is_in_service_and_what_waits() {
        let mut simulation = simulation(&["default=fixed:10ms", "servers=1", "stall=15ms+100ms"]);
        assert_eq!(simulation.visit(Operation::Read, ms(0), ms(0)).due, ms(10));
        assert_eq!(simulation.visit(Operation::Read, ms(0), ms(0)).due, ms(120));
        assert_eq!(simulation.visit(Operation::Read, ms(50), ms(0)).due, ms(130));
        assert_eq!(simulation.at_once(ms(50)), ms(115));
    }

    #[test]
    fn draws_of_an_operation_do_not_depend_on_others() {
        let drawn = |others: bool| -> Vec<Duration> {
            let mut simulation = simulation(&["default=exponential:1ms"]);
            let mut drawn = Vec::new();
            for _ in 0..10 {
                if others {
                    simulation.visit(Operation::Query, ms(0), ms(0));
                }
                drawn.push(simulation.visit(Operation::Read, ms(0), ms(0)).service);
            }
            drawn
        };
        assert_eq!(drawn(false), drawn(true));
    }
}
