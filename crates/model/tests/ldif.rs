//! LDIF (RFC 2849): what files say, and what is wrong with others.

use base64::Engine as _;
use loadgen_model::format::Outside;
use loadgen_model::ldap::ChangeKind;
use loadgen_model::ldif::{Attribute, Change, Control, Record, Records, read};
use proptest::prelude::*;
use std::io;
use std::path::{Path, PathBuf};

/// A world with one file.
struct World;

impl Outside for World {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match path.to_str() {
            Some("/photos/an ann.jpg" | "jobs/ann.jpg") => Ok(vec![0xff, 0xd8, 0]),
            Some("/huge") => Ok(vec![0; (16 << 20) + 1]),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
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
        PathBuf::from("/")
    }
}

fn all(records: &Records) -> Vec<Record> {
    (0..records.len()).map(|index| records.get(index)).collect()
}

fn read_all(text: &str) -> Vec<Record> {
    all(&read(text.as_bytes(), Path::new("jobs/people.ldif"), &World).expect("the file is right"))
}

fn attribute(name: &str, values: &[&str]) -> Attribute {
    Attribute {
        name: name.to_owned(),
        values: values.iter().map(|value| value.as_bytes().to_vec()).collect(),
    }
}

fn record(dn: &str, change: Change) -> Record {
    Record { dn: dn.to_owned(), controls: Vec::new(), change }
}

#[test]
fn entries_are_read() {
    let text = "version: 1\n\n# people\ndn: uid=ann,dc=example\nobjectClass: person\nuid: ann\n\
                OBJECTCLASS: top\ncn:  Ann\n  Lee\nsn:: TMOpZQ==\nmail:\n\n\ndn:: dWlkPUrDuHJu\r\n\
                photo;binary:< file:///photos/an%20ann.jpg\r\nicon:<file:ann.jpg\r\n";
    let photo = |name: &str| Attribute { name: name.to_owned(), values: vec![vec![0xff, 0xd8, 0]] };
    let ann = [
        attribute("objectClass", &["person", "top"]),
        attribute("uid", &["ann"]),
        attribute("cn", &["Ann Lee"]),
        attribute("sn", &["Lée"]),
        attribute("mail", &[""]),
    ];
    let expected = [
        record("uid=ann,dc=example", Change::Add(ann.to_vec())),
        record("uid=Jørn", Change::Add(vec![photo("photo;binary"), photo("icon")])),
    ];
    assert_eq!(read_all(text), expected);
}

#[test]
fn changes_are_read() {
    let text = "dn: a=1\ncontrol: 1.2.3\ncontrol: 1.2.4 true: x\ncontrol: 1.2.5 false:: AA==\nchangetype: add\n\
                cn: a\n\ndn: a=2\nchangetype: Delete\n\ndn: a=3\nchangetype: modify\nadd: cn\ncn: x\ncn: y\n-\n\
                delete: sn\n-\nreplace: mail\n-\nincrement: n\nn: -4\n\ndn: a=4\nchangetype: modrdn\n\
                newrdn: a=5\ndeleteoldrdn: 1\n\ndn: a=5\nchangetype: moddn\nnewrdn: a=6\ndeleteoldrdn: 0\n\
                newsuperior: dc=example\n";
    let control = |oid: &str, critical, value: Option<&[u8]>| Control {
        oid: oid.to_owned(),
        critical,
        value: value.map(<[u8]>::to_vec),
    };
    let modify = vec![
        (ChangeKind::Add, attribute("cn", &["x", "y"])),
        (ChangeKind::Delete, attribute("sn", &[])),
        (ChangeKind::Replace, attribute("mail", &[])),
        (ChangeKind::Increment, attribute("n", &["-4"])),
    ];
    let rename = |new_rdn: &str, delete_old, new_superior: Option<&str>| Change::ModifyDn {
        new_rdn: new_rdn.to_owned(),
        delete_old,
        new_superior: new_superior.map(str::to_owned),
    };
    let added = Record {
        controls: vec![
            control("1.2.3", false, None),
            control("1.2.4", true, Some(b"x")),
            control("1.2.5", false, Some(&[0])),
        ],
        ..record("a=1", Change::Add(vec![attribute("cn", &["a"])]))
    };
    let expected = [
        added,
        record("a=2", Change::Delete),
        record("a=3", Change::Modify(modify)),
        record("a=4", rename("a=5", true, None)),
        record("a=5", rename("a=6", false, Some("dc=example"))),
    ];
    assert_eq!(read_all(text), expected);
}

#[test]
fn columns_are_names_and_first_values() {
    let text = "dn: a=1\ncn: x\ncn: y\nsn: z\n\ndn: a=2\nchangetype: delete\n";
    let records = read(text.as_bytes(), Path::new("people.ldif"), &World).expect("the file is right");
    assert_eq!(records.dn(1), b"a=2");
    assert_eq!(records.value(0, "CN"), Some(&b"x"[..]));
    assert_eq!(records.value(0, "sn"), Some(&b"z"[..]));
    assert_eq!(records.value(0, "mail"), None);
    assert_eq!(records.value(1, "cn"), None);
}

/// Problems as they are shown, one a line.
fn wrong(text: &[u8]) -> String {
    let problems = read(text, Path::new("people.ldif"), &World).expect_err("the file is wrong");
    let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let mut said = String::new();
    for text in WRONG {
        said.push_str(&wrong(text));
    }
    let golden = include_str!("ldif.txt");
    assert_eq!(said, golden, "tests/ldif.txt says otherwise");
}

/// One file each, wrong in one way.
const WRONG: [&[u8]; 27] = [
    b"version: 2\ndn: a=b\ncn: c\n",
    b"uid: ann\n",
    b"dn: ann\ncn: a\n",
    b"dn: a=b\n",
    b"dn: a=b\ncn\n",
    b"dn: a=b\n: c\n",
    b" dn: a=b\n",
    b"dn: a=b\n#\n\n cn: a\n",
    b"dn:: !\ncn: a\n",
    b"dn: a=b\ncn: \xff\n",
    b"dn: a=b\njpegPhoto:< file:///nowhere\n",
    b"dn: a=b\njpegPhoto:< https://example.com/ann.jpg\n",
    b"dn: a=b\njpegPhoto:< file:///huge\n",
    b"dn: a=b\ncn: a\ndn: b=c\ncn: b\n",
    b"dn: a=b\ncn: a\n-\n",
    b"dn: a=b\ncontrol: 1.2\ncn: a\n",
    b"dn: a=b\ncontrol: x\nchangetype: delete\n",
    b"dn: a=b\ncontrol: 1.2 maybe\nchangetype: delete\n",
    b"dn: a=b\ncontrol: 1.2 true x\nchangetype: delete\n",
    b"dn: a=b\nchangetype: rename\n",
    b"dn: a=b\nchangetype: delete\ncn: a\n",
    b"dn: a=b\nchangetype: modify\n",
    b"dn: a=b\nchangetype: modify\nmail: a\n",
    b"dn: a=b\nchangetype: modify\nadd: mail\n-\n",
    b"dn: a=b\nchangetype: modify\nincrement: n\nn: x\n-\n",
    b"dn: a=b\nchangetype: modify\nreplace: mail\nmail: a\nreplace: cn\ncn: b\n",
    b"dn: a=b\nchangetype: modrdn\nnewrdn: b\n\ndn: a=b\nchangetype: modrdn\nnewrdn: a=c\ndeleteoldrdn: yes\n",
];

#[test]
fn a_file_has_a_bounded_number_of_problems() {
    assert_eq!(wrong(&b"cn: a\n\n".repeat(1000)).lines().count(), 20);
}

/// One record as a file may say it: `plain` decides which values stand in base64, `fold` where lines are folded.
fn write(record: &Record, plain: bool, fold: usize, line_break: &str) -> String {
    let mut lines = Vec::new();
    let value = |name: &str, value: &[u8]| {
        let safe = std::str::from_utf8(value)
            .ok()
            .filter(|text| !text.contains(['\0', '\r', '\n']) && !text.starts_with([' ', ':', '<']));
        match safe.filter(|_| plain) {
            Some(text) => format!("{name}: {text}"),
            None => format!("{name}:: {}", base64::engine::general_purpose::STANDARD.encode(value)),
        }
    };
    lines.push(value("dn", record.dn.as_bytes()));
    for control in &record.controls {
        let tail = control.value.as_ref().map_or_else(String::new, |bytes| value("", bytes));
        lines.push(format!("control: {} {}{tail}", control.oid, control.critical));
    }
    let values = |lines: &mut Vec<String>, attribute: &Attribute| {
        lines.extend(attribute.values.iter().map(|one| value(&attribute.name, one)));
    };
    match &record.change {
        Change::Add(attributes) => {
            if !record.controls.is_empty() {
                lines.push("changetype: add".to_owned());
            }
            for one in attributes {
                values(&mut lines, one);
            }
        }
        Change::Delete => lines.push("changetype: delete".to_owned()),
        Change::Modify(changes) => {
            lines.push("changetype: modify".to_owned());
            for (kind, attribute) in changes {
                let word = format!("{kind:?}").to_lowercase();
                lines.push(format!("{word}: {}", attribute.name));
                values(&mut lines, attribute);
                lines.push("-".to_owned());
            }
        }
        Change::ModifyDn { new_rdn, delete_old, new_superior } => {
            lines.push("changetype: moddn".to_owned());
            lines.push(value("newrdn", new_rdn.as_bytes()));
            lines.push(format!("deleteoldrdn: {}", u8::from(*delete_old)));
            lines.extend(new_superior.iter().map(|dn| value("newsuperior", dn.as_bytes())));
        }
    }
    lines.iter().map(|line| folded(line, fold) + line_break).collect::<String>() + line_break
}

fn folded(line: &str, fold: usize) -> String {
    let mut out = String::new();
    for (index, letter) in line.chars().enumerate() {
        if index > 0 && index % fold == 0 {
            out.push_str("\n ");
        }
        out.push(letter);
    }
    out
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        any::<Vec<u8>>(),
        "[ -~]{0,20}".prop_map(String::into_bytes),
        "\\PC{0,20}".prop_map(String::into_bytes)
    ]
}

fn attributes() -> impl Strategy<Value = Vec<Attribute>> {
    let one = ("[a-z][a-z0-9;-]{0,8}", prop::collection::vec(bytes(), 1..4));
    prop::collection::btree_map(one.0, one.1, 1..5).prop_map(|map| {
        let reserved = ["dn", "changetype", "control"];
        let named = map.into_iter().map(|(name, values)| Attribute {
            name: if reserved.contains(&name.as_str()) { format!("{name}0") } else { name },
            values,
        });
        named.collect()
    })
}

fn dns() -> impl Strategy<Value = String> {
    "[a-z]{1,5}=\\PC{0,10}"
}

fn changes() -> impl Strategy<Value = Change> {
    let kinds = prop_oneof![Just(ChangeKind::Add), Just(ChangeKind::Delete), Just(ChangeKind::Replace)];
    let modify = (prop::collection::vec(kinds, 4), attributes())
        .prop_map(|(kinds, attributes)| Change::Modify(kinds.into_iter().zip(attributes).collect()));
    let rename =
        (dns(), any::<bool>(), prop::option::of(dns())).prop_map(|(new_rdn, delete_old, new_superior)| {
            Change::ModifyDn { new_rdn, delete_old, new_superior }
        });
    prop_oneof![attributes().prop_map(Change::Add), Just(Change::Delete), modify, rename]
}

fn records() -> impl Strategy<Value = Vec<Record>> {
    let control = ("[0-9]{1,3}(\\.[0-9]{1,3}){1,3}", any::<bool>(), prop::option::of(bytes()))
        .prop_map(|(oid, critical, value)| Control { oid, critical, value });
    let one = (dns(), prop::collection::vec(control, 0..3), changes()).prop_map(|(dn, controls, change)| {
        // Only changes have controls, and the shortest file without them says nothing of a change.
        Record { dn, controls, change }
    });
    prop::collection::vec(one, 0..5)
}

proptest! {
    #[test]
    fn what_was_written_is_read(
        records in records(),
        plain in any::<bool>(),
        fold in 1..80_usize,
        windows in any::<bool>(),
    ) {
        let line_break = if windows { "\r\n" } else { "\n" };
        let text: String = records.iter().map(|one| write(one, plain, fold, line_break)).collect();
        let read = read(text.as_bytes(), Path::new("people.ldif"), &World);
        prop_assert_eq!(read.map(|read| all(&read)).map_err(|problems| format!("{problems:?} in {text}")), Ok(records));
    }

    #[test]
    fn no_bytes_break_the_reader(bytes in any::<Vec<u8>>()) {
        let _ = read(&bytes, Path::new("people.ldif"), &World);
    }

    #[test]
    fn no_lines_break_the_reader(lines in prop::collection::vec(
        prop::sample::select(&[
            "dn: a=b", "dn:: YT1i", "dn", "", " x", "#", "-", "changetype: modify", "changetype: add",
            "changetype: modrdn", "newrdn: a=c", "deleteoldrdn: 1", "control: 1.2 true", "control:", "add: cn",
            "increment: n", "n: 1", "cn: a", "cn:: ", "cn:<", "cn:< file://", "version: 1", "version:", ":",
        ][..]), 0..12)) {
        let _ = read(lines.join("\n").as_bytes(), Path::new("people.ldif"), &World);
    }
}
