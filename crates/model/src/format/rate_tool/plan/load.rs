//! How operations arrive.

use crate::arrivals::Process;
use crate::format::rate_tool::Pace;
use crate::load::{Closed, Load, Open, Ramp, Until, WarmUp};
use crate::profile::{Profile, Stage};

/// The loads that make up the pace: one, or two where the operations cannot be divided evenly.
pub(super) fn loads(pace: &Pace) -> Vec<Load> {
    let workers = u64::from(pace.connections) * u64::from(pace.requests);
    let warm_up = WarmUp::Fixed(pace.warm_up);
    if let Some(rate) = pace.rate {
        let stage = Stage { from: rate, to: rate, length: pace.longest };
        return vec![Load::Open(Open {
            profile: Profile::new(vec![stage]),
            process: Process::Even,
            most: pace.most_operations,
            max_users: workers,
            warm_up,
        })];
    }
    let closed = |users, iterations| {
        let until = Until { iterations, duration: pace.longest };
        Load::Closed(Closed { users, ramp: Ramp::default(), until, warm_up })
    };
    let Some(most) = pace.most_operations else { return vec![closed(workers, None)] };
    let (each, rest) = (most / workers, most % workers);
    let shares = [(rest, each + 1), (workers - rest, each)];
    let shares = shares.into_iter().filter(|(users, _)| *users > 0);
    shares.map(|(users, iterations)| closed(users, Some(iterations))).collect()
}
