//! Whether the figures of a run fit together: Little's law over its steady window.

use crate::load::Load;
use crate::plan::{Phase, Plan};
use crate::report::Little;
use crate::snapshot::{RowStats, Snapshot};
use crate::statistics::Audit;
use crate::statistics::little::Cycles;
use crate::timeline::Timeline;
use std::time::Duration;

/// Below so many requests the law says nothing.
const ENOUGH_REQUESTS: u64 = 100;

/// The law for users and for requests in flight; nothing for a run without a steady window.
pub(crate) fn little(plan: &Plan, timeline: &Timeline) -> Vec<Little> {
    let steady = timeline.steady();
    let elapsed = steady.to.saturating_sub(steady.from);
    let sum = Sum::of(plan, steady);
    if !timeline.has_steady_window() || sum.requests < ENOUGH_REQUESTS || elapsed.is_zero() {
        return Vec::new();
    }
    let closed = plan.groups.iter().all(|group| matches!(group.load, Load::Closed(_)));
    let users = closed.then(|| {
        let each = |time: Duration| time.div_f64(sum.requests as f64);
        let (response, think) = (each(sum.response), each(steady.sleeps.time));
        let cycles = Cycles { users: plan.users() as f64, completed: sum.requests, response, think, elapsed };
        entry("users", cycles.audit())
    });
    let mean = steady.in_flight.as_secs_f64() / elapsed.as_secs_f64();
    let flight = Audit::of_flight(mean, sum.service, sum.requests, elapsed);
    users.into_iter().chain([entry("in flight", flight)]).collect()
}

struct Sum {
    requests: u64,
    response: Duration,
    service: Duration,
}

impl Sum {
    fn of(plan: &Plan, stretch: &Snapshot) -> Self {
        let rows = || {
            let rows = plan.rows.iter().zip(&stretch.rows);
            rows.filter(|(row, _)| row.phase == Phase::Main).map(|(_, stats)| stats)
        };
        Self {
            requests: rows().map(RowStats::requests).sum(),
            response: rows().map(|row| row.passed_time + row.exceeded_time + row.failed_time).sum(),
            service: rows().map(|row| row.service_time).sum(),
        }
    }
}

fn entry(of: &str, audit: Audit) -> Little {
    Little {
        of: of.to_owned(),
        counted: audit.counted,
        accounted: audit.accounted,
        tolerance: audit.tolerance,
        holds: audit.holds(),
    }
}
