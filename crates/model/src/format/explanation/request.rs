//! One request, the variables and the wildcards for people.

use crate::format::compile::body::{Body, size};
use crate::format::compile::levels::{Levels, Origin};
use crate::format::compile::request::{origin, text_origin};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Map};
use crate::format::explanation::{HIDDEN, is_secret_name};
use crate::format::file::task::{Capture, Task};
use crate::format::file::variable::{Constant, ConstantSource, Wildcard};
use crate::format::job::{Job, TaskStep};
use crate::format::time::show;
use crate::plan::Semantics;
use crate::request::{Connection, Request};
use std::time::Duration;

/// A request at its place.
pub(crate) struct Explained {
    pub(crate) name: String,
    pub(crate) lines: Vec<Line>,
}

pub(crate) struct Line {
    pub(crate) label: String,
    pub(crate) value: String,
    /// Where the value comes from, when it could come from several levels.
    pub(crate) origin: Option<Origin>,
}

impl Explained {
    pub(crate) fn of(
        step: &TaskStep,
        task: &Task,
        request: &Request,
        body: Option<&Body>,
        threshold: Option<Duration>,
        levels: &Levels<'_>,
        semantics: Semantics,
    ) -> Self {
        let mut explained = Self { name: step.name.text.clone(), lines: Vec::new() };
        let target = levels.pick(|attributes| attributes.target.as_ref());
        explained.add("request", format!("{} {}", request.method, url(task, target, semantics)), None);
        if is_path(&task.url.text) {
            let text = target.map_or_else(String::new, |(target, _)| target.text.clone());
            explained.add("target", text, Some(text_origin(target.as_ref())));
        }
        explained.headers(request, levels);
        if let Some(body) = body {
            explained.add("body", format!("{}, {}", body.kind, size(&body.template)), None);
        }
        explained.limits(request.timeout, threshold, levels);
        explained.client(request, levels);
        if request.checks.is_empty() {
            explained.add("check", "status below 400".to_owned(), None);
        }
        for check in &request.checks {
            explained.add("check", check.label.clone(), None);
        }
        let own = task.capture.iter().flat_map(|map| &map.entries);
        let own = own.filter_map(|(name, capture)| Some((name, capture.as_ref()?)));
        for (name, capture) in own.chain(step.captures.iter().map(|(name, capture)| (name, capture))) {
            explained.add("capture", format!("{} from {}", name.text, source(&capture.value)), None);
        }
        explained
    }

    pub(super) fn add(&mut self, label: &str, value: String, origin: Option<Origin>) {
        self.lines.push(Line { label: label.to_owned(), value, origin });
    }

    fn headers(&mut self, request: &Request, levels: &Levels<'_>) {
        let written = levels.merged(|attributes| attributes.headers.as_ref());
        for (name, value, from) in &written {
            let hidden = is_secret_name(&name.text) && !value.text.starts_with('$');
            let shown = if hidden { HIDDEN } else { value.text.as_str() };
            self.add("header", format!("{}: {shown}", name.text), Some(from.of(&value.at)));
        }
        for (name, value) in &request.headers {
            if !written.iter().any(|(known, ..)| known.text.eq_ignore_ascii_case(name)) {
                let auth = name == "Authorization";
                let text = String::from_utf8_lossy(value.constant().unwrap_or_default()).into_owned();
                let shown = if auth { HIDDEN.to_owned() } else { text };
                let auth_origin = origin(levels.pick(|attributes| attributes.auth.as_ref()).as_ref());
                let from = if auth { auth_origin } else { Origin::Default };
                self.add("header", format!("{name}: {shown}"), Some(from));
            }
        }
    }

    pub(super) fn limits(&mut self, timeout: Duration, threshold: Option<Duration>, levels: &Levels<'_>) {
        let from = origin(levels.pick(|attributes| attributes.threshold.as_ref()).as_ref());
        self.add("threshold", threshold.map_or_else(|| "none".to_owned(), show), Some(from));
        let from = origin(levels.pick(|attributes| attributes.timeout.as_ref()).as_ref());
        self.add("timeout", show(timeout), Some(from));
    }

    fn client(&mut self, request: &Request, levels: &Levels<'_>) {
        let connection = connection(request.connection);
        let from = origin(levels.pick(|attributes| attributes.connection.as_ref()).as_ref());
        self.add("connection", connection.to_owned(), Some(from));
        let redirects = match request.redirects {
            0 => "off".to_owned(),
            most => format!("at most {most}"),
        };
        let from = origin(levels.pick(|attributes| attributes.redirects.as_ref()).as_ref());
        self.add("redirects", redirects, Some(from));
        let cookies = if request.cookies { "on" } else { "off" };
        let from = origin(levels.pick(|attributes| attributes.cookies.as_ref()).as_ref());
        self.add("cookies", cookies.to_owned(), Some(from));
        self.transport(levels);
    }

    pub(super) fn transport(&mut self, levels: &Levels<'_>) {
        if let Some((http, from)) = levels.pick(|attributes| attributes.http.as_ref()) {
            self.add("http", http.value.word().to_owned(), Some(from.of(&http.at)));
        }
        if let Some((connections, from)) = levels.pick(|attributes| attributes.connections.as_ref()) {
            let streams = connections.value.streams.as_ref();
            let streams =
                streams.map_or_else(String::new, |count| format!(", {} streams each", count.value.0));
            let bind = connections.value.bind.as_ref();
            let bind = bind.map_or_else(String::new, |bind| format!(", bound as {}", bind.value.dn.text));
            let shown = format!("{} shared{streams}{bind}", connections.value.shared.value.0);
            self.add("connections", shown, Some(from.of(&connections.at)));
        }
        if let Some((tls, from)) = levels.pick(|attributes| attributes.tls.as_ref()) {
            let mut parts = Vec::new();
            parts.extend(tls.value.ca.as_ref().map(|file| format!("ca {}", file.text)));
            parts.extend(tls.value.certificate.as_ref().map(|file| format!("certificate {}", file.text)));
            parts.extend(tls.value.nickname.as_ref().map(|name| format!("nickname {}", name.text)));
            parts.extend(tls.value.key.as_ref().map(|file| format!("key {}", file.text)));
            parts.extend(tls.value.server_name.as_ref().map(|name| format!("server name {}", name.text)));
            parts.extend((tls.value.resumption == Some(Switch(false))).then(|| "no resumption".to_owned()));
            parts.extend((tls.value.insecure == Some(Switch(true))).then(|| "insecure".to_owned()));
            self.add("tls", parts.join(", "), Some(from.of(&tls.at)));
        }
        if let Some((proxy, from)) = levels.pick(|attributes| attributes.proxy.as_ref()) {
            let shown = match proxy.text.rsplit_once('@') {
                Some((_, server)) => format!("http://{HIDDEN}@{server}"),
                None => proxy.text.clone(),
            };
            self.add("proxy", shown, Some(from.of(&proxy.at)));
        }
        for (name, to, from) in levels.merged(|attributes| attributes.resolve.as_ref()) {
            self.add("resolve", format!("{} to {}", name.text, to.text), Some(from.of(&to.at)));
        }
        if let Some((sources, from)) = levels.pick(|attributes| attributes.source_addresses.as_ref()) {
            let shown: Vec<_> = sources.value.iter().map(|source| source.text.as_str()).collect();
            self.add("source addresses", shown.join(", "), Some(from.of(&sources.at)));
        }
        if let Some((dns, from)) = levels.pick(|attributes| attributes.dns.as_ref()) {
            self.add("dns", dns.value.word().to_owned(), Some(from.of(&dns.at)));
        }
    }
}

pub(super) fn connection(connection: Connection) -> &'static str {
    match connection {
        Connection::KeepAlive => "keep-alive",
        Connection::Close => "close",
        Connection::Iteration => "iteration",
    }
}

fn is_path(url: &str) -> bool {
    !url.contains("://")
}

/// The URL as it was written, below its target.
fn url(task: &Task, target: Option<(&Text, Origin)>, semantics: Semantics) -> String {
    let own = &task.url.text;
    let mut whole = match target {
        Some((target, _)) if semantics == Semantics::Original && is_path(own) => {
            format!("{}{own}", target.text)
        }
        Some((target, _)) if own.starts_with('/') => format!("{}{own}", target.text.trim_end_matches('/')),
        _ => own.clone(),
    };
    whole = without_secrets(&whole);
    let mut sign = if own.contains('?') { '&' } else { '?' };
    for (name, value) in task.query.iter().flat_map(|map| &map.entries) {
        let text = value.as_ref().map_or("", |value| value.text.as_str());
        let hidden = is_secret_name(&name.text) && !text.starts_with('$');
        whole.push(sign);
        whole.push_str(&format!("{}={}", name.text, if hidden { HIDDEN } else { text }));
        sign = '&';
    }
    whole
}

/// A URL whose query parameters with a secret's name are hidden.
fn without_secrets(url: &str) -> String {
    let Some((path, query)) = url.split_once('?') else { return url.to_owned() };
    let shown = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_secret_name(name) && !value.starts_with('$') => format!("{name}={HIDDEN}"),
        _ => pair.to_owned(),
    });
    format!("{path}?{}", shown.collect::<Vec<_>>().join("&"))
}

fn source(capture: &Capture) -> String {
    let texts = [
        ("json", &capture.json),
        ("header", &capture.header),
        ("cookie", &capture.cookie),
        ("regex", &capture.regex),
    ];
    let found = texts.iter().find_map(|(what, text)| Some(format!("{what} {}", text.as_ref()?.text)));
    found.unwrap_or_else(|| "body".to_owned())
}

/// The constants of a level, name and text.
pub(crate) fn variables(constants: Option<&Map<Constant>>) -> Vec<(String, String)> {
    let entries = constants.iter().flat_map(|map| &map.entries);
    entries
        .map(|(name, constant)| {
            let text = match constant {
                Some(Either::First(text)) if is_secret_name(&name.text) && !text.text.starts_with('$') => {
                    HIDDEN.to_owned()
                }
                Some(Either::First(text)) => text.text.clone(),
                Some(Either::Second(source)) => outside(&name.text, source),
                None => String::new(),
            };
            (name.text.clone(), text)
        })
        .collect()
}

fn outside(name: &str, source: &ConstantSource) -> String {
    let from = [("env", &source.env), ("file", &source.file), ("prompt", &source.prompt)];
    if let Some((what, text)) = from.iter().find_map(|(what, text)| Some((what, text.as_ref()?))) {
        let open = source.secret == Some(Switch(false));
        return if open {
            format!("{what} {}", text.text)
        } else {
            format!("{HIDDEN} ({what} {})", text.text)
        };
    }
    let shown = source.secret != Some(Switch(true)) && !is_secret_name(name);
    source.value.as_ref().filter(|_| shown).map_or_else(|| HIDDEN.to_owned(), |value| value.text.clone())
}

/// The wildcards of a job, name and text.
pub(crate) fn wildcards(job: &Job) -> Vec<(String, String)> {
    let built_in = job.built_in.keys().map(|name| (name.clone(), "provided by the format".to_owned()));
    let own = job.wildcards.iter().map(|(name, wildcard)| (name.text.clone(), describe(wildcard)));
    own.chain(built_in).collect()
}

fn describe(wildcard: &Wildcard) -> String {
    let per = wildcard.per.map_or("iteration", |per| per.word());
    let what = if let Some(range) = &wildcard.random {
        let ends: Vec<_> = range.value.iter().map(|end| end.value.0.to_string()).collect();
        format!("random {}", ends.join(" to "))
    } else if let Some(start) = wildcard.increment {
        format!("counter from {}", start.0)
    } else if let Some(length) = &wildcard.string {
        format!("{} random characters", length.value.0)
    } else if wildcard.uuid.is_some() {
        "random UUID".to_owned()
    } else if wildcard.now.is_some() {
        "milliseconds since 1970".to_owned()
    } else if let Some(choice) = &wildcard.choice {
        format!("one of {} texts", choice.value.len())
    } else if let Some(file) = &wildcard.file {
        let order = match wildcard.order.as_ref().map(|order| &order.value) {
            None => "random".to_owned(),
            Some(Either::First(map)) => format!("zipf {}", map.zipf.value.0),
            Some(Either::Second(word)) => word.word().to_owned(),
        };
        format!("rows of {}, {order}", file.text)
    } else {
        let url = wildcard.endpoint.as_ref().map_or("", |url| url.text.as_str());
        format!("fetched from {url}")
    };
    format!("{what}, per {per}")
}
