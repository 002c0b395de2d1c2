//! Requests made ready to send: everything that no variable changes is text already.

use crate::client::answer::Wants;
use crate::origins::{OriginId, Origins};
use loadgen_model::request::{Connection, Origin, Url};
use loadgen_model::template::{Missing, Values};
use loadgen_model::{Request, Template};

/// A request made ready to send.
#[derive(Debug)]
pub(crate) struct Prepared {
    /// As the plan has it.
    pub(crate) request: Request,
    /// Server and head up to its last header, when the server is known before the run.
    fixed: Option<(OriginId, Template)>,
    /// What of the response something reads.
    pub(crate) wants: Wants,
    /// Whether the job sets a header that is otherwise ours.
    own_cookie: bool,
    own_length: bool,
}

/// A whole URL that is known only now.
pub(crate) struct Place {
    /// The server.
    pub(crate) origin: Origin,
    /// Path and query.
    pub(crate) path: Vec<u8>,
}

impl Prepared {
    /// Makes a request ready.
    pub(crate) fn new(request: Request, origins: &mut Origins) -> Self {
        let has = |name: &str| request.headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
        let (own_cookie, own_length) = (has("cookie"), has("content-length"));
        let fixed = match &request.url {
            Url::Fixed(origin, path) => {
                let id = origins.intern(request.transport, origin);
                Some((id, head(&request, &request.method, origin, path, true)))
            }
            Url::Variable(_) => None,
        };
        Self {
            fixed,
            wants: Wants {
                head: request.needs_head(),
                body: request.needs_body(),
                cookies: request.cookies,
                redirect: request.redirects > 0,
                headless: false,
            },
            own_cookie,
            own_length,
            request,
        }
    }

    /// Where it goes and its head up to the last header, in `out`.
    pub(crate) fn begin(
        &self,
        origins: &std::cell::RefCell<Origins>,
        values: &mut impl Values,
        out: &mut Vec<u8>,
    ) -> Result<OriginId, BeginError> {
        if let Some((origin, head)) = &self.fixed {
            head.render(values, out)?;
            return Ok(*origin);
        }
        let Url::Variable(template) = &self.request.url else { unreachable!("a fixed URL was prepared") };
        let mut text = Vec::new();
        template.render(values, &mut text)?;
        let place = Place::parse(&text).map_err(BeginError::Url)?;
        self.begin_at(&self.request.method, &place, true, values, out)?;
        Ok(origins.borrow_mut().intern(self.request.transport, &place.origin))
    }

    /// The head up to the last header for another place than the request's own: after a redirect.
    pub(crate) fn begin_at(
        &self,
        method: &str,
        place: &Place,
        authorized: bool,
        values: &mut impl Values,
        out: &mut Vec<u8>,
    ) -> Result<(), Missing> {
        head(&self.request, method, &place.origin, &Template::text(place.path.clone()), authorized)
            .render(values, out)
    }

    /// Ends the head and adds the body. `cookies` is the value of a Cookie header; none when empty.
    pub(crate) fn finish(
        &self,
        with_body: bool,
        cookies: &[u8],
        body: &mut Vec<u8>,
        values: &mut impl Values,
        out: &mut Vec<u8>,
    ) -> Result<(), Missing> {
        if !cookies.is_empty() && !self.own_cookie {
            out.extend_from_slice(b"Cookie: ");
            out.extend_from_slice(cookies);
            out.extend_from_slice(b"\r\n");
        }
        let Some(template) = self.request.body.as_ref().filter(|_| with_body) else {
            // RFC 9110 section 8.6: where a body is usual, servers want to know that there is none.
            if with_body
                && !self.own_length
                && matches!(self.request.method.as_str(), "POST" | "PUT" | "PATCH")
            {
                out.extend_from_slice(b"Content-Length: 0\r\n");
            }
            out.extend_from_slice(b"\r\n");
            return Ok(());
        };
        body.clear();
        template.render(values, body)?;
        if !self.own_length {
            out.extend_from_slice(b"Content-Length: ");
            loadgen_model::variable::push_number(body.len().cast_signed() as i64, out);
            out.extend_from_slice(b"\r\n");
        }
        out.extend_from_slice(b"\r\n");
        out.extend_from_slice(body);
        Ok(())
    }
}

/// Why a request could not be begun.
pub(crate) enum BeginError {
    /// A value is missing.
    Missing(Missing),
    /// The URL that its variables make is none.
    Url(String),
}

impl From<Missing> for BeginError {
    fn from(missing: Missing) -> Self {
        BeginError::Missing(missing)
    }
}

impl Place {
    /// Reads an absolute URL.
    pub(crate) fn parse(url: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(url).map_err(|_| "the URL is not text".to_owned())?;
        let (origin, rest) = Origin::parse(text.trim())?;
        Ok(Self { origin, path: path_of(rest) })
    }

    /// The URL that a Location header names, seen from here (RFC 3986 section 5.2, without fragments).
    pub(crate) fn follow(&self, location: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(location).map_err(|_| "the Location is not text".to_owned())?.trim();
        if text.contains("://") && !text.starts_with(['/', '?', '#']) {
            return Self::parse(text.as_bytes());
        }
        if let Some(authority) = text.strip_prefix("//") {
            let scheme = if self.origin.tls { "https" } else { "http" };
            return Self::parse(format!("{scheme}://{authority}").as_bytes());
        }
        let current = String::from_utf8_lossy(&self.path);
        let current = current.split('?').next().unwrap_or("/");
        let path = match text.bytes().next() {
            Some(b'/') => text.to_owned(),
            Some(b'?') => format!("{current}{text}"),
            _ => format!("{}/{text}", current.rsplit_once('/').map_or("", |(folder, _)| folder)),
        };
        Ok(Self { origin: self.origin.clone(), path: path_of(&path) })
    }
}

fn path_of(text: &str) -> Vec<u8> {
    let text = text.split('#').next().unwrap_or("");
    let mut path = Vec::with_capacity(text.len() + 1);
    if !text.starts_with('/') {
        path.push(b'/');
    }
    loadgen_model::template::encode_url_text(text.as_bytes(), &mut path);
    path
}

/// Request line and headers (RFC 9112 section 3), without the blank line.
fn head(request: &Request, method: &str, origin: &Origin, path: &Template, authorized: bool) -> Template {
    let mut head = Template::text(format!("{method} "));
    head.append(path);
    head.push_text(" HTTP/1.1\r\n");
    let set = |name: &str| request.headers.iter().any(|(key, _)| key.eq_ignore_ascii_case(name));
    if !authorized || !set("host") {
        head.push_text(format!("Host: {}\r\n", origin.host_header()));
    }
    let is = |name: &str, others: &[&str]| others.iter().any(|other| name.eq_ignore_ascii_case(other));
    for (name, value) in &request.headers {
        // Not for another server; and without a body, nothing that describes one (RFC 9110 section 15.4).
        if !authorized && is(name, &["authorization", "cookie", "host"])
            || method != request.method && is(name, &["content-encoding", "content-language", "content-type"])
        {
            continue;
        }
        head.push_text(format!("{name}: "));
        head.append(value);
        head.push_text("\r\n");
    }
    if !set("user-agent") {
        head.push_text(concat!("User-Agent: loadgen/", env!("CARGO_PKG_VERSION"), "\r\n"));
    }
    if !set("accept") {
        head.push_text("Accept: */*\r\n");
    }
    if request.connection == Connection::Close && !set("connection") {
        head.push_text("Connection: close\r\n");
    }
    head
}
