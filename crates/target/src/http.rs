//! The calls of the platform, as functions from a request to an answer. No sockets, no clock, no waiting.

mod answer;
mod credentials;
mod crest;
mod crowd;
mod openam;
mod opendj;
mod openidm;
mod plain;
mod platform;
mod query;
mod route;
mod whydah;

use bytes::Bytes;
use serde_json::Value;

pub(crate) use self::answer::{Answer, Content};
pub(crate) use self::platform::Platform;
pub(crate) use self::query::{Query, percent_decoded};
pub(crate) use self::route::Route;

/// A request that has arrived whole.
pub(crate) type Request = hyper::Request<Bytes>;

/// The body as JSON; an absent one counts as `{}`.
fn json(request: &Request) -> Result<Value, Answer> {
    if request.body().is_empty() {
        return Ok(Value::Object(serde_json::Map::new()));
    }
    serde_json::from_slice(request.body())
        .map_err(|error| Answer::refusal(400, &format!("The request body is not valid JSON: {error}")))
}

/// A header's value as text; empty when absent.
fn header<'r>(request: &'r Request, name: &str) -> &'r str {
    request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
