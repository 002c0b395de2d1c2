//! Mechanisms of SASL in which the server asks (RFC 4422): bytes in, bytes out. PLAIN and EXTERNAL, which say all
//! at once, are bytes of a bind like any others.

mod cram_md5;
mod digest_md5;
mod directives;
pub(crate) mod salted;
mod scram;
#[cfg(test)]
mod tests;

use crate::client::ldap::sasl::salted::SaltedPasswords;
use cram_md5::CramMd5;
use digest_md5::DigestMd5;
use loadgen_model::ldap::Mechanism;
use scram::{Hash, Scram};

/// A challenge may be so long; RFC 2831 allows 2048 bytes, and no other mechanism needs more.
const CHALLENGE_LIMIT: usize = 8192;

/// What a user proves itself with. Holds a secret, so that nothing prints it.
#[derive(Clone, Copy)]
pub(crate) struct Credentials<'a> {
    /// Who acts; empty for whoever is proved.
    pub(crate) authorization_id: &'a str,
    /// Who is proved.
    pub(crate) authentication_id: &'a str,
    pub(crate) password: &'a str,
    /// Where the name means something; empty for the server's only one.
    pub(crate) realm: &'a str,
}

/// Why an exchange goes no further.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Broken {
    #[error("the target's challenge cannot be read: {0}")]
    Challenge(&'static str),
    #[error(
        "the target asks for {0} iterations of its SCRAM hash, more than {most}",
        most = salted::MOST_ITERATIONS
    )]
    Iterations(u64),
    #[error("the target offers several realms: set `realm` to one of {0}")]
    Realm(String),
    #[error("{0} holds what cannot be sent: {1}")]
    Credential(&'static str, &'static str),
    #[error("the target says that the bind succeeded, and has not proved that it knows the password")]
    Unproved,
    #[error("what is to prove that the target knows the password is wrong")]
    WrongProof,
    #[error("the target asks once more after its last message")]
    Unasked,
}

/// An exchange of one mechanism.
pub(crate) enum Exchange<'a> {
    Scram(Scram<'a>),
    DigestMd5(DigestMd5<'a>),
    CramMd5(CramMd5<'a>),
}

impl<'a> Exchange<'a> {
    /// An exchange that has not begun; none for mechanisms without challenges.
    ///
    /// `host` is the server's name, `nonce` is printable, without comma and quotation mark, and never the same.
    pub(crate) fn new(
        mechanism: Mechanism,
        credentials: Credentials<'a>,
        host: &str,
        nonce: String,
    ) -> Option<Self> {
        let scram = |hash, nonce| Some(Exchange::Scram(Scram::new(hash, credentials, nonce)));
        match mechanism {
            Mechanism::ScramSha1 => scram(Hash::Sha1, nonce),
            Mechanism::ScramSha256 => scram(Hash::Sha256, nonce),
            Mechanism::ScramSha512 => scram(Hash::Sha512, nonce),
            Mechanism::DigestMd5 => {
                Some(Exchange::DigestMd5(DigestMd5::new(credentials, format!("ldap/{host}"), nonce)))
            }
            Mechanism::CramMd5 => Some(Exchange::CramMd5(CramMd5::new(credentials))),
            Mechanism::Plain | Mechanism::External => None,
        }
    }

    /// What the client says first; none when the server begins.
    pub(crate) fn begin(&mut self) -> Result<Option<Vec<u8>>, Broken> {
        match self {
            Exchange::Scram(scram) => scram.begin().map(Some),
            Exchange::DigestMd5(_) | Exchange::CramMd5(_) => Ok(None),
        }
    }

    /// What answers a challenge.
    pub(crate) fn respond(
        &mut self,
        challenge: &[u8],
        salted: &mut SaltedPasswords,
    ) -> Result<Vec<u8>, Broken> {
        let challenge = bounded(challenge)?;
        match self {
            Exchange::Scram(scram) => scram.respond(challenge, salted),
            Exchange::DigestMd5(digest) => digest.respond(challenge),
            Exchange::CramMd5(cram) => cram.respond(challenge),
        }
    }

    /// The server says that the bind succeeded, with its last message if it has one: whether it is who it says.
    pub(crate) fn finish(&mut self, last: Option<&[u8]>) -> Result<(), Broken> {
        let last = last.map(bounded).transpose()?;
        match self {
            Exchange::Scram(scram) => scram.finish(last),
            Exchange::DigestMd5(digest) => digest.finish(last),
            Exchange::CramMd5(cram) => cram.finish(),
        }
    }
}

fn bounded(challenge: &[u8]) -> Result<&[u8], Broken> {
    if challenge.len() > CHALLENGE_LIMIT {
        return Err(Broken::Challenge("it is longer than 8192 bytes"));
    }
    Ok(challenge)
}

/// Bytes as hexadecimal digits in lower case.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Whether two values are the same, in a time that does not tell where they differ.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}
