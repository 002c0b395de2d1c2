//! Checks and captures.

use crate::capture::{Capture, Extract, Lifetime};
use crate::check::{Check, Condition, Match};
use crate::format::compile::Compiler;
use crate::format::compile::names::Scope;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Spanned, shortened};
use crate::format::explanation::{HIDDEN, is_secret_name};
use crate::format::file::expect::{Check as TypedCheck, Comparison};
use crate::format::file::task::{Capture as TypedCapture, CaptureScope};
use crate::format::time;
use crate::json_path::JsonPath;
use crate::template::Escape;
use regex::bytes::Regex;

impl Compiler<'_> {
    pub(crate) fn capture(
        &mut self,
        name: &Text,
        typed: &Spanned<TypedCapture>,
        for_all_users: bool,
    ) -> Option<Capture> {
        let from = self.extract(&typed.value, typed)?;
        let user = for_all_users || typed.value.scope == Some(CaptureScope::User);
        let lifetime = if user { Lifetime::User } else { Lifetime::Iteration };
        Some(Capture { slot: self.names.capture_slot(&name.text), from, lifetime })
    }

    fn extract(&mut self, typed: &TypedCapture, spanned: &Spanned<TypedCapture>) -> Option<Extract> {
        if let Some(path) = &typed.json {
            return self.json_path(path).map(Extract::Json);
        }
        if let Some(name) = &typed.header {
            return Some(Extract::Header(name.text.clone()));
        }
        if let Some(name) = &typed.cookie {
            return Some(Extract::Cookie(name.text.clone()));
        }
        if let Some(expression) = &typed.regex {
            let regex = self.regex(expression)?;
            let groups = regex.captures_len() - 1;
            let group = typed.group.as_ref().map_or(groups.min(1), |group| group.value.0 as usize);
            if group > groups {
                let at = typed.group.as_ref().map_or(&expression.at, |group| &group.at);
                let message = format!("group {group} of an expression with {groups} groups");
                self.problems.error_with_help(at, message, "put ( ) around what is to be captured");
                return None;
            }
            return Some(Extract::Regex { regex, group });
        }
        match &typed.body {
            Some(Spanned { value: Switch(true), .. }) => Some(Extract::Body),
            _ => {
                self.problems.error_with_help(&spanned.at, "the capture takes nothing", "write `body: true`");
                None
            }
        }
    }

    pub(crate) fn check(&mut self, typed: &TypedCheck, scope: &Scope) -> Option<Check> {
        if let Some(status) = &typed.status {
            let label = format!("status {}", status.written);
            return Some(Check { label, condition: Condition::Status(status.ranges.clone()) });
        }
        if let Some(limit) = typed.time {
            let label = format!("time at most {}", time::show(limit.0));
            return Some(Check { label, condition: Condition::Time(limit.0) });
        }
        if let Some(limits) = &typed.size {
            let (min, max) =
                (limits.min.map_or(0, |size| size.0), limits.max.map_or(u64::MAX, |size| size.0));
            let label = match (limits.min, limits.max) {
                (Some(_), Some(_)) => format!("size {min} to {max} bytes"),
                (None, _) => format!("size at most {max} bytes"),
                _ => format!("size at least {min} bytes"),
            };
            return Some(Check { label, condition: Condition::Size { min, max } });
        }
        if let Some(name) = &typed.header {
            let (wanted, label) = self.wanted(&typed.comparison, &name.text, scope)?;
            let label = format!("header {} {label}", name.text);
            return Some(Check { label, condition: Condition::Header(name.text.clone(), wanted) });
        }
        if let Some(path) = &typed.json {
            let compiled = self.json_path(path);
            let (wanted, label) = self.wanted(&typed.comparison, &path.text, scope)?;
            let label = format!("json {} {label}", path.text);
            return Some(Check { label, condition: Condition::Json(compiled?, wanted) });
        }
        let comparison = match &typed.body {
            Some(Either::Second(inside)) => inside,
            _ => &typed.comparison,
        };
        let (wanted, label) = self.wanted(comparison, "body", scope)?;
        Some(Check { label: format!("body {label}"), condition: Condition::Body(wanted) })
    }

    /// What the value of `subject` is compared with, and that in words.
    pub(crate) fn wanted(
        &mut self,
        typed: &Comparison,
        subject: &str,
        scope: &Scope,
    ) -> Option<(Match, String)> {
        type Make = fn(crate::Template) -> Match;
        let texts: [(&Option<Text>, Make, &str); 4] = [
            (&typed.equals, Match::Equals, "="),
            (&typed.not, Match::Differs, "is not"),
            (&typed.contains, Match::Contains, "contains"),
            (&typed.lacks, Match::Lacks, "lacks"),
        ];
        for (text, make, word) in texts {
            if let Some(text) = text {
                let template = self.template(text, Escape::None, scope);
                let hidden = is_secret_name(subject) && !text.text.starts_with('$');
                let shown = if hidden { HIDDEN.to_owned() } else { shortened(&text.text) };
                return Some((make(template), format!("{word} {shown}")));
            }
        }
        if let Some(expression) = &typed.matches {
            let regex = self.regex(expression)?;
            let shown = shortened(&expression.text);
            return Some((Match::Matches(regex), format!("matches {shown}")));
        }
        let exists = typed.exists.is_none_or(|Switch(exists)| exists);
        let label = if exists { "exists" } else { "does not exist" };
        Some((Match::Exists(exists), label.to_owned()))
    }

    fn json_path(&mut self, path: &Text) -> Option<JsonPath> {
        match JsonPath::parse(&path.text) {
            Ok(path) => Some(path),
            Err(reason) => {
                let message = format!("bad JSON path `{}`: {}", path.text, first_line(&reason));
                self.problems.error_with_help(
                    &path.at,
                    message,
                    "write it like $.tokenId or $.roles[0].name",
                );
                None
            }
        }
    }

    fn regex(&mut self, text: &Text) -> Option<Regex> {
        match Regex::new(&text.text) {
            Ok(regex) => Some(regex),
            Err(error) => {
                let reason = match error {
                    regex::Error::CompiledTooBig(limit) => format!("it compiles to more than {limit} bytes"),
                    error => last_line(&error.to_string()),
                };
                let shown = shortened(&text.text);
                self.problems.error(&text.at, format!("bad regular expression `{shown}`: {reason}"));
                None
            }
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// The reason stands in the last line, behind `error:`.
fn last_line(text: &str) -> String {
    let line = text.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
