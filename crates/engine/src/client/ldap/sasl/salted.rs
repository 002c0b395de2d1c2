//! Keys of SCRAM that were made of passwords, so that users who bind again and again need not make them anew.
//!
//! RFC 5802 section 5.1 permits to keep them. Making one costs thousands of hashes, which would load the generator
//! more than the target.

use super::scram::Hash;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// A server may ask for so many iterations: about a second of a generator thread.
pub(crate) const MOST_ITERATIONS: u32 = 1_000_000;
/// Places for keys, a thread: about 4 MB when all are taken. Which place keys have, chance decides; what was there
/// is forgotten.
const PLACES: u16 = 16_384;

/// What is made of a password (RFC 5802 section 3).
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Keys {
    /// `ClientKey`.
    pub(crate) client: Vec<u8>,
    /// `ServerKey`.
    pub(crate) server: Vec<u8>,
}

/// Keys by what they were made of.
#[derive(Default)]
pub(crate) struct SaltedPasswords {
    /// By place: a digest of what they were made of, and the keys. Passwords are not kept.
    kept: BTreeMap<u16, ([u8; 32], Keys)>,
}

impl SaltedPasswords {
    /// The keys of a prepared password; made now unless they are there.
    pub(crate) fn keys(&mut self, hash: Hash, password: &[u8], salt: &[u8], iterations: u32) -> &Keys {
        let made_of = digest(hash, password, salt, iterations);
        let place = u16::from_be_bytes([made_of[0], made_of[1]]) % PLACES;
        let make = || {
            let salted = hash.salted_password(password, salt, iterations);
            Keys { client: hash.mac(&salted, b"Client Key"), server: hash.mac(&salted, b"Server Key") }
        };
        let (kept_of, keys) = self.kept.entry(place).or_insert_with(|| (made_of, make()));
        if *kept_of != made_of {
            (*kept_of, *keys) = (made_of, make());
        }
        keys
    }
}

/// A digest of everything that keys depend on.
fn digest(hash: Hash, password: &[u8], salt: &[u8], iterations: u32) -> [u8; 32] {
    let mut digest = Sha256::new();
    digest.update([hash as u8]);
    digest.update(iterations.to_be_bytes());
    digest.update((salt.len() as u64).to_be_bytes());
    digest.update(salt);
    digest.update(password);
    digest.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_made_once_and_bounded() {
        let mut salted = SaltedPasswords::default();
        let first = salted.keys(Hash::Sha256, b"pencil", b"salt", 4096).clone();
        assert!(first == *salted.keys(Hash::Sha256, b"pencil", b"salt", 4096));
        assert_eq!(salted.kept.len(), 1);
        for (hash, password, salt, iterations) in [
            (Hash::Sha1, "pencil", "salt", 4096),
            (Hash::Sha256, "pencils", "alt", 4096),
            (Hash::Sha256, "pencil", "salt", 4095),
        ] {
            assert!(first != *salted.keys(hash, password.as_bytes(), salt.as_bytes(), iterations));
        }
        for number in 0..20_000_u32 {
            salted.keys(Hash::Sha1, &number.to_be_bytes(), b"salt", 1);
        }
        assert!(salted.kept.len() <= usize::from(PLACES));
    }
}
