//! Logging in to OpenAM: by headers, or by callbacks that are sent back filled in.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{ADMINISTRATOR, ADMINISTRATOR_PASSWORD, COOKIE_NAME, State};
use crate::directory::Directory;
use crate::http::{Answer, Request, header, json};

/// Callbacks must come back within this time.
const LONGEST: Duration = Duration::from_secs(5 * 60);

impl State {
    pub(super) fn authenticate(
        &mut self,
        request: &Request,
        realm: &str,
        directory: &Directory,
        now: Duration,
    ) -> Answer {
        let name = header(request, "x-openam-username");
        if !name.is_empty() {
            return self.log_in(name, header(request, "x-openam-password"), realm, directory, now);
        }
        match json(request) {
            Err(refusal) => refusal,
            Ok(Value::Object(body)) if body.contains_key("authId") => {
                let id = body["authId"].as_str().unwrap_or_default();
                if !self.is_own(id, now) {
                    return Answer::refusal(401, "Session has timed out");
                }
                let body = Value::Object(body);
                let (name, password) = (filled_in(&body, "IDToken1"), filled_in(&body, "IDToken2"));
                self.log_in(name, password, realm, directory, now)
            }
            Ok(_) => self.callbacks(realm, now),
        }
    }

    fn log_in(
        &mut self,
        name: &str,
        password: &str,
        realm: &str,
        directory: &Directory,
        now: Duration,
    ) -> Answer {
        let known = match name {
            ADMINISTRATOR => password == ADMINISTRATOR_PASSWORD,
            name => directory.has_password(name, password),
        };
        if !known {
            return Answer::refusal(401, "Authentication Failed");
        }
        let token = self.sessions.make(name, realm, now);
        let realm = Value::from(realm);
        let body =
            format!("{{\"tokenId\":\"{token}\",\"successUrl\":\"/openam/console\",\"realm\":{realm}}}");
        Answer::json_text(200, body).with("set-cookie", &format!("{COOKIE_NAME}={token}; Path=/; HttpOnly"))
    }

    fn callbacks(&self, realm: &str, now: Duration) -> Answer {
        let field = |kind: &str, prompt: &str, input: &str| {
            json!({
                "type": kind,
                "output": [{"name": "prompt", "value": prompt}],
                "input": [{"name": input, "value": ""}],
            })
        };
        let body = json!({
            "authId": self.authentication_id(realm, now),
            "template": "",
            "stage": "DataStore1",
            "header": "Sign in to OpenAM",
            "callbacks": [
                field("NameCallback", "User Name:", "IDToken1"),
                field("PasswordCallback", "Password:", "IDToken2"),
            ],
        });
        Answer::json(200, &body)
    }

    /// A signed statement of when the authentication began, in the form of a JSON web token. So nothing has
    /// to be remembered about callbacks that never come back.
    fn authentication_id(&self, realm: &str, now: Duration) -> String {
        let head = URL_SAFE_NO_PAD.encode("{\"typ\":\"JWT\",\"alg\":\"HS256\"}");
        let claims = json!({"realm": realm, "began": now.as_millis() as u64}).to_string();
        let signed = format!("{head}.{}", URL_SAFE_NO_PAD.encode(claims));
        let signature = self.signature(&signed);
        format!("{signed}.{signature}")
    }

    fn is_own(&self, id: &str, now: Duration) -> bool {
        let Some((signed, signature)) = id.rsplit_once('.') else { return false };
        let claims = signed.split_once('.').and_then(|(_, claims)| URL_SAFE_NO_PAD.decode(claims).ok());
        let claims: Option<Value> = claims.and_then(|claims| serde_json::from_slice(&claims).ok());
        let began = claims.and_then(|claims| claims.get("began")?.as_u64());
        let recent = began.is_some_and(|began| now < Duration::from_millis(began) + LONGEST);
        recent && signature == self.signature(signed)
    }

    fn signature(&self, signed: &str) -> String {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one((self.key, signed));
        URL_SAFE_NO_PAD.encode(hash.to_be_bytes())
    }
}

/// What was put into an input of the callbacks; empty when it is missing.
fn filled_in<'b>(body: &'b Value, input: &str) -> &'b str {
    let callbacks = body.get("callbacks").and_then(Value::as_array);
    let inputs = callbacks.into_iter().flatten().filter_map(|callback| callback.get("input")?.as_array());
    let mut named = inputs.flatten().filter(|found| found.get("name").is_some_and(|name| name == input));
    named.next().and_then(|found| found.get("value")?.as_str()).unwrap_or_default()
}
