//! What the reader of a report must know beside its figures.

use super::Conductor;
use crate::limits;
use crate::local::Shared;
use loadgen_model::Timeline;
use loadgen_model::churn::{MOST_LIVE, Purge};
use loadgen_model::report::Change;
use loadgen_model::statistics::steady::Decision;
use loadgen_model::window::Window;

/// Changes by hand that a note tells one by one.
const CHANGES_SHOWN: usize = 10;

impl Conductor<'_> {
    pub(super) fn notes(&self, timeline: &Timeline, shared: &Shared) -> Vec<String> {
        let (whole, steady) = (timeline.whole(), timeline.has_steady_window());
        let mut notes = self.options.notes.clone();
        notes.extend(warm_up(timeline.window()));
        notes.extend(changed(&self.changes));
        notes.extend(limits::shortage(&self.plan, self.threads()));
        if self.plan.transports.iter().any(|transport| transport.tls.insecure) {
            notes.push("TLS certificates were not verified (`insecure: true`)".to_owned());
        }
        for slot in &whole.exhausted {
            let name = &self.plan.variable(*slot).name;
            notes.push(format!("the data of `{name}` was used up: the users that needed more of it stopped"));
        }
        notes.extend(shared.purge().map(purged));
        if shared.is_full() {
            notes.push(format!("the run ended with {MOST_LIVE} entries: more cannot be kept in mind"));
        }
        if !steady && whole.users_started > 0 {
            notes.push("too short for a steady window: rates are over the whole run".to_owned());
        }
        notes
    }
}

/// What was changed by hand, and that it is not in the steady figures until it has settled.
fn changed(changes: &[Change]) -> Option<String> {
    let texts = changes.iter().take(CHANGES_SHOWN).map(|change| match change.factor {
        0.0 => format!("paused at {:.1} s", change.at_s),
        factor => format!("{:.0} % from {:.1} s on", factor * 100.0, change.at_s),
    });
    let more = changes.len().saturating_sub(CHANGES_SHOWN);
    let more = (more > 0).then(|| format!("{more} more"));
    let all: Vec<String> = texts.chain(more).collect();
    (!all.is_empty()).then(|| format!("the load was changed by hand: {}", all.join(", ")))
}

/// What became of the entries that the run had added.
fn purged(purge: Purge) -> String {
    let Purge { deleted, of, .. } = purge;
    match of.saturating_sub(deleted) {
        0 => format!("purge: {deleted} entries that the run had added were deleted at its end"),
        left => {
            format!("purge: {deleted} of {of} entries were deleted at the end; {left} may still be there")
        }
    }
}

/// How the search for the end of the warm-up ended.
fn warm_up(window: &Window) -> Option<String> {
    let at = window.begins().as_secs_f64();
    match window.decision() {
        Some(Decision::Steady { .. }) => Some(format!("warm-up: steady after {at:.0} s")),
        Some(Decision::NotSteady { rate_change, mean_change }) => Some(format!(
            "warm-up: not steady after {at:.0} s: in the last minute the rate changed by {:.1} %, the mean \
             response time by {:.1} %",
            rate_change * 100.0,
            mean_change * 100.0
        )),
        None if window.is_searching() => {
            Some("warm-up: the run ended before it was steady; `auto` needs at least a minute".to_owned())
        }
        None => None,
    }
}
