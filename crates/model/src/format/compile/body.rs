//! The body of a request, and what kind of body it is.

use crate::format::compile::Compiler;
use crate::format::compile::names::Scope;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::file::task::Task;
use crate::format::node::{Kind, Node, Value};
use crate::template::{Escape, Segment, Template, escape_into};

/// A compiled body.
pub(crate) struct Body {
    pub(crate) template: Template,
    /// What the job calls it: `json`.
    pub(crate) kind: &'static str,
    /// The Content-Type that goes with it.
    pub(crate) content_type: Option<&'static str>,
}

impl Compiler<'_> {
    pub(crate) fn body(&mut self, task: &Task, scope: &Scope) -> Option<Body> {
        if let Some(json) = &task.json {
            let mut template = Template::default();
            self.json(&json.0, scope, &mut template);
            return Some(Body { template, kind: "json", content_type: Some("application/json") });
        }
        if let Some(form) = &task.form {
            let mut template = Template::default();
            for (index, (name, value)) in form.entries.iter().enumerate() {
                let Some(value) = value else { continue };
                template.push_text(if index == 0 { "" } else { "&" });
                template.append(&self.template(name, Escape::Percent, scope));
                template.push_text("=");
                template.append(&self.template(value, Escape::Percent, scope));
            }
            let content_type = Some("application/x-www-form-urlencoded");
            return Some(Body { template, kind: "form", content_type });
        }
        if let Some(text) = &task.body {
            let template = self.template(text, Escape::None, scope);
            return Some(Body { template, kind: "text", content_type: None });
        }
        task.body_file.as_ref().and_then(|file| self.body_file(file, task.template, scope))
    }

    fn body_file(&mut self, file: &Text, filled: Option<Switch>, scope: &Scope) -> Option<Body> {
        let name = self.constant(file, scope)?;
        let bytes = self.read(&name, &file.at)?;
        let template = if filled == Some(Switch(false)) {
            Template::text(bytes)
        } else {
            let Ok(text) = String::from_utf8(bytes) else {
                let message = format!("`{name}` is not text in UTF-8");
                self.problems.error_with_help(&file.at, message, "add `template: off` to send it as it is");
                return None;
            };
            self.template(&Text::new(text, &file.at), Escape::None, scope)
        };
        Some(Body { template, kind: "file", content_type: None })
    }

    /// Writes a JSON value; order and numbers stay as they were written.
    fn json(&mut self, node: &Node, scope: &Scope, out: &mut Template) {
        match &node.value {
            Value::Scalar(scalar) => match scalar.kind {
                Kind::Null => out.push_text("null"),
                Kind::Bool => out.push_text(scalar.text.to_ascii_lowercase()),
                Kind::Number => out.push_text(&scalar.text),
                Kind::Text => self.json_text(&Text::new(scalar.text.clone(), &node.at), scope, out),
            },
            Value::List(nodes) => {
                out.push_text("[");
                for (index, node) in nodes.iter().enumerate() {
                    out.push_text(if index == 0 { "" } else { "," });
                    self.json(node, scope, out);
                }
                out.push_text("]");
            }
            Value::Map(entries) => {
                out.push_text("{");
                for (index, (key, node)) in entries.iter().enumerate() {
                    out.push_text(if index == 0 { "\"" } else { ",\"" });
                    out.append(&self.template(&Text::new(key.text.clone(), &key.at), Escape::Json, scope));
                    out.push_text("\":");
                    self.json(node, scope, out);
                }
                out.push_text("}");
            }
        }
    }

    fn json_text(&mut self, text: &Text, scope: &Scope, out: &mut Template) {
        let semantics = self.job.semantics;
        if let Some(raw) = self.names.raw(text, semantics, scope, self.problems) {
            out.append(&raw);
            return;
        }
        out.push_text("\"");
        if text.text.contains('$') {
            out.append(&self.template(text, Escape::Json, scope));
        } else {
            let mut bytes = Vec::new();
            escape_into(text.text.as_bytes(), Escape::Json, &mut bytes);
            out.push_text(bytes);
        }
        out.push_text("\"");
    }
}

/// How long a body is, for people: `17 bytes`, or `17 bytes and 2 values`.
pub(crate) fn size(template: &Template) -> String {
    let plain: usize = template
        .segments()
        .iter()
        .map(|segment| if let Segment::Text(text) = segment { text.len() } else { 0 })
        .sum();
    let bytes = if plain == 1 { "1 byte".to_owned() } else { format!("{plain} bytes") };
    match template.segments().iter().filter(|segment| !matches!(segment, Segment::Text(_))).count() {
        0 => bytes,
        1 => format!("{bytes} and 1 value"),
        values => format!("{bytes} and {values} values"),
    }
}
