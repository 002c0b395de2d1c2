//! Where a request goes: a path below the target, or a whole URL.

use crate::format::compile::Compiler;
use crate::format::compile::levels::Levels;
use crate::format::compile::names::Scope;
use crate::format::decode::text::Text;
use crate::format::file::task::Task;
use crate::plan::Semantics;
use crate::request::{Origin, Url};
use crate::template::{Escape, Segment, Template};

impl Compiler<'_> {
    pub(crate) fn url(&mut self, task: &Task, levels: &Levels<'_>, scope: &Scope) -> Url {
        self.names.wrote_secret = false;
        let own = self.template(&task.url, Escape::Url, scope);
        let whole = match self.base(&task.url, &own, levels, scope) {
            Some(mut base) => {
                base.append(&own);
                base
            }
            None => own,
        };
        let mut whole = without_fragment(&whole);
        self.query(task, scope, &mut whole);
        self.split(whole, task, levels)
    }

    /// What stands before a URL that is a path.
    fn base(&mut self, url: &Text, own: &Template, levels: &Levels<'_>, scope: &Scope) -> Option<Template> {
        let start = match own.segments().first() {
            Some(Segment::Text(text)) => String::from_utf8_lossy(text).into_owned(),
            Some(_) => return None,
            None => String::new(),
        };
        let original = self.job.semantics == Semantics::Original;
        let lower = start.to_ascii_lowercase();
        if lower.starts_with("http://") || lower.starts_with("https://") {
            return None;
        }
        if !original && (start.contains("://") || !start.starts_with('/')) {
            let message = format!("the URL `{}` is neither a path nor a whole URL", url.text);
            self.problems.error_with_help(&url.at, message, "begin it with `/`, http:// or https://");
            return Some(Template::text("http://unknown"));
        }
        let Some((target, _)) = levels.pick(|attributes| attributes.target.as_ref()) else {
            if !self.problems.misspelt(&["target"]) {
                let help = "add `target: https://host:port` to the job, or give --target";
                let message = format!("`{}` is a path, but no `target` says of which server", url.text);
                self.problems.error_with_help(&url.at, message, help);
            }
            return Some(Template::text("http://unknown"));
        };
        let base = self.template(target, Escape::Url, scope);
        if original && !start.starts_with('/') {
            return Some(base);
        }
        // A target with a slash at its end, and a path with one at its start, make one slash.
        let mut trimmed = Template::default();
        let last = base.segments().len().saturating_sub(1);
        for (index, segment) in base.segments().iter().enumerate() {
            match segment {
                Segment::Text(text) if index == last => {
                    trimmed.push_text(text.strip_suffix(b"/").unwrap_or(text));
                }
                segment => trimmed.push(segment.clone()),
            }
        }
        Some(trimmed)
    }

    fn query(&mut self, task: &Task, scope: &Scope, whole: &mut Template) {
        let Some(query) = &task.query else { return };
        let mut sign = if task.url.text.contains('?') { "&" } else { "?" };
        for (name, value) in &query.entries {
            let Some(value) = value else { continue };
            whole.push_text(sign);
            whole.append(&self.template(name, Escape::Percent, scope));
            whole.push_text("=");
            whole.append(&self.template(value, Escape::Percent, scope));
            sign = "&";
        }
    }

    /// Takes the server off the front when it is known before the run.
    fn split(&mut self, whole: Template, task: &Task, levels: &Levels<'_>) -> Url {
        let Some(Segment::Text(first)) = whole.segments().first() else { return Url::Variable(whole) };
        let start = String::from_utf8_lossy(first).into_owned();
        let authority = start.find("://").map_or(0, |index| index + 3);
        let complete = whole.segments().len() == 1 || start[authority..].contains(['/', '?']);
        if !complete {
            return Url::Variable(whole);
        }
        match Origin::parse(&start) {
            Ok((origin, rest)) => {
                let mut path = Template::default();
                if !rest.starts_with('/') {
                    path.push_text("/");
                }
                path.push_text(rest);
                whole.segments()[1..].iter().for_each(|segment| path.push(segment.clone()));
                Url::Fixed(origin, path)
            }
            Err(reason) => {
                let target = levels.pick(|attributes| attributes.target.as_ref()).map(|(target, _)| target);
                let path = task.url.text.starts_with('/') || self.job.semantics == Semantics::Original;
                let wrong = target.filter(|_| path).unwrap_or(&task.url);
                let reason = if self.names.wrote_secret { "it names no server".to_owned() } else { reason };
                let message = format!("bad URL `{}`: {reason}", wrong.text);
                self.problems.error_with_help(&wrong.at, message, "write it like https://host:port");
                Url::Variable(whole)
            }
        }
    }
}

/// A fragment is never sent.
fn without_fragment(url: &Template) -> Template {
    let mut out = Template::default();
    for segment in url.segments() {
        match segment {
            Segment::Text(text) => match text.iter().position(|byte| *byte == b'#') {
                Some(end) => {
                    out.push_text(&text[..end]);
                    return out;
                }
                None => out.push_text(text),
            },
            segment => out.push(segment.clone()),
        }
    }
    out
}
