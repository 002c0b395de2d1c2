//! Which users run which workloads, how often and for how long.

use crate::format::compile::Compiler;
use crate::format::compile::open::is_open;
use crate::format::decode::Spanned;
use crate::format::decode::quantity::Count;
use crate::format::file::load::Load as TypedLoad;
use crate::format::job::{Share, Workload};
use crate::format::node::At;
use crate::load::{Closed, Load, Ramp, Until, WarmUp};
use crate::mix::{Mix, ScenarioId};
use crate::plan::{Group, Semantics};

/// More users than a run can name.
const MOST_USERS: u64 = 10_000_000;

impl Compiler<'_> {
    pub(crate) fn groups(&mut self, scenarios: &[ScenarioId]) -> Vec<Group> {
        let job = self.job;
        let mut groups = Vec::new();
        let mut shared = Vec::new();
        for (workload, id) in job.workloads.iter().zip(scenarios) {
            match &workload.share {
                Share::Own(load) => groups.push(Group {
                    name: workload.name.text.clone(),
                    load: self.load(load, None, &workload.name.at),
                    mix: Mix::Weights(vec![(*id, 1.0)]),
                }),
                _ => shared.push((workload, *id)),
            }
        }
        match self.mix(&shared) {
            Some(mix) => {
                let at = shared.first().map_or_else(At::default, |(workload, _)| workload.name.at.clone());
                let load = self.load(&job.load, Some(&mix), &at);
                groups.insert(0, Group { name: job.name.clone(), load, mix });
            }
            None if groups.is_empty() && !self.problems.has_errors() => self.nothing_to_run(),
            None => {}
        }
        self.explanation.groups(&groups, &self.scenarios);
        groups
    }

    fn nothing_to_run(&mut self) {
        let (why, help) = match (self.job.workloads.is_empty(), self.job.semantics) {
            (true, _) => ("the job has no workloads", "add `workloads` with a workload and its tasks"),
            (false, Semantics::Native) => {
                ("no workload has an iteration", "give a workload a `weight` or `iterations` above 0")
            }
            (false, Semantics::Original) => {
                ("no workload has an iteration", "give a workload more than 0 iterations")
            }
        };
        self.problems.error_with_help(&self.job.at, format!("nothing to run: {why}"), help);
    }

    /// The mix of the workloads without a load of their own; none when they are all off.
    fn mix(&mut self, shared: &[(&Workload, ScenarioId)]) -> Option<Mix> {
        let mut counts = Vec::new();
        let mut weights = Vec::new();
        let mut by_weight = None;
        for (workload, id) in shared {
            match &workload.share {
                Share::Iterations(count, at) => {
                    if by_weight.is_some() {
                        self.two_kinds(at);
                    }
                    counts.push((*id, *count));
                }
                Share::Weight(weight, at) => {
                    if !counts.is_empty() {
                        self.two_kinds(at);
                    }
                    by_weight = Some(at.clone());
                    weights.push((*id, *weight));
                }
                Share::Even => {
                    if !counts.is_empty() {
                        self.two_kinds(&workload.name.at);
                    }
                    by_weight = Some(workload.name.at.clone());
                    weights.push((*id, 1.0));
                }
                Share::Own(_) => {}
            }
        }
        counts.retain(|(_, count)| *count > 0);
        weights.retain(|(_, weight)| *weight > 0.0);
        match (counts.is_empty(), weights.is_empty()) {
            (false, _) => Some(Mix::Iterations(counts)),
            (true, false) => Some(Mix::Weights(weights)),
            (true, true) => None,
        }
    }

    fn two_kinds(&mut self, at: &At) {
        let message = "the workloads of a mix have either all `iterations` or all a `weight`";
        self.problems.error_with_help(
            at,
            message,
            "use one of the two, or give this workload its own `load`",
        );
    }

    fn load(&mut self, typed: &TypedLoad, mix: Option<&Mix>, at: &At) -> Load {
        for (what, given) in [
            ("iterations", typed.iterations.as_ref().map(|count| (count.value.0 == 0, &count.at))),
            ("duration", typed.duration.as_ref().map(|time| (time.value.0.is_zero(), &time.at))),
        ] {
            if let Some((true, at)) = given {
                let message = format!("nothing to run: `{what}` of the load is 0");
                self.problems.error_with_help(at, message, "use more than 0");
            }
        }
        let load = if is_open(typed) {
            Load::Open(self.open(typed, mix, at))
        } else {
            Load::Closed(self.closed(typed, mix, at))
        };
        if let (Some(warm_up), Some(length)) = (&typed.warm_up, load.length())
            && load.steady_from() >= length
            && !length.is_zero()
        {
            let message = "the warm-up lasts until the end of the run: nothing is measured after it";
            self.problems.error_with_help(&warm_up.at, message, "use a shorter one, or a longer run");
        }
        load
    }

    fn closed(&mut self, typed: &TypedLoad, mix: Option<&Mix>, at: &At) -> Closed {
        let counted = mix.and_then(Mix::iterations).is_some();
        if let (Some(iterations), true) = (&typed.iterations, counted) {
            let message = "`iterations` stands at the load and at the workloads";
            self.problems.error_with_help(&iterations.at, message, "keep those of the workloads");
        }
        for (key, at) in [
            ("arrivals", typed.arrivals.as_ref().map(|arrivals| &arrivals.at)),
            ("max_users", typed.max_users.as_ref().map(|users| &users.at)),
        ] {
            if let Some(at) = at {
                let message = format!("`{key}` is for a load by the clock");
                self.problems.error_with_help(at, message, "add a `rate` or `stages`");
            }
        }
        if typed.iterations.is_none() && typed.duration.is_none() && !counted {
            self.endless(at);
        }
        let until = Until {
            iterations: typed.iterations.as_ref().map(|count| count.value.0).filter(|_| !counted),
            duration: typed.duration.as_ref().map(|time| time.value.0),
        };
        let users = typed.users.as_ref().or(typed.keep_clients.as_ref());
        Closed { users: self.users(users, "users", 1), ramp: ramp(typed), until, warm_up: warm_up(typed) }
    }

    pub(super) fn endless(&mut self, at: &At) {
        // After another error it may only be misspelt.
        if !self.problems.has_errors() {
            let help = "add `duration: 1m` or `iterations: 100` to `load`";
            self.problems.error_with_help(at, "nothing says when the run ends", help);
        }
    }

    pub(super) fn users(&mut self, typed: Option<&Spanned<Count>>, key: &str, default: u64) -> u64 {
        let Some(users) = typed else { return default };
        if users.value.0 == 0 {
            self.problems.error_with_help(
                &users.at,
                format!("`{key}: 0` runs nothing"),
                "use at least 1 user",
            );
        } else if users.value.0 > MOST_USERS {
            let message = format!("{} users are more than one run can have", users.value.0);
            self.problems.error_with_help(&users.at, message, format!("use at most {MOST_USERS}"));
        }
        users.value.0.max(1)
    }
}

pub(super) fn warm_up(typed: &TypedLoad) -> WarmUp {
    match typed.warm_up.as_ref().map(|warm_up| warm_up.value.0) {
        Some(Some(length)) => WarmUp::Fixed(length),
        Some(None) => WarmUp::Auto,
        None => WarmUp::default(),
    }
}

fn ramp(typed: &TypedLoad) -> Ramp {
    let Some(ramp) = &typed.ramp else { return Ramp::default() };
    Ramp { group: ramp.group.value.0, every: ramp.every.value.0 }
}
