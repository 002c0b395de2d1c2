//! DIGEST-MD5 (RFC 2831) without integrity and confidentiality layers: digests of both sides, keyed with the
//! password, over challenges of both sides.

use super::directives::Directives;
use super::{Broken, Credentials, hex, is_same};
use md5::{Digest, Md5};
use std::borrow::Cow;

/// Characters of realms that a message shows.
const REALMS_SHOWN: usize = 200;

/// An exchange of DIGEST-MD5.
pub(crate) struct DigestMd5<'a> {
    credentials: Credentials<'a>,
    /// `digest-uri`: service and host.
    uri: String,
    /// `cnonce`.
    nonce: String,
    state: State,
}

/// What comes next.
enum State {
    /// The server's challenge.
    Challenge,
    /// The server's proof, which is to be this.
    Last { proof: String },
    /// Nothing.
    Proved,
}

/// What the server asks (section 2.1.1).
struct Challenge {
    /// In quotation marks they may be anything.
    realms: Vec<Vec<u8>>,
    nonce: Vec<u8>,
    /// Whether names and passwords may be more than ISO 8859-1.
    is_utf8: bool,
}

impl<'a> DigestMd5<'a> {
    pub(super) fn new(credentials: Credentials<'a>, uri: String, nonce: String) -> Self {
        Self { credentials, uri, nonce, state: State::Challenge }
    }

    /// The client's digest, or what follows the server's.
    pub(super) fn respond(&mut self, challenge: &[u8]) -> Result<Vec<u8>, Broken> {
        match self.state {
            State::Challenge => self.answer(&Challenge::parse(challenge)?),
            State::Last { .. } => self.check(challenge).map(|()| Vec::new()),
            State::Proved => Err(Broken::Unasked),
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

    /// The `digest-response` (section 2.1.2).
    fn answer(&mut self, challenge: &Challenge) -> Result<Vec<u8>, Broken> {
        let Credentials { authorization_id, authentication_id, password, realm } = self.credentials;
        let realm = match (realm, challenge.realms.as_slice()) {
            ("", []) => Cow::Borrowed(&b""[..]),
            ("", [only]) => Cow::Borrowed(only.as_slice()),
            ("", several) => return Err(Broken::Realm(listed(several))),
            (named, _) => Cow::Owned(sent("the realm", named, challenge.is_utf8)?),
        };
        let user = sent("the name", authentication_id, challenge.is_utf8)?;
        let hashed = [
            hashed(&user, challenge.is_utf8),
            hashed(&realm, challenge.is_utf8),
            hashed(&sent("the password", password, challenge.is_utf8)?, challenge.is_utf8),
        ];
        let mut a1 = Md5::digest(hashed.join(&b':')).to_vec();
        for part in [&challenge.nonce, self.nonce.as_bytes()] {
            a1.push(b':');
            a1.extend_from_slice(part);
        }
        if !authorization_id.is_empty() {
            a1.push(b':');
            a1.extend_from_slice(authorization_id.as_bytes());
        }
        let proof = |method: &str| self.digest(&a1, &challenge.nonce, method);
        let (response, expected) = (proof("AUTHENTICATE"), proof(""));
        let mut out = Vec::new();
        if challenge.is_utf8 {
            out.extend_from_slice(b"charset=utf-8,");
        }
        quote("username", &user, &mut out);
        if !realm.is_empty() {
            quote("realm", &realm, &mut out);
        }
        quote("nonce", &challenge.nonce, &mut out);
        quote("cnonce", self.nonce.as_bytes(), &mut out);
        quote("digest-uri", self.uri.as_bytes(), &mut out);
        if !authorization_id.is_empty() {
            quote("authzid", authorization_id.as_bytes(), &mut out);
        }
        out.extend_from_slice(format!("nc=00000001,qop=auth,response={response}").as_bytes());
        self.state = State::Last { proof: expected };
        Ok(out)
    }

    /// `KD` of sections 2.1.2.1 and 2.1.3; the server's has no method.
    fn digest(&self, a1: &[u8], nonce: &[u8], method: &str) -> String {
        let a2 = hex(&Md5::digest(format!("{method}:{}", self.uri)));
        let mut text = hex(&Md5::digest(a1)).into_bytes();
        text.push(b':');
        text.extend_from_slice(nonce);
        text.extend_from_slice(format!(":00000001:{}:auth:{a2}", self.nonce).as_bytes());
        hex(&Md5::digest(text))
    }

    /// The `response-auth` (section 2.1.3).
    fn check(&mut self, last: &[u8]) -> Result<(), Broken> {
        let State::Last { proof } = &self.state else { return Err(Broken::Unproved) };
        let mut said = None;
        for directive in Directives(last) {
            let (name, value) = directive?;
            if name.eq_ignore_ascii_case(b"rspauth") {
                said = Some(value);
            }
        }
        if !is_same(&said.ok_or(Broken::Unproved)?, proof.as_bytes()) {
            return Err(Broken::WrongProof);
        }
        self.state = State::Proved;
        Ok(())
    }
}

impl Challenge {
    fn parse(challenge: &[u8]) -> Result<Self, Broken> {
        let mut found = Self { realms: Vec::new(), nonce: Vec::new(), is_utf8: false };
        let (mut is_session, mut has_auth) = (false, true);
        for directive in Directives(challenge) {
            let (name, value) = directive?;
            match name.to_ascii_lowercase().as_slice() {
                b"realm" => found.realms.push(value),
                b"nonce" if found.nonce.is_empty() => found.nonce = value,
                b"nonce" => return Err(Broken::Challenge("it has two nonces")),
                b"charset" => found.is_utf8 = value.eq_ignore_ascii_case(b"utf-8"),
                b"algorithm" => is_session = value.eq_ignore_ascii_case(b"md5-sess"),
                b"qop" => {
                    let mut offered = value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
                    has_auth = offered.any(|qop| qop.eq_ignore_ascii_case(b"auth"));
                }
                _ => {}
            }
        }
        match (found.nonce.is_empty(), is_session, has_auth) {
            (true, ..) => Err(Broken::Challenge("its nonce is missing")),
            (_, false, _) => Err(Broken::Challenge("its algorithm is not md5-sess")),
            (.., false) => Err(Broken::Challenge("it insists on an integrity or confidentiality layer")),
            _ => Ok(found),
        }
    }
}

/// Text as it is sent: UTF-8 where that is offered, else ISO 8859-1.
fn sent(what: &'static str, text: &str, is_utf8: bool) -> Result<Vec<u8>, Broken> {
    if is_utf8 {
        return Ok(text.as_bytes().to_vec());
    }
    latin(text).ok_or(Broken::Credential(what, "the target takes no more than ISO 8859-1"))
}

/// Text as it is hashed: ISO 8859-1 if it can be that, also where UTF-8 is sent (section 2.1.2.1).
fn hashed(sent: &[u8], is_utf8: bool) -> Vec<u8> {
    let text = is_utf8.then(|| std::str::from_utf8(sent).ok()).flatten();
    text.and_then(latin).unwrap_or_else(|| sent.to_vec())
}

fn latin(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|character| u8::try_from(u32::from(character)).ok()).collect()
}

/// Appends a directive in quotation marks (section 7.2, `qdstr-val`), and a comma.
fn quote(name: &str, value: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"=\"");
    for byte in value {
        if matches!(byte, b'"' | b'\\') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.extend_from_slice(b"\",");
}

fn listed(realms: &[Vec<u8>]) -> String {
    let names = realms.iter().map(|realm| String::from_utf8_lossy(realm)).collect::<Vec<_>>().join(", ");
    names.chars().take(REALMS_SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
