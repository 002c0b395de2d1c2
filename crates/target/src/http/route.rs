//! From the address of a request to the call that it is.

use std::time::Duration;

use super::{Query, Request, crest, crowd, openam, opendj, openidm, plain, whydah};
use crate::directory::View;
use crate::operation::Operation;

/// A call of one of the platform's systems.
pub(crate) enum Route {
    OpenAm(openam::Call),
    Resource(crest::Call, &'static View),
    Whydah(whydah::Call),
    Crowd(crowd::Call),
    Plain(plain::Call),
    Unknown,
}

impl Route {
    /// The call that a request makes.
    pub(crate) fn of(request: &Request) -> Self {
        let path = request.uri().path().trim_matches('/');
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        let found = match first {
            "openam" => openam::Call::of(request, rest).map(Self::OpenAm),
            "agent" => Some(Self::OpenAm(openam::Call::Agent)),
            "users" => resource(request, rest, &opendj::VIEW),
            "api" => below(rest, "users").and_then(|rest| resource(request, rest, &opendj::VIEW)),
            "openidm" => below(rest, "managed/user").and_then(|rest| resource(request, rest, &openidm::VIEW)),
            "tokenservice" | "sso" => whydah::Call::of(request, path).map(Self::Whydah),
            "crowd" => crowd::Call::of(request, rest).map(Self::Crowd),
            _ => plain::Call::of(&Query::of(request), first, rest).map(Self::Plain),
        };
        found.unwrap_or(Self::Unknown)
    }

    pub(crate) fn operation(&self) -> Operation {
        match self {
            Self::OpenAm(call) => call.operation(),
            Self::Resource(call, _) => call.operation(),
            Self::Whydah(call) => call.operation(),
            Self::Crowd(call) => call.operation(),
            Self::Plain(call) => call.operation(),
            Self::Unknown => Operation::Other,
        }
    }

    /// Time that the call itself asks for, on top of the service time.
    pub(crate) fn extra_time(&self) -> Duration {
        match self {
            Self::Plain(plain::Call::Sleep(time)) => *time,
            _ => Duration::ZERO,
        }
    }
}

fn resource(request: &Request, rest: &str, view: &'static View) -> Option<Route> {
    crest::Call::of(request, rest).map(|call| Route::Resource(call, view))
}

/// What follows `start`, when a path is `start` or lies below it.
fn below<'p>(path: &'p str, start: &str) -> Option<&'p str> {
    match path.strip_prefix(start)? {
        "" => Some(""),
        rest => rest.strip_prefix('/'),
    }
}
