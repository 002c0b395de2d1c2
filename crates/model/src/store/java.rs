//! JKS and JCEKS, the stores of Java: one container with two kinds of protection for its keys.
//!
//! All numbers are big-endian: magic, version, number of entries, the entries, and a SHA-1 digest over the password
//! and all before it (`OpenJDK`, `sun.security.provider.JavaKeyStore` and `com.sun.crypto.provider.JceKeyStore`).

use super::protection::utf16;
use super::{Key, KeyEntry, StoreError};
use sha1::{Digest, Sha1};

const JKS: [u8; 4] = [0xfe, 0xed, 0xfe, 0xed];
const JCEKS: [u8; 4] = [0xce; 4];
/// Tags of entries.
const KEY: u32 = 1;
const CERTIFICATE: u32 = 2;
const SECRET_KEY: u32 = 3;
/// What the digest is salted with.
const SALT: &[u8] = b"Mighty Aphrodite";
/// Bytes of the digest.
const DIGEST: usize = 20;
/// The only kind of certificate that there is.
const X509: &[u8] = b"X.509";
const SHORT: StoreError = StoreError::Damaged("it ends too early");

/// Whether these are the first bytes of such a store.
pub(super) fn is_java(bytes: &[u8]) -> bool {
    bytes.starts_with(&JKS) || bytes.starts_with(&JCEKS)
}

/// Its certificates and its keys. Without a password the digest is not looked at.
pub(super) fn read(
    bytes: &[u8],
    password: Option<&str>,
) -> Result<(Vec<Vec<u8>>, Vec<KeyEntry>), StoreError> {
    let (content, digest) =
        bytes.len().checked_sub(DIGEST).and_then(|end| bytes.split_at_checked(end)).ok_or(SHORT)?;
    if let Some(password) = password {
        let found =
            Sha1::new().chain_update(utf16(password)).chain_update(SALT).chain_update(content).finalize();
        if found.as_slice() != digest {
            return Err(StoreError::Password);
        }
    }
    let mut reader = Reader(content);
    reader.bytes(JKS.len())?;
    let version = reader.number()?;
    if !matches!(version, 1 | 2) {
        return Err(StoreError::Unsupported("a version of JKS or JCEKS that is not known"));
    }
    let (mut certificates, mut keys) = (Vec::new(), Vec::new());
    // Each entry takes bytes, so that the length of the file bounds them.
    for _ in 0..reader.number()? {
        let tag = reader.number()?;
        let name = reader.text()?;
        let _made = reader.bytes(8)?;
        match tag {
            KEY => {
                let key = Key::Protected(reader.block()?.to_vec());
                let length = reader.number()?;
                let chain = (0..length).map(|_| reader.certificate(version)).collect::<Result<_, _>>()?;
                keys.push(KeyEntry { name: Some(name), key, chain });
            }
            CERTIFICATE => certificates.push(reader.certificate(version)?),
            SECRET_KEY => return Err(StoreError::Unsupported("a secret key, which cannot be passed over")),
            _ => return Err(StoreError::Damaged("an entry is of no known kind")),
        }
    }
    Ok((certificates, keys))
}

/// What was not read yet.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8], StoreError> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(SHORT)?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, StoreError> {
        let octets = self.bytes(4)?;
        Ok(octets.iter().fold(0, |sum, octet| sum << 8 | u32::from(*octet)))
    }

    /// Bytes behind their number.
    fn block(&mut self) -> Result<&'a [u8], StoreError> {
        let length = self.number()?;
        self.bytes(usize::try_from(length).map_err(|_| SHORT)?)
    }

    /// Text behind the number of its bytes, in Java's own UTF-8; what differs from UTF-8 proper is replaced.
    fn text(&mut self) -> Result<String, StoreError> {
        Ok(String::from_utf8_lossy(self.short()?).into_owned())
    }

    fn short(&mut self) -> Result<&'a [u8], StoreError> {
        let octets = self.bytes(2)?;
        self.bytes(usize::from(u16::from_be_bytes([octets[0], octets[1]])))
    }

    fn certificate(&mut self, version: u32) -> Result<Vec<u8>, StoreError> {
        if version == 2 && self.short()? != X509 {
            return Err(StoreError::Unsupported("a certificate that is not X.509"));
        }
        Ok(self.block()?.to_vec())
    }
}
