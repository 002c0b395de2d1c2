//! What queueing theory says: recursions along a path, and formulas for the long run.

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
