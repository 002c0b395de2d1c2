//! The server and who binds to it, from options.

use crate::format::rate_tool::generator::Arguments;
use crate::format::rate_tool::operation::{self, Operation};
use crate::format::rate_tool::option::Setting;
use crate::format::rate_tool::reading::Reading;
use crate::format::rate_tool::secret::Secret;
use crate::format::rate_tool::server::{
    Bind, Mechanism, Sasl, Security, Server, Store, Tls, Trust, Unusable,
};
use crate::format::rate_tool::template::Known;
use crate::format::rate_tool::tool::Tool;
use crate::format::rate_tool::words::{Given, Typed};
use crate::request;
use crate::template::Template;

/// Default of both timeouts, ms.
const TIMEOUT_MS: u64 = 30_000;
/// RFC 4516 section 2.
const PORT: u16 = 389;
/// What servers use for LDAP over TLS.
const TLS_PORT: u16 = 636;

/// What begins a place for the report.
const FILES: [&str; 2] = ["json=", "csv="];

const TRUST_STORES: [Setting; 4] =
    [Setting::JavaTrustStore, Setting::JceTrustStore, Setting::Pkcs12TrustStore, Setting::TrustStorePath];
const KEY_STORES: [Setting; 4] =
    [Setting::JavaKeyStore, Setting::JceKeyStore, Setting::Pkcs12KeyStore, Setting::KeyStorePath];

/// The server and who binds, as far as they could be read.
pub(super) fn server(
    reading: &mut Reading<'_>,
    arguments: &Arguments,
    operation: Option<&Operation>,
) -> Option<(Server, Bind)> {
    let security = security(reading);
    let usual_port = if matches!(security, Security::Ldaps(_)) { TLS_PORT } else { PORT };
    let server = Server {
        host: reading.text(Setting::Hostname).unwrap_or("localhost").to_owned(),
        port: reading.number(Setting::Port, 1..=u16::MAX, usual_port),
        security,
        connect_timeout: reading.timeout(Setting::ConnectTimeout, TIMEOUT_MS),
        request_timeout: reading.timeout(Setting::RequestTimeout, TIMEOUT_MS),
    };
    let found_name = matches!(operation, Some(Operation::Bind(operation::Bind { search: Some(_), .. })));
    let known = Known { arguments, found_name };
    let is_sasl = reading.given.all(Setting::SaslOption).any(|typed| !is_file(typed));
    let bind = if is_sasl { sasl(reading, &known) } else { simple(reading, &known) };
    Some((server, bind?))
}

fn security(reading: &mut Reading<'_>) -> Security {
    for (key, help) in [
        (Setting::Pkcs11KeyStore, "export the key to a PKCS#12 file and use `--usePkcs12KeyStore`"),
        (Setting::JavaProvider, "leave out the options on providers; the files themselves tell their format"),
    ] {
        if reading.has(key) {
            let name = reading.name(key);
            reading.problem(format!("`{name}` needs Java"), help);
        }
    }
    let (ssl, start_tls) = (reading.has(Setting::Ssl), reading.has(Setting::StartTls));
    if ssl && start_tls {
        reading.problem("both `--useSsl` and `--useStartTls` are given", "keep one of them");
    }
    let mut tls = tls(reading);
    if ssl || start_tls {
        tls.settings = settings(reading, &tls);
    }
    match (ssl, start_tls) {
        (true, _) => Security::Ldaps(tls),
        (false, true) => Security::StartTls(tls),
        (false, false) => Security::None,
    }
}

fn tls(reading: &mut Reading<'_>) -> Tls {
    let trust_store = store(reading, &TRUST_STORES, Setting::TrustStorePassword);
    let key_store = store(reading, &KEY_STORES, Setting::KeyStorePassword);
    let sources =
        [reading.has(Setting::TrustAll), reading.has(Setting::JvmTrustStore), trust_store.is_some()];
    if sources.iter().filter(|given| **given).count() > 1 {
        reading.problem(
            "more than one option says which certificates are trusted",
            "keep one of `--trustAll`, `--useJvmTrustStore` and the trust store",
        );
    }
    let trust = match trust_store {
        Some(store) => Trust::Store(store),
        None if reading.has(Setting::TrustAll) => Trust::All,
        None => Trust::Machine,
    };
    let nickname = reading.text(Setting::CertNickname).map(str::to_owned);
    Tls { trust, key_store, nickname, settings: request::Tls::default() }
}

/// What the stores hold.
fn settings(reading: &mut Reading<'_>, tls: &Tls) -> request::Tls {
    let Tls { trust, key_store, nickname, .. } = tls;
    let outside = reading.outside;
    let mut unusable = |unusable: Unusable| reading.problem(unusable.message, unusable.help);
    let authorities = match trust {
        Trust::Store(store) => store.certificates(outside).map_err(&mut unusable).ok(),
        Trust::All | Trust::Machine => None,
    };
    let identity = key_store
        .as_ref()
        .and_then(|store| store.identity(nickname.as_deref(), outside).map_err(&mut unusable).ok());
    request::Tls {
        authorities,
        client: identity.map(|identity| (identity.chain, identity.key)),
        insecure: *trust == Trust::All,
        ..request::Tls::default()
    }
}

fn store(reading: &mut Reading<'_>, keys: &[Setting], password: Setting) -> Option<Store> {
    let given: Vec<Setting> = keys.iter().copied().filter(|key| reading.has(*key)).collect();
    if let [first, second, ..] = given.as_slice() {
        let (first, second) = (reading.name(*first), reading.name(*second));
        reading.problem(format!("both `{first}` and `{second}` are given"), "keep one of them");
    }
    let file = reading.outside.current_folder().join(reading.text(*given.first()?)?);
    let question = format!("Password of {}", file.display());
    let secret = reading.password(password, &question);
    if secret.is_none() && reading.has(password) {
        // That the password cannot be had is said already.
        return None;
    }
    Some(Store { password: secret, file })
}

fn simple(reading: &mut Reading<'_>, known: &Known<'_>) -> Option<Bind> {
    let Some(text) = reading.text(Setting::BindDn).filter(|text| !text.is_empty()).map(str::to_owned) else {
        if reading.tool == Tool::AuthRate {
            reading.problem("nothing says who binds", "add `--bindDn` or `--saslOption mech=...`");
            return None;
        }
        if reading.has(Setting::BindPassword) {
            reading
                .warning("the bind password is not used, because there is no `--bindDn`", "add `--bindDn`");
        }
        return Some(Bind::Anonymous);
    };
    let name = template(reading, "`--bindDn`", &text, known);
    let password = bind_password(reading, &text)?;
    Some(Bind::Simple { name, password })
}

fn bind_password(reading: &mut Reading<'_>, who: &str) -> Option<Secret> {
    let question = format!("Password of {who}");
    if reading.has(Setting::BindPassword) {
        reading.password(Setting::BindPassword, &question)
    } else {
        reading.ask(Setting::BindPassword, &question)
    }
}

/// Only authrate binds as someone else each time.
fn template(reading: &mut Reading<'_>, what: &str, text: &str, known: &Known<'_>) -> Template {
    match reading.tool {
        Tool::AuthRate => reading.template(what, text, known),
        _ => Template::text(text),
    }
}

fn sasl(reading: &mut Reading<'_>, known: &Known<'_>) -> Option<Bind> {
    let given = reading.given;
    let (mut mechanism, mut who, mut acts_as, mut realm) = (None, None, None, None);
    for typed in given.all(Setting::SaslOption).filter(|typed| !is_file(typed)) {
        let Some((name, value)) = typed.text.split_once('=') else {
            reading.problem("a `--saslOption` has no `=`", "write `NAME=VALUE`, such as `mech=PLAIN`");
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "mech" => mechanism = find_mechanism(reading, value),
            "authid" => who = Some(value),
            "authzid" => acts_as = Some(value),
            "realm" => realm = Some(value.to_owned()),
            "kdc" => reading.warning("the SASL option `kdc` is not used: it is for GSSAPI", "remove it"),
            _ => reading.problem(
                format!("`--saslOption` has no name `{name}`"),
                "use mech, authid, authzid or realm",
            ),
        }
    }
    if !given.all(Setting::SaslOption).any(|typed| typed.text.to_ascii_lowercase().starts_with("mech=")) {
        reading
            .problem("no `--saslOption` names the mechanism", "add `--saslOption mech=PLAIN` or another one");
    }
    let mechanism: Mechanism = mechanism?;
    for (given, has, name) in [
        (acts_as.is_some(), mechanism.has_authorization(), "authzid"),
        (realm.is_some(), mechanism.has_realm(), "realm"),
    ] {
        if given && !has {
            reading.problem(format!("{} has no `{name}`", mechanism.name()), "remove that `--saslOption`");
        }
    }
    if who.is_none() && mechanism.has_password() {
        reading.problem("no `--saslOption` says who binds", "add `--saslOption authid=u:...`");
        return None;
    }
    let password = if mechanism.has_password() {
        Some(bind_password(reading, who.unwrap_or_default())?)
    } else {
        reading.password(Setting::BindPassword, "Password")
    };
    Some(Bind::Sasl(Sasl {
        mechanism,
        authid: who.map(|text| template(reading, "`authid`", text, known)),
        authzid: acts_as.map(|text| template(reading, "`authzid`", text, known)),
        realm,
        password,
    }))
}

/// Whether what stands behind `-o` is a place for the report: there it means that in all other commands.
fn is_file(typed: &Typed) -> bool {
    FILES.iter().any(|kind| typed.text.starts_with(kind))
}

/// The places for the report.
pub(super) fn files(given: &Given) -> Vec<String> {
    let places = given.all(Setting::SaslOption).filter(|typed| is_file(typed));
    places.map(|typed| typed.text.clone()).collect()
}

fn find_mechanism(reading: &mut Reading<'_>, name: &str) -> Option<Mechanism> {
    let found = Mechanism::find(&name.to_ascii_uppercase());
    found.map_err(|unknown| reading.problem(unknown.message, unknown.help)).ok()
}
