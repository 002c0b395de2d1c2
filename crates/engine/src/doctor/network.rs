//! Descriptors, ports and queues: how many connections there can be.

use super::system::System;
use super::{at_least, graded, ok, thousands};
use crate::health::ports::{Reuse, TIME_WAIT_S};
use loadgen_model::report::{Check, Grade};

/// Fewer descriptors than a common load has users, and than the smallest load and this program need.
const DESCRIPTORS: [f64; 2] = [4_096.0, 256.0];
/// Fewer ports than these are a setting that somebody narrowed.
const PORTS: [f64; 2] = [16_384.0, 1_024.0];
/// Shorter queues lose connections when a ramp starts some hundred users at once.
const QUEUE: [f64; 2] = [1_024.0, 0.0];

/// What is known of the machine's network; queues matter where the target runs here too.
pub(super) fn checks(system: &System, target_is_here: bool) -> Vec<Check> {
    let queue = |name: &str, setting: &str, length: Option<u64>| {
        let length = length?;
        let found = format!("{} ({setting})", thousands(length));
        if !target_is_here {
            return Some(ok(name, format!("{found}, for targets on this machine")));
        }
        let advice = format!("the target runs here: raise {setting} before it starts");
        Some(graded(at_least(length as f64, QUEUE), name, found, &advice))
    };
    let all = [
        Some(descriptors(system)),
        ports(system),
        reuse(system),
        queue("listen queue", "net.core.somaxconn", system.listen_queue),
        queue("half-open queue", "net.ipv4.tcp_max_syn_backlog", system.half_open_queue),
    ];
    all.into_iter().flatten().collect()
}

fn descriptors(system: &System) -> Check {
    let show = |limit: Option<u64>| limit.map_or_else(|| "unlimited".to_owned(), thousands);
    let limits = system.descriptors;
    let found = format!(
        "{}, and up to {} in a run, which raises it by itself: one for each connection",
        show(limits.soft),
        show(limits.hard)
    );
    let grade = limits.hard.map_or(Grade::Ok, |hard| at_least(hard as f64, DESCRIPTORS));
    graded(
        grade,
        "descriptors",
        found,
        "raise the hard limit: `ulimit -Hn` as root, or LimitNOFILE of the service",
    )
}

fn ports(system: &System) -> Option<Check> {
    let range = system.ports?;
    let found = format!(
        "{} ({}-{}): as many connections to one address of a target, and {:.0} new ones a second where each \
         keeps its port for {TIME_WAIT_S:.0} s after its end",
        thousands(range.count()),
        range.first,
        range.last,
        range.count() as f64 / TIME_WAIT_S
    );
    let advice = "widen net.ipv4.ip_local_port_range, such as to 1024 65535";
    Some(graded(at_least(range.count() as f64, PORTS), "local ports", found, advice))
}

fn reuse(system: &System) -> Option<Check> {
    let (grade, meaning) = match system.reuse? {
        Reuse::Never => (Grade::Warn, "ports of closed connections are never used again within the minute"),
        Reuse::Loopback => {
            (Grade::Ok, "ports of closed connections are used again towards this machine only")
        }
        Reuse::Always => (Grade::Ok, "ports of closed connections are used again after a second"),
    };
    let advice = "for loads without keep-alive, set net.ipv4.tcp_tw_reuse to 1";
    Some(graded(grade, "port reuse", format!("{meaning} (net.ipv4.tcp_tw_reuse)"), advice))
}
