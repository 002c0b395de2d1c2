//! One LDAP operation at its place: task, step, workload and job together.

use crate::format::compile::Compiler;
use crate::format::compile::levels::Levels;
use crate::format::compile::names::Scope;
use crate::format::compile::request::connection;
use crate::format::decode::text::Text;
use crate::format::explanation::Explained;
use crate::format::file::attributes::Attributes;
use crate::format::file::operation::Operation as Typed;
use crate::format::job::TaskStep;
use crate::ldap::{Ask, Operation};
use crate::plan::Phase;
use crate::request::{Origin, Protocol};
use std::time::Duration;

/// A compiled operation, what it is allowed to take, and how it came about.
pub(crate) struct Compiled {
    pub(crate) operation: Operation,
    pub(crate) threshold: Option<Duration>,
    pub(crate) explained: Explained,
}

impl Compiler<'_> {
    /// Compiles a task that is an operation. `outer` is the scope of its workload.
    pub(crate) fn operation(
        &mut self,
        step: &TaskStep,
        typed: &Typed,
        workload: &Attributes,
        outer: &Scope,
        phase: Phase,
    ) -> Compiled {
        let common = typed.common();
        let job = self.job;
        let levels = Levels {
            command_line: &job.command_line,
            step: &step.attributes,
            task: &common.attributes,
            workload,
            job: &job.attributes,
        };
        self.refuse_http(&common.attributes);
        self.refuse_http(&step.attributes);
        let scope = outer.inner(self.layer(common.attributes.variables.as_ref()));
        let scope = scope.inner(self.layer(step.attributes.variables.as_ref()));
        let (threshold, timeout) = self.limits(&levels);
        let mut checks = Vec::new();
        for check in common.check.iter().flatten() {
            checks.extend(self.operation_check(&check.value, &scope));
        }
        let mut captures = Vec::new();
        for (name, capture) in common.capture.iter().flat_map(|map| &map.entries) {
            let Some(capture) = capture else { continue };
            captures.extend(self.operation_capture(name, capture, phase == Phase::SetUp));
        }
        let controls = common.controls.as_ref();
        let server = self.directory(step, common.url.as_ref(), &levels, &scope);
        let operation = Operation {
            ask: self.ask(typed, &scope),
            transport: self.transport_of_directory(&levels, typed, &server, timeout, &scope),
            server,
            connection: connection(&levels),
            timeout,
            controls: controls.map_or_else(Vec::new, |controls| self.controls(controls, &scope)),
            checks,
            captures,
        };
        if matches!(operation.ask, Ask::Unbind)
            && !(operation.checks.is_empty() && operation.captures.is_empty())
        {
            let message = format!("`{}` has no answer that could be checked", step.name.text);
            let help = "remove `check` and `capture`: nothing answers an unbind";
            self.problems.error_with_help(&step.name.at, message, help);
        }
        let explained = Explained::of_operation(step, typed, &operation, threshold, &levels);
        Compiled { operation, threshold, explained }
    }

    /// What is said at an operation itself and means something for HTTP alone.
    fn refuse_http(&mut self, attributes: &Attributes) {
        let places = [
            ("target", attributes.target.as_ref().map(|value| &value.at)),
            ("headers", first_name(attributes)),
            ("http", attributes.http.as_ref().map(|value| &value.at)),
            ("auth", attributes.auth.as_ref().map(|value| &value.at)),
            ("redirects", attributes.redirects.as_ref().map(|value| &value.at)),
            ("cookies", attributes.cookies.as_ref().map(|value| &value.at)),
        ];
        for (key, at) in places {
            let Some(at) = at else { continue };
            let help = match key {
                "target" => "say where it goes with `directory` or `url`",
                "auth" => "let the user bind: `ldap: bind`",
                _ => "remove it here",
            };
            let message = format!("`{key}` is for HTTP, and this is an LDAP operation");
            self.problems.error_with_help(at, message, help);
        }
    }

    /// The server of an operation: its own `url`, else the innermost `directory`.
    fn directory(
        &mut self,
        step: &TaskStep,
        url: Option<&Text>,
        levels: &Levels<'_>,
        scope: &Scope,
    ) -> Origin {
        let unknown =
            || Origin { protocol: Protocol::Ldap, tls: false, host: "unknown".to_owned(), port: 389 };
        let picked = levels.pick(|attributes| attributes.directory.as_ref()).map(|(text, _)| text);
        let Some(text) = url.or(picked) else {
            if !self.problems.misspelt(&["directory", "url"]) {
                let message = format!("no `directory` says where `{}` goes", step.name.text);
                let help = "add `directory: ldap://host:port` to the job, or `url` to the task";
                self.problems.error_with_help(&step.name.at, message, help);
            }
            return unknown();
        };
        self.names.wrote_secret = false;
        let Some(written) = self.constant(text, scope) else { return unknown() };
        let start_tls = levels.pick(|attributes| attributes.tls.as_ref());
        let start_tls = start_tls.and_then(|(tls, _)| tls.value.upgrade.as_ref()).filter(|on| on.value.0);
        let mut origin = match Origin::parse_ldap(&written) {
            Ok(origin) => origin,
            Err(reason) => {
                let reason = if self.names.wrote_secret { "it names no server".to_owned() } else { reason };
                let message = format!("bad URL `{}`: {reason}", text.text);
                self.problems.error_with_help(&text.at, message, "write it like ldap://host:port");
                return unknown();
            }
        };
        match start_tls {
            Some(_) if origin.protocol == Protocol::Ldap && !origin.tls => {
                origin.protocol = Protocol::LdapStartTls;
                origin.tls = true;
            }
            Some(on) => {
                let message = format!("StartTLS is not for `{origin}`");
                self.problems.error_with_help(&on.at, message, "remove `start_tls`, or use ldap://");
            }
            None => {}
        }
        origin
    }
}

/// Where the first header stands.
fn first_name(attributes: &Attributes) -> Option<&crate::format::node::At> {
    Some(&attributes.headers.as_ref()?.entries.first()?.0.at)
}
