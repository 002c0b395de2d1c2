//! CPU, clock and memory.

use super::system::System;
use super::{at_least, at_most, graded, thousands};
use crate::health::rules;
use loadgen_model::report::{Check, Grade};

/// A user with its task, values and idle connection takes so much, bytes.
const USER_BYTES: u64 = 8 * 1024;
/// With less memory a machine is at its end before it has a load worth the name, bytes.
const MEMORY: [f64; 2] = [256e6, 64e6];
/// One CPU is shared by generator threads, progress and everything else on the machine.
const CPUS: [f64; 2] = [2.0, 0.5];
/// Frequencies that follow the load make quiet times slow.
const STEADY_GOVERNOR: &str = "performance";

/// What is known of the machine itself.
pub(super) fn checks(system: &System) -> Vec<Check> {
    let all = [
        Some(cpus(system)),
        governor(system),
        clock(system),
        pressure(system),
        steal(system),
        memory(system),
    ];
    all.into_iter().flatten().collect()
}

fn cpus(system: &System) -> Check {
    let all = system.cpus as f64;
    let usable = system.quota.map_or(all, |quota| quota.min(all));
    let found = match system.quota {
        Some(quota) if quota < all => {
            format!("{}, of which the control group may use {quota:.2}", system.cpus)
        }
        _ => format!("{}, all of which may be used", system.cpus),
    };
    // A quota below the number of threads stops all of them together once it is used up.
    let grade = if usable < all { Grade::Warn } else { Grade::Ok }.max(at_least(usable, CPUS));
    let advice =
        "use a machine or container with at least 2 CPUs and no CPU limit, or `--threads` below the limit";
    graded(grade, "CPUs", found, advice)
}

fn governor(system: &System) -> Option<Check> {
    let governor = system.governor.as_deref()?;
    let grade = if governor == STEADY_GOVERNOR { Grade::Ok } else { Grade::Warn };
    let advice = "set it to `performance`: `cpupower frequency-set -g performance`";
    Some(graded(grade, "CPU governor", governor.to_owned(), advice))
}

fn clock(system: &System) -> Option<Check> {
    let clock = system.clock.as_deref()?;
    let grade = if rules::is_good_clock(clock) { Grade::Ok } else { Grade::Warn };
    let advice = "choose `tsc` or `kvm-clock` in /sys/devices/system/clocksource; this one is slow to read";
    Some(graded(grade, "clock source", clock.to_owned(), advice))
}

fn pressure(system: &System) -> Option<Check> {
    let share = system.pressure?;
    let limits = rules::PRESSURE;
    let found = format!("tasks waited for a CPU in {:.1}% of the last 10 s", share * 100.0);
    let advice = "end other programs on this machine";
    Some(graded(at_most(share, [limits.warn, limits.invalid]), "CPU pressure", found, advice))
}

fn steal(system: &System) -> Option<Check> {
    let share = system.steal?;
    let limits = rules::STEAL;
    let found = format!("the hypervisor took {:.1}% of the last second", share * 100.0);
    let advice = "use a machine with CPUs of its own";
    Some(graded(at_most(share, [limits.warn, limits.invalid]), "CPU steal", found, advice))
}

fn memory(system: &System) -> Option<Check> {
    let bytes = system.memory?;
    let found = format!(
        "{:.2} GB available: some {} users at {} KiB each",
        bytes as f64 / 1e9,
        thousands(bytes / USER_BYTES),
        USER_BYTES / 1024
    );
    Some(graded(at_least(bytes as f64, MEMORY), "memory", found, "free memory, or use a larger machine"))
}
