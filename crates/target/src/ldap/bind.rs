//! Who a client is: bind (RFC 4511, 4.2; RFC 4513, 5), and proxied authorization (RFC 4370).

use super::certificate::Subject;
use super::code::Code;
use super::control::{AUTHORIZATION_IDENTITY_RESPONSE, Controls};
use super::dn::Dn;
use super::entries::{Entries, Place};
use super::reply::Outcome;
use super::request::{Bind, Credentials};
use super::tree::PEOPLE;
use super::{Session, bad_name, dn};

/// The manager's name, and its password.
const MANAGER: &str = "cn=Directory Manager";
const MANAGER_KEY: &[u8] = b"cn=directory manager";
const MANAGER_PASSWORD: &[u8] = b"password";

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Identity {
    #[default]
    Anonymous,
    Manager,
    /// The entry of this name.
    Entry(String),
}

impl Identity {
    /// `dn:…`, empty for nobody (RFC 4513, 5.2.1.8).
    pub(crate) fn authorization(&self) -> String {
        match self {
            Self::Anonymous => String::new(),
            Self::Manager => format!("dn:{MANAGER}"),
            Self::Entry(dn) => format!("dn:{dn}"),
        }
    }
}

/// Carries out a bind. After one that failed the client is nobody.
pub(crate) fn bind(
    bind: &Bind<'_>,
    controls: &Controls<'_>,
    session: &mut Session,
    entries: &Entries<'_>,
    dn: &mut Dn,
) -> Outcome {
    session.identity = Identity::Anonymous;
    let identity = match bind.credentials {
        _ if bind.version != 3 => Err(Code::ProtocolError.because("only version 3 is spoken")),
        Credentials::Simple(password) => simple(bind.dn, password, entries, dn),
        Credentials::Sasl { mechanism: b"PLAIN", credentials } => plain(credentials, entries, dn),
        Credentials::Sasl { mechanism: b"EXTERNAL", credentials } => {
            external(session.certificate.as_ref(), credentials, entries, dn)
        }
        Credentials::Sasl { .. } | Credentials::Other => {
            Err(Code::AuthMethodNotSupported.because("only simple, PLAIN and EXTERNAL are supported"))
        }
    };
    match identity {
        Err(outcome) => outcome,
        Ok(identity) => {
            let mut outcome = Outcome::success();
            if controls.authorization_identity {
                let value = identity.authorization();
                outcome.control(AUTHORIZATION_IDENTITY_RESPONSE, Some(value.as_bytes()));
            }
            session.identity = identity;
            outcome
        }
    }
}

fn simple(name: &[u8], password: &[u8], entries: &Entries<'_>, dn: &mut Dn) -> Result<Identity, Outcome> {
    match (name.is_empty(), password.is_empty()) {
        (true, true) => return Ok(Identity::Anonymous),
        // RFC 4513, 5.1.2: such a bind proves nothing, and some take it for one that does.
        (false, true) => return Err(Code::UnwillingToPerform.because("a bind with a name needs a password")),
        _ => {}
    }
    dn.read(name).map_err(bad_name)?;
    checked(dn, password, entries)
}

fn checked(dn: &Dn, password: &[u8], entries: &Entries<'_>) -> Result<Identity, Outcome> {
    if dn.key() == MANAGER_KEY {
        return if password == MANAGER_PASSWORD { Ok(Identity::Manager) } else { Err(denied()) };
    }
    let place = entries.place(dn);
    if !entries.has_password(&place, password) {
        return Err(denied());
    }
    entries.shown_dn(&place).map(Identity::Entry).ok_or_else(denied)
}

/// `authzid NUL authcid NUL password` (RFC 4616).
fn plain(credentials: &[u8], entries: &Entries<'_>, dn: &mut Dn) -> Result<Identity, Outcome> {
    let mut parts = credentials.split(|&byte| byte == 0);
    let (Some(authorization), Some(name), Some(password), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Code::InvalidCredentials.because("PLAIN takes two zero bytes"));
    };
    read_identity(name, dn).map_err(|_| denied())?;
    let identity = checked(dn, password, entries)?;
    if authorization.is_empty() {
        return Ok(identity);
    }
    find_identity(authorization, entries, dn)
}

/// RFC 4513, 5.2.3: whoever the client's certificate is made out to.
fn external(
    certificate: Option<&Subject>,
    authorization: &[u8],
    entries: &Entries<'_>,
    dn: &mut Dn,
) -> Result<Identity, Outcome> {
    let subject = certificate.ok_or_else(|| Code::InvalidCredentials.because("there is no certificate"))?;
    let by_subject = find_identity(&[b"dn:", subject.dn.as_slice()].concat(), entries, dn);
    let identity = match (by_subject, &subject.common_name) {
        (Ok(identity), _) if identity != Identity::Anonymous => identity,
        (_, Some(name)) => {
            find_identity(&[b"u:", name.as_slice()].concat(), entries, dn).map_err(|_| denied())?
        }
        _ => return Err(denied()),
    };
    if authorization.is_empty() { Ok(identity) } else { find_identity(authorization, entries, dn) }
}

/// Who a request is on behalf of, when that is another than who sent it.
pub(crate) fn effective(
    controls: &Controls<'_>,
    sender: &Identity,
    entries: &Entries<'_>,
    dn: &mut Dn,
) -> Result<Option<Identity>, Outcome> {
    let Some(name) = controls.proxied else { return Ok(None) };
    if *sender == Identity::Anonymous {
        return Err(Code::AuthorizationDenied.because("nobody may act on behalf of others without a bind"));
    }
    find_identity(name, entries, dn).map(Some)
}

/// The identity that an authorization identity names.
pub(crate) fn find_identity(name: &[u8], entries: &Entries<'_>, dn: &mut Dn) -> Result<Identity, Outcome> {
    let unknown = || Code::AuthorizationDenied.because("there is no such authorization identity");
    read_identity(name, dn).map_err(|_| unknown())?;
    match dn.key() {
        b"" => Ok(Identity::Anonymous),
        MANAGER_KEY => Ok(Identity::Manager),
        _ => match entries.place(dn) {
            Place::Root | Place::Monitor => Err(unknown()),
            place => entries.shown_dn(&place).map(Identity::Entry).ok_or_else(unknown),
        },
    }
}

/// Reads `dn:…`, `u:NAME` or a name alone.
pub(crate) fn read_identity(name: &[u8], dn: &mut Dn) -> Result<(), dn::InvalidDn> {
    if let Some(text) = name.strip_prefix(b"dn:") {
        return dn.read(text);
    }
    let user = name.strip_prefix(b"u:").unwrap_or(name);
    if user.is_empty() {
        return dn.read(b"");
    }
    let mut text = b"uid=".to_vec();
    dn::escape(user, &mut text);
    text.push(b',');
    text.extend_from_slice(PEOPLE.as_bytes());
    dn.read(&text)
}

fn denied() -> Outcome {
    Outcome::new(Code::InvalidCredentials)
}
