//! Controls of requests (RFC 4511, 4.1.11): those that the platform knows, read.

use super::ber::{Malformed, Reader, begin, end, put, tag};
use super::code::Code;
use super::filter::Filter;
use super::message::Message;
use super::reply::Outcome;
use super::request::Request;
use super::selection::Selection;

/// More controls at one request are refused as malformed.
const CONTROLS_LIMIT: usize = 100;

/// RFC 4370.
pub(crate) const PROXIED_AUTHORIZATION: &str = "2.16.840.1.113730.3.4.18";
/// RFC 3829.
pub(crate) const AUTHORIZATION_IDENTITY: &str = "2.16.840.1.113730.3.4.16";
pub(crate) const AUTHORIZATION_IDENTITY_RESPONSE: &str = "2.16.840.1.113730.3.4.15";
/// draft-behera-ldap-password-policy.
pub(crate) const PASSWORD_POLICY: &str = "1.3.6.1.4.1.42.2.27.8.5.1";
/// RFC 4528.
pub(crate) const ASSERTION: &str = "1.3.6.1.1.12";
/// RFC 4527.
pub(crate) const PRE_READ: &str = "1.3.6.1.1.13.1";
pub(crate) const POST_READ: &str = "1.3.6.1.1.13.2";
/// RFC 2696.
pub(crate) const PAGED_RESULTS: &str = "1.2.840.113556.1.4.319";
/// RFC 2891.
pub(crate) const SORT: &str = "1.2.840.113556.1.4.473";
pub(crate) const SORT_RESPONSE: &str = "1.2.840.113556.1.4.474";
/// RFC 3296. There are no referrals, so that it changes nothing.
pub(crate) const MANAGE_DSA_IT: &str = "2.16.840.1.113730.3.4.2";

/// What the root entry says is supported.
pub(crate) const SUPPORTED: &[&str] = &[
    PROXIED_AUTHORIZATION,
    AUTHORIZATION_IDENTITY,
    PASSWORD_POLICY,
    ASSERTION,
    PRE_READ,
    POST_READ,
    PAGED_RESULTS,
    SORT,
    MANAGE_DSA_IT,
];

/// The controls of one request.
#[derive(Debug, Default)]
pub(crate) struct Controls<'m> {
    /// On whose behalf.
    pub(crate) proxied: Option<&'m [u8]>,
    pub(crate) authorization_identity: bool,
    pub(crate) password_policy: bool,
    /// Must hold for the entry, else nothing is done.
    pub(crate) assertion: Option<Filter<'m>>,
    pub(crate) pre_read: Option<Selection<'m>>,
    pub(crate) post_read: Option<Selection<'m>>,
    pub(crate) page: Option<Page<'m>>,
    pub(crate) sort: Option<Reader<'m>>,
    /// Why the request is not carried out.
    pub(crate) refusal: Option<(Code, &'static str)>,
}

/// Which part of a result is wanted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'m> {
    /// Entries, at most.
    pub(crate) size: u32,
    /// Where the page before ended; empty for the first one.
    pub(crate) cookie: &'m [u8],
}

struct Control<'m> {
    name: &'m [u8],
    critical: bool,
    value: Option<&'m [u8]>,
}

impl<'m> Controls<'m> {
    /// Reads the controls of a message. What cannot be carried out is noted, not an error.
    pub(crate) fn read(message: &Message<'m>) -> Result<Self, Malformed> {
        let mut controls = Self::default();
        let mut unread = Reader::new(message.controls.unwrap_or_default());
        let mut count = 0;
        while !unread.is_empty() {
            count += 1;
            if count > CONTROLS_LIMIT {
                return Err(Malformed);
            }
            let mut parts = unread.inside(tag::SEQUENCE)?;
            let name = parts.octets()?;
            let critical = if parts.peek() == Some(tag::BOOLEAN) { parts.boolean()? } else { false };
            let value = parts.optional(tag::OCTETS)?;
            parts.end()?;
            let control = Control { name, critical, value };
            match controls.add(&control, &message.request) {
                Ok(true) => {}
                Ok(false) if !critical => {}
                Ok(false) => controls.refuse(
                    Code::UnavailableCriticalExtension,
                    "a critical control is unknown, or means nothing for this operation",
                ),
                Err(Malformed) => {
                    controls.refuse(Code::ProtocolError, "the value of a control is malformed");
                }
            }
        }
        Ok(controls)
    }

    fn refuse(&mut self, code: Code, message: &'static str) {
        self.refusal.get_or_insert((code, message));
    }

    /// Takes over a control; false when it means nothing here.
    fn add(&mut self, control: &Control<'m>, request: &Request<'_>) -> Result<bool, Malformed> {
        let is = |name: &str| control.name == name.as_bytes();
        let value = || control.value.ok_or(Malformed);
        let changes = |reads: bool| match request {
            Request::Modify { .. } | Request::Rename(_) => true,
            Request::Delete { .. } => reads,
            Request::Add { .. } => !reads,
            _ => false,
        };
        match request {
            Request::Bind(_) if is(AUTHORIZATION_IDENTITY) => self.authorization_identity = true,
            Request::Bind(_) | Request::Unbind | Request::Abandon(_)
                if is(PROXIED_AUTHORIZATION) || is(ASSERTION) =>
            {
                return Ok(false);
            }
            _ if is(PASSWORD_POLICY) => self.password_policy = true,
            _ if is(PROXIED_AUTHORIZATION) => {
                self.proxied = Some(value()?);
                if !control.critical {
                    self.refuse(Code::ProtocolError, "proxied authorization must be critical");
                }
            }
            Request::Extended { .. } => return Ok(false),
            _ if is(ASSERTION) => self.assertion = Some(Filter::read(value()?)?),
            _ if is(PRE_READ) && changes(true) => self.pre_read = Some(names(value()?)?),
            _ if is(POST_READ) && changes(false) => self.post_read = Some(names(value()?)?),
            Request::Search(_) if is(PAGED_RESULTS) => {
                let mut parts = Reader::new(value()?).inside(tag::SEQUENCE)?;
                self.page = Some(Page { size: parts.number(tag::INTEGER)?, cookie: parts.octets()? });
            }
            Request::Search(_) if is(SORT) => self.sort = Some(Reader::new(value()?).inside(tag::SEQUENCE)?),
            _ => return Ok(is(MANAGE_DSA_IT)),
        }
        Ok(true)
    }
}

fn names(value: &[u8]) -> Result<Selection<'_>, Malformed> {
    Selection::read(Reader::new(value).expect(tag::SEQUENCE)?)
}

impl Outcome {
    /// Adds a control to the answer.
    pub(crate) fn control(&mut self, name: &str, value: Option<&[u8]>) {
        let one = begin(&mut self.controls, tag::SEQUENCE);
        put(&mut self.controls, tag::OCTETS, name.as_bytes());
        if let Some(value) = value {
            put(&mut self.controls, tag::OCTETS, value);
        }
        end(&mut self.controls, one);
    }
}
