//! An HTTP request as a task describes it, compiled: all precedence resolved, all text in templates.

use crate::capture::Capture;
use crate::check::Check;
use crate::template::Template;
use core::net::IpAddr;
use std::fmt;
use std::time::Duration;

/// An HTTP request to perform.
#[derive(Debug, Clone)]
pub struct Request {
    /// Method, as it is sent.
    pub method: String,
    /// Where it goes.
    pub url: Url,
    /// Header lines in order, without Host and Content-Length unless the job sets them.
    pub headers: Vec<(String, Template)>,
    /// The body; none is sent when absent.
    pub body: Option<Template>,
    /// How it reaches its target.
    pub transport: TransportId,
    /// What happens to the connection.
    pub connection: Connection,
    /// Redirects followed at most; 0 returns the redirect itself.
    pub redirects: u8,
    /// Whether the user's cookies are kept and sent.
    pub cookies: bool,
    /// After this it is given up; its latency is then known only to be longer.
    pub timeout: Duration,
    /// What makes the response correct. When no check is on the status, a status below 400 does.
    pub checks: Vec<Check>,
    /// What is taken out of the response.
    pub captures: Vec<Capture>,
}

/// Where a request goes.
#[derive(Debug, Clone)]
pub enum Url {
    /// A server that is known before the run, and the path and query below it, starting with `/`.
    Fixed(Origin, Template),
    /// A whole URL that is known only when its variables are.
    Variable(Template),
}

/// A server.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// What it speaks.
    pub protocol: Protocol,
    /// Whether it speaks it over TLS.
    pub tls: bool,
    /// Host name or address; an IPv6 address without its brackets; lower case. The path of a socket of this machine.
    pub host: String,
    /// Port; 0 for a socket of this machine.
    pub port: u16,
}

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Protocol {
    /// HTTP.
    #[default]
    Http,
    /// LDAP; over TLS from the first byte.
    Ldap,
    /// LDAP, TLS asked for on the open connection (RFC 4511 section 4.14).
    LdapStartTls,
    /// LDAP over a socket of this machine.
    LdapLocal,
}

/// What happens to the connection of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Connection {
    /// It is kept for the user's further requests.
    #[default]
    KeepAlive,
    /// It is closed after the request, and the server is told so.
    Close,
    /// It is kept until the iteration ends.
    Iteration,
}

/// Index of a transport in [`crate::Plan::transports`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TransportId(pub u16);

/// How a request reaches its target.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Transport {
    /// TLS settings.
    pub tls: Tls,
    /// A proxy that is asked by CONNECT, for plain HTTP too.
    pub proxy: Option<Proxy>,
    /// Other addresses for some servers: `host:port` → where to connect instead (host or address, port).
    pub resolve: Vec<((String, u16), (String, u16))>,
    /// Whether names are resolved for each new connection, inside the timed path, instead of once a minute.
    pub resolve_each_connection: bool,
    /// Local addresses that connections are opened from, in turn; the system chooses when there are none. Each
    /// has ports of its own, and so many more connections to one server.
    pub sources: Vec<IpAddr>,
    /// Which version of HTTP is spoken.
    pub http: Http,
    /// How many connections the users share; each user has connections of its own when none.
    pub sharing: Option<Sharing>,
    /// The bind that every new connection of LDAP begins with, an index in [`crate::Plan::operations`]. It holds
    /// no variables. Nobody is bound at first when none.
    pub bind: Option<u16>,
    /// Whether connections to a directory that users share are opened before the load begins, so that their opening
    /// is in no response time.
    pub opens_early: bool,
    /// Whether connections are reset when they are closed. Their ports are then free at once, where many are opened
    /// and closed.
    pub resets: bool,
    /// After this an attempt to connect is given up; after the operating system's own time when none.
    pub connect_timeout: Option<Duration>,
}

/// Which version of HTTP is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Http {
    /// HTTP/1.1 (RFC 9112).
    #[default]
    One,
    /// HTTP/2 (RFC 9113): over TLS the server has to choose it by ALPN (RFC 7301), in clear text the client
    /// begins with it (prior knowledge).
    Two,
    /// Over TLS what the server chooses by ALPN, HTTP/2 first; in clear text HTTP/1.1.
    Auto,
}

/// Connections that the users of a run share, for each server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sharing {
    /// Connections to a server over all generator threads; at least 1. There are never more threads than this.
    pub connections: u32,
    /// Requests at once on each of them; at least 1, and 1 with HTTP/1.1. Operations of LDAP as well.
    pub streams: u32,
}

/// TLS settings.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Tls {
    /// Certificates (PEM) that are trusted instead of the system's.
    pub authorities: Option<Vec<u8>>,
    /// Certificate chain and key (PEM) that the client shows.
    pub client: Option<(Vec<u8>, Vec<u8>)>,
    /// Whether any certificate is accepted. The report warns.
    pub insecure: bool,
    /// Name that the certificate must carry and that SNI sends, instead of the URL's host.
    pub server_name: Option<String>,
    /// Whether every connection makes a full handshake, even where its user could resume a session (RFC 8446
    /// section 2.2).
    pub full_handshakes: bool,
}

/// A proxy.
#[derive(Clone, PartialEq, Eq)]
pub struct Proxy {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Value of Proxy-Authorization.
    pub authorization: Option<String>,
}

impl Transport {
    /// Whether each user has connections of HTTP/1.1 of its own: the usual case.
    pub fn is_own_http1(&self) -> bool {
        self.http == Http::One && self.sharing.is_none()
    }
}

impl Request {
    /// Whether the body has to be kept and decoded.
    pub fn needs_body(&self) -> bool {
        self.checks.iter().any(Check::needs_body) || self.captures.iter().any(|c| c.from.needs_body())
    }

    /// Whether the head has to be kept.
    pub fn needs_head(&self) -> bool {
        self.checks.iter().any(Check::needs_head) || self.captures.iter().any(|c| c.from.needs_head())
    }
}

impl Origin {
    /// Reads `http://host[:port]` from the front of a URL; gives the rest, which starts with `/`, `?`, `#` or
    /// is empty. The error says what is wrong with it.
    pub fn parse(url: &str) -> Result<(Origin, &str), String> {
        let (scheme, rest) = url.split_once("://").ok_or("a URL starts with http:// or https://")?;
        let tls = match scheme.to_ascii_lowercase().as_str() {
            "http" => false,
            "https" => true,
            other => return Err(format!("the scheme `{other}` is neither http nor https")),
        };
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        if authority.contains('@') {
            return Err("a URL carries no user name or password here; use `auth`".to_owned());
        }
        let (host, port) = split_port(authority)?;
        let port = port.unwrap_or(if tls { 443 } else { 80 });
        Ok((Origin { protocol: Protocol::Http, tls, host, port }, path))
    }

    /// Reads `ldap://host[:port]`, `ldaps://host[:port]` or `ldapi://%2Fpath%2Fto%2Fsocket`, with nothing but a
    /// slash behind it. The error says what is wrong with it.
    pub fn parse_ldap(url: &str) -> Result<Origin, String> {
        let (scheme, rest) = url.split_once("://").ok_or("it starts with ldap://, ldaps:// or ldapi://")?;
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let (tls, protocol) = match scheme.to_ascii_lowercase().as_str() {
            "ldap" => (false, Protocol::Ldap),
            "ldaps" => (true, Protocol::Ldap),
            "ldapi" => {
                let host = percent_decoded(rest).ok_or("the path of its socket is no text")?;
                if host.is_empty() {
                    return Err("the path of its socket is missing".to_owned());
                }
                return Ok(Origin { protocol: Protocol::LdapLocal, tls: false, host, port: 0 });
            }
            other => return Err(format!("the scheme `{other}` is none of ldap, ldaps and ldapi")),
        };
        if rest.contains(['/', '?', '#', '@']) {
            return Err("nothing but host and port stands in it".to_owned());
        }
        let (host, port) = split_port(rest)?;
        Ok(Origin { protocol, tls, host, port: port.unwrap_or(if tls { 636 } else { 389 }) })
    }

    /// `host:port`, brackets around an IPv6 address.
    pub fn authority(&self) -> String {
        join_port(&self.host, self.port)
    }

    /// What the Host header says: the port only when it is not the scheme's own.
    pub fn host_header(&self) -> String {
        let own = if self.tls { 443 } else { 80 };
        match self.port == own {
            true if self.host.contains(':') => format!("[{}]", self.host),
            true => self.host.clone(),
            false => self.authority(),
        }
    }
}

/// A text without its percent signs.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    let mut parts = text.split('%');
    let mut out = parts.next()?.as_bytes().to_vec();
    for part in parts {
        out.push(u8::from_str_radix(part.get(..2)?, 16).ok()?);
        out.extend_from_slice(&part.as_bytes()[2..]);
    }
    String::from_utf8(out).ok()
}

/// Splits `host`, `host:port`, `[v6]` or `[v6]:port`.
pub fn split_port(authority: &str) -> Result<(String, Option<u16>), String> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (host, after) = rest.split_once(']').ok_or("`[` without `]` around an IPv6 address")?;
            (host, after.strip_prefix(':').or_else(|| (!after.is_empty()).then_some(after)))
        }
        None => match authority.split_once(':') {
            Some((_, port)) if port.contains(':') => {
                return Err(format!("an IPv6 address stands in brackets: [{authority}]"));
            }
            Some((host, port)) => (host, Some(port)),
            None => (authority, None),
        },
    };
    if host.is_empty() || host.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(format!("`{authority}` names no host"));
    }
    let port = match port {
        None | Some("") => None,
        Some(text) => match text.parse() {
            Ok(0) | Err(_) => return Err(format!("`{text}` is no port: 1 to 65535")),
            Ok(port) => Some(port),
        },
    };
    Ok((host.to_ascii_lowercase(), port))
}

/// `host:port`, brackets around an IPv6 address.
pub fn join_port(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.protocol, self.tls) {
            (Protocol::Http, false) => write!(f, "http://{}", self.host_header()),
            (Protocol::Http, true) => write!(f, "https://{}", self.host_header()),
            (Protocol::Ldap, true) => write!(f, "ldaps://{}", self.authority()),
            (Protocol::Ldap | Protocol::LdapStartTls, _) => write!(f, "ldap://{}", self.authority()),
            (Protocol::LdapLocal, _) => write!(f, "ldapi://{}", self.host.replace('/', "%2F")),
        }
    }
}

/// Keys are secrets: not shown.
impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tls")
            .field("authorities", &self.authorities.is_some())
            .field("client", &self.client.is_some())
            .field("insecure", &self.insecure)
            .field("server_name", &self.server_name)
            .field("full_handshakes", &self.full_handshakes)
            .finish()
    }
}

/// Credentials are secrets: not shown.
impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Proxy({}:{})", self.host, self.port)
    }
}
