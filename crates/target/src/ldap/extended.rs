//! Extended operations (RFC 4511, 4.12): Who am I, password modify, and what there is to say on StartTLS.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::ber::{Malformed, Reader, begin, end, put, tag};
use super::bind::{Identity, read_identity};
use super::code::Code;
use super::reply::Outcome;
use super::request::Request;
use super::{Call, bad_name};
use crate::tokens::Token;

/// RFC 4511, 4.14.
const START_TLS: &str = "1.3.6.1.4.1.1466.20037";
/// RFC 3062.
const PASSWORD_MODIFY: &str = "1.3.6.1.4.1.4203.1.11.1";
/// RFC 4532.
const WHO_AM_I: &str = "1.3.6.1.4.1.4203.1.11.3";

/// What the root entry says is supported, StartTLS first.
pub(crate) const SUPPORTED: &[&str] = &[START_TLS, PASSWORD_MODIFY, WHO_AM_I];

/// Makes passwords for those who leave that to the server.
pub(crate) struct Passwords {
    random: Xoshiro256PlusPlus,
}

impl Passwords {
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

/// Whether TLS is to begin after the answer to this request.
pub(crate) fn is_start_tls(request: &Request<'_>) -> bool {
    matches!(request, Request::Extended { name, .. } if *name == START_TLS.as_bytes())
}

impl Call<'_> {
    pub(super) fn extended(&mut self, name: &[u8], value: Option<&[u8]>) -> Result<Outcome, Outcome> {
        let is = |known: &str| name == known.as_bytes();
        if is(WHO_AM_I) {
            let mut outcome = Outcome::success();
            put(&mut outcome.more, 0x8b, self.identity.authorization().as_bytes());
            return Ok(outcome);
        }
        if is(PASSWORD_MODIFY) {
            return self.change_password(value);
        }
        if is(START_TLS) && self.entries.offers_tls {
            let mut outcome = Outcome::success();
            put(&mut outcome.more, 0x8a, name);
            return Ok(outcome);
        }
        Err(Code::ProtocolError.because("unknown extended operation"))
    }

    fn change_password(&mut self, value: Option<&[u8]>) -> Result<Outcome, Outcome> {
        self.check_may_write()?;
        let wish = Wish::read(value).map_err(|Malformed| {
            Code::ProtocolError.because("the value of the password modify request is malformed")
        })?;
        match (wish.user, self.identity) {
            (None, Identity::Entry(dn)) => self.dn.read(dn.as_bytes()).map_err(bad_name)?,
            (None, _) => return Err(Code::UnwillingToPerform.because("whose password is not said")),
            // RFC 3062 leaves open what names a user: a DN, or an authorization identity.
            (Some(user), _) if self.dn.read(user).is_ok() => {}
            (Some(user), _) => read_identity(user, self.dn).map_err(bad_name)?,
        }
        let place = self.entries.place(self.dn);
        let Some(mut contents) = self.entries.contents(&place) else {
            return Err(self.entries.missing(self.dn));
        };
        if wish.old.is_some_and(|old| !self.entries.has_password(&place, old)) {
            return Err(Code::InvalidCredentials.because("the old password is another one"));
        }
        let place = place.owned()?;
        let mut outcome = Outcome::success();
        let password = match wish.new {
            Some(new) => new.to_vec(),
            None => {
                let made = Token::random(&mut self.passwords.random).text().into_bytes();
                let mut value = Vec::new();
                let parts = begin(&mut value, tag::SEQUENCE);
                put(&mut value, 0x80, &made);
                end(&mut value, parts);
                put(&mut outcome.more, 0x8b, &value);
                made
            }
        };
        contents.set(b"userPassword", vec![password])?;
        self.entries.rewrite(&place, contents)?;
        Ok(outcome)
    }
}

/// What a password modify request says.
#[derive(Default)]
struct Wish<'m> {
    user: Option<&'m [u8]>,
    old: Option<&'m [u8]>,
    new: Option<&'m [u8]>,
}

impl<'m> Wish<'m> {
    fn read(value: Option<&'m [u8]>) -> Result<Self, Malformed> {
        let Some(value) = value else { return Ok(Self::default()) };
        let mut parts = Reader::new(value).inside(tag::SEQUENCE)?;
        let wish =
            Self { user: parts.optional(0x80)?, old: parts.optional(0x81)?, new: parts.optional(0x82)? };
        parts.end()?;
        Ok(wish)
    }
}
