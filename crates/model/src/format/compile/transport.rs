//! How requests reach their targets: TLS, proxy, other addresses.

use crate::format::compile::levels::Levels;
use crate::format::compile::names::Scope;
use crate::format::compile::{Compiler, id};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::file::attributes::{Dns, Tls as TypedTls};
use crate::request::{Origin, Proxy, Tls, Transport, TransportId, split_port};
use base64::Engine as _;

impl Compiler<'_> {
    pub(crate) fn transport(&mut self, levels: &Levels<'_>, scope: &Scope) -> TransportId {
        let tls = levels.pick(|attributes| attributes.tls.as_ref());
        let tls = tls.map_or_else(Tls::default, |(tls, _)| self.tls(&tls.value, scope));
        let proxy = levels.pick(|attributes| attributes.proxy.as_ref());
        let proxy = proxy.and_then(|(proxy, _)| self.proxy(proxy, scope));
        let resolve = levels
            .merged(|attributes| attributes.resolve.as_ref())
            .into_iter()
            .filter_map(|(from, to, _)| Some((self.server(from, scope)?, self.server(to, scope)?)))
            .collect();
        let dns = levels.pick(|attributes| attributes.dns.as_ref());
        let resolve_each_connection = dns.is_some_and(|(dns, _)| dns.value == Dns::PerConnection);
        let transport = Transport { tls, proxy, resolve, resolve_each_connection };
        let known = self.transports.iter().position(|known| *known == transport);
        let index = known.unwrap_or_else(|| {
            self.transports.push(transport);
            self.transports.len() - 1
        });
        TransportId(id(index))
    }

    fn tls(&mut self, typed: &TypedTls, scope: &Scope) -> Tls {
        let mut pem = |name: &Option<Text>| name.as_ref().and_then(|name| self.pem(name, scope));
        let (authorities, certificate, key) = (pem(&typed.ca), pem(&typed.certificate), pem(&typed.key));
        Tls {
            authorities,
            client: certificate.zip(key),
            insecure: typed.insecure == Some(Switch(true)),
            server_name: typed.server_name.as_ref().and_then(|name| self.constant(name, scope)),
        }
    }

    fn pem(&mut self, name: &Text, scope: &Scope) -> Option<Vec<u8>> {
        let file = self.constant(name, scope)?;
        let bytes = self.read(&file, &name.at)?;
        if memchr::memmem::find(&bytes, b"-----BEGIN ").is_none() {
            let message = format!("`{file}` is no PEM file: it has no line `-----BEGIN …`");
            self.problems.error_with_help(&name.at, message, "convert it, for example with openssl x509");
            return None;
        }
        Some(bytes)
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
