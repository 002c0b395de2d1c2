//! SCRAM (RFC 5802) with SHA-1, SHA-256 (RFC 7677) and SHA-512, without channel binding: proofs of both sides.

use super::salted::{Keys, MOST_ITERATIONS, SaltedPasswords};
use super::{Broken, Credentials, is_same};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

/// The hash of a mechanism.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hash {
    Sha1,
    Sha256,
    Sha512,
}

/// An exchange of SCRAM.
pub(crate) struct Scram<'a> {
    hash: Hash,
    credentials: Credentials<'a>,
    nonce: String,
    state: State,
}

/// What comes next.
enum State {
    /// The client's first message.
    Begin,
    /// The server's first message. `client_first` is the client's without its header.
    First { header: String, client_first: String },
    /// The server's proof, which is to be this.
    Last { signature: Vec<u8> },
    /// Nothing.
    Proved,
}

/// What the server says first (section 5.1).
struct ServerFirst<'a> {
    nonce: &'a str,
    salt: Vec<u8>,
    iterations: u32,
}

impl<'a> Scram<'a> {
    pub(super) fn new(hash: Hash, credentials: Credentials<'a>, nonce: String) -> Self {
        Self { hash, credentials, nonce, state: State::Begin }
    }

    /// The client's first message (section 7, `client-first-message`).
    pub(super) fn begin(&mut self) -> Result<Vec<u8>, Broken> {
        let name = prepared("the name", self.credentials.authentication_id)?;
        let header = match self.credentials.authorization_id {
            "" => "n,,".to_owned(),
            acts => format!("n,a={},", escaped(acts)),
        };
        let client_first = format!("n={},r={}", escaped(&name), self.nonce);
        let message = format!("{header}{client_first}").into_bytes();
        self.state = State::First { header, client_first };
        Ok(message)
    }

    /// The client's proof, or what follows the server's.
    pub(super) fn respond(
        &mut self,
        challenge: &[u8],
        salted: &mut SaltedPasswords,
    ) -> Result<Vec<u8>, Broken> {
        match &self.state {
            State::First { header, client_first } => {
                let challenge = text(challenge)?;
                let first = ServerFirst::parse(challenge, &self.nonce)?;
                let password = prepared("the password", self.credentials.password)?;
                let keys = salted.keys(self.hash, password.as_bytes(), &first.salt, first.iterations);
                let last = format!("c={},r={}", STANDARD.encode(header), first.nonce);
                let signed = format!("{client_first},{challenge},{last}");
                let (proof, signature) = self.hash.proofs(keys, signed.as_bytes());
                self.state = State::Last { signature };
                Ok(format!("{last},p={}", STANDARD.encode(proof)).into_bytes())
            }
            State::Last { .. } => self.check(challenge).map(|()| Vec::new()),
            State::Begin | State::Proved => Err(Broken::Unasked),
        }
    }

    /// The server's proof goes with its success, unless it has been there before.
    pub(super) fn finish(&mut self, last: Option<&[u8]>) -> Result<(), Broken> {
        match (&self.state, last) {
            (State::Proved, _) => Ok(()),
            (State::Last { .. }, Some(last)) => self.check(last),
            _ => Err(Broken::Unproved),
        }
    }

    /// The server's last message (section 7, `server-final-message`).
    fn check(&mut self, last: &[u8]) -> Result<(), Broken> {
        let State::Last { signature } = &self.state else { return Err(Broken::Unproved) };
        let said = text(last)?.split(',').next().unwrap_or_default();
        let proof = said.strip_prefix("v=").ok_or(Broken::Unproved)?;
        let proof = STANDARD.decode(proof).map_err(|_| Broken::WrongProof)?;
        if !is_same(&proof, signature) {
            return Err(Broken::WrongProof);
        }
        self.state = State::Proved;
        Ok(())
    }
}

impl<'a> ServerFirst<'a> {
    /// Reads nonce, salt and iterations, in this order; what follows are extensions, which may be left unread.
    fn parse(challenge: &'a str, ours: &str) -> Result<Self, Broken> {
        let mut parts = challenge.split(',');
        let mut next = |name| parts.next().and_then(|part| part.strip_prefix(name));
        let Some(nonce) = next("r=") else {
            let is_extension = challenge.starts_with("m=");
            let why =
                if is_extension { "it has an extension that is not known" } else { "its nonce is missing" };
            return Err(Broken::Challenge(why));
        };
        if !nonce.starts_with(ours) || nonce.len() == ours.len() {
            return Err(Broken::Challenge("its nonce does not continue ours"));
        }
        let salt = next("s=").and_then(|salt| STANDARD.decode(salt).ok());
        let salt = salt.ok_or(Broken::Challenge("its salt is missing or not base64"))?;
        let iterations: u64 = next("i=")
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()))
            .and_then(|digits| digits.parse().ok())
            .filter(|iterations| *iterations > 0)
            .ok_or(Broken::Challenge("its number of iterations is missing or none"))?;
        let bounded = u32::try_from(iterations).ok().filter(|iterations| *iterations <= MOST_ITERATIONS);
        Ok(Self { nonce, salt, iterations: bounded.ok_or(Broken::Iterations(iterations))? })
    }
}

impl Hash {
    /// `SaltedPassword` (section 3): PBKDF2 (RFC 8018 section 5.2) to the length of the hash.
    pub(super) fn salted_password(self, password: &[u8], salt: &[u8], iterations: u32) -> Vec<u8> {
        let mut salted = vec![0; self.length()];
        match self {
            Hash::Sha1 => pbkdf2::pbkdf2_hmac::<Sha1>(password, salt, iterations, &mut salted),
            Hash::Sha256 => pbkdf2::pbkdf2_hmac::<Sha256>(password, salt, iterations, &mut salted),
            Hash::Sha512 => pbkdf2::pbkdf2_hmac::<Sha512>(password, salt, iterations, &mut salted),
        }
        salted
    }

    /// `HMAC` of a text.
    pub(super) fn mac(self, key: &[u8], text: &[u8]) -> Vec<u8> {
        match self {
            Hash::Sha1 => mac::<Hmac<Sha1>>(key, text),
            Hash::Sha256 => mac::<Hmac<Sha256>>(key, text),
            Hash::Sha512 => mac::<Hmac<Sha512>>(key, text),
        }
    }

    fn digest(self, text: &[u8]) -> Vec<u8> {
        match self {
            Hash::Sha1 => Sha1::digest(text).to_vec(),
            Hash::Sha256 => Sha256::digest(text).to_vec(),
            Hash::Sha512 => Sha512::digest(text).to_vec(),
        }
    }

    fn length(self) -> usize {
        match self {
            Hash::Sha1 => 20,
            Hash::Sha256 => 32,
            Hash::Sha512 => 64,
        }
    }

    /// `ClientProof` and `ServerSignature` of what both sides said (section 3).
    fn proofs(self, keys: &Keys, signed: &[u8]) -> (Vec<u8>, Vec<u8>) {
        let client_signature = self.mac(&self.digest(&keys.client), signed);
        let proof = keys.client.iter().zip(&client_signature).map(|(a, b)| a ^ b).collect();
        (proof, self.mac(&keys.server, signed))
    }
}

fn mac<M: Mac + KeyInit>(key: &[u8], text: &[u8]) -> Vec<u8> {
    let mut mac = <M as KeyInit>::new_from_slice(key).expect("a key of HMAC may have any length");
    mac.update(text);
    mac.finalize().into_bytes().to_vec()
}

/// A name or password as both sides have to write it (`SASLprep`, RFC 4013).
fn prepared<'t>(what: &'static str, text: &'t str) -> Result<std::borrow::Cow<'t, str>, Broken> {
    stringprep::saslprep(text)
        .map_err(|_| Broken::Credential(what, "SASLprep (RFC 4013) forbids a character of it"))
}

/// A `saslname`: no comma, no equals sign.
fn escaped(name: &str) -> String {
    name.replace('=', "=3D").replace(',', "=2C")
}

fn text(challenge: &[u8]) -> Result<&str, Broken> {
    std::str::from_utf8(challenge).map_err(|_| Broken::Challenge("it is not UTF-8"))
}
