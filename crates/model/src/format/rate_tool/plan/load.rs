//! How operations arrive.

use crate::arrivals::Process;
use crate::format::rate_tool::{Operation, RateTool};
use crate::load::{Closed, Load, Open, Ramp, Until, WarmUp};
use crate::profile::{Profile, Stage};

impl RateTool {
    /// The loads that make up the pace: one, or two where the operations cannot be divided evenly.
    pub(super) fn loads(&self) -> Vec<Load> {
        let pace = &self.pace;
        let workers = self.workers();
        let warm_up = WarmUp::Fixed(pace.warm_up);
        // In addrate it is adds that succeed which are counted.
        let most = pace.most_operations.filter(|_| !matches!(self.operation, Operation::Add(_)));
        if let Some(rate) = pace.rate {
            let stage = Stage { from: rate, to: rate, length: pace.longest };
            return vec![Load::Open(Open {
                profile: Profile::new(vec![stage]),
                process: Process::Even,
                most,
                max_users: workers,
                warm_up,
            })];
        }
        let closed = |users, iterations| {
            let until = Until { iterations, duration: pace.longest };
            Load::Closed(Closed { users, ramp: Ramp::default(), until, warm_up })
        };
        let Some(most) = most else { return vec![closed(workers, None)] };
        let (each, rest) = (most / workers, most % workers);
        let shares = [(rest, each + 1), (workers - rest, each)];
        let shares = shares.into_iter().filter(|(users, _)| *users > 0);
        shares.map(|(users, iterations)| closed(users, Some(iterations))).collect()
    }
}
