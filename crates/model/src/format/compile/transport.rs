//! How requests reach their targets: TLS, proxy, other addresses, the version of HTTP and shared connections.

use crate::format::compile::levels::Levels;
use crate::format::compile::names::Scope;
use crate::format::compile::{Compiler, id};
use crate::format::decode::Spanned;
use crate::format::decode::quantity::Count;
use crate::format::decode::text::Text;
use crate::format::file::attributes::{Connection, Dns};
use crate::request::{Http, Origin, Proxy, Sharing, Tls, Transport, TransportId, split_port};
use base64::Engine as _;
use core::net::IpAddr;

/// Requests at once on a shared connection of HTTP/2: what RFC 9113 section 6.5.2 wants every server to allow.
const STREAMS: u32 = 100;
/// More connections to one server than a run can open: an address has 65,535 ports, a server may have several.
pub(super) const MOST_CONNECTIONS: u32 = 1_000_000;
/// More requests at once than any server allows on a connection.
pub(super) const MOST_STREAMS: u32 = 100_000;

impl Compiler<'_> {
    pub(crate) fn transport(&mut self, levels: &Levels<'_>, scope: &Scope) -> TransportId {
        let http = levels.pick(|attributes| attributes.http.as_ref());
        let http = http.map_or(Http::default(), |(http, _)| http.value.0);
        let sharing = self.sharing(levels, http);
        let transport = Transport { http, sharing, ..self.way(levels, scope) };
        self.transport_id(transport)
    }

    pub(super) fn transport_id(&mut self, transport: Transport) -> TransportId {
        let known = self.transports.iter().position(|known| *known == transport);
        let index = known.unwrap_or_else(|| {
            self.transports.push(transport);
            self.transports.len() - 1
        });
        TransportId(id(index))
    }

    /// What is the same whatever is spoken.
    pub(super) fn way(&mut self, levels: &Levels<'_>, scope: &Scope) -> Transport {
        let tls = levels.pick(|attributes| attributes.tls.as_ref());
        let tls = tls.map_or_else(Tls::default, |(tls, _)| self.tls(&tls.value, scope));
        let proxy = levels.pick(|attributes| attributes.proxy.as_ref());
        let proxy = proxy.and_then(|(proxy, _)| self.proxy(proxy, scope));
        let resolve = levels
            .merged(|attributes| attributes.resolve.as_ref())
            .into_iter()
            .filter_map(|(from, to, _)| Some((self.server(from, scope)?, self.server(to, scope)?)))
            .collect();
        let sources = self.sources(levels);
        let dns = levels.pick(|attributes| attributes.dns.as_ref());
        let resolve_each_connection = dns.is_some_and(|(dns, _)| dns.value == Dns::PerConnection);
        Transport { tls, proxy, resolve, resolve_each_connection, sources, ..Transport::default() }
    }

    fn sharing(&mut self, levels: &Levels<'_>, http: Http) -> Option<Sharing> {
        let (typed, _) = levels.pick(|attributes| attributes.connections.as_ref())?;
        let own = levels.step.connections.as_ref().or(levels.task.connections.as_ref());
        if let Some(bind) = own.and_then(|own| own.value.bind.as_ref()) {
            let message = "`bind` is for LDAP, and this is an HTTP request";
            self.problems.error_with_help(&bind.at, message, "remove it here");
        }
        if http == Http::Auto {
            let message = "how many requests share a connection is not known with `http: auto`";
            self.problems.error_with_help(&typed.at, message, "use `http: 2` or `http: 1.1`");
        }
        self.refuse_closing(levels);
        // After another error the version may only be misspelt.
        let known =
            levels.pick(|attributes| attributes.http.as_ref()).is_some() || !self.problems.has_errors();
        if let (Some(streams), Http::One, true) = (&typed.value.streams, http, known) {
            let message = "a connection of HTTP/1.1 carries one request at a time";
            self.problems.error_with_help(&streams.at, message, "remove `streams`, or use `http: 2`");
        }
        let usual = if http == Http::Two { STREAMS } else { 1 };
        let streams = typed.value.streams.as_ref();
        Some(Sharing {
            connections: self.at_least_one("shared", &typed.value.shared, MOST_CONNECTIONS),
            streams: streams.map_or(usual, |count| self.at_least_one("streams", count, MOST_STREAMS)),
        })
    }

    /// Users that share connections close none.
    pub(super) fn refuse_closing(&mut self, levels: &Levels<'_>) {
        if let Some((kept, _)) = levels.pick(|attributes| attributes.connection.as_ref())
            && kept.value != Connection::KeepAlive
        {
            let message = format!("no user closes a connection that all share: `{}`", kept.value.word());
            self.problems.error_with_help(&kept.at, message, "remove `connection`, or `connections`");
        }
    }

    pub(crate) fn at_least_one(&mut self, key: &str, count: &Spanned<Count>, most: u32) -> u32 {
        let number = u32::try_from(count.value.0).unwrap_or(u32::MAX);
        if !(1..=most).contains(&number) {
            let message = format!("`{key}: {}` cannot be", count.value.0);
            self.problems.error_with_help(&count.at, message, format!("use 1 to {most}"));
        }
        number.clamp(1, most)
    }

    fn sources(&mut self, levels: &Levels<'_>) -> Vec<IpAddr> {
        let Some((typed, _)) = levels.pick(|attributes| attributes.source_addresses.as_ref()) else {
            return Vec::new();
        };
        if typed.value.is_empty() {
            self.problems.error_with_help(
                &typed.at,
                "`source_addresses` is empty",
                "name one, or remove the key",
            );
        }
        let mut sources = Vec::new();
        for text in &typed.value {
            match text.text.parse() {
                Ok(address) => sources.push(address),
                Err(_) => {
                    let message = format!("`{}` is not an IP address", text.text);
                    self.problems.error_with_help(&text.at, message, "write it like 10.0.0.2 or fd00::2");
                }
            }
        }
        sources
    }

    fn server(&mut self, text: &Text, scope: &Scope) -> Option<(String, u16)> {
        self.names.wrote_secret = false;
        let written = self.constant(text, scope)?;
        match split_port(&written) {
            Ok((host, Some(port))) => Some((host, port)),
            Ok((_, None)) => {
                let message = format!("`{}` has no port", text.text);
                self.problems.error_with_help(&text.at, message, "write it like am.example.com:443");
                None
            }
            Err(reason) => {
                // The reason quotes the address.
                let reason = if self.names.wrote_secret { "it names no server".to_owned() } else { reason };
                self.problems.error(&text.at, format!("bad address `{}`: {reason}", text.text));
                None
            }
        }
    }

    fn proxy(&mut self, text: &Text, scope: &Scope) -> Option<Proxy> {
        let written = self.constant(text, scope)?;
        let (scheme, rest) = written.split_once("://").unwrap_or(("http", &written));
        let (credentials, server) = match rest.rsplit_once('@') {
            Some((credentials, server)) => (Some(credentials), server),
            None => (None, rest),
        };
        match Origin::parse(&format!("{scheme}://{server}")) {
            Ok((origin, "" | "/")) if !origin.tls => {
                let encoded =
                    |text: &str| base64::engine::general_purpose::STANDARD.encode(percent_decoded(text));
                let authorization = credentials.map(|text| format!("Basic {}", encoded(text)));
                Some(Proxy { host: origin.host, port: origin.port, authorization })
            }
            _ => {
                let help = "write it like http://host:port or http://user:password@host:port";
                self.problems.error_with_help(&text.at, "`proxy` is not the URL of an HTTP proxy", help);
                None
            }
        }
    }
}

/// Credentials in a URL carry `%40` for `@`.
fn percent_decoded(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        let escaped = bytes[index] == b'%';
        let digits = text.get(index + 1..index + 3).filter(|_| escaped);
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                index += 3;
            }
            None => {
                out.push(bytes[index]);
                index += 1;
            }
        }
    }
    out
}
