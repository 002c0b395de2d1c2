//! `loadgen check`: every problem of a job at once, and what to expect of it.

use super::{Failed, load_job, print};
use crate::arguments::Check;
use loadgen_model::expectation::Expectation;

/// Checks a job.
pub(crate) fn check(check: &Check) -> Result<u8, Failed> {
    let loaded = load_job(&check.job, None)?;
    // The explanation ends with the expectation.
    let text = if check.explain {
        loaded.explanation.to_string()
    } else {
        Expectation::of(&loaded.plan).to_string()
    };
    print(&format!("{}\n", text.trim_end()))?;
    Ok(0)
}
