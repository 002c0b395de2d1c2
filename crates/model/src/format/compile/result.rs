//! Checks and captures of LDAP operations.

use crate::capture::Lifetime;
use crate::format::compile::Compiler;
use crate::format::compile::names::Scope;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Spanned};
use crate::format::file::result::{OperationCapture, OperationCheck};
use crate::format::file::task::CaptureScope;
use crate::format::time;
use crate::ldap::{Capture, Check, Condition, Extract};

impl Compiler<'_> {
    pub(crate) fn operation_check(&mut self, typed: &OperationCheck, scope: &Scope) -> Option<Check> {
        if let Some(results) = &typed.result {
            let label = format!("result {}", results.written);
            return Some(Check { label, condition: Condition::Result(results.codes.clone()) });
        }
        if let Some(limit) = typed.time {
            let label = format!("time at most {}", time::show(limit.0));
            return Some(Check { label, condition: Condition::Time(limit.0) });
        }
        if let Some(entries) = &typed.entries {
            let (min, max) = match entries {
                Either::First(count) => (count.0, count.0),
                Either::Second(limits) => {
                    (limits.min.map_or(0, |count| count.0), limits.max.map_or(u64::MAX, |count| count.0))
                }
            };
            let label = match (min, max) {
                (min, u64::MAX) => format!("entries at least {min}"),
                (min, max) if min == max => format!("entries {min}"),
                (min, max) => format!("entries {min} to {max}"),
            };
            return Some(Check { label, condition: Condition::Entries(min..=max) });
        }
        if let Some(attribute) = &typed.attribute {
            let (wanted, label) = self.wanted(&typed.comparison, &attribute.text, scope)?;
            let label = format!("attribute {} {label}", attribute.text);
            return Some(Check { label, condition: Condition::Attribute(attribute.text.clone(), wanted) });
        }
        let (wanted, label) = self.wanted(&typed.comparison, "dn", scope)?;
        Some(Check { label: format!("dn {label}"), condition: Condition::Dn(wanted) })
    }

    pub(crate) fn operation_capture(
        &mut self,
        name: &Text,
        typed: &Spanned<OperationCapture>,
        for_all_users: bool,
    ) -> Option<Capture> {
        let on = Some(Switch(true));
        let from = match &typed.value {
            OperationCapture { attribute: Some(attribute), .. } => Extract::Attribute(attribute.text.clone()),
            capture if capture.dn == on => Extract::Dn,
            capture if capture.value == on => Extract::Value,
            _ => {
                self.problems.error_with_help(&typed.at, "the capture takes nothing", "write `dn: true`");
                return None;
            }
        };
        let user = for_all_users || typed.value.scope == Some(CaptureScope::User);
        let lifetime = if user { Lifetime::User } else { Lifetime::Iteration };
        Some(Capture { slot: self.names.capture_slot(&name.text), from, lifetime })
    }
}
