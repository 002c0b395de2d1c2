//! Whether an answer is a correct one, and what later requests need of it.

use crate::client::judge::missing_value;
use crate::client::ldap::message::{Entry, LdapResult, Message};
use crate::client::ldap::prepared::Prepared;
use crate::client::ldap::reader::{Answer, malformed};
use crate::client::scratch::Scratch;
use crate::local::Local;
use crate::session::{Known, Session};
use loadgen_model::capture::NotFound;
use loadgen_model::failure::Detail;
use loadgen_model::ldap::result::{COMPARE_FALSE, COMPARE_TRUE, SUCCESS};
use loadgen_model::ldap::{Ask, Condition, Extract};
use loadgen_model::template::Missing;
use loadgen_model::{Failure, FailureKind};
use tokio::time::Instant;

/// What an answer holds beside its code.
struct Content<'a> {
    answer: Answer,
    result: LdapResult<'a>,
    entry: Option<Entry<'a>>,
    started: Instant,
}

/// Checks an answer, then captures from it.
pub(super) fn judge(
    local: &Local,
    prepared: &Prepared,
    session: &mut Session,
    started: Instant,
    answer: Answer,
    scratch: &mut Scratch,
) -> Result<(), Failure> {
    let operation = &prepared.operation;
    let usual = operation.checks.is_empty() && operation.captures.is_empty();
    if usual && is_correct(&operation.ask, answer.code) {
        return Ok(());
    }
    let Scratch { kept, value, .. } = scratch;
    let message = Message::parse(&kept.head).map_err(malformed)?;
    let entry = if kept.body.is_empty() {
        Entry::of_controls(message.controls)
    } else {
        Some(Entry::parse(&kept.body).map_err(malformed)?)
    };
    let result = LdapResult::parse(message.content).map_err(malformed)?;
    let content = Content { answer, result, entry, started };
    check(local, prepared, session, &content, value)?;
    capture(prepared, session, &content, value);
    Ok(())
}

/// What is correct when no check is on the result code.
fn is_correct(ask: &Ask, code: u32) -> bool {
    match ask {
        Ask::Compare { .. } => matches!(code, COMPARE_FALSE | COMPARE_TRUE),
        _ => code == SUCCESS,
    }
}

fn check(
    local: &Local,
    prepared: &Prepared,
    session: &mut Session,
    content: &Content<'_>,
    scratch: &mut Vec<u8>,
) -> Result<(), Failure> {
    let code = content.answer.code;
    let bad_result = || {
        let text = prepared.describe(code, content.result.diagnostic);
        Failure { kind: FailureKind::Status, detail: Detail::Text(text) }
    };
    let checks = &prepared.operation.checks;
    let is_on_result = checks.iter().any(|check| matches!(check.condition, Condition::Result(_)));
    if !is_on_result && !is_correct(&prepared.operation.ask, code) {
        return Err(bad_result());
    }
    for (index, check) in checks.iter().enumerate() {
        let mut known = Known { session, local };
        let holds = holds(&check.condition, content, &mut known, scratch);
        match holds {
            Ok(true) => {}
            Ok(false) if matches!(check.condition, Condition::Result(_)) => return Err(bad_result()),
            Ok(false) => {
                return Err(Failure { kind: FailureKind::Check, detail: Detail::Check(index as u16) });
            }
            Err(missing) => return Err(missing_value(session, missing)),
        }
    }
    Ok(())
}

fn holds(
    condition: &Condition,
    content: &Content<'_>,
    known: &mut Known<'_>,
    scratch: &mut Vec<u8>,
) -> Result<bool, Missing> {
    match condition {
        Condition::Result(codes) => Ok(codes.contains(&content.answer.code)),
        Condition::Entries(range) => Ok(range.contains(&content.answer.entries)),
        Condition::Time(limit) => Ok(content.started.elapsed() <= *limit),
        Condition::Dn(wanted) => wanted.holds(content.entry.map(|entry| entry.dn), known, scratch),
        Condition::Attribute(name, wanted) => {
            let values = content.entry.map(|entry| entry.values(name));
            wanted.holds_among(values.into_iter().flatten(), known, scratch)
        }
    }
}

/// Keeps what the answer holds for later requests.
fn capture(prepared: &Prepared, session: &mut Session, content: &Content<'_>, value: &mut Vec<u8>) {
    /// Behind the result of an extended operation (RFC 4511 section 4.12).
    const RESPONSE_VALUE: u8 = 0x8b;
    for capture in &prepared.operation.captures {
        let found = match &capture.from {
            Extract::Attribute(name) => content.entry.and_then(|entry| entry.values(name).next()),
            Extract::Dn => content.entry.map(|entry| entry.dn),
            Extract::Value => content.result.find(RESPONSE_VALUE),
        };
        match found {
            Some(found) => {
                value.clear();
                value.extend_from_slice(found);
                session.captured(capture.slot, capture.lifetime, value);
            }
            None => session.not_captured(capture.slot, NotFound::Absent),
        }
    }
}
