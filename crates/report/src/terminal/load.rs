//! The load that was asked for and what of it was delivered.

use loadgen_model::Report;
use loadgen_model::report::{Arrivals, Quantiles};

use super::{INDENT, label};
use crate::quantile::{Level, Reading};
use crate::{Style, number, prose};

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let mut lines = prose::hang(&label("LOAD"), &asked(report, style), style);
    let arrivals = report.load.arrivals.as_ref();
    let texts =
        [delivered(report), carried(report)].into_iter().chain(connected(report)).chain(little(report));
    for text in arrivals.map(starts).into_iter().chain(texts) {
        lines.extend(prose::hang(INDENT, &text, style));
    }
    lines
}

/// Starts by the clock, and what process they really were.
fn starts(arrivals: &Arrivals) -> String {
    let dispersion = match arrivals.dispersion {
        Some(index) => format!(", dispersion {}", number::significant(index)),
        None => String::new(),
    };
    let waits = match arrivals.waited {
        0 => String::new(),
        _ => format!(
            " (p99 {}, max {})",
            number::millis(arrivals.wait_ms.p99),
            number::millis(arrivals.wait_ms.max)
        ),
    };
    format!(
        "iterations due {}, begun {} ({}/s{dispersion}), waited for a user {}{waits}, never begun {}",
        number::count(arrivals.due),
        number::count(arrivals.begun),
        number::significant(arrivals.begun_per_s),
        number::count(arrivals.waited),
        number::count(arrivals.never_begun),
    )
}

/// Little's law: what was counted, and what it must have been.
fn little(report: &Report) -> Option<String> {
    let laws: Vec<String> = report
        .load
        .little
        .iter()
        .map(|law| {
            let (counted, accounted) = (number::significant(law.counted), number::significant(law.accounted));
            format!("{counted} {} against {accounted}", law.of)
        })
        .collect();
    (!laws.is_empty()).then(|| format!("Little's law: {}", laws.join(", ")))
}

fn asked(report: &Report, style: &Style) -> String {
    let load = &report.load;
    let users = match load.users {
        users if load.arrivals.is_some() => format!("at most {} users", number::count(users)),
        1 => "1 user".to_owned(),
        users => format!("{} users", number::count(users)),
    };
    let asked = load.arrivals.iter().flat_map(|arrivals| &arrivals.asked);
    let asked: String = asked.flat_map(|text| [text.as_str(), ", "]).collect();
    let ramp = match load.ramp_group {
        0 => String::new(),
        group => {
            let every = number::seconds(load.ramp_every_ms / 1000.0);
            format!(" ({} more every {every})", number::count(group))
        }
    };
    format!(
        "{} model, {asked}{users}{ramp}, {} iterations; steady {}{}{}",
        load.model,
        number::count(load.iterations),
        number::significant(load.steady_from_s),
        style.to(),
        number::seconds(load.steady_to_s),
    )
}

fn delivered(report: &Report) -> String {
    let load = &report.load;
    format!(
        "offered {}, started late {} ({}), never started {}, completed {}",
        number::count(load.offered),
        number::count(load.started_late),
        number::percent_of(load.started_late, load.offered),
        number::count(load.never_started),
        number::count(load.completed),
    )
}

fn carried(report: &Report) -> String {
    let (load, totals) = (&report.load, &report.totals);
    let slept = match totals.sleeps {
        0 => String::new(),
        _ => format!(", slept {}", number::seconds(totals.sleep_s)),
    };
    format!(
        "connections {}, reused {}, closed by peer {}, resent {}, redirects {}, sent {}, received {}{slept}",
        number::count(load.connections_opened),
        number::count(report.connections.reused),
        number::count(load.connections_closed_by_peer),
        number::count(load.requests_resent),
        number::count(load.redirects),
        number::bytes(totals.bytes_sent),
        number::bytes(totals.bytes_received),
    )
}

/// How connections were opened; nothing when none was.
fn connected(report: &Report) -> Option<String> {
    let counts = &report.connections;
    if counts.connect_ms.count == 0 {
        return None;
    }
    let mut line = format!("connect {}", times(&counts.connect_ms));
    if counts.handshake_ms.count > 0 {
        line += &format!(
            "; TLS {} full, {} resumed, {}",
            number::count(counts.handshakes_full),
            number::count(counts.handshakes_resumed),
            times(&counts.handshake_ms),
        );
    }
    Some(line)
}

/// The median and p99 as far as they are known, and the longest time where they are not.
fn times(times: &Quantiles) -> String {
    let known = [Level::P50, Level::P99].into_iter().filter_map(|level| match level.read(times) {
        Reading::Known(value) => Some(format!("{} {}", level.label(), number::significant(value))),
        _ => None,
    });
    let longest =
        (times.count < Level::P99.needs()).then(|| format!("max {}", number::significant(times.max)));
    format!("{} ms", known.chain(longest).collect::<Vec<_>>().join(" "))
}
