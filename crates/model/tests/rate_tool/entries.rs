//! Entries of template files: what they are, and what is said of files that make none.

use crate::{World, read, run_in};
use loadgen_model::format::rate_tool::{Entries, Entry, INPUT_EXIT, Operation};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const SEED: u64 = 42;

fn entries_in(options: &str, world: World, template: &str) -> Entries {
    let world = world.file("t", template);
    match run_in(&format!("addrate {options} t"), &world).0.operation {
        Operation::Add(add) => add.entries,
        other => panic!("{other:?}"),
    }
}

fn entries(template: &str) -> Entries {
    entries_in("", World::default(), template)
}

/// A template `person` with these lines, endlessly below `dc=example`.
fn person(lines: &str) -> Entries {
    entries(&format!(
        "branch: dc=example\nsubordinateTemplate: person\n\ntemplate: person\nrdnAttr: uid\n{lines}\n"
    ))
}

fn values(entry: &Entry, attribute: &str) -> Vec<String> {
    let found = entry.attributes.iter().find(|(name, _)| name == attribute);
    found.map(|(_, values)| values.clone()).unwrap_or_default()
}

fn drawn(lines: &str, attribute: &str, count: u64) -> Vec<String> {
    let entries = person(&format!("uid: u<sequential>\n{lines}"));
    (0..count).flat_map(|number| values(&entries.entry(number, SEED).unwrap(), attribute)).collect()
}

fn ldif(entries: &Entries, numbers: impl IntoIterator<Item = u64>) -> String {
    let mut text = String::new();
    for number in numbers {
        let entry = entries.entry(number, SEED).unwrap();
        writeln!(text, "dn: {}", entry.name).unwrap();
        for (name, values) in &entry.attributes {
            for value in values {
                writeln!(text, "{name}: {value}").unwrap();
            }
        }
        text.push('\n');
    }
    text
}

#[test]
fn a_usual_template_makes_usual_entries() {
    let template = include_str!("addrate.template");
    let entries = entries(template);
    assert_eq!(entries.count(), None);
    let text = ldif(&entries, [0, 1, 1_000_000]);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rate_tool/golden/entries.ldif");
    if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
        std::fs::write(path, &text).unwrap();
    }
    assert_eq!(text, std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_same_seed_and_number_make_the_same_entry() {
    let entries = person("uid: <random:alpha:8>");
    assert_eq!(entries.entry(5, 1), entries.entry(5, 1));
    assert_ne!(entries.entry(5, 1), entries.entry(6, 1));
    assert_ne!(entries.entry(5, 1), entries.entry(5, 2));
}

#[test]
fn trees_are_numbered_depth_first() {
    let entries = entries(
        "branch: dc=a\nsubordinateTemplate: org:2\nsubordinateTemplate: lone:1\n\nbranch: dc=b\n\
         subordinateTemplate: org:1\n\ntemplate: org\nrdnAttr: ou\nsubordinateTemplate: person:2\n\
         ou: o<sequential:1>\n\ntemplate: person\nrdnAttr: uid\nuid: p<sequential>\n\
         description: <sequential:7:true> <parentdn> <_dn> <dn:1> <dn:-1> <rdn>\n\ntemplate: lone\n\
         rdnAttr: cn+sn\ncn: a,b\nsn: c\n",
    );
    assert_eq!(entries.count(), Some(10));
    assert_eq!(entries.entry(10, SEED), None);
    let names: Vec<_> = (0..10).map(|number| entries.entry(number, SEED).unwrap().name).collect();
    assert_eq!(
        names,
        [
            "ou=o1,dc=a",
            "uid=p0,ou=o1,dc=a",
            "uid=p1,ou=o1,dc=a",
            "ou=o2,dc=a",
            "uid=p2,ou=o2,dc=a",
            "uid=p3,ou=o2,dc=a",
            "cn=a\\,b+sn=c,dc=a",
            "ou=o3,dc=b",
            "uid=p4,ou=o3,dc=b",
            "uid=p5,ou=o3,dc=b",
        ]
    );
    let entry = entries.entry(5, SEED).unwrap();
    assert_eq!(values(&entry, "description"), ["8 ou=o2,dc=a uid=p3_ou=o2_dc=a uid=p3 dc=a uid=p3"]);
}

#[test]
fn values_refer_to_each_other() {
    let check = |lines: &str, attribute: &str, expected: &str| {
        let entries = person(&format!("uid: u\ngivenName: Ada\nsn: Lovelace\n{lines}"));
        assert_eq!(values(&entries.entry(0, SEED).unwrap(), attribute).join("|"), expected, "{lines}");
    };
    check("cn: {givenName} {SN}", "cn", "Ada Lovelace");
    check("initials: {givenName:1}{sn:1}", "initials", "AL");
    check("x: {givenName:99}", "x", "Ada");
    check("x: \\{\"a\": \\[\\<b>, \"{sn}\"]}", "x", "{\"a\": [<b>, \"Lovelace\"]}");
    check("x: <list:a\\>b>", "x", "a>b");
    check("x: one\nX: two\nx: one", "x", "one|two");
    check("x: <ifPresent:sn>yes", "x", "yes");
    check("x: <ifPresent:sn:Hopper>yes", "x", "");
    check("x: <ifAbsent:sn>yes", "x", "");
    check("x: <ifAbsent:sn:Hopper>yes", "x", "yes");
    check("x: <presence:0>yes", "x", "");
    check("x: <presence:100>yes", "x", "yes");
    check("x: <random:numeric:7:7:0000>", "x", "0007");
    check("long: one\n  two", "long", "one two");
}

#[test]
fn what_is_drawn_keeps_to_its_bounds() {
    let check = |tag: &str, allowed: &dyn Fn(&str) -> bool| {
        for value in drawn(&format!("x: {tag}"), "x", 200) {
            assert!(allowed(&value), "{tag}: {value}");
        }
    };
    check("<random:alpha:8>", &|text| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_lowercase()));
    check("<random:ALPHANUMERIC:1:3>", &|text| (1..=3).contains(&text.len()));
    check("<random:numeric:5>", &|text| text.len() == 5 && text.bytes().all(|byte| byte.is_ascii_digit()));
    check("<random:numeric:-3:4>", &|text| (-3..=4).contains(&text.parse::<i32>().unwrap()));
    check("<random:chars:xyz:2>", &|text| text.len() == 2 && text.bytes().all(|byte| b"xyz".contains(&byte)));
    check("<random:hex:4>", &|text| u16::from_str_radix(text, 16).is_ok());
    check("<random:base64:5>", &|text| text.len() == 8 && text.ends_with("==="));
    check("<random:month>", &|text| text.len() >= 3);
    check("<random:month:3>", &|text| text.len() == 3);
    check("<random:telephone>", &|text| text.starts_with("+1 ") && text.len() == 15);
    check("<guid>", &|text| text.len() == 36 && text.as_bytes()[14] == b'4');
    check("<file:cities>", &|text| !text.is_empty());
}

#[test]
fn shares_are_about_what_they_should_be() {
    let there = drawn("x: <presence:30>y", "x", 2000).len();
    assert!((500..700).contains(&there), "{there}");
    let bronze = drawn("x: <list:bronze;2:silver;1:gold;1>", "x", 2000);
    let bronze = bronze.iter().filter(|value| *value == "bronze").count();
    assert!((900..1100).contains(&bronze), "{bronze}");
}

#[test]
fn names_of_people_are_unique() {
    let people = drawn("cn: <first> <last>", "cn", 6000);
    assert_eq!(people.iter().collect::<BTreeSet<_>>().len(), 6000);
}

#[test]
fn files_are_found_here_or_in_the_resource_path() {
    let world =
        || World::default().file("here", "a\nb\n").file("there/far", "c\n").file("there/here", "no\n");
    let template = "branch: dc=a\nsubordinateTemplate: p:3\n\ntemplate: p\nrdnAttr: uid\n\
                    uid: <file:here:sequential> <file:far>\n";
    let entries = entries_in("-r there", world(), template);
    let names: Vec<_> = (0..3).map(|number| entries.entry(number, SEED).unwrap().name).collect();
    assert_eq!(names, ["uid=a c,dc=a", "uid=b c,dc=a", "uid=a c,dc=a"]);
}

#[test]
fn constants_are_replaced_and_overridden() {
    let template = "define suffix=dc=example\ndefine org=[suffix],o=x\n\nbranch: [org]\nsubordinateTemplate: p:1\n\n\
                    template: p\nrdnAttr: uid\nuid: [unknown] \\[org]\n";
    let name = |options: &str| entries_in(options, World::default(), template).entry(0, SEED).unwrap().name;
    assert_eq!(name(""), "uid=[unknown] [org],dc=example,o=x");
    assert_eq!(name("-g suffix=dc=other"), "uid=[unknown] [org],dc=other,o=x");
    let world = World::default().file("t", template);
    let (_, warnings) = run_in("addrate -g sufix=x t", &world);
    assert_eq!(
        warnings[0].to_string(),
        "warning: the template file defines no constant `sufix`; did you mean `suffix`?"
    );
}

#[test]
fn templates_extend_others() {
    let entries = entries(
        "template: base\nrdnAttr: uid\nuid: u<sequential>\nsn: a\n\ntemplate: more\nextends: base\nsn: b\ncn: {sn}\n\
         \nbranch: dc=a\nsubordinateTemplate: more:1\n",
    );
    assert_eq!(ldif(&entries, [0]), "dn: uid=u0,dc=a\nuid: u0\nsn: a\nsn: b\ncn: a\n\n");
}

fn refused(template: &str, expected: &[&str]) {
    let world = World::default().file("t", template);
    let refused = read("addrate t", &world).unwrap_err();
    let said: Vec<String> = refused.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said, expected, "{template}");
    assert_eq!(refused.exit, INPUT_EXIT);
}

#[test]
fn problems_of_a_file_are_said_with_their_lines() {
    refused(
        "include org.example.Tag\ndefine x\nstray: a\n",
        &[
            "t:1:1: error: classes of Java cannot be included; leave out the line",
            "t:2:1: error: a constant has no name or no value; write `define NAME=VALUE`",
            "t:3:1: error: `stray` belongs to no branch and no template; write it below a line `branch:` or \
         `template:`, without an empty line between",
            "error: nothing is to be added by `t`; write `subordinateTemplate: TEMPLATE` below a line `branch: DN`",
        ],
    );
    refused(
        "branch: dc=a\nsubordinateTemplate: persn\nsubordinateTemplate: person:x\nsubordinateTemplate: person\n\n\
         template: person\nrdnAttr: uid\nuid: <presence:50>a\ncn: {sn}\nsn: <randm:alpha:3>\nx: <random:alpha:9:3>\n\
         y: <file:none>\nz: {a\nnocolon\n",
        &[
            "t:14:1: error: the line has no colon; write `ATTRIBUTE: VALUE`",
            "t:10:1: error: in the value of `sn` `<randm:alpha:3>` is no tag; did you mean `<random>`?",
            "t:11:1: error: in the value of `x` the parameters of `<random:alpha:9:3>` do not fit; lengths are whole \
             numbers up to 65536, the smaller first",
            "t:12:1: error: in the value of `y` the file `none` cannot be read: no such file; name a file in the \
             current folder, or say with `--resourcePath` where it is",
            "t:13:1: error: in the value of `z` `{` has no `}`; a sign that is no tag is written `\\{`",
            "t:8:1: error: `uid` is part of the name, but not there in every entry; leave out `<presence>`, \
             `<ifPresent>` and `<ifAbsent>`",
            "t:9:1: error: `cn` refers to `sn`, which no earlier line has; write the line below that of the other \
             attribute",
            "t:2:1: error: there is no template `persn`; did you mean `person`?",
            "t:3:1: error: `x` is no number of entries; write `subordinateTemplate: TEMPLATE:100`, or leave out the \
             number",
        ],
    );
    refused(
        "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nuid: a\n\ntemplate: P\nrdnAttr: cn\nx: y\n",
        &[
            "t:7:1: error: the template `P` is there twice; give one of them another name",
            "t:4:1: error: the template `p` does not say what names are made of; add `rdnAttr: ATTRIBUTE`",
        ],
    );
    refused(
        "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nrdnAttr: cn\nx: <dn>\ncn: y\n",
        &[
            "t:6:1: error: `x` refers to the name, which is not made yet; write the line below those that `rdnAttr` names",
        ],
    );
}

#[test]
fn circles_and_growth_are_refused() {
    let circle = "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nrdnAttr: cn\ncn: y\nsubordinateTemplate: q:1\n\n\
                  template: q\nrdnAttr: cn\ncn: y\nsubordinateTemplate: p:1\n";
    refused(
        circle,
        &["t:4:1: error: `p` has templates below it in more than 16 levels, or in a circle; leave out a \
         `subordinateTemplate`"],
    );
    let extends = "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nextends: p\nrdnAttr: cn\ncn: y\n";
    refused(
        extends,
        &[
            "t:5:1: error: templates extend each other in more than 16 levels, or in a circle; leave out this line",
        ],
    );
    let mut growth =
        "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nrdnAttr: cn\ncn: yy\na0: {cn}{cn}\n".to_owned();
    for index in 1..40 {
        writeln!(growth, "a{index}: {{a{0}}}{{a{0}}}", index - 1).unwrap();
    }
    refused(&growth, &["t:46:1: error: entries can become larger than 16777216 bytes; use shorter values"]);
    let mut billion = "define a=xxxxxxxxxx\n".to_owned();
    for name in ["b", "c", "d", "e", "f", "g", "h"] {
        let before = char::from(name.as_bytes()[0] - 1);
        writeln!(billion, "define {name}={}", format!("[{before}]").repeat(10)).unwrap();
    }
    billion.push_str("\nbranch: [h]\nsubordinateTemplate: p\n\ntemplate: p\nrdnAttr: cn\ncn: y\n");
    let world = World::default().file("t", &billion);
    assert!(read("addrate t", &world).unwrap_err().to_string().contains("is longer than 1048576 letters"));
}

proptest! {
    #[test]
    fn every_number_has_its_own_entry(orgs in 0..4_u64, people in 0..4_u64, devices in 0..3_u64) {
        let entries = entries(&format!(
            "branch: dc=a\nsubordinateTemplate: org:{orgs}\nsubordinateTemplate: device:{devices}\n\
             subordinateTemplate: org:1\n\ntemplate: org\nrdnAttr: ou\nou: o<sequential>\n\
             subordinateTemplate: person:{people}\n\ntemplate: person\nrdnAttr: uid\nuid: p<sequential>\n\
             subordinateTemplate: device:{devices}\n\ntemplate: device\nrdnAttr: cn\ncn: d<sequential>\n"
        ));
        let count = entries.count().unwrap();
        prop_assert_eq!(count, (orgs + 1) * (1 + people * (1 + devices)) + devices);
        let names: Vec<String> = (0..count).map(|number| entries.entry(number, SEED).unwrap().name).collect();
        let rdns: BTreeSet<&str> = names.iter().map(|name| name.split(',').next().unwrap()).collect();
        prop_assert_eq!(rdns.len() as u64, count, "{:?}", names);
        for (place, name) in names.iter().enumerate() {
            let parent = name.split_once(',').unwrap().1;
            prop_assert!(parent == "dc=a" || names[..place].iter().any(|earlier| earlier == parent));
        }
    }
}
