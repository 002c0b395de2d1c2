//! Passwords: where they come from, and that nothing shows them.

use crate::{World, read, refusal, run_in, store};
use loadgen_model::format::rate_tool::Bind;

const SEARCH: &str = "-b dc=example '(uid=a)'";

fn password(options: &str, world: &World) -> String {
    let (run, _) = run_in(&format!("searchrate -D cn=admin {options} {SEARCH}"), world);
    let Bind::Simple { password, .. } = run.bind else { panic!("{options}") };
    password.reveal().to_owned()
}

#[test]
fn each_form_finds_the_password() {
    let world = World::default().file("pin", "pa ss\r\nmore").variable("PIN", "from-env").answer("typed");
    let cases = [
        ("-w direct", "direct"),
        ("-wdirect", "direct"),
        ("--bindPassword=direct", "direct"),
        ("-w:env PIN", "from-env"),
        ("-w:env=PIN", "from-env"),
        ("--bindPassword:env PIN", "from-env"),
        ("--bindPassword:ENV=PIN", "from-env"),
        ("-w:file pin", "pa ss"),
        ("--BINDPASSWORD:file pin", "pa ss"),
        ("-j pin", "pa ss"),
        ("--bindPasswordFile pin", "pa ss"),
        ("-w -", "typed"),
        ("-w:prompt", "typed"),
        ("--bindPassword:prompt", "typed"),
        ("", "typed"),
    ];
    for (options, expected) in cases {
        assert_eq!(password(options, &world), expected, "{options}");
    }
}

#[test]
fn nothing_is_asked_when_something_else_is_wrong() {
    let world = World::default().answer("typed");
    read("searchrate -D cn=admin -p nowhere -b dc=example '(uid=a)'", &world).unwrap_err();
    read("searchrate -D cn=admin -n -b dc=example '(uid=a)'", &world).unwrap_err();
    assert!(world.questions.borrow().is_empty());
    read(&format!("searchrate -D cn=admin {SEARCH}"), &world).unwrap();
    assert_eq!(*world.questions.borrow(), ["Password of cn=admin"]);
}

#[test]
fn nothing_shows_a_password() {
    let lines = [
        "searchrate -D cn=admin -w hunter2 -p x",
        "searchrate -D cn=admin -w hunter2 -w hunter2 -b a b",
        "searchrate -D cn=admin -w:env hunter2 -b a b",
        "searchrate -D cn=admin -w:file hunter2 -b a b",
        "searchrate -D cn=admin -j hunter2 -b a b",
        "searchrate -D cn=admin --bindPassword:foo=hunter2 -b a b",
        "searchrate -D cn=admin -Z -P x -T hunter2 -W hunter2 -q -b a b",
        "searchrate -D cn=admin --bindPasswrd=hunter2 -b a b",
        "searchrate -D cn=admin --verbose=hunter2 -b a b",
        "modrate -D cn=admin --bindPasswrd hunter2 -b a",
        "modrate -D cn=admin --frobnicate hunter2 -b a",
        "modrate -D cn=admin -Q hunter2 -b a",
        "addrate -D cn=admin -Q hunter2 file",
        "searchrate -o mech=PLAIN -w hunter2 -b a b",
    ];
    for line in lines {
        let shown = refusal(line);
        assert!(!shown.contains("hunter2"), "{line}: {shown}");
        let debug = format!("{:?}", read(line, &World::default()));
        assert!(!debug.contains("hunter2"), "{line}: {debug}");
    }
    let world = World::default().file("k", store("openssl.p12"));
    let fine = read("searchrate -D cn=admin -w hunter2 -Z -K k -W changeit -b dc=a '(uid=a)'", &world);
    let shown = format!("{:?}", fine.unwrap());
    assert!(!shown.contains("hunter2") && !shown.contains("changeit"), "{shown}");
}
