//! The cookies of one user, kept as a browser would (RFC 6265 section 5, without public suffixes).

use cookie::Cookie;
use cookie::time::OffsetDateTime;
use loadgen_model::request::Origin;
use tokio::time::Instant;

/// Cookies that a user keeps; the oldest goes first.
const COOKIES_KEPT: usize = 100;

/// The cookies of one user.
#[derive(Debug, Default)]
pub(crate) struct Jar {
    cookies: Vec<Kept>,
}

#[derive(Debug)]
struct Kept {
    name: String,
    value: String,
    domain: String,
    /// Only the host that set it gets it.
    host_only: bool,
    path: String,
    secure: bool,
    expires: Option<Instant>,
}

impl Jar {
    /// Keeps what a Set-Cookie header says; what is not valid is passed over.
    pub(crate) fn store(&mut self, header: &[u8], origin: &Origin, path: &[u8]) {
        let Ok(text) = std::str::from_utf8(header) else { return };
        let Ok(cookie) = Cookie::parse(text) else { return };
        let named = cookie.domain().map(|domain| domain.trim_start_matches('.').to_ascii_lowercase());
        let domain = match named.filter(|domain| !domain.is_empty()) {
            Some(domain) if !is_within(&origin.host, &domain) => return,
            domain => domain,
        };
        let path = match cookie.path().filter(|path| path.starts_with('/')) {
            Some(path) => path.to_owned(),
            None => default_path(path),
        };
        let kept = Kept {
            name: cookie.name().to_owned(),
            value: cookie.value().to_owned(),
            host_only: domain.is_none(),
            domain: domain.unwrap_or_else(|| origin.host.clone()),
            path,
            secure: cookie.secure().unwrap_or(false),
            expires: expiry(&cookie),
        };
        self.cookies.retain(|other| {
            other.name != kept.name || other.domain != kept.domain || other.path != kept.path
        });
        if kept.expires.is_none_or(|at| at > Instant::now()) {
            if self.cookies.len() == COOKIES_KEPT {
                self.cookies.remove(0);
            }
            self.cookies.push(kept);
        }
    }

    /// Appends the value of the Cookie header for a request; nothing when no cookie goes with it.
    pub(crate) fn write(&self, origin: &Origin, path: &[u8], out: &mut Vec<u8>) {
        let now = Instant::now();
        let path = String::from_utf8_lossy(path.split(|byte| *byte == b'?').next().unwrap_or_default());
        let fits = |cookie: &&Kept| {
            (origin.tls || !cookie.secure)
                && cookie.expires.is_none_or(|at| at > now)
                && (cookie.domain == origin.host
                    || !cookie.host_only && is_within(&origin.host, &cookie.domain))
                && path_fits(&path, &cookie.path)
        };
        for cookie in self.cookies.iter().filter(fits) {
            if !out.is_empty() {
                out.extend_from_slice(b"; ");
            }
            out.extend_from_slice(cookie.name.as_bytes());
            out.push(b'=');
            out.extend_from_slice(cookie.value.as_bytes());
        }
    }
}

/// When a cookie is over; Max-Age comes before Expires.
fn expiry(cookie: &Cookie<'_>) -> Option<Instant> {
    let left = match (cookie.max_age(), cookie.expires_datetime()) {
        (Some(age), _) => age,
        (None, Some(at)) => at - OffsetDateTime::now_utc(),
        (None, None) => return None,
    };
    let left = std::time::Duration::try_from(left).unwrap_or_default();
    Instant::now().checked_add(left)
}

fn is_within(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|front| front.ends_with('.'))
}

fn default_path(request: &[u8]) -> String {
    let path = String::from_utf8_lossy(request.split(|byte| *byte == b'?').next().unwrap_or_default());
    match path.rfind('/') {
        None | Some(0) => "/".to_owned(),
        Some(end) => path[..end].to_owned(),
    }
}

fn path_fits(path: &str, of_cookie: &str) -> bool {
    path.strip_prefix(of_cookie)
        .is_some_and(|rest| rest.is_empty() || of_cookie.ends_with('/') || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(stored: &[&str], to: &str, path: &str) -> String {
        let origin = |url: &str| Origin::parse(url).unwrap().0;
        let mut jar = Jar::default();
        for header in stored {
            jar.store(header.as_bytes(), &origin("http://am.example.com"), b"/openam/json/authenticate?x=1");
        }
        let mut out = Vec::new();
        jar.write(&origin(to), path.as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_cookie_goes_back_to_its_host_and_path() {
        let set = ["a=1", "b=2; Path=/", "c=3; Path=/other"];
        assert_eq!(sent(&set, "http://am.example.com", "/openam/json/users?_id=7"), "a=1; b=2");
        assert_eq!(sent(&set, "http://am.example.com", "/"), "b=2");
        assert_eq!(sent(&set, "http://ds.example.com", "/openam/json/users"), "");
    }

    #[test]
    fn a_domain_cookie_goes_to_the_whole_domain() {
        let set = ["s=1; Domain=example.com; Path=/", "t=1; Domain=elsewhere.org; Path=/"];
        assert_eq!(sent(&set, "http://ds.example.com", "/"), "s=1");
        assert_eq!(sent(&set, "http://badexample.com", "/"), "");
    }

    #[test]
    fn a_newer_value_replaces_and_an_expired_one_removes() {
        assert_eq!(sent(&["a=1; Path=/", "a=2; Path=/"], "http://am.example.com", "/"), "a=2");
        assert_eq!(sent(&["a=1; Path=/", "a=; Path=/; Max-Age=0"], "http://am.example.com", "/"), "");
    }

    #[test]
    fn a_secure_cookie_stays_off_plain_connections() {
        assert_eq!(sent(&["a=1; Path=/; Secure"], "http://am.example.com", "/"), "");
        assert_eq!(sent(&["a=1; Path=/; Secure"], "https://am.example.com", "/"), "a=1");
    }
}
