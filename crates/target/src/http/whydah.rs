//! Whydah's token service (forms in, XML and JSON out) and its web login.

mod tickets;
mod token_service;
mod web_login;
mod xml;

use std::time::Duration;

use hyper::Method;

use self::tickets::Tickets;
use super::{Answer, Request, percent_decoded};
use crate::directory::Directory;
use crate::operation::Operation;
use crate::tokens::{Token, Tokens};

/// Applications kept; the oldest gives way.
const APPLICATIONS_LIMIT: usize = 100_000;

/// User tokens kept; the oldest gives way.
const USER_TOKENS_LIMIT: usize = 1_000_000;

/// Tickets kept; the oldest gives way.
const TICKETS_LIMIT: usize = 1_000_000;

/// A call of Whydah.
pub(crate) enum Call {
    Logon,
    RenewApplication { application: String },
    ValidateApplication { application: String },
    Usertoken { application: String, ticket: Option<String> },
    ValidateUsertoken { application: String, usertoken: String },
    Pickup { application: String, by: By },
    Renew { application: String },
    Release { application: String },
    LoginPage,
    Login,
}

/// How a user token is picked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    UsertokenId,
    Ticket,
}

/// What Whydah remembers.
pub(crate) struct State {
    applications: Tokens<Application>,
    user_tokens: Tokens<UserToken>,
    tickets: Tickets,
    /// What login forms are signed with.
    key: u64,
}

/// An application that is logged on.
struct Application {
    id: String,
    name: String,
    expires: Duration,
}

/// A user who is logged in.
struct UserToken {
    user: String,
    made: Duration,
}

impl Call {
    /// The call of a path.
    pub(crate) fn of(request: &Request, path: &str) -> Option<Self> {
        let steps: Vec<&str> = path.split('/').collect();
        let own = |step: &&str| percent_decoded(step).into_owned();
        match (request.method(), steps.as_slice()) {
            (&Method::POST, ["tokenservice", "logon"]) => Some(Self::Logon),
            (&Method::GET, ["tokenservice", id, "validate"]) => {
                Some(Self::ValidateApplication { application: own(id) })
            }
            (&Method::POST, ["tokenservice", id, "renew_applicationtoken"]) => {
                Some(Self::RenewApplication { application: own(id) })
            }
            (&Method::GET, ["tokenservice", "user", id, "validate_usertokenid", usertoken]) => {
                Some(Self::ValidateUsertoken { application: own(id), usertoken: own(usertoken) })
            }
            (&Method::POST, ["tokenservice", "user", id, ticket, "usertoken"]) => {
                Some(Self::Usertoken { application: own(id), ticket: Some(own(ticket)) })
            }
            (&Method::POST, ["tokenservice", "user", id, action]) => Self::of_user(own(id), action),
            (&Method::GET, ["sso", "login"]) => Some(Self::LoginPage),
            (&Method::POST, ["sso", "action" | "login"]) => Some(Self::Login),
            _ => None,
        }
    }

    fn of_user(application: String, action: &str) -> Option<Self> {
        match action {
            "usertoken" => Some(Self::Usertoken { application, ticket: None }),
            "get_usertoken_by_usertokenid" => Some(Self::Pickup { application, by: By::UsertokenId }),
            "get_usertoken_by_userticket" => Some(Self::Pickup { application, by: By::Ticket }),
            "renew_usertoken" | "refresh_usertoken" => Some(Self::Renew { application }),
            "release_usertoken" => Some(Self::Release { application }),
            _ => None,
        }
    }

    pub(crate) fn operation(&self) -> Operation {
        match self {
            Self::Logon | Self::RenewApplication { .. } => Operation::Logon,
            Self::ValidateApplication { .. } | Self::ValidateUsertoken { .. } => Operation::Validate,
            Self::Usertoken { .. } => Operation::Usertoken,
            Self::Pickup { .. } | Self::Renew { .. } => Operation::Pickup,
            Self::Release { .. } => Operation::Logout,
            Self::LoginPage => Operation::LoginPage,
            Self::Login => Operation::Login,
        }
    }
}

impl State {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            applications: Tokens::new(APPLICATIONS_LIMIT, seed ^ 1),
            user_tokens: Tokens::new(USER_TOKENS_LIMIT, seed ^ 2),
            tickets: Tickets::new(TICKETS_LIMIT, seed ^ 3),
            key: seed,
        }
    }

    pub(crate) fn answer(
        &mut self,
        call: &Call,
        request: &Request,
        directory: &Directory,
        now: Duration,
    ) -> Answer {
        let answer = match call {
            Call::Logon => self.logon(request, now),
            Call::RenewApplication { application } => self.renew_application(application, now),
            Call::ValidateApplication { application } => Ok(self.validate_application(application, now)),
            Call::Usertoken { application, ticket } => {
                self.log_in(application, ticket.as_deref(), request, directory, now)
            }
            Call::ValidateUsertoken { application, usertoken } => {
                self.validate_usertoken(application, usertoken, now)
            }
            Call::Pickup { application, by } => self.pick_up(application, *by, request, directory, now),
            Call::Renew { application } => {
                self.pick_up(application, By::UsertokenId, request, directory, now)
            }
            Call::Release { application } => self.release(application, request, now),
            Call::LoginPage => Ok(self.login_page(request, now)),
            Call::Login => Ok(self.web_login(request, directory, now)),
        };
        answer.unwrap_or_else(|refusal| refusal)
    }

    /// Logs a user in and returns the token.
    fn admit(&mut self, user: &str, now: Duration) -> Token {
        self.user_tokens.insert(UserToken { user: user.to_owned(), made: now })
    }
}
