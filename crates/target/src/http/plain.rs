//! Calls of no identity system: known delays, sizes, statuses and redirects, and an echo.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::{Map, Value, json};

use super::{Answer, Content, Query, Request};
use crate::operation::Operation;

/// The longest sleep that is granted.
const SLEEP_LIMIT: Duration = Duration::from_secs(3_600);

/// The longest chain of redirects.
const REDIRECTS_LIMIT: u32 = 1_000;

/// One of these calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    Sleep(Duration),
    Bytes { length: u64, chunked: bool, pause: Duration },
    Status(u16),
    Redirect(u32),
    Echo,
    Gzip,
    Deflate,
    Health,
}

impl Call {
    /// The call of that path; `None` when there is none, or its number is out of bounds.
    pub(crate) fn of(query: &Query<'_>, name: &str, rest: &str) -> Option<Self> {
        match name {
            "sleep" => milliseconds(rest).map(Self::Sleep),
            "bytes" => Some(Self::Bytes {
                length: rest.parse().ok()?,
                chunked: query.get("chunked").is_some(),
                pause: query.get("pause").map_or(Some(Duration::ZERO), |pause| milliseconds(&pause))?,
            }),
            "status" => rest.parse().ok().filter(|status| (200..=599).contains(status)).map(Self::Status),
            "redirect" => rest.parse().ok().filter(|&left| left <= REDIRECTS_LIMIT).map(Self::Redirect),
            "echo" => Some(Self::Echo),
            "gzip" => Some(Self::Gzip),
            "deflate" => Some(Self::Deflate),
            "health" if rest.is_empty() => Some(Self::Health),
            _ => None,
        }
    }

    pub(crate) fn operation(self) -> Operation {
        match self {
            Self::Sleep(_) => Operation::Sleep,
            Self::Bytes { .. } => Operation::Bytes,
            Self::Status(_) => Operation::Status,
            Self::Redirect(_) => Operation::Redirect,
            Self::Echo => Operation::Echo,
            Self::Gzip | Self::Deflate => Operation::Compress,
            Self::Health => Operation::Health,
        }
    }

    pub(crate) fn answer(self, request: &Request) -> Answer {
        match self {
            Self::Sleep(time) => {
                Answer::json_text(200, format!("{{\"slept_ms\":{:?}}}", time.as_secs_f64() * 1e3))
            }
            Self::Bytes { length, chunked, pause } => {
                let mut answer = Answer::empty(200);
                answer.content_type = "application/octet-stream";
                answer.content = Content::Repeated { length, chunked, pause };
                answer
            }
            Self::Status(status) => status_answer(status),
            Self::Redirect(0) => Answer::json_text(200, "{\"redirects\":\"followed\"}".to_owned()),
            Self::Redirect(left) => Answer::redirect(&format!("/redirect/{}", left - 1)),
            Self::Echo => Answer::json(200, &echo(request)),
            Self::Gzip => compressed("gzip", gzip(echo(request).to_string().as_bytes())),
            Self::Deflate => compressed("deflate", deflate(echo(request).to_string().as_bytes())),
            Self::Health => Answer::json_text(200, "{\"status\":\"up\"}".to_owned()),
        }
    }
}

fn milliseconds(text: &str) -> Option<Duration> {
    let milliseconds: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(milliseconds / 1e3).ok().filter(|&time| time <= SLEEP_LIMIT)
}

fn status_answer(status: u16) -> Answer {
    match status {
        204 | 304 => Answer::empty(status),
        200..400 => Answer::json_text(status, format!("{{\"status\":{status}}}")),
        _ => Answer::refusal(status, "The status that was asked for"),
    }
}

/// What arrived: the body as JSON when it is JSON, else as text.
fn echo(request: &Request) -> Value {
    let mut headers = Map::new();
    for (name, value) in request.headers() {
        let value = String::from_utf8_lossy(value.as_bytes());
        let joined = match headers.get(name.as_str()).and_then(Value::as_str) {
            Some(before) => format!("{before}, {value}"),
            None => value.into_owned(),
        };
        headers.insert(name.as_str().to_owned(), Value::from(joined));
    }
    let text = String::from_utf8_lossy(request.body());
    json!({
        "method": request.method().as_str(),
        "path": request.uri().path(),
        "query": request.uri().query(),
        "headers": headers,
        "body": serde_json::from_str(&text).unwrap_or_else(|_| Value::from(text)),
    })
}

fn compressed(encoding: &str, body: std::io::Result<Vec<u8>>) -> Answer {
    match body {
        Ok(body) => {
            Answer::new(200, "application/json;charset=UTF-8", body).with("content-encoding", encoding)
        }
        Err(error) => Answer::refusal(500, &error.to_string()),
    }
}

fn gzip(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body)?;
    encoder.finish()
}

fn deflate(body: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body)?;
    encoder.finish()
}
