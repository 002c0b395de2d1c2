//! Mechanisms of SASL (RFC 4422): how a user proves who it is other than by a simple bind.

use crate::diagnostic::nearest;

/// A mechanism of SASL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    /// RFC 4616: name and password as they are.
    Plain,
    /// RFC 2195: a keyed digest of a challenge.
    CramMd5,
    /// RFC 2831: a keyed digest of challenges of both sides, in a realm.
    DigestMd5,
    /// RFC 5802: proofs of both sides that they know the password or what was made of it.
    ScramSha1,
    /// RFC 7677: the same with SHA-256.
    ScramSha256,
    /// The same with SHA-512.
    ScramSha512,
    /// RFC 4422 appendix A: who it is, TLS or the system knows.
    External,
}

/// A name that is no mechanism, or none that can be used here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownMechanism {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
}

impl Mechanism {
    /// All of them.
    pub const ALL: [Mechanism; 7] = [
        Mechanism::Plain,
        Mechanism::CramMd5,
        Mechanism::DigestMd5,
        Mechanism::ScramSha1,
        Mechanism::ScramSha256,
        Mechanism::ScramSha512,
        Mechanism::External,
    ];

    /// Its registered name.
    pub const fn name(self) -> &'static str {
        match self {
            Mechanism::Plain => "PLAIN",
            Mechanism::CramMd5 => "CRAM-MD5",
            Mechanism::DigestMd5 => "DIGEST-MD5",
            Mechanism::ScramSha1 => "SCRAM-SHA-1",
            Mechanism::ScramSha256 => "SCRAM-SHA-256",
            Mechanism::ScramSha512 => "SCRAM-SHA-512",
            Mechanism::External => "EXTERNAL",
        }
    }

    /// The mechanism of a registered name; an error for one that is not known, and for GSSAPI, which needs a
    /// Kerberos library and tickets that a load generator has not.
    pub fn find(name: &str) -> Result<Self, UnknownMechanism> {
        if let Some(found) = Self::ALL.into_iter().find(|one| one.name() == name) {
            return Ok(found);
        }
        if matches!(name, "GSSAPI" | "GSS-SPNEGO") {
            return Err(UnknownMechanism {
                message: format!("the SASL mechanism `{name}` is not supported: it needs Kerberos tickets"),
                help: "use SCRAM-SHA-256, DIGEST-MD5 or PLAIN with a password, or EXTERNAL with a client certificate"
                    .to_owned(),
            });
        }
        let names = Self::ALL.map(Self::name);
        let help = match nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("use one of {}", names.join(", ")),
        };
        Err(UnknownMechanism { message: format!("the SASL mechanism `{name}` is not known"), help })
    }

    /// Whether it authenticates by a name and a password.
    pub fn has_password(self) -> bool {
        self != Mechanism::External
    }

    /// Whether the server asks and the client answers, so that a bind takes several messages.
    pub fn has_challenges(self) -> bool {
        !matches!(self, Mechanism::Plain | Mechanism::External)
    }

    /// Whether it can say who acts, other than who is proved.
    pub fn has_authorization(self) -> bool {
        self != Mechanism::CramMd5
    }

    /// Whether names are proved within a realm.
    pub fn has_realm(self) -> bool {
        self == Mechanism::DigestMd5
    }
}
