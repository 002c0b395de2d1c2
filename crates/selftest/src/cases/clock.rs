//! H13: a wall clock that is set while a run lasts.

use crate::case::Case;
use crate::judgement::Judgement;
use crate::stand::{Problem, Stand};

pub(crate) const CASE: Case =
    Case { name: "H13", question: "do times survive a wall clock that is set?", is_long: false, judge };

/// Nobody but root may set the clock, and for the whole machine: what cannot be tried does not pass.
#[expect(clippy::unnecessary_wraps, reason = "cases have one signature")]
fn judge(_stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let reason = "setting the clock takes privileges; all times are differences of CLOCK_MONOTONIC, which does not \
                  follow the wall clock, and only the dates of the report are read from the latter";
    Ok(vec![Judgement::not_run("times with the wall clock set by ±10 s", reason)])
}
