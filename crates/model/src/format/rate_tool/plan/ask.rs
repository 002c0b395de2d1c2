//! What an operation asks.

use crate::capture::Lifetime;
use crate::format::rate_tool::operation::{Dereference, Modify, Operation, Scope as SearchScope, Search};
use crate::format::rate_tool::plan::{OPERATING, Parts};
use crate::format::rate_tool::server::{Bind, Sasl};
use crate::format::rate_tool::{RateTool, Secret};
use crate::ldap::filter::Comparison;
use crate::ldap::{
    self, Ask, Capture, Change, ChangeKind, Check, Condition, Control, ControlKind, Extract, RecordSource,
};
use crate::request::{Connection, TransportId};
use crate::template::{Escape, Segment, Template};
use crate::variable::{Scope, Slot, Source};

/// What is sent where a bind is to fail.
const INVALID_PASSWORD: &str = "invalid-password";

impl RateTool {
    /// Whether all binds are the same, so that one of them tells before the run what becomes of the others.
    pub(super) fn binds_as_one(&self) -> bool {
        let is_constant = |template: &Template| template.constant().is_some();
        match &self.bind {
            Bind::Anonymous => false,
            Bind::Simple { name, .. } => is_constant(name),
            Bind::Sasl(sasl) => sasl.authid.iter().chain(&sasl.authzid).all(is_constant),
        }
    }

    /// A name with values in it.
    fn name(&self, template: &Template) -> Template {
        if !self.escape_values {
            return template.clone();
        }
        let escaped = |slot: Slot| usize::from(slot.0) < self.arguments.len();
        map_values(template, |slot, escape| (slot, if escaped(slot) { Escape::Dn } else { escape }))
    }
}

impl Parts<'_> {
    /// The requests that make up one operation, in order.
    pub(super) fn asks(&mut self) -> Vec<ldap::Operation> {
        match &self.run.operation {
            Operation::Modify(modify) => self.modify(modify),
            Operation::Search(search) => vec![self.controlled(self.search(search))],
            Operation::Bind(bind) => {
                let mut asks: Vec<_> =
                    bind.search.iter().map(|search| self.search_for_name(search)).collect();
                asks.extend(self.bind(OPERATING, Connection::KeepAlive));
                asks
            }
            Operation::Add(_) => vec![self.controlled(Ask::Record(RecordSource::Turn))],
        }
    }

    /// The operation in the name of another, if the command line says so.
    fn controlled(&self, ask: Ask) -> ldap::Operation {
        let mut operation = self.operation(ask, OPERATING);
        if let Some(who) = &self.run.proxy_as {
            let kind = ControlKind::ProxiedAuthorization(Template::text(who.as_str()));
            operation.controls.push(Control { kind, critical: true });
        }
        operation
    }

    fn search(&self, search: &Search) -> Ask {
        Ask::Search(Box::new(ldap::Search {
            base: self.run.name(&search.base),
            scope: match search.scope {
                SearchScope::Base => ldap::Scope::Base,
                SearchScope::One => ldap::Scope::One,
                SearchScope::Sub => ldap::Scope::Sub,
                SearchScope::Subordinates => ldap::Scope::Subordinates,
            },
            dereference: match search.dereference {
                Dereference::Never => ldap::Dereference::Never,
                Dereference::Always => ldap::Dereference::Always,
                Dereference::Search => ldap::Dereference::Search,
                Dereference::Find => ldap::Dereference::Find,
            },
            size_limit: 0,
            time_limit_s: 0,
            types_only: false,
            filter: search.filter.clone(),
            attributes: search.attributes.iter().map(|name| Template::text(name.as_str())).collect(),
            page_size: None,
        }))
    }

    /// The search that finds who binds.
    fn search_for_name(&self, search: &Search) -> ldap::Operation {
        let mut operation = self.operation(self.search(search), OPERATING);
        let label = "one entry that is to bind".to_owned();
        operation.checks.push(Check { label, condition: Condition::Entries(1..=1) });
        let (slot, lifetime) = (self.found_name(), Lifetime::Iteration);
        operation.captures.push(Capture { slot, from: Extract::Dn, lifetime });
        operation
    }

    fn modify(&mut self, modify: &Modify) -> Vec<ldap::Operation> {
        let dn = self.run.name(&modify.target);
        let moved = (modify.value_count > 1).then(|| self.second_arguments());
        let changes = modify.changes.iter().map(|change| {
            let value = match moved {
                None => change.value.clone(),
                Some(first) => map_values(&change.value, |slot, escape| (Slot(first + slot.0), escape)),
            };
            Change {
                kind: ChangeKind::Replace,
                attribute: Template::text(change.attribute.as_str()),
                values: vec![value; modify.value_count as usize],
            }
        });
        let ask = Ask::Modify { dn: dn.clone(), changes: changes.collect() };
        let mut operation = self.controlled(ask);
        let Some(attribute) = &modify.unchanged else { return vec![operation] };
        let slot = self.add_variable(attribute, Source::Captured);
        let read = Template::text(attribute.as_str());
        let mut reading = self.controlled(read_entry(dn, read));
        let (from, lifetime) = (Extract::Attribute(attribute.clone()), Lifetime::Iteration);
        reading.captures.push(Capture { slot, from, lifetime });
        let same = ldap::Filter::Compare(Comparison::Equal, attribute.clone(), value_of(slot));
        operation.controls.push(Control { kind: ControlKind::Assertion(same), critical: true });
        vec![reading, operation]
    }

    /// The arguments once more, drawn anew at each place; the slot of the first.
    fn second_arguments(&mut self) -> u16 {
        let first = self.variables.len() as u16;
        let run = self.run;
        self.variables.extend(run.arguments.variables(run.numbering, self.seed, Scope::Use, &mut self.data));
        first
    }

    /// The bind of the command line; none of nobody.
    pub(super) fn bind(&mut self, transport: TransportId, connection: Connection) -> Option<ldap::Operation> {
        let bind = match &self.run.bind {
            Bind::Anonymous => return None,
            Bind::Simple { name, password } => {
                let (dn, password) = (self.run.name(name), self.password(password, transport));
                ldap::Bind::Simple { dn, password }
            }
            Bind::Sasl(sasl) => self.sasl(sasl, transport),
        };
        let mut operation = self.operation(Ask::Bind(bind), transport);
        operation.connection = connection;
        let controls = &self.run.bind_controls;
        let wanted = [
            (controls.report_authzid, ControlKind::AuthorizationIdentity),
            (controls.password_policy, ControlKind::PasswordPolicy),
        ];
        let wanted = wanted.into_iter().filter(|(is_wanted, _)| *is_wanted);
        operation.controls.extend(wanted.map(|(_, kind)| Control { kind, critical: false }));
        Some(operation)
    }

    fn sasl(&mut self, sasl: &Sasl, transport: TransportId) -> ldap::Bind {
        let text = |template: &Option<Template>| template.clone().unwrap_or_default();
        let password = sasl.password.as_ref();
        ldap::Bind::Sasl {
            mechanism: sasl.mechanism,
            authorization_id: text(&sasl.authzid),
            authentication_id: text(&sasl.authid),
            password: password.map(|password| self.password(password, transport)).unwrap_or_default(),
            realm: Template::text(sasl.realm.clone().unwrap_or_default()),
        }
    }

    /// The password; where some binds are to fail, theirs in so many of a hundred.
    fn password(&mut self, password: &Secret, transport: TransportId) -> Template {
        let percent = match &self.run.operation {
            Operation::Bind(bind) if transport == OPERATING => usize::from(bind.invalid_percent),
            _ => 0,
        };
        if percent == 0 {
            return Template::text(password.reveal());
        }
        let texts = (0..100).map(|index| if index < percent { INVALID_PASSWORD } else { password.reveal() });
        let texts = texts.map(str::to_owned).collect();
        value_of(self.add_variable("the password", Source::Choice(texts)))
    }
}

/// Reads one attribute of an entry.
fn read_entry(dn: Template, attribute: Template) -> Ask {
    Ask::Search(Box::new(ldap::Search {
        base: dn,
        scope: ldap::Scope::Base,
        dereference: ldap::Dereference::Never,
        size_limit: 0,
        time_limit_s: 0,
        types_only: false,
        filter: ldap::Filter::Present("objectClass".to_owned()),
        attributes: vec![attribute],
        page_size: None,
    }))
}

/// A variable alone.
fn value_of(slot: Slot) -> Template {
    let mut template = Template::default();
    template.push(Segment::Value { slot, filters: Vec::new(), escape: Escape::None });
    template
}

/// A template whose variables are others, or escaped in another way.
fn map_values(template: &Template, change: impl Fn(Slot, Escape) -> (Slot, Escape)) -> Template {
    let mut out = Template::default();
    for segment in template.segments() {
        out.push(match segment {
            Segment::Value { slot, filters, escape } => {
                let (slot, escape) = change(*slot, *escape);
                Segment::Value { slot, filters: filters.clone(), escape }
            }
            other => other.clone(),
        });
    }
    out
}
