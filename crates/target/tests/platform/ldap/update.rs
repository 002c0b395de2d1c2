//! What changes entries.

use super::client::{Client, user};
use super::target;

const PEOPLE: &str = "ou=people,dc=example,dc=com";

#[test]
fn modifications_do_what_they_say() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let dn = user(7);
    let changes: &[(u8, &str, &[&str])] = &[
        (2, "description", &["one"]),
        (0, "DESCRIPTION", &["two"]),
        (1, "telephoneNumber", &[]),
        (0, "age", &["41"]),
        (3, "age", &["-2"]),
        (2, "nothing", &[]),
        (0, "mail", &["b@example.com"]),
        (1, "mail", &["USER.7@example.com"]),
    ];
    assert_eq!(client.modify(&dn, changes).code, 0);
    let entry = client.read(&dn);
    assert_eq!(entry.attributes["description"], ["one", "two"]);
    assert_eq!(
        (entry.value("age"), entry.value("mail"), entry.value("cn")),
        ("39", "b@example.com", "Hiro Hansen")
    );
    assert!(!entry.attributes.contains_key("telephoneNumber"));
    assert_eq!(entry.attributes["objectClass"].len(), 4);
    assert_ne!(entry.value("etag"), "0000000000000000");
    assert_eq!(client.search(PEOPLE, 1, "(mail=b@example.com)", &["1.1"]).names(), [dn]);
}

#[test]
fn a_user_written_before_is_replaced_the_same_way() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let dn = user(7);
    let mut etags = vec![client.read(&dn).value("etag").to_owned()];
    for round in 0..3 {
        let text = format!("round {round}");
        let changes: &[(u8, &str, &[&str])] = &[(2, "DESCRIPTION", &[&text]), (2, "givenname", &["X"])];
        assert_eq!(client.modify(&dn, changes).code, 0);
        let entry = client.read(&dn);
        assert_eq!((entry.value("givenName"), entry.value("DESCRIPTION")), ("X", text.as_str()));
        assert_eq!(entry.attributes.len(), 10, "{entry:?}");
        etags.push(entry.value("etag").to_owned());
        assert_eq!(client.modify(&dn, &[(2, "a b", &["x"])]).code, 17);
        assert_eq!(client.modify(&dn, &[(2, "description", &[&text]), (2, "UID", &["x"])]).code, 67);
        assert_eq!(client.modify(&dn, &[(0, "l", &["a", "b"])]).code, 0);
        assert_eq!(client.modify(&dn, &[(2, "L", &["c"])]).code, 0);
        assert_eq!(client.read(&dn).value("l"), "c");
        assert_eq!(client.modify(&dn, &[(2, "l", &[])]).code, 0);
    }
    etags.dedup();
    assert_eq!(etags.len(), 4);
}

/// A change of a user that is refused, and changes nothing.
#[track_caller]
fn check_refused(changes: &[(u8, &str, &[&str])], code: u32) {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let before = client.read(&user(7));
    let all = [&[(2, "description", &["changed"][..])][..], changes].concat();
    let answer = client.modify(&user(7), &all);
    assert_eq!(answer.code, code, "{answer:?}");
    assert_eq!(client.read(&user(7)), before);
}

#[test]
fn modifications_that_cannot_be_done_change_nothing() {
    check_refused(&[(0, "cn", &["HIRO hansen"])], 20);
    check_refused(&[(1, "cn", &["other"])], 16);
    check_refused(&[(1, "nothing", &[])], 16);
    check_refused(&[(0, "cn", &[])], 2);
    check_refused(&[(3, "cn", &["1"])], 19);
    check_refused(&[(3, "nothing", &["1"])], 16);
    check_refused(&[(3, "cn", &["1", "2"])], 2);
    check_refused(&[(9, "cn", &["1"])], 2);
    check_refused(&[(2, "cn", &["a", "A"])], 20);
    check_refused(&[(0, "a b", &["1"])], 17);
    check_refused(&[(2, "uid", &["other"])], 67);
    check_refused(&[(0, "uid", &["other"])], 53);
}

#[test]
fn who_may_write() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let replace: &[(u8, &str, &[&str])] = &[(2, "description", &["x"])];
    assert_eq!(client.modify(&user(7), replace).code, 50);
    assert_eq!(client.add("cn=a,dc=example,dc=com", &[("cn", &["a"])]).code, 50);
    assert_eq!(client.rename(&user(7), "uid=x", true, None).code, 50);
    client.bind(&user(7), "password");
    assert_eq!(client.modify(&user(7), replace).code, 0);
    for dn in ["", "cn=monitor"] {
        assert_eq!(client.modify(dn, replace).code, 53, "{dn}");
    }
    assert_eq!(client.modify(&user(10_000), replace).code, 32);
}

#[test]
fn users_are_added_and_deleted() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let dn = "uid=New.One,ou=people,dc=example,dc=com";
    let attributes: &[(&str, &[&str])] = &[
        ("objectClass", &["top", "person"]),
        ("SN", &["One"]),
        ("userpassword", &["secret"]),
        ("l", &["a", "b"]),
    ];
    assert_eq!(client.add(dn, attributes).code, 0);
    assert_eq!(client.add("uid=new.one,ou=people,dc=example,dc=com", attributes).code, 68);
    assert_eq!(client.add(&user(7), attributes).code, 68);
    let entry = client.read("uid=NEW.one,ou=people,dc=example,dc=com");
    assert_eq!((entry.dn.as_str(), entry.value("uid"), entry.value("sn")), (dn, "New.One", "One"));
    assert_eq!((entry.attributes["l"].len(), entry.attributes["objectClass"].len()), (2, 2));
    assert_eq!(client.search(PEOPLE, 1, "(uid=new.ONE)", &[]).names(), [dn]);
    assert_eq!(Client::to(&target).bind(dn, "secret").code, 0);
    assert_eq!(client.delete(dn).code, 0);
    assert_eq!(
        (client.delete(dn).code, client.delete(&user(7)).code, client.delete(&user(7)).code),
        (32, 0, 32)
    );
    assert_eq!(client.search(PEOPLE, 1, "(|(uid=new.one)(uid=user.7))", &[]).entries.len(), 0);
    assert_eq!(client.search(PEOPLE, 1, "(cn=Hiro Hansen)", &["1.1"]).names().len(), 208);
}

#[test]
fn other_entries_are_added_below_what_there_is() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let add = |client: &mut Client, dn: &str| client.add(dn, &[("objectClass", &["top"])]).code;
    assert_eq!(add(&mut client, "cn=a,ou=groups,dc=example,dc=com"), 32);
    assert_eq!(add(&mut client, "OU=Groups,dc=example,dc=com"), 0);
    assert_eq!(add(&mut client, "cn=A\\, B+x=1,ou=groups,dc=example,dc=com"), 0);
    assert_eq!(add(&mut client, "X=1+cn=a\\2c b,ou=groups,dc=example,dc=com"), 68);
    assert_eq!(add(&mut client, "cn=pet,uid=user.7,ou=people,dc=example,dc=com"), 0);
    assert_eq!(
        (add(&mut client, "dc=org"), add(&mut client, "x"), add(&mut client, "dc=example,dc=com")),
        (32, 34, 68)
    );
    let entry = client.read("cn=a\\, b+X=1,ou=groups,dc=example,dc=com");
    assert_eq!(entry.dn, "cn=A\\, B+x=1,OU=Groups,dc=example,dc=com");
    assert_eq!((entry.value("cn"), entry.value("x")), ("A, B", "1"));
    for dn in ["ou=groups,dc=example,dc=com", PEOPLE, "dc=example,dc=com", &user(7)] {
        assert_eq!(client.delete(dn).code, 66, "{dn}");
    }
    let below = client.search(&user(7), 2, "(objectClass=*)", &["1.1"]);
    assert_eq!(below.names(), [user(7), format!("cn=pet,{}", user(7))]);
    assert_eq!(client.delete(&below.entries[1].dn).code, 0);
    assert_eq!(client.delete(&user(7)).code, 0);
}

#[test]
fn attributes_without_values_or_twice_are_refused() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let dn = "cn=a,dc=example,dc=com";
    assert_eq!(client.add(dn, &[("cn", &[])]).code, 2);
    assert_eq!(client.add(dn, &[("cn", &["a"]), ("CN", &["A"])]).code, 20);
    assert_eq!(client.add("uid=a,ou=people,dc=example,dc=com", &[("uid", &["a", "b"])]).code, 53);
}

#[test]
fn a_user_gets_another_name() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    assert_eq!(client.rename(&user(7), "uid=user.8", true, None).code, 68);
    assert_eq!(client.rename(&user(10_000), "uid=x", true, None).code, 32);
    assert_eq!(client.rename(&user(7), "uid=Seven", true, None).code, 0);
    let entry = client.read("uid=seven,ou=people,dc=example,dc=com");
    assert_eq!((entry.value("uid"), entry.value("cn")), ("Seven", "Hiro Hansen"));
    assert_eq!(client.bind(&user(7), "password").code, 49);
    assert_eq!(client.bind(&entry.dn, "password").code, 0);
}

#[test]
fn entries_move_with_all_that_is_below() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    for dn in ["ou=a,dc=example,dc=com", "ou=b,ou=a,dc=example,dc=com", "cn=c,ou=b,ou=a,dc=example,dc=com"] {
        assert_eq!(client.add(dn, &[("objectClass", &["top"])]).code, 0);
    }
    assert_eq!(
        client.rename("ou=a,dc=example,dc=com", "ou=z", true, Some("ou=b,ou=a,dc=example,dc=com")).code,
        53
    );
    assert_eq!(
        client.rename("ou=a,dc=example,dc=com", "ou=z", true, Some("ou=x,dc=example,dc=com")).code,
        32
    );
    assert_eq!(client.rename("ou=a,dc=example,dc=com", "ou=z,ou=y", true, None).code, 64);
    assert_eq!(client.rename(PEOPLE, "ou=z", true, None).code, 53);
    assert_eq!(
        client.rename("ou=b,ou=a,dc=example,dc=com", "OU=Z", false, Some("dc=example,dc=com")).code,
        0
    );
    let moved = client.search("ou=z,dc=example,dc=com", 2, "(objectClass=*)", &["ou"]);
    assert_eq!(moved.names(), ["OU=Z,dc=example,dc=com", "cn=c,OU=Z,dc=example,dc=com"]);
    assert_eq!(moved.entries[0].attributes["ou"], ["b", "Z"]);
    assert_eq!(client.search("ou=a,dc=example,dc=com", 2, "(objectClass=*)", &[]).entries.len(), 1);
    assert_eq!(client.rename(&user(7), "cn=pet", false, Some("ou=z,dc=example,dc=com")).code, 0);
    assert_eq!(client.read("cn=pet,ou=z,dc=example,dc=com").value("uid"), "user.7");
    assert_eq!(client.search(PEOPLE, 1, "(uid=user.7)", &[]).entries.len(), 0);
}
