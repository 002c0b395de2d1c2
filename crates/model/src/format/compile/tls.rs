//! What TLS is done with: certificates and keys, out of files of whatever format.

use crate::format::compile::Compiler;
use crate::format::compile::names::Scope;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::file::attributes::Tls as Typed;
use crate::request::Tls;
use crate::store::{self, Identity, KeyStore, StoreError};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What was found in stores: opening one takes thousands of hashes, and every task of a job may name it.
#[derive(Default)]
pub(crate) struct Stores(BTreeMap<Wanted, Option<Found>>);

/// What is wanted of which store.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Wanted {
    file: PathBuf,
    password: Option<String>,
    part: Part,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Certificates,
    /// A key by its name, or the only one, with its certificates.
    Identity(Option<String>),
}

#[derive(Clone)]
enum Found {
    Certificates(Vec<u8>),
    Identity(Identity),
}

impl Compiler<'_> {
    pub(super) fn tls(&mut self, typed: &Typed, scope: &Scope) -> Tls {
        Tls {
            authorities: self.authorities(typed, scope),
            client: self.client(typed, scope),
            insecure: typed.insecure == Some(Switch(true)),
            server_name: typed.server_name.as_ref().and_then(|name| self.constant(name, scope)),
            full_handshakes: typed.resumption == Some(Switch(false)),
        }
    }

    fn authorities(&mut self, typed: &Typed, scope: &Scope) -> Option<Vec<u8>> {
        let name = typed.ca.as_ref()?;
        match self.found(name, typed.ca_password.as_ref(), Part::Certificates, scope)? {
            Found::Certificates(certificates) => Some(certificates),
            Found::Identity(_) => None,
        }
    }

    /// Chain and key: of two files of PEM, or of one that holds both.
    fn client(&mut self, typed: &Typed, scope: &Scope) -> Option<(Vec<u8>, Vec<u8>)> {
        let certificate = typed.certificate.as_ref()?;
        if let Some(key) = &typed.key {
            return self.pem(certificate, scope).zip(self.pem(key, scope));
        }
        let nickname = match &typed.nickname {
            Some(nickname) => Some(self.constant(nickname, scope)?),
            None => None,
        };
        let part = Part::Identity(nickname);
        match self.found(certificate, typed.certificate_password.as_ref(), part, scope)? {
            Found::Identity(Identity { chain, key }) => Some((chain, key)),
            Found::Certificates(_) => None,
        }
    }

    /// A part of a store, read once.
    fn found(&mut self, name: &Text, password: Option<&Text>, part: Part, scope: &Scope) -> Option<Found> {
        let shown = self.constant(name, scope)?;
        let password = match password {
            Some(password) => Some(self.constant(password, scope)?),
            None => None,
        };
        let file = crate::format::file_beside(&name.at, &shown, self.outside);
        let wanted = Wanted { file, password, part };
        if let Some(found) = self.stores.0.get(&wanted) {
            return found.clone();
        }
        let bytes = self.read(&shown, &name.at)?;
        let found = match wanted.read(&bytes) {
            Ok(found) => Some(found),
            Err(error) => {
                let help = match error {
                    StoreError::NoKey if !store::is_binary(&bytes) => {
                        "add `key`, or name a file that holds it too".to_owned()
                    }
                    _ => error.help(),
                };
                self.problems.error_with_help(&name.at, format!("`{shown}` {error}"), help);
                None
            }
        };
        self.stores.0.insert(wanted, found.clone());
        found
    }

    /// A file that is PEM and nothing else.
    fn pem(&mut self, name: &Text, scope: &Scope) -> Option<Vec<u8>> {
        let file = self.constant(name, scope)?;
        let bytes = self.read(&file, &name.at)?;
        if store::is_binary(&bytes) || memchr::memmem::find(&bytes, b"-----BEGIN ").is_none() {
            let message = format!("`{file}` is no PEM file: it has no line `-----BEGIN …`");
            let help =
                "convert it with openssl, or name a store that holds the key as `certificate` without `key`";
            self.problems.error_with_help(&name.at, message, help);
            return None;
        }
        Some(bytes)
    }
}

impl Wanted {
    fn read(&self, bytes: &[u8]) -> Result<Found, StoreError> {
        let store = KeyStore::read(bytes, self.password.as_deref())?;
        Ok(match &self.part {
            Part::Certificates => Found::Certificates(store.certificates()?),
            Part::Identity(nickname) => Found::Identity(store.identity(nickname.as_deref())?),
        })
    }
}
