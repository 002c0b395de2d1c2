//! What a request brings to prove who sent it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::COOKIE;

use super::Request;

/// The value of a cookie, without quotes.
pub(crate) fn cookie<'r>(request: &'r Request, name: &str) -> Option<&'r str> {
    let headers = request.headers().get_all(COOKIE).into_iter();
    let pairs = headers.filter_map(|header| header.to_str().ok()).flat_map(|header| header.split(';'));
    let mut named = pairs.filter_map(|pair| pair.trim().split_once('=')).filter(|(found, _)| *found == name);
    named.next().map(|(_, value)| value.trim_matches('"'))
}

/// User name and password of HTTP Basic authentication.
pub(crate) fn basic(request: &Request) -> Option<(String, String)> {
    let (scheme, encoded) = super::header(request, "authorization").split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    decoded.split_once(':').map(|(name, password)| (name.to_owned(), password.to_owned()))
}
