//! Files with certificates and keys, in whatever format: JKS and JCEKS of Java, PKCS#12, PEM.
//!
//! Their first bytes tell the format, never their name: Java's own loaders do so too.

mod der;
mod java;
mod pem;
mod pkcs12;
mod protection;

use std::fmt;

/// No store of certificates that a client trusts or shows is larger.
const SIZE_LIMIT: usize = 16 * 1024 * 1024;
/// Names of keys that a message lists.
const NAMES_SHOWN: usize = 20;

/// What a file holds. Secrets, so that nothing prints it.
pub struct KeyStore {
    /// Certificates (DER) that belong to no key.
    certificates: Vec<Vec<u8>>,
    keys: Vec<KeyEntry>,
    /// The password of the file, and of keys that have none of their own.
    password: Option<String>,
}

/// A private key with its certificates.
struct KeyEntry {
    /// Its name; none in PEM.
    name: Option<String>,
    key: Key,
    /// Certificates (DER), that of the key first.
    chain: Vec<Vec<u8>>,
}

/// A private key. A secret, so that nothing prints it.
enum Key {
    /// As PKCS#8 (RFC 5958).
    Open(Vec<u8>),
    /// A PEM block with its label, in a format that TLS takes as it is.
    Labelled(String, Vec<u8>),
    /// As an `EncryptedPrivateKeyInfo` (RFC 5958 section 3).
    Protected(Vec<u8>),
    /// PEM that needs a password.
    Encrypted,
}

/// A certificate chain and its key, each in PEM. A secret, so that nothing prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct Identity {
    /// Certificates, that of the key first.
    pub chain: Vec<u8>,
    /// The private key, not encrypted.
    pub key: Vec<u8>,
}

/// Why a store, or what was looked for in it, cannot be used. Reads after the name of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Its first bytes are those of no format.
    #[error("is neither PKCS#12, JKS, JCEKS nor PEM")]
    UnknownFormat,
    /// It is larger than any store.
    #[error("is larger than 16 MiB")]
    TooLarge,
    /// It does not open.
    #[error("does not open with this password, or is damaged")]
    Password,
    /// It, or a key in it, does not open without one.
    #[error("needs its password, which is not given")]
    NoPassword,
    /// It is not what its first bytes promise.
    #[error("is damaged: {0}")]
    Damaged(&'static str),
    /// It has an entry that cannot be read, or passed over.
    #[error("holds {0}")]
    Unsupported(&'static str),
    /// There is no certificate in it.
    #[error("holds no certificate")]
    NoCertificate,
    /// There is no key in it.
    #[error("holds no private key")]
    NoKey,
    /// There is no key of that name in it.
    #[error("has no key `{name}`")]
    NoKeyOfName {
        /// What was looked for.
        name: String,
        /// What there is.
        names: Vec<String>,
    },
    /// Nothing says which key.
    #[error("has several keys")]
    SeveralKeys(Vec<String>),
    /// The key has another password than the store.
    #[error("has a key that does not open with the password of the store")]
    KeyPassword,
    /// The key is protected in a way that is not known.
    #[error("has a key that is protected by {0}")]
    Protection(&'static str),
    /// The key is of an algorithm that TLS does not speak.
    #[error("has a key that is neither RSA, EC nor Ed25519")]
    Algorithm,
}

impl StoreError {
    /// What to do about it.
    pub fn help(&self) -> String {
        match self {
            StoreError::UnknownFormat | StoreError::TooLarge => {
                "name a file made by keytool or openssl".to_owned()
            }
            StoreError::Password | StoreError::NoPassword => {
                "give the password that it was made with".to_owned()
            }
            StoreError::Damaged(_) => "make it again".to_owned(),
            StoreError::Unsupported(_) => {
                "export what is needed of it to a PKCS#12 file, with keytool -importkeystore".to_owned()
            }
            StoreError::NoCertificate => "import one with keytool -importcert".to_owned(),
            StoreError::NoKey => "name a file with a key and its certificate".to_owned(),
            StoreError::NoKeyOfName { names, .. } => match names.as_slice() {
                [] => "name a file with a key and its certificate".to_owned(),
                names => format!("it has {}", listed(names)),
            },
            StoreError::SeveralKeys(names) if names.is_empty() => {
                "keep one of them: keys of PEM have no names".to_owned()
            }
            StoreError::SeveralKeys(names) => format!("name one of them: {}", listed(names)),
            StoreError::KeyPassword => {
                "give the key the password of the store, with keytool -keypasswd".to_owned()
            }
            StoreError::Protection(_) => {
                "make a PKCS#12 file of it, with keytool -importkeystore or openssl pkcs12".to_owned()
            }
            StoreError::Algorithm => "make a key of one of these".to_owned(),
        }
    }
}

fn listed(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(NAMES_SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(NAMES_SHOWN);
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// Whether these first bytes are those of a binary store rather than of PEM.
pub fn is_binary(bytes: &[u8]) -> bool {
    java::is_java(bytes) || pkcs12::is_pkcs12(bytes)
}

impl KeyStore {
    /// Reads the content of a file. Without a password a store of Java is not checked for damage, a PKCS#12 file has
    /// to open with an empty one, and PEM needs none.
    pub fn read(bytes: &[u8], password: Option<&str>) -> Result<Self, StoreError> {
        if bytes.len() > SIZE_LIMIT {
            return Err(StoreError::TooLarge);
        }
        let (certificates, keys) = if java::is_java(bytes) {
            java::read(bytes, password)?
        } else if pkcs12::is_pkcs12(bytes) {
            pkcs12::read(bytes, password.unwrap_or_default()).map_err(|error| asked(error, password))?
        } else if pem::is_pem(bytes) {
            pem::read(bytes)?
        } else {
            return Err(StoreError::UnknownFormat);
        };
        Ok(Self { certificates, keys, password: password.map(str::to_owned) })
    }

    /// All its certificates in PEM, to be trusted.
    pub fn certificates(&self) -> Result<Vec<u8>, StoreError> {
        let chains = self.keys.iter().flat_map(|key| &key.chain);
        let mut seen: Vec<&[u8]> = Vec::new();
        let mut out = Vec::new();
        for certificate in self.certificates.iter().chain(chains) {
            if !seen.contains(&certificate.as_slice()) {
                seen.push(certificate);
                pem::write("CERTIFICATE", certificate, &mut out);
            }
        }
        if out.is_empty() { Err(StoreError::NoCertificate) } else { Ok(out) }
    }

    /// The key of a name, in whatever case, with its certificates; the only one when no name is given. Keys of PEM
    /// have no names, so that any name means the only one there.
    pub fn identity(&self, name: Option<&str>) -> Result<Identity, StoreError> {
        let entry = self.find(name)?;
        if entry.chain.is_empty() {
            return Err(StoreError::NoCertificate);
        }
        let (mut chain, mut key) = (Vec::new(), Vec::new());
        for certificate in &entry.chain {
            pem::write("CERTIFICATE", certificate, &mut chain);
        }
        match &entry.key {
            Key::Labelled(label, content) => pem::write(label, content, &mut key),
            Key::Open(content) => pem::write("PRIVATE KEY", checked(content)?, &mut key),
            Key::Protected(content) => {
                let password = self.password.as_deref();
                let opened = protection::open(content, password.unwrap_or_default());
                let content = opened.map_err(|error| asked(error, password))?;
                pem::write("PRIVATE KEY", checked(&content)?, &mut key);
            }
            Key::Encrypted => return Err(StoreError::Protection("a password of PEM")),
        }
        Ok(Identity { chain, key })
    }

    fn find(&self, name: Option<&str>) -> Result<&KeyEntry, StoreError> {
        let names = || {
            let mut names: Vec<_> = self.keys.iter().filter_map(|key| key.name.clone()).collect();
            names.sort();
            names
        };
        match (name, self.keys.as_slice()) {
            (_, [only @ KeyEntry { name: None, .. }]) | (None, [only]) => Ok(only),
            (None, []) => Err(StoreError::NoKey),
            (None, _) => Err(StoreError::SeveralKeys(names())),
            (Some(name), keys) => {
                let is_named = |key: &&KeyEntry| {
                    key.name.as_ref().is_some_and(|own| own.to_lowercase() == name.to_lowercase())
                };
                let found = keys.iter().find(is_named);
                found.ok_or_else(|| StoreError::NoKeyOfName { name: name.to_owned(), names: names() })
            }
        }
    }
}

/// What did not open with no password would perhaps have opened with one.
fn asked(error: StoreError, password: Option<&str>) -> StoreError {
    match (error, password) {
        (StoreError::Password | StoreError::KeyPassword, None) => StoreError::NoPassword,
        (error, _) => error,
    }
}

/// A key as PKCS#8 if TLS speaks its algorithm (RFC 5958 section 2).
fn checked(key: &[u8]) -> Result<&[u8], StoreError> {
    /// Object identifiers in DER: RSA (RFC 8017 appendix A.1), EC (RFC 5480 section 2.1.1), Ed25519 (RFC 8410).
    const SPOKEN: [&[u8]; 3] =
        [b"\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01", b"\x2a\x86\x48\xce\x3d\x02\x01", b"\x2b\x65\x70"];
    let damaged = StoreError::Damaged("a key is no PKCS#8");
    let algorithm = || {
        let mut parts = der::Reader(der::Reader(key).take(der::SEQUENCE)?);
        parts.take(der::INTEGER)?;
        der::Reader(parts.take(der::SEQUENCE)?).take(der::OBJECT_IDENTIFIER)
    };
    let algorithm = algorithm().ok_or(damaged)?;
    if SPOKEN.contains(&algorithm) { Ok(key) } else { Err(StoreError::Algorithm) }
}

/// Keys are secrets: not shown.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}
