//! Sessions of OpenAM: made by an authentication, validated, asked about and ended.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{access_denied, token_sent};
use crate::http::{Answer, Query, Request, json};
use crate::operation::Operation;
use crate::tokens::{Token, Tokens};

/// Sessions kept; the oldest gives way.
const SESSIONS_LIMIT: usize = 1_000_000;

/// Properties of one session; further new ones are refused.
const PROPERTIES_LIMIT: usize = 100;

/// A session ends so long after it was made.
const LONGEST: Duration = Duration::from_secs(120 * 60);

/// A session ends so long after it was last used.
const LONGEST_IDLE: Duration = Duration::from_secs(30 * 60);

/// What stands before and after the random part of a token, as in OpenAM's own.
const TOKEN_BEGIN: &str = "AQIC5wM2LY4Sfcw";
const TOKEN_END: &str = ".*AAJTSQACMDEAAlNLABM1*";

/// A user who is logged in.
pub(crate) struct Session {
    pub(crate) user: Box<str>,
    pub(crate) realm: Box<str>,
    made: Duration,
    used: Duration,
    properties: BTreeMap<String, Value>,
}

/// Every session.
pub(crate) struct Sessions {
    tokens: Tokens<Session>,
}

/// What can be done with a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Validate,
    Logout,
    Info,
    GetProperty,
    SetProperty,
    TimeLeft,
    IsActive,
}

impl Action {
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "validate" => Self::Validate,
            "logout" => Self::Logout,
            "getSessionInfo" | "getSessionInfoAndResetIdleTime" => Self::Info,
            "getProperty" | "getSessionProperties" => Self::GetProperty,
            "setProperty" | "updateSessionProperties" => Self::SetProperty,
            "getTimeLeft" => Self::TimeLeft,
            "isActive" => Self::IsActive,
            _ => return None,
        })
    }

    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::Validate => Operation::Validate,
            Self::Logout => Operation::Logout,
            _ => Operation::Session,
        }
    }
}

impl Sessions {
    pub(crate) fn new(seed: u64) -> Self {
        Self { tokens: Tokens::new(SESSIONS_LIMIT, seed) }
    }

    /// Makes a session and returns its token.
    pub(crate) fn make(&mut self, user: &str, realm: &str, now: Duration) -> String {
        let session = Session {
            user: user.into(),
            realm: realm.into(),
            made: now,
            used: now,
            properties: BTreeMap::new(),
        };
        format!("{TOKEN_BEGIN}{}{TOKEN_END}", self.tokens.insert(session).text())
    }

    /// The session of a token, which counts as used now; `None` when there is none or it has ended.
    pub(crate) fn of(&mut self, token: &str, now: Duration) -> Option<&Session> {
        self.open(token, now).map(|session| &*session)
    }

    fn open(&mut self, token: &str, now: Duration) -> Option<&mut Session> {
        let token = number(token)?;
        if self.tokens.get(token)?.has_ended(now) {
            self.tokens.remove(token);
            return None;
        }
        let session = self.tokens.get_mut(token)?;
        session.used = now;
        Some(session)
    }

    pub(crate) fn answer(
        &mut self,
        action: Action,
        path_token: Option<&str>,
        request: &Request,
        now: Duration,
    ) -> Answer {
        let query = Query::of(request);
        let in_query = query.get("tokenId").or_else(|| query.bare());
        let in_path = path_token.filter(|token| !token.is_empty());
        let in_body = if in_path.or(in_query.as_deref()).is_none() { body_token(request) } else { None };
        let named = in_path.or(in_query.as_deref()).or_else(|| token_sent(request));
        let token = named.or(in_body.as_deref()).unwrap_or_default();
        let Some(session) = self.open(token, now) else {
            return match action {
                Action::Validate => Answer::json_text(200, "{\"valid\":false}".to_owned()),
                Action::IsActive => Answer::json_text(200, "{\"active\":false}".to_owned()),
                Action::TimeLeft => Answer::json_text(200, "{\"maxtime\":-1}".to_owned()),
                _ => access_denied(),
            };
        };
        match action {
            Action::Validate => session.validated(),
            Action::IsActive => Answer::json_text(200, "{\"active\":true}".to_owned()),
            Action::Info => session.info(now),
            Action::TimeLeft => {
                Answer::json_text(200, format!("{{\"maxtime\":{}}}", session.time_left(now).as_secs()))
            }
            Action::GetProperty => session.property(request),
            Action::SetProperty => session.set_properties(request),
            Action::Logout => {
                if let Some(token) = number(token) {
                    self.tokens.remove(token);
                }
                Answer::json_text(200, "{\"result\":\"Successfully logged out\"}".to_owned())
            }
        }
    }
}

impl Session {
    fn has_ended(&self, now: Duration) -> bool {
        now.saturating_sub(self.made) >= LONGEST || now.saturating_sub(self.used) >= LONGEST_IDLE
    }

    fn time_left(&self, now: Duration) -> Duration {
        (self.made + LONGEST).saturating_sub(now)
    }

    fn validated(&self) -> Answer {
        let (user, realm) = (Value::from(&*self.user), Value::from(&*self.realm));
        Answer::json_text(200, format!("{{\"valid\":true,\"uid\":{user},\"realm\":{realm}}}"))
    }

    fn info(&self, now: Duration) -> Answer {
        let left = self.time_left(now).as_secs();
        let body = json!({
            "username": &*self.user,
            "universalId": super::users::universal_id(&self.user),
            "realm": &*self.realm,
            "maxSessionExpirationInSeconds": left,
            "maxIdleExpirationInSeconds": LONGEST_IDLE.as_secs(),
            "properties": self.properties.clone(),
        });
        Answer::json(200, &body)
    }

    /// One property that the body names, or all of them.
    fn property(&self, request: &Request) -> Answer {
        let body = match json(request) {
            Ok(body) => body,
            Err(refusal) => return refusal,
        };
        let properties = &self.properties;
        let names = match (body.get("property"), body.get("properties")) {
            (Some(Value::String(name)), _) => vec![name.clone()],
            (_, Some(Value::Array(names))) => {
                names.iter().filter_map(|name| name.as_str().map(str::to_owned)).collect()
            }
            _ => properties.keys().cloned().collect(),
        };
        let found = names.into_iter().map(|name| {
            let value = properties.get(&name).cloned();
            (name, value.unwrap_or_else(|| Value::from("")))
        });
        Answer::json(200, &Value::Object(found.collect()))
    }

    fn set_properties(&mut self, request: &Request) -> Answer {
        let changes = match json(request) {
            Ok(Value::Object(changes)) => changes,
            Ok(_) => return Answer::refusal(400, "The request body must be a JSON object"),
            Err(refusal) => return refusal,
        };
        let properties = &mut self.properties;
        let added = changes.keys().filter(|name| !properties.contains_key(*name)).count();
        if properties.len() + added > PROPERTIES_LIMIT {
            return Answer::refusal(400, "The session has too many properties");
        }
        properties.extend(changes);
        Answer::json_text(200, "{\"success\":true}".to_owned())
    }
}

/// The number inside a token.
fn number(token: &str) -> Option<Token> {
    Token::of(token.strip_prefix(TOKEN_BEGIN)?.strip_suffix(TOKEN_END)?)
}

/// `{"tokenId": "…"}`
fn body_token(request: &Request) -> Option<String> {
    if request.body().len() < TOKEN_BEGIN.len() {
        return None;
    }
    let body: Map<String, Value> = serde_json::from_slice(request.body()).ok()?;
    body.get("tokenId").and_then(Value::as_str).map(str::to_owned)
}
