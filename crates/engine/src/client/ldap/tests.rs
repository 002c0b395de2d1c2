//! The codec, byte for byte, and against what broken servers send.

use super::ber::{self, OCTETS, SEQUENCE};
use super::encoding::Unwritten;
use super::envelope::{self, Letter};
use super::message::{Entry, LdapResult, Message, page_cookie};
use super::reader::{Progress, Reader};
use super::record::Records;
use super::request;
use crate::client::scratch::Kept;
use loadgen_model::format::Outside;
use loadgen_model::ldap::{
    Ask, Bind, Change, ChangeKind, Control, ControlKind, Dereference, Filter, Mechanism, Scope, Search,
    SortKey,
};
use loadgen_model::ldif;
use loadgen_model::template::{Escape, Missing, Segment, Template, Values};
use loadgen_model::variable::Slot;
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// A world without files.
struct Nowhere;

impl Outside for Nowhere {
    fn read(&self, _: &Path) -> std::io::Result<Vec<u8>> {
        Err(std::io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, _: &Path) -> bool {
        false
    }

    fn glob(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn environment(&self, _: &str) -> Option<String> {
        None
    }

    fn prompt(&self, _: &str) -> Option<String> {
        None
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::new()
    }
}

/// Every variable has this value.
struct Always(&'static str);

impl Values for Always {
    fn write(&mut self, _: Slot, out: &mut Vec<u8>) -> Result<(), Missing> {
        out.extend_from_slice(self.0.as_bytes());
        Ok(())
    }
}

fn variable() -> Template {
    let mut template = Template::default();
    template.push(Segment::Value { slot: Slot(0), filters: Vec::new(), escape: Escape::None });
    template
}

fn message(ask: &Ask, controls: &[Control], page: Option<u32>, value: &'static str) -> Vec<u8> {
    let (mut operation, mut rendered, mut out) = (Vec::new(), Vec::new(), Vec::new());
    request::encoding(ask).write(&mut Always(value), &mut operation).unwrap();
    request::controls(controls).write(&mut Always(value), &mut rendered).unwrap();
    Letter { operation: &operation, controls: &rendered, page }.write(5, b"c", &mut out);
    out
}

fn search(filter: Filter) -> Ask {
    Ask::Search(Box::new(Search {
        base: Template::text("dc=x"),
        scope: Scope::Sub,
        dereference: Dereference::Never,
        size_limit: 0,
        time_limit_s: 0,
        types_only: false,
        filter,
        attributes: vec![Template::text("cn")],
        page_size: None,
    }))
}

/// A record is sent as the operation is whose templates say the same.
#[test]
fn a_record_is_encoded_as_its_operation_is() {
    let text = |text: &str| Template::text(text);
    let file = "dn: cn=a\ncn: a\ncn: b\nsn: c\n\ndn: cn=a\nchangetype: delete\n\n\
                dn: cn=a\ncontrol: 1.2.3 true: x\nchangetype: modify\nreplace: sn\nsn: d\n-\ndelete: x\n-\n\n\
                dn: cn=a\nchangetype: modrdn\nnewrdn: cn=b\ndeleteoldrdn: 1\nnewsuperior: dc=x\n";
    let change = |kind, attribute, values: &[&str]| Change {
        kind,
        attribute: text(attribute),
        values: values.iter().map(|value| text(value)).collect(),
    };
    let asked = [
        Ask::Add {
            dn: text("cn=a"),
            attributes: vec![(text("cn"), vec![text("a"), text("b")]), (text("sn"), vec![text("c")])],
        },
        Ask::Delete { dn: text("cn=a") },
        Ask::Modify {
            dn: text("cn=a"),
            changes: vec![change(ChangeKind::Replace, "sn", &["d"]), change(ChangeKind::Delete, "x", &[])],
        },
        Ask::ModifyDn {
            dn: text("cn=a"),
            new_rdn: text("cn=b"),
            delete_old: true,
            new_superior: Some(text("dc=x")),
        },
    ];
    let control = ControlKind::Other { oid: "1.2.3".to_owned(), value: Some(text("x")) };
    let control = [Control { kind: control, critical: true }];
    let records = Records::encode(&ldif::read(file.as_bytes(), Path::new("a.ldif"), &Nowhere).unwrap());
    for (index, ask) in asked.iter().enumerate() {
        let (operation, controls) = records.get(index);
        let mut out = Vec::new();
        Letter { operation, controls, page: None }.write(5, b"", &mut out);
        let controls = if index == 2 { &control[..] } else { &[] };
        assert_eq!(out, message(ask, controls, None, ""), "{ask:?}");
    }
}

#[test]
fn an_operation_is_answered_by_its_own_tag() {
    for (operation, answer) in [
        (0x60, 0x61),
        (0x63, 0x65),
        (0x66, 0x67),
        (0x68, 0x69),
        (0x4a, 0x6b),
        (0x6c, 0x6d),
        (0x6e, 0x6f),
        (0x77, 0x78),
    ] {
        assert_eq!(request::answer_tag(&[operation, 0]), answer, "{operation:#x}");
    }
}

#[test]
fn a_bind_is_what_rfc_4511_says() {
    let bind = Ask::Bind(Bind::Simple { dn: variable(), password: Template::text("pw") });
    let expected =
        [&[0x30, 0x12, 2, 1, 5, 0x60, 0x0d, 2, 1, 3, 4, 4][..], b"cn=a", &[0x80, 2], b"pw"].concat();
    assert_eq!(message(&bind, &[], None, "cn=a"), expected);
    let sasl = Ask::Bind(Bind::Sasl {
        mechanism: Mechanism::Plain,
        authorization_id: Template::default(),
        authentication_id: variable(),
        password: Template::text("p"),
        realm: Template::default(),
    });
    let written = message(&sasl, &[], None, "u");
    assert!(written.ends_with(b"\xa3\x0d\x04\x05PLAIN\x04\x04\0u\0p"), "{written:x?}");
}

#[test]
fn a_search_is_what_rfc_4511_says() {
    let filter = Filter::parse_with("(&(uid=*)(cn=\\2a$)(!(sn~=b)))", &mut |text| match text {
        "$" => variable(),
        text => Template::text(text),
    });
    let written = message(&search(filter.unwrap()), &[], None, "v");
    let expected = [
        &[0x30, 0x3c, 2, 1, 5, 0x63, 0x37, 4, 4][..],
        b"dc=x",
        &[0x0a, 1, 2, 0x0a, 1, 0, 2, 1, 0, 2, 1, 0, 1, 1, 0, 0xa0, 0x1a],
        b"\x87\x03uid\xa3\x08\x04\x02cn\x04\x02*v\xa2\x09\xa8\x07\x04\x02sn\x04\x01b",
        b"\x30\x04\x04\x02cn",
    ];
    assert_eq!(written, expected.concat());
}

#[test]
fn a_filter_made_of_variables_is_read_when_they_are_known() {
    let filter = Filter::Text(variable());
    let known = message(&search(filter.clone()), &[], None, "(cn=a*c)");
    let parts = b"\xa4\x0c\x04\x02cn\x30\x06\x80\x01a\x82\x01c";
    assert!(known.windows(parts.len()).any(|part| part == parts), "{known:x?}");
    let broken = request::encoding(&search(filter)).write(&mut Always("(cn=a"), &mut Vec::new());
    assert!(matches!(broken, Err(Unwritten::Filter(_))), "{broken:?}");
}

#[test]
fn controls_and_pages_stand_behind_the_operation() {
    let sort = SortKey { attribute: "sn".to_owned(), rule: None, reverse: true };
    let controls = [
        Control { kind: ControlKind::ManageDsaIt, critical: true },
        Control { kind: ControlKind::Sort(vec![sort]), critical: false },
    ];
    let written = message(&Ask::Delete { dn: variable() }, &controls, Some(300), "cn=a");
    assert!(written.windows(6).any(|part| part == b"\x4a\x04cn=a"), "{written:x?}");
    assert!(
        written.windows(11).any(|part| part == b"\x30\x09\x30\x07\x04\x02sn\x81\x01\xff"),
        "{written:x?}"
    );
    assert_eq!(page_cookie(Message::parse(&written).unwrap().controls), b"c");
}

#[test]
fn an_abandon_names_the_message() {
    assert_eq!(envelope::abandon(6, 5), [0x30, 6, 2, 1, 6, 0x50, 1, 5]);
}

/// An entry and a result, as a server sends them for message 7.
fn answer() -> Vec<u8> {
    let mut out = Vec::new();
    let message = ber::open(SEQUENCE, &mut out);
    ber::write_integer(ber::INTEGER, 7, &mut out);
    let entry = ber::open(0x64, &mut out);
    ber::write(OCTETS, b"cn=a", &mut out);
    let attributes = ber::open(SEQUENCE, &mut out);
    let attribute = ber::open(SEQUENCE, &mut out);
    ber::write(OCTETS, b"Mail", &mut out);
    let values = ber::open(ber::SET, &mut out);
    ber::write(OCTETS, b"a@b", &mut out);
    ber::write(OCTETS, b"c@d", &mut out);
    ber::close(values, &mut out);
    ber::close(attribute, &mut out);
    ber::close(attributes, &mut out);
    ber::close(entry, &mut out);
    ber::close(message, &mut out);
    out.extend_from_slice(b"\x30\x0e\x02\x01\x07\x65\x09\x0a\x01\x04\x04\x00\x04\x02no");
    out
}

fn read(pieces: &[&[u8]]) -> (Reader, Kept, Result<Progress, loadgen_model::Failure>) {
    let (mut reader, mut kept, mut partial) = (Reader::new(7, 0x65, true), Kept::default(), Vec::new());
    let mut progress = Ok(Progress::More);
    for piece in pieces {
        if matches!(progress, Ok(Progress::More)) {
            progress = reader.feed(piece, &mut partial, &mut kept);
        }
    }
    (reader, kept, progress)
}

#[test]
fn an_answer_is_read_in_whatever_pieces_it_comes() {
    let whole = answer();
    for cut in 0..whole.len() {
        let (reader, kept, progress) = read(&[&whole[..cut], &whole[cut..]]);
        assert_eq!(progress, Ok(Progress::Done), "{cut}");
        assert_eq!((reader.answer.code, reader.answer.entries), (4, 1));
        let entry = Entry::parse(&kept.body).unwrap();
        assert_eq!(entry.dn, b"cn=a");
        assert_eq!(entry.values("mail").collect::<Vec<_>>(), [b"a@b", b"c@d"]);
        let message = Message::parse(&kept.head).unwrap();
        assert_eq!(LdapResult::parse(message.content).unwrap().diagnostic, b"no");
    }
}

#[test]
fn answers_to_what_was_given_up_are_passed_over() {
    let late = b"\x30\x0c\x02\x01\x03\x65\x07\x0a\x01\x00\x04\x00\x04\x00";
    assert_eq!(read(&[late, &answer()]).2, Ok(Progress::Done));
    let early = b"\x30\x0c\x02\x01\x08\x65\x07\x0a\x01\x00\x04\x00\x04\x00";
    assert!(read(&[early]).2.is_err());
}

#[test]
fn a_notice_of_disconnection_is_a_broken_connection() {
    let notice = b"\x30\x0f\x02\x01\x00\x78\x0a\x0a\x01\x34\x04\x00\x04\x03bye";
    let failure = read(&[notice]).2.unwrap_err();
    assert_eq!(failure.kind, loadgen_model::FailureKind::Reset);
    assert!(format!("{failure:?}").contains("52 unavailable: bye"), "{failure:?}");
}

proptest! {
    /// Nothing that comes makes it panic, or keep more than came.
    #[test]
    fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&[&bytes]);
        let _ = Entry::parse(&bytes).map(|entry| entry.values("mail").count());
        let _ = Entry::of_controls(&bytes);
        let _ = page_cookie(&bytes);
    }

    #[test]
    fn no_change_of_an_answer_does_harm(at in 0..75_usize, byte: u8, cut in 0..75_usize) {
        let mut bytes = answer();
        let at = at % bytes.len();
        bytes[at] = byte;
        let cut = cut % bytes.len();
        let (_, kept, _) = read(&[&bytes[..cut], &bytes[cut..]]);
        prop_assert!(kept.head.len() + kept.body.len() <= bytes.len());
        if let Ok(entry) = Entry::parse(&kept.body) {
            prop_assert!(entry.values("mail").map(<[u8]>::len).sum::<usize>() <= bytes.len());
        }
    }
}
