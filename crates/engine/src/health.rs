//! Is the generator itself the bottleneck?
//!
//! What it did itself comes with the counts; what its machine did is looked at once a second.

mod arrivals;
pub(crate) mod cgroup;
pub(crate) mod descriptors;
mod finding;
mod monitor;
pub(crate) mod ports;
pub(crate) mod pressure;
pub(crate) mod proc;
mod retransmits;
pub(crate) mod rules;
pub(crate) mod schedstat;
pub(crate) mod stat;

pub(crate) use monitor::{CLOCK_SOURCE, EVERY, Monitor};

use crate::client::connect::{NO_DESCRIPTOR, NO_PORT};
use crate::origins::Origins;
use finding::{Limits, finding, grade};
use loadgen_model::failure::Detail;
use loadgen_model::report::{Finding, Health, Lag, Machine, Severity};
use loadgen_model::{Plan, Timeline};
use ports::Reuse;
use rules::Circumstances;
use std::time::Duration;

/// Above the first share of its core a thread may delay requests, above the second it does: with a
/// utilisation of 0.8, queueing in the generator adds twice its own work (M/D/1: ρ / 2(1 − ρ)).
const BUSY: Limits = Limits { warn: 0.5, invalid: 0.8 };
/// Lag at p99 is always tolerated up to this, ms …
pub(crate) const LAG_MS: Limits = Limits { warn: 0.5, invalid: 2.0 };
/// … and up to this share of the measured p99.
pub(crate) const LAG_SHARE: Limits = Limits { warn: 0.02, invalid: 0.1 };
/// Below this there is too little to judge by.
const ENOUGH_REQUESTS: u64 = 100;
const ENOUGH_TIME: Duration = Duration::from_secs(1);

/// What the generator's health is judged by.
pub(crate) struct Evidence<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) timeline: &'a Timeline,
    /// Generator threads.
    pub(crate) threads: usize,
    /// The servers that were asked.
    pub(crate) origins: &'a Origins,
    /// What the machine did; none when there was no load.
    pub(crate) machine: Option<Machine>,
}

/// The generator's health over a run.
pub(crate) fn judge(evidence: &Evidence<'_>) -> Health {
    let whole = evidence.timeline.whole();
    let elapsed = whole.to.saturating_sub(whole.from);
    let requests: u64 = whole.rows.iter().map(loadgen_model::snapshot::RowStats::requests).sum();
    let cpu_share = whole.busiest.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    let lag = Lag {
        p50: whole.lag.quantile_ms(0.5),
        p99: whole.lag.quantile_ms(0.99),
        p99_9: whole.lag.quantile_ms(0.999),
        max: whole.lag.max().as_secs_f64() * 1e3,
    };
    let machine = evidence.machine.clone().unwrap_or_default();
    let mut findings = exhausted(evidence.timeline);
    if elapsed >= ENOUGH_TIME && requests >= ENOUGH_REQUESTS {
        findings.extend(busy(cpu_share));
        findings.extend(late(lag.p99, measured_p99(evidence.plan, evidence.timeline)));
        findings.extend(rules::judge(&machine, circumstances(evidence, elapsed)));
    }
    findings.extend(arrivals::judge(evidence.timeline, evidence.plan.users()));
    findings.sort_by_key(|finding| finding.severity);
    Health {
        threads: evidence.threads as u64,
        cpu_share: cpu_share.min(1.0),
        cpu_us_per_request: whole.cpu.as_secs_f64() * 1e6 / requests.max(1) as f64,
        rss_bytes: peak_memory(),
        lag_ms: lag,
        machine,
        findings,
    }
}

fn circumstances(evidence: &Evidence<'_>, elapsed: Duration) -> Circumstances {
    let hosts = || {
        evidence.origins.all().map(|(transport, origin)| {
            let proxy = evidence.plan.transports[usize::from(transport.0)].proxy.as_ref();
            proxy.map_or(origin.host.as_str(), |proxy| proxy.host.as_str())
        })
    };
    let reuse = Reuse::read().unwrap_or(Reuse::Never);
    Circumstances {
        elapsed_s: elapsed.as_secs_f64(),
        destinations: (hosts().count() as u64).max(1),
        ports_are_reused: reuse.covers(hosts().all(is_loopback)),
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback())
}

/// Requests that failed because the generator had run out of something.
fn exhausted(timeline: &Timeline) -> Vec<Finding> {
    let failed = |with: &str| -> u64 {
        let failures = timeline.whole().failures.iter();
        let ours = failures
            .filter(|((_, failure), _)| matches!(failure.detail, Detail::Static(text) if text == with));
        ours.map(|(_, count)| count).sum()
    };
    let causes = [NO_PORT, NO_DESCRIPTOR].map(|cause| (cause, failed(cause)));
    let found = causes.into_iter().filter(|(_, count)| *count > 0);
    found
        .map(|(cause, count)| {
            finding(Severity::Invalid, format!("{count} requests could not be sent: {cause}"))
        })
        .collect()
}

/// 99th percentile of all response times, ms.
fn measured_p99(plan: &Plan, timeline: &Timeline) -> f64 {
    let mut all = loadgen_model::histogram::Histogram::default();
    for (row, stats) in plan.rows.iter().zip(&timeline.whole().rows) {
        if row.phase == loadgen_model::plan::Phase::Main {
            all.merge(&stats.response);
        }
    }
    all.quantile_ms(0.99)
}

fn busy(share: f64) -> Option<Finding> {
    grade(share, BUSY, |limit| {
        format!(
            "the busiest generator thread used {:.0}% of its core (limit {:.0}%): use more threads or machines, \
             or fewer users",
            share * 100.0,
            limit * 100.0
        )
    })
}

fn late(lag: f64, measured: f64) -> Option<Finding> {
    let limits = Limits {
        warn: LAG_MS.warn.max(LAG_SHARE.warn * measured),
        invalid: LAG_MS.invalid.max(LAG_SHARE.invalid * measured),
    };
    grade(lag, limits, |limit| {
        format!(
            "1% of the requests started more than {lag:.2} ms after they were due (limit {limit:.2} ms): \
             the generator's machine was busy"
        )
    })
}

/// Largest resident memory of this process so far, bytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let Some(status) = proc::text("/proc/self/status") else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| proc::numbers(rest).next()).unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_thread_voids_the_measurement() {
        assert_eq!(busy(0.3), None);
        assert_eq!(busy(0.6).unwrap().severity, Severity::Warning);
        assert_eq!(busy(0.95).unwrap().severity, Severity::Invalid);
    }

    #[test]
    fn lag_is_judged_against_what_was_measured() {
        assert_eq!(late(1.0, 100.0), None);
        assert_eq!(late(1.0, 10.0).unwrap().severity, Severity::Warning);
        assert_eq!(late(3.0, 10.0).unwrap().severity, Severity::Invalid);
        assert_eq!(late(3.0, 1_000.0), None);
    }

    #[test]
    fn this_machine_is_known_by_its_names() {
        assert!(["localhost", "127.0.0.5", "::1"].into_iter().all(is_loopback));
        assert!(!["example.com", "10.0.0.1", "fe80::1"].into_iter().any(is_loopback));
    }
}
