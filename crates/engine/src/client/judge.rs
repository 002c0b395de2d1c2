//! Whether a response is a correct one, and what later requests need of it.

use crate::client::answer::Answer;
use crate::client::body;
use crate::client::scratch::Scratch;
use crate::local::Local;
use crate::prepared::Prepared;
use crate::session::{Known, Session};
use loadgen_model::check::Condition;
use loadgen_model::failure::Detail;
use loadgen_model::plan::Semantics;
use loadgen_model::response::Response;
use loadgen_model::template::Missing;
use loadgen_model::{Check, Failure, FailureKind};
use std::time::Duration;
use tokio::time::Instant;

pub(super) fn missing_value(session: &Session, missing: Missing) -> Failure {
    let detail = Detail::Missing(missing, session.why_missing(missing));
    Failure { kind: FailureKind::Capture, detail }
}

/// Checks a response, then captures from it.
pub(super) fn judge(
    local: &Local,
    prepared: &Prepared,
    session: &mut Session,
    started: Instant,
    answer: &Answer,
    scratch: &mut Scratch,
) -> Result<(), Failure> {
    let Scratch { kept, value, .. } = scratch;
    if answer.head.encoded && prepared.wants.body && !kept.body.is_empty() {
        let head = Response::of_head(&kept.head);
        body::decode(head.header("content-encoding").unwrap_or_default(), &mut kept.body)?;
    }
    let status = answer.head.status;
    let request = &prepared.request;
    // Only a check on the time needs the time.
    let timed = request.checks.iter().any(|check| matches!(check.condition, Condition::Time(_)));
    let response = Response {
        status,
        head: &kept.head,
        body: &kept.body,
        size: answer.size,
        time: if timed { started.elapsed() } else { Duration::ZERO },
    };
    let is_on_status = |check: &Check| matches!(check.condition, Condition::Status(_));
    // Why a page of errors does not hold what was wanted is its status.
    if status >= 400 && !request.checks.iter().any(is_on_status) {
        return Err(bad_status(status));
    }
    for (index, check) in request.checks.iter().enumerate() {
        let on_status = is_on_status(check);
        let mut known = Known { session, local };
        match check.holds(&response, &mut known, value) {
            Ok(true) => {}
            Ok(false) if on_status => return Err(bad_status(status)),
            Ok(false) => {
                return Err(Failure { kind: FailureKind::Check, detail: Detail::Check(index as u16) });
            }
            Err(missing) => return Err(missing_value(session, missing)),
        }
    }
    capture(local.plan.semantics, prepared, session, &response, value);
    Ok(())
}

fn bad_status(status: u16) -> Failure {
    Failure { kind: FailureKind::Status, detail: Detail::Status(status) }
}

/// Keeps what the response holds for later requests. In jobs of the original format a value that was kept stays
/// until another response replaces it: that is what their `persist` means.
fn capture(
    semantics: Semantics,
    prepared: &Prepared,
    session: &mut Session,
    response: &Response<'_>,
    value: &mut Vec<u8>,
) {
    for capture in &prepared.request.captures {
        value.clear();
        match capture.from.find(response, value) {
            Ok(()) => session.captured(capture.slot, capture.lifetime, value),
            Err(_) if semantics == Semantics::Original && session.holds(capture.slot) => {}
            Err(why) => session.not_captured(capture.slot, why),
        }
    }
}
