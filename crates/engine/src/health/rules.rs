//! What of the machine's figures makes those of the run doubtful, and what makes them void.
//!
//! Limits follow from how much a request can be delayed by what is found: a warning where that reaches some
//! per cent of a measured time, and invalid where figures tell of the generator rather than of the target.
//! On a machine of two cores under a load of 30, each of schedule lag, run-queue wait (54 % of the time) and
//! pressure (98 %) alone told of it.

use super::finding::{Limits, Severity, finding, grade, percent};
use super::ports::TIME_WAIT_S;
use loadgen_model::report::{Finding, Machine};

const RUN_QUEUE_WAIT: Limits = Limits { warn: 0.01, invalid: 0.05 };
pub(crate) const STEAL: Limits = Limits { warn: 0.01, invalid: 0.05 };
pub(crate) const PRESSURE: Limits = Limits { warn: 0.1, invalid: 0.4 };
/// Any throttling is worth a word; this share of the run, 0–1, voids it.
const THROTTLED: Limits = Limits { warn: 0.0, invalid: 0.001 };
const PORTS: Limits = Limits { warn: 0.5, invalid: 0.9 };
/// Running out of descriptors is found by the failures that it causes, so no share voids.
const DESCRIPTORS: Limits = Limits { warn: 0.8, invalid: f64::INFINITY };
const SENT_AGAIN: Limits = Limits { warn: 0.001, invalid: 0.01 };
/// Any connection that had to be asked for again was late by a second (RFC 6298 section 2.1).
const ASKED_AGAIN: Limits = Limits { warn: 0.0, invalid: 0.001 };
/// Fewer segments than these are chance, whatever share they are.
const ENOUGH_SEGMENTS: u64 = 10;
/// Major faults in so many seconds in a row are no accident.
const FAULTS: Limits = Limits { warn: 0.0, invalid: 4.0 };
/// Clocks that are read without a system call; reading another one costs some 1 µs and its accuracy is less.
const CLOCKS: [&str; 7] = [
    "tsc",
    "kvm-clock",
    "hyperv_clocksource_tsc_page",
    "arch_sys_counter",
    "riscv_clocksource",
    "timebase",
    "tod",
];

/// What must be known besides the machine's figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Circumstances {
    /// Length of the run, seconds.
    pub(super) elapsed_s: f64,
    /// Addresses of targets over which connections spread, at least one.
    pub(super) destinations: u64,
    /// Whether ports of closed connections can be taken again at once.
    pub(super) ports_are_reused: bool,
}

/// What is worth saying of the machine.
pub(super) fn judge(machine: &Machine, known: Circumstances) -> Vec<Finding> {
    let all = [
        run_queue(machine),
        steal(machine),
        pressure(machine),
        throttling(machine, known),
        ports(machine, known),
        descriptors(machine),
        sent_again(machine),
        asked_again(machine),
        faults(machine),
        clock(machine),
    ];
    all.into_iter().flatten().collect()
}

fn run_queue(machine: &Machine) -> Option<Finding> {
    let share = machine.run_queue_wait?;
    grade(share, RUN_QUEUE_WAIT, |limit| {
        format!(
            "a generator thread was ready and waited for a CPU for {} of the time (limit {}): \
             end other programs on this machine, or use fewer threads than it has cores",
            percent(share),
            percent(limit)
        )
    })
}

fn steal(machine: &Machine) -> Option<Finding> {
    let share = machine.cpu_steal?;
    grade(share, STEAL, |limit| {
        format!(
            "the hypervisor gave {} of the CPU time to other machines (limit {}): \
             use a machine with CPUs of its own",
            percent(share),
            percent(limit)
        )
    })
}

fn pressure(machine: &Machine) -> Option<Finding> {
    let share = machine.cpu_pressure?;
    grade(share, PRESSURE, |limit| {
        format!(
            "in the worst 10 s, tasks of this machine waited for a CPU for {} of the time (limit {}): \
             end other programs on it, or use a machine with more cores",
            percent(share),
            percent(limit)
        )
    })
}

fn throttling(machine: &Machine, known: Circumstances) -> Option<Finding> {
    let (periods, time_s) = machine.throttled_periods.zip(machine.throttled_s)?;
    let share = time_s / known.elapsed_s.max(1e-9);
    let worst = if periods > 0 { share.max(f64::MIN_POSITIVE) } else { 0.0 };
    grade(worst, THROTTLED, |limit| {
        format!(
            "the control group of the generator was kept from running {periods} times, {} of the time \
             (limit {}): give its container more CPU, or no CPU limit",
            percent(share),
            percent(limit)
        )
    })
}

fn ports(machine: &Machine, known: Circumstances) -> Option<Finding> {
    let (used, available) = machine.ports_used.zip(machine.ports_available)?;
    let available_f = available.max(1) as f64;
    let advice = "use keep-alive, a wider net.ipv4.ip_local_port_range, or more addresses";
    let now = grade(used as f64 / available_f, PORTS, |limit| {
        format!(
            "{used} of {available} local ports were taken towards one address of the target (limit {}): {advice}",
            percent(limit)
        )
    });
    now.or_else(|| {
        let (forecast, rate) = forecast(machine, known)?;
        (forecast / available_f > PORTS.warn).then(|| {
            let text = format!(
                "{rate:.0} new connections a second take {forecast:.0} of {available} local ports when they \
                 last for a minute (limit {}): {advice}",
                percent(PORTS.warn)
            );
            finding(Severity::Warning, text)
        })
    })
}

/// Ports that would be taken towards one address if the load lasted, and the connections a second that do it.
/// None where it has lasted: then what was counted is the truth.
fn forecast(machine: &Machine, known: Circumstances) -> Option<(f64, f64)> {
    if known.ports_are_reused || known.elapsed_s >= TIME_WAIT_S {
        return None;
    }
    let rate = machine.connections_per_s? / known.destinations.max(1) as f64;
    // Where the target closes its connections first, their ports are free at once and are not seen as taken.
    let kept_per_s = machine.ports_used? as f64 / known.elapsed_s.max(1.0);
    Some((rate.min(kept_per_s) * TIME_WAIT_S, rate))
}

fn descriptors(machine: &Machine) -> Option<Finding> {
    let (used, limit) = machine.descriptors_used.zip(machine.descriptors_limit)?;
    grade(used as f64 / limit.max(1) as f64, DESCRIPTORS, |share| {
        format!(
            "{used} of {limit} file descriptors were in use (limit {}): raise `ulimit -Hn`, or use fewer users",
            percent(share)
        )
    })
}

fn sent_again(machine: &Machine) -> Option<Finding> {
    let (sent, again) = machine.segments_sent.zip(machine.segments_sent_again)?;
    let share = again as f64 / (sent + again).max(1) as f64;
    if again < ENOUGH_SEGMENTS {
        return None;
    }
    grade(share, SENT_AGAIN, |limit| {
        format!(
            "{} of the TCP segments of this machine were sent again (limit {}): the network loses data, \
             so that times tell of it rather than of the target",
            percent(share),
            percent(limit)
        )
    })
}

fn asked_again(machine: &Machine) -> Option<Finding> {
    let (connects, again) = machine.connects.zip(machine.connects_asked_again)?;
    let share = again as f64 / connects.max(1) as f64;
    let limits =
        if again < ENOUGH_SEGMENTS { Limits { invalid: f64::INFINITY, ..ASKED_AGAIN } } else { ASKED_AGAIN };
    grade(share, limits, |limit| {
        format!(
            "{again} connections of {connects} had to be asked for again, a second later (limit {}): the network \
             loses data, or the target's listen queue is too short",
            percent(limit)
        )
    })
}

fn faults(machine: &Machine) -> Option<Finding> {
    let (faults, seconds) = machine.major_faults.zip(machine.major_fault_seconds)?;
    grade(seconds as f64, FAULTS, |_| {
        format!(
            "the generator waited {faults} times for memory to come from a disk, in up to {seconds} seconds in a \
             row (limit {}): free memory on this machine, or use fewer users",
            FAULTS.invalid
        )
    })
}

fn clock(machine: &Machine) -> Option<Finding> {
    let clock = machine.clock_source.as_deref()?;
    (!is_good_clock(clock)).then(|| {
        let text = format!(
            "the clock source is `{clock}`, which is slow to read (expected one of {}): \
             choose another one in /sys/devices/system/clocksource, or another machine",
            CLOCKS[..2].join(", ")
        );
        finding(Severity::Warning, text)
    })
}

/// Whether a clock source is quick and accurate.
pub(crate) fn is_good_clock(name: &str) -> bool {
    CLOCKS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: Circumstances = Circumstances { elapsed_s: 100.0, destinations: 1, ports_are_reused: false };

    type Change = fn(&mut Machine);

    fn quiet() -> Machine {
        Machine {
            run_queue_wait: Some(0.005),
            cpu_steal: Some(0.0),
            cpu_pressure: Some(0.05),
            throttled_periods: Some(0),
            throttled_s: Some(0.0),
            ports_used: Some(100),
            ports_available: Some(1_000),
            connections_per_s: Some(1.0),
            descriptors_used: Some(100),
            descriptors_limit: Some(1_000),
            segments_sent: Some(100_000),
            segments_sent_again: Some(10),
            connects: Some(1_000),
            connects_asked_again: Some(0),
            major_faults: Some(0),
            major_fault_seconds: Some(0),
            clock_source: Some("tsc".to_owned()),
        }
    }

    #[track_caller]
    fn check(machine: &Machine, severity: Severity, words: &str) {
        let findings = judge(machine, KNOWN);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].severity, severity, "{findings:?}");
        assert!(findings[0].message.contains(words), "{words}: {findings:?}");
    }

    #[test]
    fn a_quiet_machine_is_not_mentioned() {
        assert_eq!(judge(&quiet(), KNOWN), []);
    }

    #[test]
    fn what_the_system_does_not_tell_is_not_judged() {
        assert_eq!(judge(&Machine::default(), KNOWN), []);
    }

    #[test]
    fn each_limit_warns_or_voids() {
        use Severity::{Invalid, Warning};
        let cases: [(Change, Severity, &str); 20] = [
            (|m| m.run_queue_wait = Some(0.02), Warning, "2% of the time (limit 1%)"),
            (|m| m.run_queue_wait = Some(0.54), Invalid, "54% of the time (limit 5%)"),
            (|m| m.cpu_steal = Some(0.013), Warning, "1.3% of the CPU time"),
            (|m| m.cpu_steal = Some(0.06), Invalid, "(limit 5%)"),
            (|m| m.cpu_pressure = Some(0.2), Warning, "20% of the time (limit 10%)"),
            (|m| m.cpu_pressure = Some(0.98), Invalid, "98% of the time (limit 40%)"),
            (|m| m.throttled_periods = Some(1), Warning, "1 times, 0% of the time (limit 0%)"),
            (
                |m| (m.throttled_periods, m.throttled_s) = (Some(9), Some(0.5)),
                Invalid,
                "9 times, 0.5% of the time (limit 0.1%)",
            ),
            (|m| m.ports_used = Some(600), Warning, "600 of 1000 local ports were taken"),
            (|m| m.ports_used = Some(950), Invalid, "(limit 90%)"),
            (|m| m.descriptors_used = Some(850), Warning, "850 of 1000 file descriptors"),
            (|m| m.descriptors_used = Some(1_000), Warning, "1000 of 1000 file descriptors"),
            (|m| m.segments_sent_again = Some(500), Warning, "0.5% of the TCP segments"),
            (|m| m.segments_sent_again = Some(5_000), Invalid, "(limit 1%)"),
            (|m| m.connects_asked_again = Some(9), Warning, "9 connections of 1000"),
            (|m| m.connects_asked_again = Some(20), Invalid, "20 connections of 1000"),
            (|m| (m.major_faults, m.major_fault_seconds) = (Some(7), Some(1)), Warning, "7 times for memory"),
            (
                |m| (m.major_faults, m.major_fault_seconds) = (Some(70), Some(5)),
                Invalid,
                "5 seconds in a row (limit 4)",
            ),
            (|m| m.clock_source = Some("hpet".to_owned()), Warning, "`hpet`"),
            (|m| m.clock_source = Some("acpi_pm".to_owned()), Warning, "tsc, kvm-clock"),
        ];
        for (change, severity, words) in cases {
            let mut machine = quiet();
            change(&mut machine);
            check(&machine, severity, words);
        }
    }

    #[test]
    fn few_segments_are_chance() {
        let few = Machine { segments_sent: Some(100), segments_sent_again: Some(9), ..quiet() };
        assert_eq!(judge(&few, KNOWN), []);
    }

    #[test]
    fn connections_that_keep_their_ports_are_forecast() {
        let machine = Machine { connections_per_s: Some(10.0), ports_used: Some(100), ..quiet() };
        let short = Circumstances { elapsed_s: 10.0, ..KNOWN };
        let said = |known| judge(&machine, known).pop().map(|one| (one.severity, one.message));
        let (severity, message) = said(short).unwrap();
        assert_eq!(severity, Severity::Warning);
        assert!(message.contains("10 new connections a second take 600 of 1000"), "{message}");
        assert_eq!(said(Circumstances { ports_are_reused: true, ..short }), None);
        assert_eq!(said(Circumstances { destinations: 2, ..short }), None, "half of them each");
        assert_eq!(said(Circumstances { elapsed_s: 60.0, ..short }), None, "what was counted is the truth");
        let closed_by_target = Machine { ports_used: Some(20), ..machine };
        assert_eq!(judge(&closed_by_target, short), []);
    }
}
