//! Whydah's web login: a form with a hidden token, and the way back to the application with a ticket.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::time::Duration;

use super::State;
use super::xml::escaped;
use crate::directory::Directory;
use crate::http::{Answer, Query, Request};

/// A form must come back within this time.
const FORM_LIFE: Duration = Duration::from_secs(3 * 60);

/// How long the cookie of a login lives, in seconds.
const COOKIE_LIFE_SECONDS: u64 = 14 * 24 * 3_600;

impl State {
    pub(super) fn login_page(&self, request: &Request, now: Duration) -> Answer {
        let redirect = Query::of(request).get("redirectURI").unwrap_or_else(|| "/sso/welcome".into());
        self.form(200, &redirect, "", now)
    }

    pub(super) fn web_login(&mut self, request: &Request, directory: &Directory, now: Duration) -> Answer {
        let form = Query::form(request);
        let value = |name| form.get(name).unwrap_or_default();
        let redirect = form.get("redirectURI").unwrap_or_else(|| "/sso/welcome".into());
        if !self.is_own_form(&value("CSRFtoken"), now) {
            return self.form(403, &redirect, "The form has expired. Log in again.", now);
        }
        let user = value("user");
        if !directory.has_password(&user, &value("password")) {
            return self.form(401, &redirect, "Could not log in.", now);
        }
        let token = self.admit(&user, now);
        // A ticket is a name of its own: whoever sees it in an address must not know the user token.
        let ticket = self.tickets.issue_new(token);
        let joint = if redirect.contains('?') { '&' } else { '?' };
        let target = format!("{redirect}{joint}userticket={ticket}");
        let cookie = format!("whydahusertoken_sso={}; Path=/; Max-Age={COOKIE_LIFE_SECONDS}", token.uuid());
        let shown = escaped(&target);
        let page = format!(
            "<!DOCTYPE html><html><head><title>Logged in</title>\
             <meta http-equiv=\"refresh\" content=\"0; url={shown}\"></head>\
             <body><a href=\"{shown}\">{shown}</a></body></html>\n"
        );
        let answer = Answer::html(302, page).with("set-cookie", &cookie);
        answer.with("location", &target)
    }

    fn form(&self, status: u16, redirect: &str, message: &str, now: Duration) -> Answer {
        let (csrf, redirect) = (self.form_token(now), escaped(redirect));
        Answer::html(
            status,
            format!(
                "<!DOCTYPE html><html><head><title>Log in</title></head><body><p>{message}</p>\n\
                 <form action=\"/sso/action\" method=\"POST\">\n\
                 <input type=\"hidden\" name=\"CSRFtoken\" value=\"{csrf}\"/>\n\
                 <input type=\"hidden\" name=\"redirectURI\" value=\"{redirect}\"/>\n\
                 <input type=\"text\" name=\"user\"/>\n<input type=\"password\" name=\"password\"/>\n\
                 <input type=\"submit\" value=\"Log in\"/>\n</form></body></html>\n"
            ),
        )
    }

    /// A signed time of issue: nothing has to be remembered about forms that never come back.
    fn form_token(&self, now: Duration) -> String {
        let issued = now.as_micros();
        format!("{issued:x}-{:016x}", self.form_signature(issued))
    }

    fn is_own_form(&self, token: &str, now: Duration) -> bool {
        let Some((issued, signature)) = token.split_once('-') else { return false };
        let Ok(issued) = u128::from_str_radix(issued, 16) else { return false };
        let is_own = signature == format!("{:016x}", self.form_signature(issued));
        is_own && now.as_micros().saturating_sub(issued) < FORM_LIFE.as_micros()
    }

    fn form_signature(&self, issued: u128) -> u64 {
        BuildHasherDefault::<DefaultHasher>::default().hash_one((self.key, "form", issued))
    }
}
