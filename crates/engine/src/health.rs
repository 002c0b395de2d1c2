//! Is the generator itself the bottleneck?

mod arrivals;

use loadgen_model::report::{Finding, Health, Lag, Severity};
use loadgen_model::{Plan, Timeline};
use std::time::Duration;

/// Above this share of its core a thread may delay requests …
const BUSY_WARN: f64 = 0.5;
/// … and above this it does: with a utilisation of 0.8, queueing in the generator adds twice its own work.
const BUSY_INVALID: f64 = 0.8;
/// Lag at p99 is always tolerated up to this, ms …
const LAG_WARN_MS: f64 = 0.5;
const LAG_INVALID_MS: f64 = 2.0;
/// … and up to this share of the measured p99.
const LAG_WARN_SHARE: f64 = 0.02;
const LAG_INVALID_SHARE: f64 = 0.1;
/// Below this there is too little to judge by.
const ENOUGH_REQUESTS: u64 = 100;
const ENOUGH_TIME: Duration = Duration::from_secs(1);

/// The generator's health over a run on `threads` threads.
pub(crate) fn judge(plan: &Plan, timeline: &Timeline, threads: usize) -> Health {
    let whole = timeline.whole();
    let elapsed = whole.to.saturating_sub(whole.from);
    let requests: u64 = whole.rows.iter().map(loadgen_model::snapshot::RowStats::requests).sum();
    let cpu_share = whole.busiest.as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
    let lag = Lag {
        p50: whole.lag.quantile_ms(0.5),
        p99: whole.lag.quantile_ms(0.99),
        max: whole.lag.max().as_secs_f64() * 1e3,
    };
    let mut findings = Vec::new();
    if elapsed >= ENOUGH_TIME && requests >= ENOUGH_REQUESTS {
        findings.extend(busy(cpu_share));
        findings.extend(late(lag.p99, measured_p99(plan, timeline)));
    }
    findings.extend(arrivals::judge(timeline, plan.users()));
    findings.sort_by_key(|finding| finding.severity);
    Health {
        threads: threads as u64,
        cpu_share: cpu_share.min(1.0),
        cpu_us_per_request: whole.cpu.as_secs_f64() * 1e6 / requests.max(1) as f64,
        rss_bytes: peak_memory(),
        lag_ms: lag,
        findings,
    }
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
    let (severity, limit) = grade(share, BUSY_WARN, BUSY_INVALID)?;
    let message = format!(
        "the busiest generator thread used {:.0}% of its core (limit {:.0}%): use more threads or machines, \
         or fewer users",
        share * 100.0,
        limit * 100.0
    );
    Some(Finding { severity, message })
}

fn late(lag: f64, measured: f64) -> Option<Finding> {
    let warn = LAG_WARN_MS.max(LAG_WARN_SHARE * measured);
    let invalid = LAG_INVALID_MS.max(LAG_INVALID_SHARE * measured);
    let (severity, limit) = grade(lag, warn, invalid)?;
    let message = format!(
        "1% of the requests started more than {lag:.2} ms after they were due (limit {limit:.2} ms): \
         the generator's machine was busy"
    );
    Some(Finding { severity, message })
}

fn grade(value: f64, warn: f64, invalid: f64) -> Option<(Severity, f64)> {
    match value {
        value if value > invalid => Some((Severity::Invalid, invalid)),
        value if value > warn => Some((Severity::Warning, warn)),
        _ => None,
    }
}

/// Largest resident memory of this process so far, bytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
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
}
