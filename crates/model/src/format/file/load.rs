//! When iterations begin: so many users, or so many starts a second.

use crate::format::decode::Spanned;
use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, EndRate, Rate, Time, TimeOrAuto};
use crate::format::decode::record::record;
use crate::format::decode::words::words;

record! {
    /// A fixed number of users, each beginning its next iteration when the last one ended (closed); or iterations
    /// that begin by the clock (open).
    pub(crate) struct Load {
        /// Closed: virtual users; 1 when absent.
        users: Option<Spanned<Count>>,
        /// Closed: how users start; all at once when absent.
        ramp: Option<Ramp>,
        /// Open: iterations that begin a second; with `stages`, at their start.
        rate: Option<Spanned<Rate>>,
        /// Open: how the rate changes, one stage after another; the last rate holds until `duration`.
        stages: Option<Spanned<Vec<Spanned<Stage>>>>,
        /// Open: how starts are spread along the rate; `poisson` when absent.
        arrivals: Option<Spanned<Arrivals>>,
        /// Open: users at a time; what finds none waits, and counts as never started if it waits for ever. 10000 when absent.
        max_users: Option<Spanned<Count>>,
        /// Open: so many clients in all, evenly over `duration`.
        clients_per_test: Option<Spanned<Count>>,
        /// Open: so many clients each second of `duration`, evenly.
        clients_per_second: Option<Spanned<Count>>,
        /// Closed: so many clients all the time; the same as `users`.
        keep_clients: Option<Spanned<Count>>,
        /// Iterations of each user; of an open load, iterations in all.
        iterations: Option<Spanned<Count>>,
        /// Length of the run, ramp included.
        duration: Option<Spanned<Time>>,
        /// Time after the ramp that is left out of the steady figures; `auto` until rate and times are steady.
        warm_up: Option<Spanned<TimeOrAuto>>,
    }
    rules: [
        Rule::AtMostOne(&["users", "rate", "clients_per_test", "clients_per_second", "keep_clients"]),
        Rule::AtMostOne(&["users", "stages", "clients_per_test", "clients_per_second", "keep_clients"]),
        Rule::Needs("clients_per_test", &["duration"]),
        Rule::Needs("clients_per_second", &["duration"]),
        Rule::Needs("keep_clients", &["duration"]),
    ]
}

impl Load {
    /// What of it holds for a load by users.
    pub(crate) fn by_users(self) -> Self {
        let Self { ramp, iterations, duration, warm_up, .. } = self;
        Self { ramp, iterations, duration, warm_up, ..Self::default() }
    }

    /// What of it holds for a load by the clock. Iterations of each user say nothing of it.
    pub(crate) fn by_the_clock(self) -> Self {
        let Self { arrivals, max_users, duration, warm_up, .. } = self;
        Self { arrivals, max_users, duration, warm_up, ..Self::default() }
    }
}

record! {
    /// Users start in groups.
    pub(crate) struct Ramp {
        /// Users that start together.
        group: Spanned<Count>,
        /// Pause between groups.
        every: Spanned<Time>,
    }
}

record! {
    /// A stretch of an open load.
    pub(crate) struct Stage {
        /// The rate at its end; it is reached linearly.
        to: Option<EndRate>,
        /// How long the change takes; `0s` jumps.
        over: Option<Time>,
        /// How long the rate stays as it is.
        hold: Option<Time>,
    }
    rules: [
        Rule::ExactlyOne(&["to", "hold"]),
        Rule::Needs("to", &["over"]),
        Rule::Needs("over", &["to"]),
    ]
}

words! {
    /// How starts are spread along a rate.
    pub(crate) enum Arrivals {
        /// At equal distances.
        Even = "even",
        /// As a Poisson process: as if each came from somebody who knows of no other.
        Poisson = "poisson",
    }
}
