//! Crowd's REST interface for applications: sessions, authentication without one, and users.

use hyper::Method;
use serde_json::{Map, Value, json};
use std::time::Duration;

use super::{Answer, Query, Request, credentials, json, percent_decoded};
use crate::directory::{Directory, WriteError};
use crate::operation::Operation;
use crate::tokens::{Token, Tokens};

/// Every application's password.
const APPLICATION_PASSWORD: &str = "password";

/// Sessions kept; the oldest gives way.
const SESSIONS_LIMIT: usize = 1_000_000;

/// A session ends so long after it was made.
const LONGEST: Duration = Duration::from_secs(30 * 60);

/// A call of Crowd.
pub(crate) enum Call {
    MakeSession,
    ValidateSession { token: String },
    ReadSession { token: String },
    EndSession { token: String },
    Authenticate,
    ReadUser,
    CreateUser,
}

/// What Crowd remembers.
pub(crate) struct State {
    sessions: Tokens<Session>,
}

/// A user who is logged in, from where the validation factors say.
struct Session {
    user: String,
    factors: Vec<(String, String)>,
    made: Duration,
}

impl Call {
    /// The call of a path below `/crowd`.
    pub(crate) fn of(request: &Request, rest: &str) -> Option<Self> {
        let rest = rest.strip_prefix("rest/usermanagement/")?;
        let (_version, rest) = rest.split_once('/')?;
        let (collection, member) = rest.split_once('/').unwrap_or((rest, ""));
        let token = percent_decoded(member).into_owned();
        match (request.method(), collection, member.is_empty()) {
            (&Method::POST, "session", true) => Some(Self::MakeSession),
            (&Method::POST, "session", false) => Some(Self::ValidateSession { token }),
            (&Method::GET, "session", false) => Some(Self::ReadSession { token }),
            (&Method::DELETE, "session", false) => Some(Self::EndSession { token }),
            (&Method::POST, "authentication", true) => Some(Self::Authenticate),
            (&Method::GET, "user", true) => Some(Self::ReadUser),
            (&Method::POST, "user", true) => Some(Self::CreateUser),
            _ => None,
        }
    }

    pub(crate) fn operation(&self) -> Operation {
        match self {
            Self::MakeSession | Self::Authenticate => Operation::CrowdAuthenticate,
            Self::ValidateSession { .. } => Operation::CrowdValidate,
            Self::ReadSession { .. } | Self::ReadUser => Operation::CrowdFind,
            Self::EndSession { .. } => Operation::Logout,
            Self::CreateUser => Operation::Create,
        }
    }
}

impl State {
    pub(crate) fn new(seed: u64) -> Self {
        Self { sessions: Tokens::new(SESSIONS_LIMIT, seed ^ 4) }
    }

    pub(crate) fn answer(
        &mut self,
        call: &Call,
        request: &Request,
        directory: &mut Directory,
        now: Duration,
    ) -> Answer {
        let application = credentials::basic(request);
        if application.is_none_or(|(_, password)| password != APPLICATION_PASSWORD) {
            return Answer::new(401, "text/plain;charset=UTF-8", "Application failed to authenticate")
                .with("www-authenticate", "Basic realm=\"Crowd REST Service\"");
        }
        let answer = match call {
            Call::MakeSession => self.make_session(request, directory, now),
            Call::ValidateSession { token } => self.validate(token, request, directory, now),
            Call::ReadSession { token } => {
                self.session(token, now).map(|session| shown(200, token, &user(directory, &session.user)))
            }
            Call::EndSession { token } => {
                if let Some(token) = Token::of(token) {
                    self.sessions.remove(token);
                }
                Ok(Answer::empty(204))
            }
            Call::Authenticate => authenticate(request, directory),
            Call::ReadUser => read_user(request, directory),
            Call::CreateUser => create_user(request, directory),
        };
        answer.unwrap_or_else(|refusal| refusal)
    }

    fn make_session(
        &mut self,
        request: &Request,
        directory: &Directory,
        now: Duration,
    ) -> Result<Answer, Answer> {
        let body = json(request)?;
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default();
        let name = text("username");
        let needs_password = Query::of(request).get("validate-password").is_none_or(|value| value != "false");
        let known = if needs_password {
            directory.has_password(name, text("password"))
        } else {
            directory.contains(name)
        };
        if !known {
            return Err(failed_login());
        }
        let factors = factors(body.get("validation-factors").unwrap_or(&Value::Null));
        let token = self.sessions.insert(Session { user: name.to_owned(), factors, made: now }).text();
        let location = format!("/crowd/rest/usermanagement/1/session/{token}");
        let cookie = format!("crowd.token_key={token}; Path=/; HttpOnly");
        let answer = shown(201, &token, &user(directory, name));
        Ok(answer.with("location", &location).with("set-cookie", &cookie))
    }

    fn validate(
        &self,
        token: &str,
        request: &Request,
        directory: &Directory,
        now: Duration,
    ) -> Result<Answer, Answer> {
        let body = json(request)?;
        let session = self.session(token, now)?;
        if factors(&body) != session.factors {
            return Err(bad_token());
        }
        Ok(shown(200, token, &user(directory, &session.user)))
    }

    fn session(&self, token: &str, now: Duration) -> Result<&Session, Answer> {
        let session = Token::of(token).and_then(|token| self.sessions.get(token));
        session.filter(|session| now < session.made + LONGEST).ok_or_else(bad_token)
    }
}

fn authenticate(request: &Request, directory: &Directory) -> Result<Answer, Answer> {
    let body = json(request)?;
    let name = Query::of(request).get("username").unwrap_or_default();
    let password = body.get("value").and_then(Value::as_str).unwrap_or_default();
    if directory.has_password(&name, password) {
        Ok(Answer::json(200, &user(directory, &name)))
    } else {
        Err(failed_login())
    }
}

fn read_user(request: &Request, directory: &Directory) -> Result<Answer, Answer> {
    let name = Query::of(request).get("username").unwrap_or_default();
    if directory.contains(&name) {
        Ok(Answer::json(200, &user(directory, &name)))
    } else {
        Err(refusal(404, "USER_NOT_FOUND", &format!("User <{name}> does not exist")))
    }
}

fn create_user(request: &Request, directory: &mut Directory) -> Result<Answer, Answer> {
    let body = json(request)?;
    let Some(name) = body.get("name").and_then(Value::as_str).filter(|name| !name.is_empty()) else {
        return Err(refusal(400, "INVALID_USER", "A user needs a name"));
    };
    let mut attributes = Map::new();
    for (field, attribute) in
        [("first-name", "givenName"), ("last-name", "sn"), ("display-name", "cn"), ("email", "mail")]
    {
        if let Some(value) = body.get(field) {
            attributes.insert(attribute.to_owned(), value.clone());
        }
    }
    if let Some(password) = body.get("password").and_then(|password| password.get("value")) {
        attributes.insert("userPassword".to_owned(), password.clone());
    }
    match directory.create(name, attributes) {
        Ok(_) => Ok(Answer::json(201, &user(directory, name))),
        Err(WriteError::Full) => {
            Err(refusal(503, "OPERATION_FAILED", "The directory keeps no further entries"))
        }
        Err(_) => Err(refusal(400, "INVALID_USER", &format!("User <{name}> already exists"))),
    }
}

/// Name and value of each validation factor, in order of names.
fn factors(body: &Value) -> Vec<(String, String)> {
    let list = body.get("validationFactors").and_then(Value::as_array);
    let pairs = list.into_iter().flatten().filter_map(|factor| {
        Some((factor.get("name")?.as_str()?.to_owned(), factor.get("value")?.as_str()?.to_owned()))
    });
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort();
    pairs
}

fn user(directory: &Directory, name: &str) -> Value {
    let entry = directory.get(name);
    let attribute = |name: &str| entry.as_ref().and_then(|entry| entry.attributes.get(name).cloned());
    json!({
        "expand": "attributes",
        "name": name,
        "first-name": attribute("givenName"),
        "last-name": attribute("sn"),
        "display-name": attribute("cn"),
        "email": attribute("mail"),
        "active": true,
    })
}

fn shown(status: u16, token: &str, user: &Value) -> Answer {
    Answer::json(status, &json!({"expand": "user", "token": token, "user": user}))
}

fn failed_login() -> Answer {
    refusal(400, "INVALID_USER_AUTHENTICATION", "Account with that name or password was not found")
}

fn bad_token() -> Answer {
    refusal(404, "INVALID_SSO_TOKEN", "Token does not validate.")
}

fn refusal(status: u16, reason: &str, message: &str) -> Answer {
    Answer::json(status, &json!({"reason": reason, "message": message}))
}
