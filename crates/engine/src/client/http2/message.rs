//! Requests and heads of answers, between the text of HTTP/1.1 and the fields of HTTP/2 (RFC 9113 section 8.3).

use crate::client::answer::Answer;
use crate::client::head::Head;
use crate::client::scratch::Kept;
use bytes::Bytes;
use http::header::{CONTENT_ENCODING, HeaderName, HeaderValue, SET_COOKIE};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{Method, Request, Uri, response};
use loadgen_model::{Failure, FailureKind};
use std::mem::MaybeUninit;

/// A request may have so many headers.
const HEADERS: usize = 256;
/// Headers of a connection of HTTP/1.1: HTTP/2 has none of them (RFC 9113 section 8.2.2).
const OF_CONNECTION: [&str; 5] =
    ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"];

/// A request that was rendered for HTTP/1.1, and its body.
pub(super) fn request(rendered: &[u8], tls: bool) -> Result<(Request<()>, Bytes), Failure> {
    let whole = Bytes::copy_from_slice(rendered);
    let mut lines = [const { MaybeUninit::uninit() }; HEADERS];
    let mut parsed = httparse::Request::new(&mut []);
    let length = match parsed.parse_with_uninit_headers(&whole, &mut lines) {
        Ok(httparse::Status::Complete(length)) => length,
        Err(httparse::Error::TooManyHeaders) => return Err(unfit("its more than 256 headers")),
        _ => return Err(unfit("its method, URL or headers")),
    };
    let body = whole.slice(length..);
    let mut request = Request::new(());
    let method = parsed.method.unwrap_or_default().as_bytes();
    *request.method_mut() = Method::from_bytes(method).map_err(|_| unfit("its method"))?;
    let mut host = None;
    request.headers_mut().reserve(parsed.headers.len());
    for line in parsed.headers.iter() {
        let name = HeaderName::from_bytes(line.name.as_bytes()).map_err(|_| unfit("a header's name"))?;
        if name == http::header::HOST {
            host = Some(whole.slice_ref(line.value));
        } else if !OF_CONNECTION.contains(&name.as_str()) {
            let value = HeaderValue::from_maybe_shared(whole.slice_ref(line.value));
            request.headers_mut().append(name, value.map_err(|_| unfit("a header's value"))?);
        }
    }
    let path = whole.slice_ref(parsed.path.unwrap_or("/").as_bytes());
    *request.uri_mut() = uri(host.unwrap_or_default(), path, tls)?;
    Ok((request, body))
}

fn uri(host: Bytes, path: Bytes, tls: bool) -> Result<Uri, Failure> {
    let mut parts = http::uri::Parts::default();
    parts.scheme = Some(if tls { Scheme::HTTPS } else { Scheme::HTTP });
    parts.authority = Some(Authority::from_maybe_shared(host).map_err(|_| unfit("its Host"))?);
    parts.path_and_query = Some(PathAndQuery::from_maybe_shared(path).map_err(|_| unfit("its path"))?);
    Uri::from_parts(parts).map_err(|_| unfit("its URL"))
}

fn unfit(what: &str) -> Failure {
    Failure::text(FailureKind::Protocol, format!("the request cannot be sent over HTTP/2 because of {what}"))
}

/// The head of an answer came. What something reads of it is kept as lines of HTTP/1.1.
pub(super) fn begin(answer: &mut Answer, head: &response::Parts, kept: &mut Kept) {
    let said = Head {
        status: head.status.as_u16(),
        keep_alive: true,
        encoded: head.headers.contains_key(CONTENT_ENCODING),
        cookies: head.headers.contains_key(SET_COOKIE),
    };
    if !answer.begin(said) {
        return;
    }
    let out = &mut kept.head;
    out.clear();
    out.extend_from_slice(b"HTTP/2 ");
    out.extend_from_slice(head.status.as_str().as_bytes());
    out.extend_from_slice(b"\r\n");
    for (name, value) in &head.headers {
        out.extend_from_slice(name.as_str().as_bytes());
        out.extend_from_slice(b": ");
        out.extend_from_slice(value.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_request_keeps_its_meaning() {
        let rendered = b"POST /a%20b?c=d HTTP/1.1\r\nHost: am.example.com:8080\r\nX-One: 1\r\nX-One: 2\r\n\
            Connection: close\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nbody";
        let (request, body) = super::request(rendered, true).unwrap();
        assert_eq!(request.method(), "POST");
        assert_eq!(request.uri(), "https://am.example.com:8080/a%20b?c=d");
        let ones: Vec<_> = request.headers().get_all("x-one").iter().collect();
        assert_eq!(ones, ["1", "2"]);
        assert_eq!(request.headers().len(), 3, "{request:?}");
        assert_eq!(body, "body");
    }

    #[test]
    fn what_http_2_cannot_carry_is_a_protocol_failure() {
        for bad in [&b"GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"[..], b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n"] {
            assert_eq!(super::request(bad, false).unwrap_err().kind, FailureKind::Protocol);
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = super::request(&bytes, false);
            let rendered = [b"GET /", bytes.as_slice(), b" HTTP/1.1\r\nHost: a\r\n\r\n"].concat();
            let _ = super::request(&rendered, true);
        }
    }
}
