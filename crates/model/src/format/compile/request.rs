//! One request at its place: task, step, workload and job together.

use crate::format::compile::Compiler;
use crate::format::compile::body::Body;
use crate::format::compile::levels::{Levels, Origin};
use crate::format::compile::names::{Scope, nested};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Spanned};
use crate::format::explanation::Explained;
use crate::format::file::attributes::{Attributes, Auth, Connection as TypedConnection};
use crate::format::file::task::Task;
use crate::format::job::TaskStep;
use crate::plan::{Phase, Semantics};
use crate::request::{Connection, Request};
use crate::template::{Escape, Filter, Template};
use std::time::Duration;

/// Shortest timeout of a native request that sets none.
const SHORTEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Redirects that are followed: as curl's and browsers' users expect, and as the original's client did.
const REDIRECTS: u8 = 10;
const ORIGINAL_REDIRECTS: u8 = 20;

/// A compiled request, what it is allowed to take, and how it came about.
pub(crate) struct Compiled {
    pub(crate) request: Request,
    pub(crate) threshold: Option<Duration>,
    pub(crate) explained: Explained,
}

impl Compiler<'_> {
    /// Compiles a task. `outer` is the scope of its workload.
    pub(crate) fn request(
        &mut self,
        step: &TaskStep,
        task: &Task,
        workload: &Attributes,
        outer: &Scope,
        phase: Phase,
    ) -> Compiled {
        let job = self.job;
        let levels = Levels {
            command_line: &job.command_line,
            step: &step.attributes,
            task: &task.attributes,
            workload,
            job: &job.attributes,
        };
        let scope = outer.inner(self.layer(task.attributes.variables.as_ref()));
        let scope = scope.inner(self.layer(step.attributes.variables.as_ref()));
        let body = self.body(task, &scope);
        let method = self.method(task, body.is_some());
        let (threshold, timeout) = self.limits(&levels);
        let mut checks = Vec::new();
        for check in task.check.iter().flatten() {
            checks.extend(self.check(&check.value, &scope));
        }
        let own = task.capture.iter().flat_map(|map| &map.entries);
        let own = own.filter_map(|(name, capture)| Some((name, capture.as_ref()?)));
        let mut captures = Vec::new();
        for (name, capture) in own.chain(step.captures.iter().map(|(name, capture)| (name, capture))) {
            captures.extend(self.capture(name, capture, phase == Phase::SetUp));
        }
        let request = Request {
            url: self.url(task, &levels, &scope),
            headers: self.headers(&method, body.as_ref(), &levels, &scope),
            transport: self.transport(&levels, &scope),
            connection: connection(&levels),
            redirects: self.redirects(&levels),
            cookies: self.cookies(&levels),
            timeout,
            checks,
            captures,
            method,
            body: None,
        };
        let explained = Explained::of(step, task, &request, body.as_ref(), threshold, &levels, job.semantics);
        let request = Request { body: body.map(|body| body.template), ..request };
        Compiled { request, threshold, explained }
    }

    fn method(&mut self, task: &Task, has_body: bool) -> String {
        let Some(method) = &task.method else {
            return if has_body { "POST" } else { "GET" }.to_owned();
        };
        if !is_token(&method.text) {
            let message = format!("`{}` is no HTTP method", method.text);
            self.problems.error_with_help(
                &method.at,
                message,
                "use one such as GET, POST, PUT, PATCH or DELETE",
            );
        } else if method.text.chars().any(|letter| letter.is_ascii_lowercase()) {
            let message = format!("method `{}` is not written in capitals", method.text);
            let help = format!("write {}", method.text.to_ascii_uppercase());
            self.problems.error_with_help(&method.at, message, help);
        }
        method.text.clone()
    }

    /// Threshold and timeout.
    pub(crate) fn limits(&mut self, levels: &Levels<'_>) -> (Option<Duration>, Duration) {
        let threshold = levels.pick(|attributes| attributes.threshold.as_ref());
        let native = self.job.semantics == Semantics::Native;
        if let Some((limit, _)) = threshold
            && limit.value.0.is_zero()
            && native
        {
            self.problems.error_with_help(
                &limit.at,
                "no response is faster than `0s`",
                "use a longer threshold",
            );
        }
        let threshold = threshold.map(|(limit, _)| limit.value.0);
        let timeout = match levels.pick(|attributes| attributes.timeout.as_ref()) {
            Some((limit, _)) => {
                if limit.value.0.is_zero() {
                    self.problems.error_with_help(
                        &limit.at,
                        "a timeout of `0s` gives up at once",
                        "use a longer one",
                    );
                }
                limit.value.0
            }
            None if native => SHORTEST_TIMEOUT.max(threshold.unwrap_or_default().saturating_mul(4)),
            None => threshold.filter(|limit| !limit.is_zero()).unwrap_or(SHORTEST_TIMEOUT),
        };
        (threshold, timeout)
    }

    fn headers(
        &mut self,
        method: &str,
        body: Option<&Body>,
        levels: &Levels<'_>,
        scope: &Scope,
    ) -> Vec<(String, Template)> {
        let mut headers = Vec::new();
        for (name, value, _) in levels.merged(|attributes| attributes.headers.as_ref()) {
            if !is_token(&name.text) {
                self.problems.error(&name.at, format!("`{}` cannot be the name of a header", name.text));
            }
            headers.push((name.text.clone(), self.template(value, Escape::Header, scope)));
        }
        let has = |headers: &[(String, Template)], name: &str| {
            headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
        };
        if let Some((auth, _)) = levels.pick(|attributes| attributes.auth.as_ref())
            && !has(&headers, "Authorization")
            && let Some(value) = self.authorization(auth, scope)
        {
            headers.push(("Authorization".to_owned(), value));
        }
        let content_type = match self.job.semantics {
            Semantics::Native => body.and_then(|body| body.content_type),
            // What java.net.HttpURLConnection adds to every request with a body but PUT.
            Semantics::Original => {
                body.filter(|_| method != "PUT").map(|_| "application/x-www-form-urlencoded")
            }
        };
        if let Some(content_type) = content_type
            && !has(&headers, "Content-Type")
        {
            headers.push(("Content-Type".to_owned(), Template::text(content_type)));
        }
        headers
    }

    fn authorization(&mut self, auth: &Spanned<Auth>, scope: &Scope) -> Option<Template> {
        if let Some(token) = &auth.value.bearer {
            let mut value = Template::text("Bearer ");
            value.append(&self.template(token, Escape::Header, scope));
            return Some(value);
        }
        let basic = auth.value.basic.as_ref()?;
        let mut inner = self.template(&basic.user, Escape::None, scope);
        inner.push_text(":");
        inner.append(&self.template(&basic.password, Escape::None, scope));
        let mut value = Template::text("Basic ");
        value.append(&nested(inner, vec![Filter::Base64], Escape::None));
        Some(value)
    }

    fn redirects(&mut self, levels: &Levels<'_>) -> u8 {
        let default = match self.job.semantics {
            Semantics::Native => REDIRECTS,
            Semantics::Original => ORIGINAL_REDIRECTS,
        };
        match levels.pick(|attributes| attributes.redirects.as_ref()) {
            None => default,
            Some((redirects, _)) => match &redirects.value {
                Either::First(Switch(on)) => default * u8::from(*on),
                Either::Second(count) => u8::try_from(count.0).unwrap_or_else(|_| {
                    let message = format!("{} redirects are too many", count.0);
                    self.problems.error_with_help(&redirects.at, message, "use at most 255");
                    default
                }),
            },
        }
    }

    fn cookies(&self, levels: &Levels<'_>) -> bool {
        let default = self.job.semantics == Semantics::Native;
        levels.pick(|attributes| attributes.cookies.as_ref()).map_or(default, |(cookies, _)| cookies.value.0)
    }
}

pub(crate) fn connection(levels: &Levels<'_>) -> Connection {
    match levels.pick(|attributes| attributes.connection.as_ref()).map(|(connection, _)| connection.value) {
        None | Some(TypedConnection::KeepAlive) => Connection::KeepAlive,
        Some(TypedConnection::Close) => Connection::Close,
        Some(TypedConnection::Iteration) => Connection::Iteration,
    }
}

/// A token of RFC 9110 section 5.6.2.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b))
}

/// The origin of the value that wins, or the default.
pub(crate) fn origin<T>(picked: Option<&(&Spanned<T>, Origin)>) -> Origin {
    picked.map_or(Origin::Default, |(value, origin)| origin.of(&value.at))
}

/// The origin of a text that wins.
pub(crate) fn text_origin(picked: Option<&(&Text, Origin)>) -> Origin {
    picked.map_or(Origin::Default, |(value, origin)| origin.of(&value.at))
}
