//! The LDAP side of the platform: from a message to its answer. No sockets, no clock, no waiting.
//!
//! It shows the users of the HTTP side below `ou=people,dc=example,dc=com`, and keeps whatever else is
//! written in a tree of its own. There is no schema.

mod ber;
mod bind;
mod certificate;
mod code;
mod compare;
mod contents;
mod control;
mod dn;
mod entries;
mod extended;
mod filter;
mod finder;
mod image;
mod matching;
mod message;
mod monitor;
mod reply;
mod request;
mod root;
mod search;
mod selection;
mod sort;
mod tree;
mod update;

pub(crate) use self::ber::Malformed;
pub(crate) use self::bind::Identity;
pub(crate) use self::certificate::Subject;
pub(crate) use self::code::Code;
use self::control::Controls;
use self::dn::Dn;
use self::entries::Entries;
pub(crate) use self::extended::is_start_tls;
use self::image::Image;
pub(crate) use self::message::{Frame, Message, frame};
pub(crate) use self::reply::{Outcome, write_disconnection};
pub(crate) use self::request::Request;
use self::tree::Tree;
use crate::counts::Counters;
use crate::directory::Directory;

/// What the LDAP side remembers, and buffers that every call uses again.
pub(crate) struct Ldap {
    tree: Tree,
    dn: Dn,
    image: Image,
    passwords: extended::Passwords,
    offers_tls: bool,
}

/// What the server knows of a client.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) identity: Identity,
    /// Who its certificate is made out to.
    pub(crate) certificate: Option<Subject>,
}

/// A request being carried out.
struct Call<'c> {
    id: u32,
    controls: Controls<'c>,
    /// Who asks, or on whose behalf.
    identity: &'c Identity,
    entries: Entries<'c>,
    dn: &'c mut Dn,
    image: &'c mut Image,
    passwords: &'c mut extended::Passwords,
    out: &'c mut Vec<u8>,
}

impl Ldap {
    /// A tree of no more than what the users are below.
    pub(crate) fn new(seed: u64, offers_tls: bool) -> Self {
        Self {
            tree: Tree::new(),
            dn: Dn::default(),
            image: Image::default(),
            passwords: extended::Passwords::new(seed),
            offers_tls,
        }
    }

    /// Carries out a request, writes its whole answer to `out` and returns how it ended. Requests that have
    /// no answer are not for here.
    pub(crate) fn answer(
        &mut self,
        message: &Message<'_>,
        session: &mut Session,
        directory: &mut Directory,
        counters: &Counters,
        out: &mut Vec<u8>,
    ) -> Result<Code, Malformed> {
        let controls = Controls::read(message)?;
        let Some(tag) = message.request.answer_tag() else { return Ok(Code::Success) };
        let Self { tree, dn, image, passwords, offers_tls } = self;
        let entries = Entries { directory, tree, counters, offers_tls: *offers_tls };
        let with_policy = controls.password_policy;
        let mut outcome = if let Some((code, reason)) = controls.refusal {
            code.because(reason)
        } else if let Request::Bind(bind) = &message.request {
            bind::bind(bind, &controls, session, &entries, dn)
        } else {
            match bind::effective(&controls, &session.identity, &entries, dn) {
                Err(outcome) => outcome,
                Ok(other) => {
                    let identity = other.as_ref().unwrap_or(&session.identity);
                    let id = message.id;
                    let call = Call { id, controls, identity, entries, dn, image, passwords, out: &mut *out };
                    call.perform(&message.request)
                }
            }
        };
        if with_policy {
            // An empty response: nothing to warn of.
            outcome.control(control::PASSWORD_POLICY, Some(&[0x30, 0]));
        }
        outcome.write(message.id, tag, out);
        Ok(outcome.code)
    }
}

impl Call<'_> {
    fn perform(mut self, request: &Request<'_>) -> Outcome {
        let done = match request {
            Request::Search(search) => self.search(search),
            Request::Compare { dn, attribute, value } => self.compare(dn, attribute, value),
            Request::Modify { dn, changes } => self.modify(dn, *changes),
            Request::Add { dn, attributes } => self.add(dn, *attributes),
            Request::Delete { dn } => self.delete(dn),
            Request::Rename(rename) => self.rename(rename),
            Request::Extended { name, value } => self.extended(name, *value),
            Request::Bind(_) | Request::Unbind | Request::Abandon(_) => Ok(Outcome::success()),
        };
        done.unwrap_or_else(|outcome| outcome)
    }

    /// The assertion of the request holds for the entry in the image, or there is none.
    fn check_assertion(&self) -> Result<(), Outcome> {
        match self.controls.assertion {
            Some(filter) if !filter.matches(self.image) => {
                Err(Code::AssertionFailed.because("the assertion does not hold"))
            }
            _ => Ok(()),
        }
    }
}

/// What is refused for a text that is no name.
fn bad_name(_: dn::InvalidDn) -> Outcome {
    Code::InvalidDnSyntax.because("not a distinguished name")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::ber::{Reader, put, tag};
    use super::*;

    fn octets(text: &str) -> Vec<u8> {
        element(tag::OCTETS, text.as_bytes())
    }

    fn element(tag: u8, content: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        put(&mut out, tag, content);
        out
    }

    /// Requests of all kinds, without the message around them.
    fn requests() -> Vec<Vec<u8>> {
        let dn = octets("uid=user.1,ou=people,dc=example,dc=com");
        let attribute = element(0x30, &[octets("cn"), element(0x31, &octets("x"))].concat());
        let change = element(0x30, &[vec![10, 1, 2], attribute.clone()].concat());
        let filter = element(0xa3, &[octets("uid"), octets("user.1")].concat());
        let limits = vec![10, 1, 2, 10, 1, 0, 2, 1, 0, 2, 1, 0, 1, 1, 0];
        let search = [octets("dc=example,dc=com"), limits, filter, element(0x30, &octets("*"))].concat();
        let assertion = element(0x30, &[octets("sn"), octets("x")].concat());
        let password = element(0x30, &[element(0x80, b"u:user.1"), element(0x82, b"new")].concat());
        let extended = [element(0x80, b"1.3.6.1.4.1.4203.1.11.1"), element(0x81, &password)].concat();
        vec![
            element(0x60, &[vec![2, 1, 3], dn.clone(), element(0x80, b"password")].concat()),
            element(0x63, &search),
            element(0x66, &[dn.clone(), element(0x30, &change)].concat()),
            element(0x68, &[octets("cn=a,dc=example,dc=com"), element(0x30, &attribute)].concat()),
            element(0x4a, b"uid=user.2,ou=people,dc=example,dc=com"),
            element(0x6c, &[dn.clone(), octets("uid=b"), vec![1, 1, 0xff]].concat()),
            element(0x6e, &[dn, assertion].concat()),
            element(0x77, &extended),
        ]
    }

    proptest! {
        #[test]
        fn whatever_is_asked_the_answer_is_well_formed(
            asked in proptest::collection::vec((0..8_usize, proptest::collection::vec((any::<usize>(), any::<u8>()), 0..3)), 1..6),
        ) {
            let (mut ldap, mut directory) = (Ldap::new(1, true), Directory::new(20));
            let (counters, requests) = (Counters::default(), requests());
            let mut session = Session { identity: Identity::Manager, certificate: None };
            for (which, changes) in asked {
                let mut bytes = element(0x30, &[vec![2, 1, 5], requests[which].clone()].concat());
                let is_honest = changes.is_empty();
                for (at, value) in changes {
                    let at = at % bytes.len();
                    bytes[at] = value;
                }
                let Ok(message) = Message::read(&bytes) else { continue };
                let mut out = Vec::new();
                let answered = ldap.answer(&message, &mut session, &mut directory, &counters, &mut out);
                prop_assert!(answered.is_ok() || !is_honest);
                let mut answers = Reader::new(&out);
                while !answers.is_empty() {
                    let mut parts = answers.inside(tag::SEQUENCE).unwrap();
                    prop_assert_eq!(parts.number(tag::INTEGER), Ok(message.id));
                    parts.any().unwrap();
                }
            }
        }
    }
}
