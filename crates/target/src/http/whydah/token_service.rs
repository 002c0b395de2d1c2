//! Whydah's security token service: applications log on, then users, whose tokens are picked up.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Application, By, State, UserToken, xml};
use crate::directory::Directory;
use crate::http::{Answer, Query, Request};
use crate::tokens::Token;

/// An application must be renewed within this time.
const APPLICATION_LIFE: Duration = Duration::from_secs(20 * 60);

/// A user token ends after this time.
const USER_TOKEN_LIFE: Duration = Duration::from_secs(14 * 24 * 3_600);

impl State {
    pub(super) fn logon(&mut self, request: &Request, now: Duration) -> Result<Answer, Answer> {
        let credential = Query::form(request).get("applicationcredential").unwrap_or_default();
        let part = |name| xml::text(&credential, name).filter(|text| !text.is_empty());
        let (Some(id), Some(_)) = (part("applicationID"), part("applicationSecret")) else {
            return Err(illegal_application());
        };
        let name = part("applicationName").unwrap_or_default();
        let token = self.applications.insert(Application { id, name, expires: now + APPLICATION_LIFE });
        self.application_token(token, now)
    }

    pub(super) fn renew_application(&mut self, application: &str, now: Duration) -> Result<Answer, Answer> {
        let token = self.application(application, now)?;
        if let Some(application) = self.applications.get_mut(token) {
            application.expires = now + APPLICATION_LIFE;
        }
        self.application_token(token, now)
    }

    pub(super) fn validate_application(&self, application: &str, now: Duration) -> Answer {
        let valid = self.application(application, now).is_ok();
        let status = if valid { 200 } else { 403 };
        Answer::json_text(status, format!("{{\"result\": \"{valid}\"}}"))
    }

    pub(super) fn log_in(
        &mut self,
        application: &str,
        ticket: Option<&str>,
        request: &Request,
        directory: &Directory,
        now: Duration,
    ) -> Result<Answer, Answer> {
        self.check_sender(application, request, now)?;
        let credential = Query::form(request).get("usercredential").unwrap_or_default();
        let part = |name| xml::text(&credential, name).unwrap_or_default();
        let (user, password) = (part("username"), part("password"));
        if !directory.has_password(&user, &password) {
            return Err(refusal(403, 6000, "Authentication failed."));
        }
        let token = self.admit(&user, now);
        if let Some(ticket) = ticket {
            self.tickets.issue(ticket.to_owned(), token);
        }
        self.user_token(token, directory, now)
    }

    pub(super) fn validate_usertoken(
        &self,
        application: &str,
        usertoken: &str,
        now: Duration,
    ) -> Result<Answer, Answer> {
        self.application(application, now)?;
        let valid = Token::of_uuid(usertoken).is_some_and(|token| self.live_user_token(token, now).is_some());
        let status = if valid { 200 } else { 409 };
        Ok(Answer::json_text(status, format!("{{\"result\": \"{valid}\"}}")))
    }

    pub(super) fn pick_up(
        &mut self,
        application: &str,
        by: By,
        request: &Request,
        directory: &Directory,
        now: Duration,
    ) -> Result<Answer, Answer> {
        self.check_sender(application, request, now)?;
        let form = Query::form(request);
        let token = match by {
            By::UsertokenId => Token::of_uuid(&form.get("usertokenid").unwrap_or_default()),
            By::Ticket => self.tickets.exchange(&form.get("userticket").unwrap_or_default()),
        };
        match token {
            Some(token) => self.user_token(token, directory, now),
            None => Err(bad_usertoken()),
        }
    }

    pub(super) fn release(
        &mut self,
        application: &str,
        request: &Request,
        now: Duration,
    ) -> Result<Answer, Answer> {
        self.check_sender(application, request, now)?;
        let id = Query::form(request).get("usertokenid").unwrap_or_default();
        let released = Token::of_uuid(&id).and_then(|token| self.user_tokens.remove(token));
        released
            .map(|_| Answer::json_text(200, "{\"result\": \"true\"}".to_owned()))
            .ok_or_else(bad_usertoken)
    }

    fn application(&self, id: &str, now: Duration) -> Result<Token, Answer> {
        let token = Token::of_uuid(id).ok_or_else(illegal_application)?;
        let live = self.applications.get(token).is_some_and(|application| now < application.expires);
        if live { Ok(token) } else { Err(illegal_application()) }
    }

    /// The application of the address must be logged on, and the form must bring its token.
    fn check_sender(&self, application: &str, request: &Request, now: Duration) -> Result<(), Answer> {
        self.application(application, now)?;
        let sent = Query::form(request).get("apptoken").unwrap_or_default();
        let matches = xml::text(&sent, "applicationtokenID").is_some_and(|id| id == application);
        if matches { Ok(()) } else { Err(illegal_application()) }
    }

    fn application_token(&self, token: Token, now: Duration) -> Result<Answer, Answer> {
        let application = self.applications.get(token).ok_or_else(illegal_application)?;
        let (id, name) = (xml::escaped(&application.id), xml::escaped(&application.name));
        let token_id = token.uuid();
        let expires = application.expires.saturating_sub(now).as_millis();
        Ok(Answer::xml(
            200,
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<applicationtoken>\n  <params>\n    \
                 <applicationtokenID>{token_id}</applicationtokenID>\n    <applicationid>{id}</applicationid>\n    \
                 <applicationname>{name}</applicationname>\n    <expires>{expires}</expires>\n  </params>\n  \
                 <Url type=\"application/xml\" method=\"POST\" template=\"/tokenservice/user/{token_id}/usertoken\"/>\n\
                 </applicationtoken>\n"
            ),
        ))
    }

    fn live_user_token(&self, token: Token, now: Duration) -> Option<&UserToken> {
        self.user_tokens.get(token).filter(|found| now < found.made + USER_TOKEN_LIFE)
    }

    fn user_token(&self, token: Token, directory: &Directory, now: Duration) -> Result<Answer, Answer> {
        let found = self.live_user_token(token, now).ok_or_else(bad_usertoken)?;
        let entry = directory.get(&found.user).ok_or_else(bad_usertoken)?;
        let attribute = |name| {
            let value = entry.attributes.get(name).and_then(Value::as_str).unwrap_or_default();
            xml::escaped(value)
        };
        let lifespan = (found.made + USER_TOKEN_LIFE).saturating_sub(now).as_millis();
        Ok(Answer::xml(
            200,
            format!(
                "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<usertoken id=\"{id}\">\n  \
                 <uid>{uid}</uid>\n  <timestamp>{timestamp}</timestamp>\n  <lifespan>{lifespan}</lifespan>\n  \
                 <issuer>/tokenservice/user/usertoken</issuer>\n  <securitylevel>1</securitylevel>\n  \
                 <username>{uid}</username>\n  <firstname>{first}</firstname>\n  <lastname>{last}</lastname>\n  \
                 <email>{mail}</email>\n  <cellphone>{phone}</cellphone>\n</usertoken>\n",
                id = token.uuid(),
                uid = xml::escaped(&found.user),
                timestamp = found.made.as_millis(),
                first = attribute("givenName"),
                last = attribute("sn"),
                mail = attribute("mail"),
                phone = attribute("telephoneNumber"),
            ),
        ))
    }
}

fn illegal_application() -> Answer {
    refusal(403, 7000, "Illegal Application.")
}

fn bad_usertoken() -> Answer {
    refusal(406, 6002, "Illegal usertokenid.")
}

fn refusal(status: u16, code: u16, message: &str) -> Answer {
    let body = json!({
        "status": status,
        "code": code,
        "message": message,
        "link": "",
        "developerMessage": message,
    });
    Answer::json(status, &body)
}
