//! What the generator's machine did while the run lasted, as far as it tells.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the generator's machine did while the run lasted. A figure is absent where the system does not tell, or
/// when the run was too short to be looked at twice; the machine is looked at once a second.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Machine {
    /// Share of its time that a generator thread was ready to run and waited for a CPU; the worst thread, 0–1.
    pub run_queue_wait: Option<f64>,
    /// Share of the machine's CPU time that the hypervisor gave to others, 0–1.
    pub cpu_steal: Option<f64>,
    /// Greatest share of 10 s in which some task of the machine waited for a CPU, 0–1; of the whole run when that
    /// was shorter.
    pub cpu_pressure: Option<f64>,
    /// Periods in which the control group of this process used up its share of CPU.
    pub throttled_periods: Option<u64>,
    /// Time for which the control group was kept from running, seconds.
    pub throttled_s: Option<f64>,
    /// Most local ports taken towards one address of a target at once. While the machine has sockets for less than
    /// half of its ports, all its sockets: an upper bound.
    pub ports_used: Option<u64>,
    /// Local ports that connections to one address can have.
    pub ports_available: Option<u64>,
    /// New connections a second, on average over the run.
    pub connections_per_s: Option<f64>,
    /// Most file descriptors that this process had at once.
    pub descriptors_used: Option<u64>,
    /// File descriptors that this process can have; absent without a limit.
    pub descriptors_limit: Option<u64>,
    /// TCP segments that the machine sent, those of other processes included.
    pub segments_sent: Option<u64>,
    /// TCP segments that the machine sent again.
    pub segments_sent_again: Option<u64>,
    /// Connections that the machine asked for.
    pub connects: Option<u64>,
    /// Requests for a connection (SYN) that the machine sent again.
    pub connects_asked_again: Option<u64>,
    /// Pages that this process had to wait for a disk for, those of the first second left out: the program itself
    /// is loaded in it.
    pub major_faults: Option<u64>,
    /// Most seconds in a row that each had such faults.
    pub major_fault_seconds: Option<u64>,
    /// The system's clock source, such as `tsc`.
    pub clock_source: Option<String>,
}
