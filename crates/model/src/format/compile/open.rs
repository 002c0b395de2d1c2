//! Loads by the clock: rates, stages and the short forms of them.

use crate::arrivals::Process;
use crate::format::compile::Compiler;
use crate::format::compile::load::warm_up;
use crate::format::decode::Spanned;
use crate::format::decode::quantity::{EndRate, Time};
use crate::format::file::load::{Arrivals, Load as Typed, Stage as TypedStage};
use crate::format::node::At;
use crate::load::Open;
use crate::mix::Mix;
use crate::profile::{Profile, Stage};
use std::time::Duration;

/// Users at a time when the job says nothing else.
const MAX_USERS: u64 = 10_000;

/// Whether a load is by the clock.
pub(super) fn is_open(typed: &Typed) -> bool {
    typed.rate.is_some()
        || typed.stages.is_some()
        || typed.clients_per_test.is_some()
        || typed.clients_per_second.is_some()
}

impl Compiler<'_> {
    pub(super) fn open(&mut self, typed: &Typed, mix: Option<&Mix>, at: &At) -> Open {
        if mix.and_then(Mix::iterations).is_some() {
            let message = "the load is by the clock, but the workloads count `iterations`";
            self.problems.error_with_help(at, message, "give the workloads a `weight` instead");
        }
        if let Some(ramp) = &typed.ramp {
            let help = "use `stages` for a rate that rises";
            self.problems.error_with_help(&ramp.group.at, "`ramp` is for a load by `users`", help);
        }
        if typed.duration.is_none() && typed.stages.is_none() && typed.iterations.is_none() {
            self.endless(at);
        }
        let process = match (&typed.arrivals, short_form(typed)) {
            (Some(Spanned { value: Arrivals::Even, .. }), _) | (None, true) => Process::Even,
            (Some(Spanned { value: Arrivals::Poisson, .. }), _) | (None, false) => Process::Poisson,
        };
        let profile = profile(typed);
        if profile.starts() < 0.5 && !self.problems.has_errors() {
            let at = typed.stages.as_ref().map_or(at, |stages| &stages.at);
            let help = "use a higher rate or a longer run";
            self.problems.error_with_help(at, "nothing to run: the rate makes no start in this time", help);
        }
        Open {
            profile,
            process,
            most: typed.iterations.as_ref().map(|count| count.value.0),
            max_users: self.users(typed.max_users.as_ref(), "max_users", MAX_USERS),
            warm_up: warm_up(typed),
        }
    }
}

/// The rate over time; cut off or held on to the end of `duration`.
fn profile(typed: &Typed) -> Profile {
    let duration = typed.duration.as_ref().map(|time| time.value.0);
    let length = duration.unwrap_or_default();
    let start = if let Some(clients) = &typed.clients_per_test {
        clients.value.0 as f64 / length.as_secs_f64().max(f64::MIN_POSITIVE)
    } else if let Some(clients) = &typed.clients_per_second {
        clients.value.0 as f64
    } else {
        typed.rate.as_ref().map_or(0.0, |rate| rate.value.0)
    };
    let mut stages = Vec::new();
    let mut rate = start;
    for typed in typed.stages.iter().flat_map(|stages| &stages.value) {
        let stage = stage(&typed.value, rate);
        rate = stage.to;
        stages.push(stage);
    }
    match (duration, typed.stages.is_some()) {
        (Some(duration), _) => ended_at(stages, rate, duration),
        (None, true) => Profile::new(stages),
        (None, false) => Profile::new(vec![Stage { from: rate, to: rate, length: None }]),
    }
}

/// Whether it is written in one of the short forms, which are even unless they say otherwise.
fn short_form(typed: &Typed) -> bool {
    typed.clients_per_test.is_some() || typed.clients_per_second.is_some()
}

fn stage(typed: &TypedStage, from: f64) -> Stage {
    match (typed.to, typed.over, typed.hold) {
        (Some(EndRate(to)), Some(Time(over)), _) => Stage { from, to, length: Some(over) },
        (_, _, hold) => Stage { from, to: from, length: Some(hold.unwrap_or_default().0) },
    }
}

/// Stages that last exactly so long: the last rate holds, or what is too much is cut off.
fn ended_at(stages: Vec<Stage>, last: f64, duration: Duration) -> Profile {
    let mut left = duration;
    let mut kept = Vec::new();
    for stage in stages {
        let length = stage.length.unwrap_or_default();
        if length >= left && !length.is_zero() {
            let part = left.as_secs_f64() / length.as_secs_f64();
            let to = stage.from + (stage.to - stage.from) * part;
            kept.push(Stage { to, length: Some(left), ..stage });
            left = Duration::ZERO;
            break;
        }
        kept.push(stage);
        left -= length;
    }
    if !left.is_zero() {
        kept.push(Stage { from: last, to: last, length: Some(left) });
    }
    Profile::new(kept)
}
