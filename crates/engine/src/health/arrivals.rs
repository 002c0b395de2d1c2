//! Was the load by the clock delivered as it was asked for?

use loadgen_model::Timeline;
use loadgen_model::report::{Finding, Severity};
use std::time::Duration;

/// Less of what was due than this has begun: another load was measured than the one that was asked for.
const DELIVERED_INVALID: f64 = 0.99;
/// What is due and waits for a user may grow for so long …
const GROWING_WARN: Duration = Duration::from_secs(3);
/// … and for no longer than this.
const GROWING_INVALID: Duration = Duration::from_secs(10);

/// Findings on the iterations that found no user free.
pub(crate) fn judge(timeline: &Timeline, max_users: u64) -> Option<Finding> {
    let arrivals = &timeline.whole().arrivals;
    let (due, begun) = (arrivals.due, arrivals.begun);
    let grew = timeline.backlog_grew_for();
    let delivered = begun as f64 / due.max(1) as f64;
    let severity = if due > 0 && delivered < DELIVERED_INVALID || grew >= GROWING_INVALID {
        Severity::Invalid
    } else if grew >= GROWING_WARN {
        Severity::Warning
    } else {
        return None;
    };
    let waited = arrivals.waited + arrivals.never_begun;
    let message = format!(
        "pool-limited: of {due} iterations that were due {waited} found none of {max_users} users free, and {} \
         never began; raise `max_users`, or ask for a lower rate",
        arrivals.never_begun
    );
    Some(Finding { severity, message })
}
