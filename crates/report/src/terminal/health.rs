//! Whether the generator itself was the bottleneck.

use loadgen_model::Report;
use loadgen_model::report::Severity;

use super::{INDENT, label};
use crate::style::Mark;
use crate::{Style, number, prose};

/// Findings shown; they come worst first.
const FINDINGS: usize = 5;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let health = &report.health;
    let ms = number::significant;
    let effort = format!(
        "{} at {} CPU; {} {} CPU a request; memory {}",
        if health.threads == 1 {
            "1 thread".to_owned()
        } else {
            format!("{} threads, the busiest", health.threads)
        },
        number::percent(health.cpu_share),
        ms(health.cpu_us_per_request),
        style.micro(),
        number::bytes(health.rss_bytes),
    );
    let lag = &health.lag_ms;
    let lag =
        format!("requests started late by p50 {}, p99 {}, max {} ms", ms(lag.p50), ms(lag.p99), ms(lag.max));
    let mut lines = prose::hang(&label("GENERATOR"), &effort, style);
    lines.extend(prose::hang(INDENT, &lag, style));
    for finding in health.findings.iter().take(FINDINGS) {
        let mark = match finding.severity {
            Severity::Invalid => Mark::Failed,
            Severity::Warning => Mark::Warning,
        };
        let lead = format!("{INDENT}{} ", style.symbol(mark));
        let mut wrapped = prose::hang(&lead, &finding.message, style);
        wrapped[0] = wrapped[0].replacen(style.symbol(mark), &style.mark(mark), 1);
        lines.extend(wrapped);
    }
    let more = health.findings.len().saturating_sub(FINDINGS);
    if more > 0 {
        lines.push(format!("{INDENT}{} and {more} more", style.ellipsis()));
    }
    lines
}
