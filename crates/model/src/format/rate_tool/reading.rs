//! Reads single values of what was typed, and says what is wrong with them.

use crate::diagnostic::{Diagnostic, nearest};
use crate::format::Outside;
use crate::format::rate_tool::option::{self, Setting};
use crate::format::rate_tool::secret::Secret;
use crate::format::rate_tool::template::{self, Known};
use crate::format::rate_tool::tool::Tool;
use crate::format::rate_tool::words::{Form, Given, Typed};
use crate::template::Template;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Longest time in seconds or milliseconds that an option takes: beyond any run.
const LONGEST: u64 = 1_000_000_000;

/// What was typed, the world around it, and where problems go.
pub(super) struct Reading<'a> {
    pub(super) tool: Tool,
    pub(super) given: &'a Given,
    pub(super) outside: &'a dyn Outside,
    pub(super) problems: &'a mut Vec<Diagnostic>,
}

impl Reading<'_> {
    pub(super) fn problem(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::error(None, message).help(help));
    }

    pub(super) fn warning(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::warning(None, message).help(help));
    }

    /// The option's name for messages.
    pub(super) fn name(&self, key: Setting) -> String {
        option::by_key(self.tool, key).map_or_else(|| format!("{key:?}"), option::Declaration::name)
    }

    pub(super) fn has(&self, key: Setting) -> bool {
        self.given.has(key)
    }

    /// The text of an option; not for passwords.
    pub(super) fn text(&self, key: Setting) -> Option<&str> {
        self.given.all(key).next().map(|typed| typed.text.as_str())
    }

    /// A number within bounds, or the default.
    pub(super) fn number<T>(&mut self, key: Setting, allowed: RangeInclusive<T>, default: T) -> T
    where
        T: FromStr + PartialOrd + Display + Copy,
    {
        let Some(text) = self.text(key) else { return default };
        if let Some(number) = text.trim().parse().ok().filter(|number| allowed.contains(number)) {
            return number;
        }
        let message = format!("`{}` is `{text}`", self.name(key));
        let help =
            format!("write a number from {} to {}, without separators", allowed.start(), allowed.end());
        self.problem(message, help);
        default
    }

    /// Seconds, at least `least`.
    pub(super) fn seconds(&mut self, key: Setting, least: u64, default: u64) -> Duration {
        Duration::from_secs(self.number(key, least..=LONGEST, default))
    }

    /// Milliseconds; none when 0.
    pub(super) fn timeout(&mut self, key: Setting, default: u64) -> Option<Duration> {
        let limit = Duration::from_millis(self.number(key, 0..=LONGEST, default));
        Some(limit).filter(|limit| !limit.is_zero())
    }

    /// One of several words, in whatever case, or the default.
    pub(super) fn choice<T: Copy>(&mut self, key: Setting, choices: &[(&'static str, T)], default: T) -> T {
        let Some(text) = self.text(key) else { return default };
        if let Some((_, value)) = choices.iter().find(|(name, _)| name.eq_ignore_ascii_case(text.trim())) {
            return *value;
        }
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let help = match nearest(text, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", names.join(", ")),
        };
        let message = format!("`{}` is `{text}`", self.name(key));
        self.problem(message, help);
        default
    }

    /// A compiled template; `what` names it in messages.
    pub(super) fn template(&mut self, what: &str, text: &str, known: &Known<'_>) -> Template {
        template::compile(text, known).unwrap_or_else(|problem| {
            let message = format!("in {what} {problem}");
            self.problem(message, "count `--argument` options from 1; `{}` and `%s` take the next one");
            Template::default()
        })
    }

    /// A password that was given. None when there is none, or when it would have to be asked for in vain.
    pub(super) fn password(&mut self, key: Setting, question: &str) -> Option<Secret> {
        let given = self.given;
        let typed = given.all(key).next()?;
        match typed.form {
            Form::Text if typed.text == "-" => self.ask(key, question),
            Form::Text => Some(Secret::new(typed.text.as_str())),
            Form::Prompt => self.ask(key, question),
            Form::Environment => {
                let found = self.outside.environment(&typed.text).map(Secret::new);
                if found.is_none() {
                    let message = format!("`{}:env` names a variable that is not set", self.name(key));
                    self.problem(message, "name an environment variable that holds the password");
                }
                found
            }
            Form::File => self.password_of_file(key, typed),
        }
    }

    /// The first line of a file. Messages leave its name out: who mixes up two options types a password there.
    fn password_of_file(&mut self, key: Setting, typed: &Typed) -> Option<Secret> {
        let name = self.name(key);
        let content = match self.outside.read(&self.outside.current_folder().join(&typed.text)) {
            Ok(content) => content,
            Err(error) => {
                self.problem(
                    format!("the file of `{name}:file` cannot be read: {error}"),
                    "name a file that holds the password",
                );
                return None;
            }
        };
        let text = String::from_utf8(content).ok();
        let line = text.as_deref().and_then(|text| text.lines().next());
        if line.is_none() {
            self.problem(
                format!("the file of `{name}:file` holds no line of UTF-8"),
                "write the password on its first line",
            );
        }
        line.map(Secret::new)
    }

    /// Asks at the terminal, unless something is wrong already or nothing may be asked.
    pub(super) fn ask(&mut self, key: Setting, question: &str) -> Option<Secret> {
        if super::has_errors(self.problems) {
            return None;
        }
        let answer = if self.has(Setting::NoPrompt) { None } else { self.outside.prompt(question) };
        if answer.is_none() {
            let name = self.name(key);
            let message = format!("`{name}` is not given and cannot be asked for");
            self.problem(message, format!("give it with `{name}:env` or `{name}:file`"));
        }
        answer.map(Secret::new)
    }
}
