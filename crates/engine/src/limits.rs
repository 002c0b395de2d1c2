//! The limit on file descriptors: raised as far as it may be, and whether that is enough for a plan.

use crate::health::descriptors;
use loadgen_model::Plan;
use loadgen_model::expectation::Expectation;
use rustix::process::{Resource, getrlimit, setrlimit};

/// Descriptors that a process needs besides its connections: streams, outputs, data files, signals …
const OWN: u64 = 32;
/// … and for each generator thread: event queues, timer, name look-ups.
const EACH_THREAD: u64 = 8;

/// As many connections as the system allows, without asking the user to set a limit first.
pub fn raise_descriptor_limit() {
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // Where it may not be raised, running out of descriptors is reported as what it is.
    let _ = setrlimit(Resource::Nofile, limit);
}

/// What to tell the user when a plan can need more descriptors than this process can have.
pub(crate) fn shortage(plan: &Plan, threads: usize) -> Option<String> {
    let sockets = Expectation::of(plan).sockets;
    let own = OWN + EACH_THREAD * threads as u64;
    warning(plan.users(), sockets, own, descriptors::limits().soft?)
}

fn warning(users: u64, sockets: u64, own: u64, limit: u64) -> Option<String> {
    let needed = sockets.saturating_add(own);
    (needed > limit).then(|| {
        format!(
            "{users} users may need {needed} file descriptors, but only {limit} are allowed: raise `ulimit -Hn`, \
             or use fewer users"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_connections_than_descriptors_are_told_before_the_run() {
        assert_eq!(warning(900, 900, 48, 1_024), None);
        let text = warning(1_000, 1_000, 48, 1_024).unwrap();
        assert!(text.starts_with("1000 users may need 1048 file descriptors, but only 1024"), "{text}");
        assert!(warning(u64::MAX, u64::MAX, 48, 1_024).is_some());
    }
}
