//! How many users, how they start, when they stop.

use crate::format::decode::Spanned;
use crate::format::decode::fields::Rule;
use crate::format::decode::quantity::{Count, Time};
use crate::format::decode::record::record;

const NOT_YET: &str = "a load by arrival rate is not available yet";
const INSTEAD: &str = "use `users`: so many users, each beginning again when it is done";

record! {
    /// A fixed number of users, each beginning its next iteration when the last one ended.
    pub(crate) struct Load {
        /// Virtual users; 1 when absent.
        users: Option<Spanned<Count>>,
        /// How users start; all at once when absent.
        ramp: Option<Ramp>,
        /// Iterations of each user.
        iterations: Option<Spanned<Count>>,
        /// Length of the run, ramp included.
        duration: Option<Spanned<Time>>,
        /// Time after the ramp that is left out of the steady figures.
        warm_up: Option<Time>,
    }
    rules: [Rule::Refused(&["rate", "stages", "arrivals", "max_users"], NOT_YET, INSTEAD)]
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
