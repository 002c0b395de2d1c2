//! OpenAM: authentication, sessions, users in its own shape, and the page that its policy agent protects.

mod authenticate;
mod sessions;
mod users;

use std::time::Duration;

use hyper::Method;

use self::sessions::{Session, Sessions};
use super::{Answer, Query, Request, credentials, crest, header, percent_decoded};
use crate::directory::Directory;
use crate::operation::Operation;

/// The administrator: may do everything with users.
const ADMINISTRATOR: &str = "amadmin";

/// The administrator's password.
const ADMINISTRATOR_PASSWORD: &str = "password";

/// Name of the header and the cookie that carry a session's token.
const COOKIE_NAME: &str = "iPlanetDirectoryPro";

/// A call of OpenAM.
pub(crate) enum Call {
    Authenticate { realm: String },
    Session { action: sessions::Action, path_token: Option<String> },
    Users(crest::Call),
    IdFromSession,
    IsTokenValid,
    Agent,
}

/// What OpenAM remembers.
pub(crate) struct State {
    sessions: Sessions,
    /// What its unfinished authentications are signed with.
    key: u64,
}

impl Call {
    /// The call of a path below `/openam`.
    pub(crate) fn of(request: &Request, rest: &str) -> Option<Self> {
        if let Some(legacy) = rest.strip_prefix("identity/") {
            let is_validation = matches!(legacy, "isTokenValid" | "json/isTokenValid");
            return is_validation.then_some(Self::IsTokenValid);
        }
        let mut realm = String::new();
        let mut steps = rest.strip_prefix("json/")?.split('/');
        let query = Query::of(request);
        while let Some(step) = steps.next() {
            match step {
                "authenticate" if request.method() == Method::POST => {
                    return Some(Self::Authenticate { realm: realm_named(realm, query) });
                }
                "sessions" => {
                    let path_token = steps.next().map(|token| percent_decoded(token).into_owned());
                    let action = sessions::Action::named(query.get("_action")?.as_ref())?;
                    return Some(Self::Session { action, path_token });
                }
                "users" => return users(request, steps.next().unwrap_or_default()),
                "realms" | "" => {}
                "root" if realm.is_empty() => {}
                name => realm = format!("{realm}/{}", percent_decoded(name)),
            }
        }
        None
    }

    pub(crate) fn operation(&self) -> Operation {
        match self {
            Self::Authenticate { .. } => Operation::Authenticate,
            Self::Session { action, .. } => action.operation(),
            Self::Users(call) => call.operation(),
            Self::IdFromSession => Operation::Session,
            Self::IsTokenValid => Operation::Validate,
            Self::Agent => Operation::Agent,
        }
    }
}

fn users(request: &Request, id: &str) -> Option<Call> {
    let asks_for_id = Query::of(request).get("_action").is_some_and(|action| action == "idFromSession");
    if asks_for_id && request.method() == Method::POST {
        return Some(Call::IdFromSession);
    }
    crest::Call::of(request, id).map(Call::Users)
}

/// The realm of the path, or of the query; `/` without either.
fn realm_named(path: String, query: Query<'_>) -> String {
    let realm = match query.get("realm") {
        Some(realm) if path.is_empty() => realm.into_owned(),
        _ => path,
    };
    if realm.starts_with('/') { realm } else { format!("/{realm}") }
}

impl State {
    pub(crate) fn new(seed: u64) -> Self {
        Self { sessions: Sessions::new(seed), key: seed }
    }

    pub(crate) fn answer(
        &mut self,
        call: &Call,
        request: &Request,
        directory: &mut Directory,
        now: Duration,
    ) -> Answer {
        match call {
            Call::Authenticate { realm } => self.authenticate(request, realm, directory, now),
            Call::Session { action, path_token } => {
                self.sessions.answer(*action, path_token.as_deref(), request, now)
            }
            Call::Users(call) => users::answer(call, request, self.sender(request, now), directory),
            Call::IdFromSession => match self.sender(request, now) {
                Some(session) => users::identity(session),
                None => access_denied(),
            },
            Call::IsTokenValid => self.is_token_valid(request, now),
            Call::Agent => self.protected_page(request, now),
        }
    }

    /// The session of whoever sent the request.
    fn sender(&mut self, request: &Request, now: Duration) -> Option<&Session> {
        self.sessions.of(token_sent(request)?, now)
    }

    /// The call of the oldest interface: a form or a query, and `boolean=true` as text.
    fn is_token_valid(&mut self, request: &Request, now: Duration) -> Answer {
        let form = Query::form(request).get("tokenid").or_else(|| Query::of(request).get("tokenid"));
        let token = form.as_deref().or_else(|| token_sent(request)).unwrap_or_default();
        let valid = self.sessions.of(token, now).is_some();
        if request.uri().path().contains("/json/") {
            return Answer::json_text(200, format!("{{\"boolean\":{valid}}}"));
        }
        Answer::new(200, "text/plain;charset=UTF-8", format!("boolean={valid}\n"))
    }

    /// A page behind a policy agent: shown with a valid session, else the way to the login page.
    fn protected_page(&mut self, request: &Request, now: Duration) -> Answer {
        let path = request.uri().path();
        match self.sender(request, now) {
            Some(session) => {
                let user = escaped(&session.user);
                let text = format!("<p>Protected page {}, shown to {user}.</p>", escaped(path));
                let head = "<!DOCTYPE html><html><head><title>Protected page</title></head><body>";
                Answer::html(200, format!("{head}{text}</body></html>\n"))
            }
            None => Answer::redirect(&format!("/openam/XUI/?goto={}", goto(request))),
        }
    }
}

/// The page that was asked for, as a value in an address.
fn goto(request: &Request) -> String {
    let host = header(request, "host");
    let target = request.uri().path_and_query().map_or("/", |target| target.as_str());
    let digit = |value: u8| char::from(b"0123456789ABCDEF"[usize::from(value)]);
    let mut encoded = String::new();
    for byte in format!("http://{host}{target}").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.extend(['%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    encoded
}

/// The token in the header or the cookie of a request.
fn token_sent(request: &Request) -> Option<&str> {
    match header(request, COOKIE_NAME) {
        "" => credentials::cookie(request, COOKIE_NAME),
        token => Some(token),
    }
}

fn access_denied() -> Answer {
    Answer::refusal(401, "Access Denied")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
