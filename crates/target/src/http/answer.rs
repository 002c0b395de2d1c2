//! What the platform answers.

use std::time::Duration;

use bytes::Bytes;
use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue};
use serde_json::Value;

/// A whole answer, before it is put on a connection.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) content: Content,
}

/// The body of an answer.
pub(crate) enum Content {
    Whole(Bytes),
    /// So many bytes, sent after the headers and a pause, in memory that does not depend on their number.
    Repeated {
        length: u64,
        /// Whether the length is left out of the headers.
        chunked: bool,
        pause: Duration,
    },
}

impl Answer {
    pub(crate) fn new(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        Self {
            status: StatusCode::from_u16(status).expect("only statuses of three digits are asked for"),
            content_type,
            headers: Vec::new(),
            content: Content::Whole(body.into()),
        }
    }

    pub(crate) fn json_text(status: u16, body: String) -> Self {
        Self::new(status, "application/json;charset=UTF-8", body)
    }

    pub(crate) fn json(status: u16, body: &Value) -> Self {
        Self::json_text(status, body.to_string())
    }

    pub(crate) fn xml(status: u16, body: String) -> Self {
        Self::new(status, "application/xml", body)
    }

    pub(crate) fn html(status: u16, body: String) -> Self {
        Self::new(status, "text/html;charset=UTF-8", body)
    }

    /// No body at all.
    pub(crate) fn empty(status: u16) -> Self {
        Self::new(status, "", Bytes::new())
    }

    /// Elsewhere.
    pub(crate) fn redirect(location: &str) -> Self {
        Self::empty(302).with("location", location)
    }

    /// `{"code":404,"reason":"Not Found","message":"…"}`
    pub(crate) fn refusal(status: u16, message: &str) -> Self {
        let code = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let reason = code.canonical_reason().unwrap_or("Unknown");
        let message = Value::from(message);
        Self::json_text(
            status,
            format!("{{\"code\":{status},\"reason\":\"{reason}\",\"message\":{message}}}"),
        )
    }

    /// The same answer with one more header. A value that no header can hold is left out.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }
}
