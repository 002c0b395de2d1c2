//! Where the server is, how it is trusted, and who binds to it.

use crate::format::rate_tool::secret::Secret;
use crate::format::{Outside, reason};
pub use crate::ldap::Mechanism;
use crate::request;
use crate::store::{Identity, KeyStore, StoreError};
use crate::template::Template;
use std::path::PathBuf;
use std::time::Duration;

/// How the server is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// Name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// How connections are protected.
    pub security: Security,
    /// Longest time that connecting may take; none is no limit.
    pub connect_timeout: Option<Duration>,
    /// Longest time that an answer may take; none is no limit.
    pub request_timeout: Option<Duration>,
}

/// How connections are protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Security {
    /// Not at all.
    None,
    /// TLS from the start.
    Ldaps(Tls),
    /// TLS after `StartTLS` (RFC 4511 section 4.14).
    StartTls(Tls),
}

/// What TLS is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tls {
    /// Which certificates of the server are trusted.
    pub trust: Trust,
    /// Where the client's own certificate is.
    pub key_store: Option<Store>,
    /// Which one of the key store it is; none is the only one.
    pub nickname: Option<String>,
    /// What all that comes to: what was found in the stores, ready to connect with.
    pub settings: request::Tls,
}

/// Which certificates are trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Those that this machine trusts.
    Machine,
    /// All of them.
    All,
    /// Those of a store.
    Store(Store),
}

/// A file with certificates and keys.
///
/// What format it has, its first bytes tell: Java reads its stores so too, whatever their option is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The file.
    pub file: PathBuf,
    /// Its password.
    pub password: Option<Secret>,
}

impl Store {
    /// The certificates in it (PEM), to be trusted.
    pub fn certificates(&self, outside: &dyn Outside) -> Result<Vec<u8>, Unusable> {
        self.open(outside, KeyStore::certificates)
    }

    /// A key with its certificates: that of this name, or the only one.
    pub fn identity(&self, nickname: Option<&str>, outside: &dyn Outside) -> Result<Identity, Unusable> {
        self.open(outside, |store| store.identity(nickname))
    }

    fn open<T>(
        &self,
        outside: &dyn Outside,
        find: impl FnOnce(&KeyStore) -> Result<T, StoreError>,
    ) -> Result<T, Unusable> {
        let shown = self.file.display();
        let bytes = outside.read(&self.file).map_err(|error| Unusable {
            message: format!("cannot read `{shown}`: {}", reason(&error)),
            help: "name a file made by keytool or openssl".to_owned(),
        })?;
        let password = self.password.as_ref().map(Secret::reveal);
        let found = KeyStore::read(&bytes, password).and_then(|store| find(&store));
        found.map_err(|error| Unusable { message: format!("`{shown}` {error}"), help: error.help() })
    }
}

/// Why a store cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    /// What is wrong, with the file's name.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

/// Who binds.
#[derive(Debug, Clone, PartialEq)]
pub enum Bind {
    /// Nobody.
    Anonymous,
    /// A name with its password (RFC 4513 section 5.1.3).
    Simple {
        /// The name; without arguments but in authrate.
        name: Template,
        /// The password.
        password: Secret,
    },
    /// By SASL (RFC 4513 section 5.2).
    Sasl(Sasl),
}

/// A SASL bind.
#[derive(Debug, Clone, PartialEq)]
pub struct Sasl {
    /// How.
    pub mechanism: Mechanism,
    /// Who authenticates; without arguments but in authrate.
    pub authid: Option<Template>,
    /// Who is then acted as; without arguments but in authrate.
    pub authzid: Option<Template>,
    /// The realm of DIGEST-MD5.
    pub realm: Option<String>,
    /// The password, for mechanisms that have one.
    pub password: Option<Secret>,
}
