//! What makes a response a correct one.

use crate::json_path::{Found, JsonPath};
use crate::response::Response;
use crate::template::{Missing, Template, Values};
use regex::bytes::Regex;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A condition on a response.
#[derive(Debug, Clone)]
pub struct Check {
    /// How the job writes it, for the report: `status 200`, `json $.valid = true`.
    pub label: String,
    /// The condition.
    pub condition: Condition,
}

/// What must hold.
#[derive(Debug, Clone)]
pub enum Condition {
    /// The status is in one of the ranges.
    Status(Vec<RangeInclusive<u16>>),
    /// A header's value.
    Header(String, Match),
    /// A value of the JSON body.
    Json(JsonPath, Match),
    /// The decoded body.
    Body(Match),
    /// The length of the body as it came, bytes.
    Size {
        /// At least.
        min: u64,
        /// At most.
        max: u64,
    },
    /// The service time is at most this.
    Time(Duration),
}

/// What a value must be.
#[derive(Debug, Clone)]
pub enum Match {
    /// It is there, or it is not.
    Exists(bool),
    /// Exactly this text.
    Equals(Template),
    /// Any other text than this; absent counts as other.
    Differs(Template),
    /// This text stands in it.
    Contains(Template),
    /// This text does not stand in it.
    Lacks(Template),
    /// The expression matches somewhere in it.
    Matches(Regex),
}

impl Check {
    /// Whether the body has to be kept for it.
    pub fn needs_body(&self) -> bool {
        matches!(self.condition, Condition::Json(..) | Condition::Body(_))
    }

    /// Whether the head has to be kept for it.
    pub fn needs_head(&self) -> bool {
        matches!(self.condition, Condition::Header(..))
    }

    /// Whether it holds. `scratch` is a buffer to reuse; it is cleared.
    pub fn holds(
        &self,
        response: &Response<'_>,
        values: &mut impl Values,
        scratch: &mut Vec<u8>,
    ) -> Result<bool, Missing> {
        match &self.condition {
            Condition::Status(ranges) => Ok(ranges.iter().any(|range| range.contains(&response.status))),
            Condition::Size { min, max } => Ok((*min..=*max).contains(&response.size)),
            Condition::Time(limit) => Ok(response.time <= *limit),
            Condition::Header(name, wanted) => wanted.holds(response.header(name), values, scratch),
            Condition::Body(wanted) => wanted.holds(Some(response.body), values, scratch),
            Condition::Json(path, wanted) => {
                let mut value = Vec::new();
                let found = path.find(response.body, &mut value);
                wanted.holds((found == Found::Value).then_some(value.as_slice()), values, scratch)
            }
        }
    }
}

impl Match {
    /// Whether it holds of one of several values; what must not be, of all of them.
    pub fn holds_among<'a>(
        &self,
        found: impl Iterator<Item = &'a [u8]>,
        values: &mut impl Values,
        scratch: &mut Vec<u8>,
    ) -> Result<bool, Missing> {
        let all = matches!(self, Match::Differs(_) | Match::Lacks(_) | Match::Exists(false));
        let mut none = true;
        for value in found {
            none = false;
            if self.holds(Some(value), values, scratch)? != all {
                return Ok(!all);
            }
        }
        if none { self.holds(None, values, scratch) } else { Ok(all) }
    }

    /// Whether it holds of a value, which may not be there. `scratch` is a buffer to reuse.
    pub fn holds(
        &self,
        value: Option<&[u8]>,
        values: &mut impl Values,
        scratch: &mut Vec<u8>,
    ) -> Result<bool, Missing> {
        let mut text = |template: &Template, test: fn(&[u8], &[u8]) -> bool| {
            scratch.clear();
            template.render(values, scratch)?;
            Ok(value.is_some_and(|value| test(value, scratch)))
        };
        match self {
            Match::Exists(wanted) => Ok(value.is_some() == *wanted),
            Match::Equals(template) => text(template, |value, text| value == text),
            Match::Differs(template) => text(template, |value, text| value == text).map(|same| !same),
            Match::Contains(template) => text(template, contains),
            Match::Lacks(template) => text(template, contains).map(|found| !found),
            Match::Matches(regex) => Ok(value.is_some_and(|value| regex.is_match(value))),
        }
    }
}

fn contains(value: &[u8], text: &[u8]) -> bool {
    memchr::memmem::find(value, text).is_some()
}
