//! What the system tells of itself.

use crate::health::descriptors::{self, Limits};
use crate::health::ports::{Range, Reuse};
use crate::health::{CLOCK_SOURCE, cgroup, pressure, proc, stat};
use std::time::Duration;

/// How long the machine is watched for time that the hypervisor takes: 100 ticks of a CPU.
const WATCHED: Duration = Duration::from_secs(1);

/// What the system tells of itself; none where it does not.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct System {
    pub(super) descriptors: Limits,
    pub(super) ports: Option<Range>,
    pub(super) reuse: Option<Reuse>,
    /// Connections that a program on this machine may leave unaccepted.
    pub(super) listen_queue: Option<u64>,
    /// Connections that may be half open on this machine.
    pub(super) half_open_queue: Option<u64>,
    /// CPUs that this process may run on.
    pub(super) cpus: usize,
    /// CPUs that its control group may use at most.
    pub(super) quota: Option<f64>,
    pub(super) governor: Option<String>,
    pub(super) clock: Option<String>,
    /// Share of the last 10 s in which some task waited for a CPU, 0–1.
    pub(super) pressure: Option<f64>,
    /// Share of CPU time that the hypervisor takes, 0–1.
    pub(super) steal: Option<f64>,
    /// Memory that can be had without swapping, bytes.
    pub(super) memory: Option<u64>,
}

impl System {
    /// Asks the system; takes as long as the machine is watched.
    pub(super) fn read() -> Self {
        let pressure = proc::text(pressure::FILE).and_then(|text| pressure::parse(&text));
        let before = stat::read();
        std::thread::sleep(WATCHED);
        let steal = before.zip(stat::read()).and_then(|(before, now)| now.stolen_since(before));
        Self {
            descriptors: descriptors::limits(),
            ports: Range::read(),
            reuse: Reuse::read(),
            listen_queue: proc::number("/proc/sys/net/core/somaxconn"),
            half_open_queue: proc::number("/proc/sys/net/ipv4/tcp_max_syn_backlog"),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            quota: cgroup::quota(),
            governor: proc::word("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            clock: proc::word(CLOCK_SOURCE),
            pressure: pressure.map(|one| one.average_10_s),
            steal,
            memory: proc::text("/proc/meminfo").and_then(|text| memory(&text)),
        }
    }
}

/// `MemAvailable:   5085940 kB` (`proc_meminfo(5)`), in bytes.
fn memory(text: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(proc::numbers(rest).next()?.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_what_can_be_had() {
        assert_eq!(memory("MemTotal: 9 kB\nMemAvailable:   5 kB\n"), Some(5_120));
        for garbage in ["", "MemAvailable:", "MemAvailable: x kB"] {
            assert_eq!(memory(garbage), None, "{garbage:?}");
        }
    }
}
