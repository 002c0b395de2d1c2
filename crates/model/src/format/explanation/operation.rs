//! One LDAP operation for people.

use crate::format::compile::levels::{Levels, Origin};
use crate::format::compile::request::{origin, text_origin};
use crate::format::explanation::Explained;
use crate::format::file::operation::{Add, Modify, Operation as Typed};
use crate::format::file::result::OperationCapture;
use crate::format::job::TaskStep;
use crate::ldap::{Ask, Operation};
use std::time::Duration;

impl Explained {
    pub(crate) fn of_operation(
        step: &TaskStep,
        typed: &Typed,
        operation: &Operation,
        threshold: Option<Duration>,
        levels: &Levels<'_>,
    ) -> Self {
        let mut explained = Self { name: step.name.text.clone(), lines: Vec::new() };
        let common = typed.common();
        explained.add("operation", asked(typed), None);
        let picked = levels.pick(|attributes| attributes.directory.as_ref());
        let from = match &common.url {
            Some(url) => Origin::Task.of(&url.at),
            None => text_origin(picked.as_ref()),
        };
        let start_tls = if operation.server.protocol == crate::request::Protocol::LdapStartTls {
            " with StartTLS"
        } else {
            ""
        };
        let shown =
            common.url.as_ref().or(picked.map(|(text, _)| text)).map_or("", |text| text.text.as_str());
        explained.add("directory", format!("{shown}{start_tls}"), Some(from));
        for control in &operation.controls {
            let critical = if control.critical { ", critical" } else { "" };
            explained.add("control", format!("{}{critical}", control.kind.oid()), None);
        }
        explained.limits(operation.timeout, threshold, levels);
        let from = origin(levels.pick(|attributes| attributes.connection.as_ref()).as_ref());
        explained.add("connection", super::request::connection(operation.connection).to_owned(), Some(from));
        explained.transport(levels);
        match &operation.ask {
            Ask::Unbind | Ask::Connect => {}
            Ask::Compare { .. } if operation.checks.is_empty() => {
                explained.add("check", "result compareTrue or compareFalse".to_owned(), None);
            }
            _ if operation.checks.is_empty() => explained.add("check", "result success".to_owned(), None),
            _ => {}
        }
        for check in &operation.checks {
            explained.add("check", check.label.clone(), None);
        }
        for (name, capture) in common.capture.iter().flat_map(|map| &map.entries) {
            let Some(capture) = capture else { continue };
            explained.add("capture", format!("{} from {}", name.text, source(&capture.value)), None);
        }
        explained
    }
}

/// What is asked, as it was written; no passwords, and no values.
fn asked(typed: &Typed) -> String {
    match typed {
        Typed::Bind(bind) => match (&bind.sasl, &bind.dn) {
            (Some(sasl), _) => format!("bind by SASL {}", sasl.mechanism.value.name()),
            (None, Some(dn)) => format!("bind as {}", dn.text),
            (None, None) => "bind as nobody".to_owned(),
        },
        Typed::Search(search) => {
            let base = search.base.as_ref().map_or("the root", |base| base.text.as_str());
            let scope = search.scope.map_or("sub", |scope| scope.word());
            let filter = search.filter.as_ref().map_or("(objectClass=*)", |filter| filter.text.as_str());
            format!("search {base}, {scope}, {filter}")
        }
        Typed::Compare(compare) => format!("compare {} of {}", compare.attribute.text, compare.dn.text),
        Typed::Add(add) => format!("add {}, attributes {}", add.dn.text, names(add)),
        Typed::Modify(modify) => format!("modify {}, {}", modify.dn.text, changes(modify)),
        Typed::Delete(delete) => format!("delete {}", delete.dn.text),
        Typed::ModifyDn(rename) => format!("rename {} to {}", rename.dn.text, rename.new_rdn.text),
        Typed::Extended(extended) => match (&extended.oid, &extended.password_modify) {
            (Some(oid), _) => format!("extended {}", oid.text),
            (None, Some(_)) => "password modify".to_owned(),
            (None, None) => "who am I".to_owned(),
        },
        Typed::Record(record) => format!("what a record of {} says", record.from.text),
        Typed::Unbind(_) => "unbind".to_owned(),
    }
}

fn source(capture: &OperationCapture) -> String {
    match &capture.attribute {
        Some(attribute) => format!("attribute {}", attribute.text),
        None if capture.dn.is_some() => "dn".to_owned(),
        None => "value".to_owned(),
    }
}

fn names(add: &Add) -> String {
    add.attributes.entries.iter().map(|(name, _)| name.text.as_str()).collect::<Vec<_>>().join(", ")
}

/// `replace mail, delete sn`.
fn changes(modify: &Modify) -> String {
    let changes = modify.changes.value.iter().filter_map(|change| {
        let change = &change.value;
        let all = [
            ("add", &change.add),
            ("delete", &change.delete),
            ("replace", &change.replace),
            ("increment", &change.increment),
        ];
        all.iter().find_map(|(what, attribute)| Some(format!("{what} {}", attribute.as_ref()?.text)))
    });
    changes.collect::<Vec<_>>().join(", ")
}
