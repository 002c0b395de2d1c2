//! PKCS#12 (RFC 7292), read by a crate: what belongs to which key is decided here.

use super::{Key, KeyEntry, StoreError};
use p12_keystore::error::Error;
use p12_keystore::{CertificateBag, Pkcs12Archive, PrivateKeyBag};

/// Certificates of a chain; more than any has.
const LONGEST_CHAIN: usize = 16;

/// Whether these are the first bytes of a sequence whose first element is the version, 3.
pub(super) fn is_pkcs12(bytes: &[u8]) -> bool {
    let [0x30, length, rest @ ..] = bytes else { return false };
    // A length above 0x80 is the number of bytes that hold the length.
    let behind = usize::from(length.saturating_sub(0x80));
    rest.get(behind..).is_some_and(|content| content.starts_with(&[2, 1, 3]))
}

/// Its certificates and its keys.
pub(super) fn read(bytes: &[u8], password: &str) -> Result<(Vec<Vec<u8>>, Vec<KeyEntry>), StoreError> {
    let archive = Pkcs12Archive::from_pkcs12(bytes, password).map_err(|error| refused(&error))?;
    let Pkcs12Archive { keys, certs, .. } = &archive;
    let keys = keys.iter().enumerate().map(|(index, key)| entry(index, key, keys.len(), certs)).collect();
    Ok((certs.iter().map(|bag| bag.cert.as_der().to_vec()).collect(), keys))
}

fn refused(error: &Error) -> StoreError {
    match error {
        Error::MacError(_) | Error::Pkcs5Error(_) | Error::UnpadError | Error::InvalidPrivateKey => {
            StoreError::Password
        }
        Error::UnsupportedEncryptionScheme
        | Error::UnsupportedMacAlgorithm
        | Error::UnsupportedContentType
        | Error::UnsupportedCertificateType => {
            StoreError::Unsupported("what is protected in a way that is not known")
        }
        _ => StoreError::Damaged("it is no PKCS#12"),
    }
}

/// A key with its certificates, each followed by that of its issuer.
fn entry(index: usize, bag: &PrivateKeyBag, keys: usize, certificates: &[CertificateBag]) -> KeyEntry {
    let mut chain: Vec<&CertificateBag> = own(bag, keys, certificates).into_iter().collect();
    while let Some(last) = chain.last().filter(|_| chain.len() < LONGEST_CHAIN) {
        let is_issuer = |one: &&CertificateBag| one.cert.subject() == last.cert.issuer();
        let is_new = |one: &&CertificateBag| chain.iter().all(|known| known.cert != one.cert);
        match certificates.iter().filter(is_issuer).find(is_new) {
            Some(issuer) => chain.push(issuer),
            None => break,
        }
    }
    let name = bag.friendly_name.clone().unwrap_or_else(|| (index + 1).to_string());
    let chain = chain.into_iter().map(|one| one.cert.as_der().to_vec()).collect();
    KeyEntry { name: Some(name), key: Key::Open(bag.key.as_der().to_vec()), chain }
}

/// The certificate of a key: that with the same local identifier, or else the same name, or else the first one of a
/// file with one key.
fn own<'a>(
    bag: &PrivateKeyBag,
    keys: usize,
    certificates: &'a [CertificateBag],
) -> Option<&'a CertificateBag> {
    let has_id = |one: &&CertificateBag| {
        let ids = one.local_key_id.as_deref().zip(bag.local_key_id.as_ref());
        ids.is_some_and(|(own, of_key)| own == of_key.as_ref())
    };
    let has_name =
        |one: &&CertificateBag| bag.friendly_name.is_some() && one.friendly_name == bag.friendly_name;
    let only = || certificates.first().filter(|_| keys == 1);
    certificates.iter().find(has_id).or_else(|| certificates.iter().find(has_name)).or_else(only)
}
