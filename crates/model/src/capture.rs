//! Taking a value out of a response.

use crate::json_path::{Found, JsonPath};
use crate::response::Response;
use crate::variable::Slot;
use regex::bytes::Regex;

/// Takes a value out of a response and keeps it under a name.
///
/// A capture that finds nothing does not fail its own task: the task that needs the value fails, naming it.
#[derive(Debug, Clone)]
pub struct Capture {
    /// Where the value is kept.
    pub slot: Slot,
    /// Where it stands in the response.
    pub from: Extract,
    /// How long it is kept.
    pub lifetime: Lifetime,
}

/// How long a captured value is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lifetime {
    /// Until the iteration ends.
    Iteration,
    /// For all further iterations of the user.
    User,
}

/// Where a value stands in a response.
#[derive(Debug, Clone)]
pub enum Extract {
    /// In the JSON body.
    Json(JsonPath),
    /// In a header.
    Header(String),
    /// In a cookie that the response sets.
    Cookie(String),
    /// Where an expression matches the body.
    Regex {
        /// The expression.
        regex: Regex,
        /// Its group; 0 is the whole match.
        group: usize,
    },
    /// The whole body.
    Body,
}

/// Why a capture found nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NotFound {
    /// The body is not JSON.
    NotJson,
    /// The response has no such value, or it is null.
    Absent,
    /// No response came that could have held it.
    NotAsked,
}

impl Extract {
    /// Whether the body has to be kept for it.
    pub fn needs_body(&self) -> bool {
        matches!(self, Extract::Json(_) | Extract::Regex { .. } | Extract::Body)
    }

    /// Whether the head has to be kept for it.
    pub fn needs_head(&self) -> bool {
        matches!(self, Extract::Header(_) | Extract::Cookie(_))
    }

    /// Appends the value to `out`.
    pub fn find(&self, response: &Response<'_>, out: &mut Vec<u8>) -> Result<(), NotFound> {
        let value = match self {
            Extract::Json(path) => {
                return match path.find(response.body, out) {
                    Found::Value => Ok(()),
                    Found::Null | Found::Nothing => Err(NotFound::Absent),
                    Found::NotJson => Err(NotFound::NotJson),
                };
            }
            Extract::Header(name) => response.header(name),
            Extract::Cookie(name) => response.cookie(name),
            Extract::Regex { regex, group } => regex
                .captures(response.body)
                .and_then(|found| found.get(*group))
                .map(|found| found.as_bytes()),
            Extract::Body => Some(response.body),
        };
        out.extend_from_slice(value.ok_or(NotFound::Absent)?);
        Ok(())
    }
}
