//! What an LDAP operation asks.

use crate::diagnostic::Diagnostic;
use crate::format::compile::Compiler;
use crate::format::compile::names::{Names, Scope};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Spanned};
use crate::format::file::bind::{Bind as TypedBind, Sasl};
use crate::format::file::control::Controls;
use crate::format::file::operation::{
    Add, AttributeValue, Binary, Change as TypedChange, Extended, OneOrMore, Operation as Typed,
    Search as TypedSearch,
};
use crate::format::file::operation::{Dereference as TypedDereference, Scope as TypedScope};
use crate::ldap::filter::positions;
use crate::ldap::{
    Ask, Bind, Change, ChangeKind, Control, ControlKind, Dereference, ExtendedValue, Filter, RecordSource,
    Search, SortKey,
};
use crate::template::{Escape, Template};
use crate::variable::Source;
use base64::Engine as _;
use std::ops::ControlFlow;

/// Constants that are nothing but another constant, at most so many in a row.
const DEEPEST: usize = 32;
/// RFC 3062.
const PASSWORD_MODIFY: &str = "1.3.6.1.4.1.4203.1.11.1";
/// RFC 4532.
const WHO_AM_I: &str = "1.3.6.1.4.1.4203.1.11.3";

impl Compiler<'_> {
    pub(crate) fn ask(&mut self, typed: &Typed, scope: &Scope) -> Ask {
        match typed {
            Typed::Bind(bind) => Ask::Bind(self.bind(bind, scope)),
            Typed::Search(search) => Ask::Search(Box::new(self.search(search, scope))),
            Typed::Compare(compare) => Ask::Compare {
                dn: self.dn(&compare.dn, scope),
                attribute: self.plain(&compare.attribute, scope),
                value: self.value(&compare.value, scope),
            },
            Typed::Add(add) => self.add(add, scope),
            Typed::Modify(modify) => {
                let dn = self.dn(&modify.dn, scope);
                if modify.changes.value.is_empty() {
                    let help = "add one such as { replace: mail, value: a@example.com }";
                    self.problems.error_with_help(&modify.changes.at, "nothing is changed", help);
                }
                let changes = modify.changes.value.iter();
                Ask::Modify { dn, changes: changes.filter_map(|one| self.change(one, scope)).collect() }
            }
            Typed::Delete(delete) => Ask::Delete { dn: self.dn(&delete.dn, scope) },
            Typed::ModifyDn(rename) => Ask::ModifyDn {
                dn: self.dn(&rename.dn, scope),
                new_rdn: self.dn(&rename.new_rdn, scope),
                delete_old: rename.delete_old_rdn != Some(Switch(false)),
                new_superior: rename.new_superior.as_ref().map(|dn| self.dn(dn, scope)),
            },
            Typed::Extended(extended) => self.extended(extended, scope),
            Typed::Record(record) => self.record(&record.from),
            Typed::Unbind(_) => Ask::Unbind,
        }
    }

    fn bind(&mut self, typed: &TypedBind, scope: &Scope) -> Bind {
        let password = self.optional(typed.password.as_ref(), scope);
        let Some(sasl) = &typed.sasl else {
            let dn = typed.dn.as_ref().map(|dn| self.dn(dn, scope)).unwrap_or_default();
            return Bind::Simple { dn, password };
        };
        self.check_sasl(sasl);
        Bind::Sasl {
            mechanism: sasl.mechanism.value,
            authorization_id: self.optional(sasl.authzid.as_ref(), scope),
            authentication_id: self.optional(sasl.authid.as_ref(), scope),
            password,
            realm: self.optional(sasl.realm.as_ref(), scope),
        }
    }

    /// What a mechanism needs, and what it has no place for.
    fn check_sasl(&mut self, sasl: &Sasl) {
        let Spanned { value: mechanism, at } = &sasl.mechanism;
        let name = mechanism.name();
        if mechanism.has_password() && sasl.authid.is_none() {
            self.problems.error_with_help(at, format!("{name} needs a name to prove"), "add `authid`");
        }
        let spare = [
            (&sasl.authzid, mechanism.has_authorization(), "authzid"),
            (&sasl.realm, mechanism.has_realm(), "realm"),
        ];
        for (given, has, key) in spare {
            if let Some(text) = given.as_ref().filter(|_| !has) {
                self.problems.error_with_help(&text.at, format!("{name} has no `{key}`"), "remove it");
            }
        }
    }

    fn search(&mut self, typed: &TypedSearch, scope: &Scope) -> Search {
        let filter = match &typed.filter {
            Some(text) => self.filter(text, scope),
            None => Filter::Present("objectClass".to_owned()),
        };
        let page_size =
            typed.page_size.as_ref().map(|count| self.at_least_one("page_size", count, i32::MAX as u32));
        let bounded = |number: u64| u32::try_from(number).unwrap_or(u32::MAX).min(i32::MAX as u32);
        Search {
            base: typed.base.as_ref().map(|base| self.dn(base, scope)).unwrap_or_default(),
            scope: match typed.scope {
                Some(TypedScope::Base) => crate::ldap::Scope::Base,
                Some(TypedScope::One) => crate::ldap::Scope::One,
                Some(TypedScope::Sub) | None => crate::ldap::Scope::Sub,
                Some(TypedScope::Subordinates) => crate::ldap::Scope::Subordinates,
            },
            dereference: match typed.dereference {
                Some(TypedDereference::Never) | None => Dereference::Never,
                Some(TypedDereference::Search) => Dereference::Search,
                Some(TypedDereference::Find) => Dereference::Find,
                Some(TypedDereference::Always) => Dereference::Always,
            },
            size_limit: typed.size_limit.as_ref().map_or(0, |limit| bounded(limit.value.0)),
            // The protocol has whole seconds.
            time_limit_s: typed.time_limit.as_ref().map_or(0, |limit| bounded(limit.value.0.as_secs())),
            types_only: typed.types_only == Some(Switch(true)),
            filter,
            attributes: self.texts(typed.attributes.as_deref().unwrap_or_default(), scope),
            page_size,
        }
    }

    fn add(&mut self, typed: &Add, scope: &Scope) -> Ask {
        let dn = self.dn(&typed.dn, scope);
        let mut attributes = Vec::new();
        for (name, values) in &typed.attributes.entries {
            let Some(values) = values else { continue };
            attributes.push((self.plain(name, scope), self.values(values, scope)));
        }
        Ask::Add { dn, attributes }
    }

    fn change(&mut self, typed: &Spanned<TypedChange>, scope: &Scope) -> Option<Change> {
        let change = &typed.value;
        let all = [
            (&change.add, ChangeKind::Add),
            (&change.delete, ChangeKind::Delete),
            (&change.replace, ChangeKind::Replace),
            (&change.increment, ChangeKind::Increment),
        ];
        let (attribute, kind) =
            all.into_iter().find_map(|(attribute, kind)| Some((attribute.as_ref()?, kind)))?;
        let values = change.value.as_ref().map_or_else(Vec::new, |values| self.values(values, scope));
        if values.is_empty() && matches!(kind, ChangeKind::Add | ChangeKind::Increment) {
            let message = format!("`{}` gets no value", attribute.text);
            self.problems.error_with_help(&typed.at, message, "add `value`");
        }
        Some(Change { kind, attribute: self.plain(attribute, scope), values })
    }

    fn extended(&mut self, typed: &Extended, scope: &Scope) -> Ask {
        if let Some(password) = &typed.password_modify {
            let mut part = |text: &Option<Text>| text.as_ref().map(|text| self.plain(text, scope));
            let value = ExtendedValue::PasswordModify {
                identity: part(&password.user),
                old: part(&password.old),
                new: part(&password.new),
            };
            return Ask::Extended { oid: PASSWORD_MODIFY.to_owned(), value };
        }
        if let Some(off) = typed.whoami.as_ref().filter(|on| !on.value.0) {
            let help = "write `whoami: on`, or `oid` for another operation";
            self.problems.error_with_help(&off.at, "the operation asks nothing", help);
        }
        let Some(oid) = &typed.oid else {
            return Ask::Extended { oid: WHO_AM_I.to_owned(), value: ExtendedValue::None };
        };
        let value = typed.value.as_ref();
        let value = value.map_or(ExtendedValue::None, |value| ExtendedValue::Bytes(self.value(value, scope)));
        Ask::Extended { oid: self.oid(oid, scope), value }
    }

    /// The records of a wildcard. A deletion stands for what is wrong.
    fn record(&mut self, from: &Text) -> Ask {
        let name = from.text.trim();
        let records = match self.names.wildcards.get(name) {
            Some(wild) if wild.is_broken() => return Ask::Delete { dn: Template::default() },
            Some(wild) => wild.records(),
            None => {
                let known = self.names.wildcards.iter().filter(|(_, wild)| wild.records().is_some());
                let known: Vec<_> = known.map(|(name, _)| name.as_str()).collect();
                let problem = Diagnostic::error(from.at.place(), format!("unknown wildcard `{name}`"));
                let problem = problem.help("name one whose `file` ends in .ldif, without a dollar");
                let name = name.trim_start_matches('$').trim_matches(['{', '}']);
                self.problems.add(problem.nearest(name, known));
                return Ask::Delete { dn: Template::default() };
            }
        };
        let Some((data, lifetime)) = records else {
            let message = format!("`{name}` has no records");
            self.problems.error_with_help(&from.at, message, "use a wildcard whose `file` ends in .ldif");
            return Ask::Delete { dn: Template::default() };
        };
        let source = Source::Column { data, column: 0 };
        let dn = self.names.slot(&format!("{name}.dn"), source, lifetime);
        Ask::Record(RecordSource::Data { data, dn })
    }

    pub(crate) fn controls(&mut self, typed: &Controls, scope: &Scope) -> Vec<Control> {
        let on = |switch: Option<Switch>| switch == Some(Switch(true));
        let mut controls = Vec::new();
        let mut add = |kind, critical| controls.push(Control { kind, critical });
        if let Some(identity) = &typed.proxied_authorization {
            add(ControlKind::ProxiedAuthorization(self.plain(identity, scope)), true);
        }
        if on(typed.authorization_identity) {
            add(ControlKind::AuthorizationIdentity, false);
        }
        if on(typed.password_policy) {
            add(ControlKind::PasswordPolicy, false);
        }
        if let Some(filter) = &typed.assertion {
            add(ControlKind::Assertion(self.filter(filter, scope)), true);
        }
        if let Some(attributes) = &typed.pre_read {
            add(ControlKind::PreRead(self.texts(attributes, scope)), true);
        }
        if let Some(attributes) = &typed.post_read {
            add(ControlKind::PostRead(self.texts(attributes, scope)), true);
        }
        if let Some(keys) = &typed.sort {
            add(ControlKind::Sort(keys.iter().map(|key| sort_key(&key.text)).collect()), true);
        }
        if on(typed.manage_dsa_it) {
            add(ControlKind::ManageDsaIt, true);
        }
        for other in typed.other.iter().flatten() {
            let value = other.value.as_ref().map(|value| self.value(value, scope));
            let kind = ControlKind::Other { oid: self.oid(&other.oid, scope), value };
            controls.push(Control { kind, critical: on(other.critical) });
        }
        controls
    }

    fn oid(&mut self, text: &Text, scope: &Scope) -> String {
        let oid = self.constant(text, scope).unwrap_or_default();
        if oid.is_empty() || !oid.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            let message = format!("`{}` is no object identifier", text.text);
            self.problems.error_with_help(&text.at, message, "write it like 1.3.6.1.4.1.4203.1.11.3");
        }
        oid
    }

    /// A text whose values stand as they are.
    pub(super) fn plain(&mut self, text: &Text, scope: &Scope) -> Template {
        self.template(text, Escape::None, scope)
    }

    fn optional(&mut self, text: Option<&Text>, scope: &Scope) -> Template {
        text.map(|text| self.plain(text, scope)).unwrap_or_default()
    }

    fn texts(&mut self, texts: &[Text], scope: &Scope) -> Vec<Template> {
        texts.iter().map(|text| self.plain(text, scope)).collect()
    }

    fn values(&mut self, typed: &OneOrMore, scope: &Scope) -> Vec<Template> {
        match typed {
            Either::First(values) => values.iter().map(|value| self.value(value, scope)).collect(),
            Either::Second(value) => vec![self.value(value, scope)],
        }
    }

    fn value(&mut self, typed: &AttributeValue, scope: &Scope) -> Template {
        match typed {
            Either::First(text) => self.plain(text, scope),
            Either::Second(binary) => Template::text(self.bytes(&binary.value, scope).unwrap_or_default()),
        }
    }

    fn bytes(&mut self, binary: &Binary, scope: &Scope) -> Option<Vec<u8>> {
        if let Some(file) = &binary.file {
            let name = self.constant(file, scope)?;
            return self.read(&name, &file.at);
        }
        let text = binary.base64.as_ref()?;
        let decoded = base64::engine::general_purpose::STANDARD.decode(self.constant(text, scope)?);
        decoded
            .map_err(|error| self.problems.error(&text.at, format!("the value is no base64: {error}")))
            .ok()
    }

    /// A filter. Where variables stand for values they mean nothing but themselves, whatever they hold; a filter
    /// that begins with a variable is one.
    fn filter(&mut self, text: &Text, scope: &Scope) -> Filter {
        // A constant that is a filter is one as if it stood here; those that are made of themselves end somewhere.
        let text =
            (0..DEEPEST).try_fold(text.clone(), |text, _| match Names::constant_behind(&text, scope) {
                Some(inner) => ControlFlow::Continue(inner),
                None => ControlFlow::Break(text),
            });
        let (ControlFlow::Break(text) | ControlFlow::Continue(text)) = &text;
        let mut written = text.text.clone();
        if text.text.trim_start().starts_with('$') && !text.text.contains('=') {
            let template = self.plain(text, scope);
            match template.constant() {
                Some(constant) => written = String::from_utf8_lossy(constant).into_owned(),
                None => return Filter::Text(template),
            }
        }
        let filter =
            Filter::parse_with(&written, &mut |value| self.plain(&Text::new(value, &text.at), scope));
        filter.unwrap_or_else(|reason| {
            let message = format!("bad filter `{}`: {reason}", text.text);
            self.problems.error_with_help(
                &text.at,
                message,
                "write it like (&(objectClass=person)(uid=$USER))",
            );
            Filter::Present("objectClass".to_owned())
        })
    }

    /// A name. Variables that stand for values of it are escaped (RFC 4514 section 2.4); others are parts of names
    /// themselves.
    pub(super) fn dn(&mut self, text: &Text, scope: &Scope) -> Template {
        let mut template = Template::default();
        for (part, escape) in name_parts(&text.text) {
            template.append(&self.template(&Text::new(part, &text.at), escape, scope));
        }
        template
    }
}

/// The values of a name, and what stands between them.
fn name_parts(text: &str) -> Vec<(&str, Escape)> {
    let mut parts = Vec::new();
    let (mut from, mut inside, mut escaped) = (0, false, false);
    for (at, sign) in positions(text) {
        let ends = match sign {
            _ if escaped => false,
            '=' => !inside,
            ',' | '+' | ';' => inside,
            _ => false,
        };
        escaped = sign == '\\' && !escaped;
        if ends {
            // The sign belongs to what is no value.
            let to = if inside { at } else { at + 1 };
            parts.push((&text[from..to], if inside { Escape::Dn } else { Escape::None }));
            from = to;
            inside = !inside;
        }
    }
    parts.push((&text[from..], if inside { Escape::Dn } else { Escape::None }));
    parts
}

/// `-sn:caseExactOrderingMatch`.
fn sort_key(text: &str) -> SortKey {
    let (reverse, rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    match rest.split_once(':') {
        Some((attribute, rule)) => {
            SortKey { attribute: attribute.to_owned(), rule: Some(rule.to_owned()), reverse }
        }
        None => SortKey { attribute: rest.to_owned(), rule: None, reverse },
    }
}
