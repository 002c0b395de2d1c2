//! Who a client is.

use super::ber::{element, group, integer, text};
use super::client::{Client, MANAGER, control, user};
use super::target;

const WHO_AM_I: &str = "1.3.6.1.4.1.4203.1.11.3";

/// Binds with name and password; the code, and who the server then says it is.
#[track_caller]
fn check(dn: &str, password: &str, code: u32, identity: &str) {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let answer = client.bind(dn, password);
    assert_eq!(answer.code, code, "{answer:?}");
    let who = client.extended(WHO_AM_I, None);
    assert_eq!((who.code, who.more[0].1.as_slice()), (0, identity.as_bytes()), "{who:?}");
}

#[test]
fn passwords_are_checked() {
    let user = user(7);
    check("", "", 0, "");
    check(&user, "password", 0, &format!("dn:{user}"));
    check(" UID=User.7 , OU=People,dc=Example,dc=com", "password", 0, &format!("dn:{user}"));
    check(MANAGER, "password", 0, "dn:cn=Directory Manager");
    check(&user, "wrong", 49, "");
    check(MANAGER, "wrong", 49, "");
    check(&super::client::user(10_000), "password", 49, "");
    check("cn=nobody,dc=com", "password", 49, "");
    check("", "password", 49, "");
}

#[test]
fn a_name_without_a_password_proves_nothing() {
    check(&user(7), "", 53, "");
    let answer = Client::to(&target(&[])).bind(&user(7), "");
    assert_eq!(answer.message, "a bind with a name needs a password");
}

#[test]
fn what_is_no_name_is_refused() {
    check("user.7", "password", 34, "");
}

#[test]
fn a_bind_that_fails_leaves_nobody() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    assert_eq!(client.bind(MANAGER, "wrong").code, 49);
    assert_eq!(client.extended(WHO_AM_I, None).more[0].1, b"");
    assert_eq!(client.delete(&user(1)).code, 50);
}

#[test]
fn versions_and_methods_that_are_not_spoken_are_refused() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let version_2 = group(0x60, &[integer(2), text(""), element(0x80, b"")]);
    assert_eq!(client.ask(&version_2).code, 2);
    assert_eq!(client.sasl("DIGEST-MD5", b"").code, 7);
    let unknown = group(0x60, &[integer(3), text(""), element(0x85, b"")]);
    assert_eq!(client.ask(&unknown).code, 7);
}

#[test]
fn sasl_plain_takes_names_of_all_forms() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let by_dn = format!("dn:{}", user(7));
    for name in ["user.7", "u:user.7", by_dn.as_str()] {
        let answer = client.sasl("PLAIN", format!("\0{name}\0password").as_bytes());
        assert_eq!(answer.code, 0, "{name}");
        let who = client.extended(WHO_AM_I, None);
        assert_eq!(who.more[0].1, by_dn.as_bytes());
    }
    for (credentials, code) in
        [("\0user.7\0wrong", 49), ("user.7", 49), ("u:nobody\0user.7\0password", 123), ("\0\0", 49)]
    {
        assert_eq!(client.sasl("PLAIN", credentials.as_bytes()).code, code, "{credentials:?}");
    }
    let on_behalf = client.sasl("PLAIN", b"u:user.8\0user.7\0password");
    assert_eq!(
        (on_behalf.code, client.extended(WHO_AM_I, None).more[0].1.as_slice()),
        (0, format!("dn:{}", user(8)).as_bytes())
    );
}

#[test]
fn external_needs_something_outside() {
    let target = target(&[]);
    assert_eq!(Client::to(&target).sasl("EXTERNAL", b"").code, 49);
}

#[test]
fn the_controls_of_a_bind_are_answered() {
    let target = target(&[]);
    let mut client = Client::to(&target).with(control("2.16.840.1.113730.3.4.16", true, None)).with(control(
        "1.3.6.1.4.1.42.2.27.8.5.1",
        false,
        None,
    ));
    let answer = client.bind(&user(7), "password");
    assert_eq!(answer.controls["2.16.840.1.113730.3.4.15"], format!("dn:{}", user(7)).as_bytes());
    assert_eq!(answer.controls["1.3.6.1.4.1.42.2.27.8.5.1"], [0x30, 0]);
    let failed = client.bind(&user(7), "wrong");
    assert_eq!((failed.code, failed.controls.len()), (49, 1));
}
