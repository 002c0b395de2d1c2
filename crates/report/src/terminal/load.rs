//! The load that was asked for and what of it was delivered.

use loadgen_model::Report;

use super::{INDENT, label};
use crate::{Style, number, prose};

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let [asked, delivered, carried] = [asked(report, style), delivered(report), carried(report)];
    [
        prose::hang(&label("LOAD"), &asked, style),
        prose::hang(INDENT, &delivered, style),
        prose::hang(INDENT, &carried, style),
    ]
    .concat()
}

fn asked(report: &Report, style: &Style) -> String {
    let load = &report.load;
    let users = match load.users {
        1 => "1 user".to_owned(),
        users => format!("{} users", number::count(users)),
    };
    let ramp = match load.ramp_group {
        0 => String::new(),
        group => {
            let every = number::seconds(load.ramp_every_ms / 1000.0);
            format!(" ({} more every {every})", number::count(group))
        }
    };
    format!(
        "{} model, {users}{ramp}, {} iterations; rates over {}{}{}",
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
        "connections {}, closed by peer {}, resent {}, redirects {}, sent {}, received {}{slept}",
        number::count(load.connections_opened),
        number::count(load.connections_closed_by_peer),
        number::count(load.requests_resent),
        number::count(load.redirects),
        number::bytes(totals.bytes_sent),
        number::bytes(totals.bytes_received),
    )
}
