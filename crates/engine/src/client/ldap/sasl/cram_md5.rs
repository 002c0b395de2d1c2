//! CRAM-MD5 (RFC 2195): a challenge, and its digest keyed with the password. The server proves nothing.

use super::{Broken, Credentials, hex};
use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;

/// An exchange of CRAM-MD5.
pub(crate) struct CramMd5<'a> {
    credentials: Credentials<'a>,
    is_answered: bool,
}

impl<'a> CramMd5<'a> {
    pub(super) fn new(credentials: Credentials<'a>) -> Self {
        Self { credentials, is_answered: false }
    }

    /// Name, space, digest (section 2).
    pub(super) fn respond(&mut self, challenge: &[u8]) -> Result<Vec<u8>, Broken> {
        if std::mem::replace(&mut self.is_answered, true) {
            return Err(Broken::Unasked);
        }
        if challenge.is_empty() {
            return Err(Broken::Challenge("it is empty"));
        }
        let Credentials { authentication_id, password, .. } = self.credentials;
        let mut mac =
            Hmac::<Md5>::new_from_slice(password.as_bytes()).expect("a key of HMAC may have any length");
        mac.update(challenge);
        Ok(format!("{authentication_id} {}", hex(&mac.finalize().into_bytes())).into_bytes())
    }

    /// A success before the challenge was answered proves nobody.
    pub(super) fn finish(&self) -> Result<(), Broken> {
        if self.is_answered { Ok(()) } else { Err(Broken::Unproved) }
    }
}
