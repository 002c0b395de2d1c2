//! Controls at requests, and at answers.

use super::ber::{boolean, element, filter, group, integer, parts, split, text, texts};
use super::client::{Answer, Client, Entry, MANAGER, control, search, user};
use super::target;

const PEOPLE: &str = "ou=people,dc=example,dc=com";
const PROXIED: &str = "2.16.840.1.113730.3.4.18";
const ASSERTION: &str = "1.3.6.1.1.12";
const PRE_READ: &str = "1.3.6.1.1.13.1";
const POST_READ: &str = "1.3.6.1.1.13.2";
const PAGED: &str = "1.2.840.113556.1.4.319";
const SORT: &str = "1.2.840.113556.1.4.473";
const WHO_AM_I: &str = "1.3.6.1.4.1.4203.1.11.3";

#[test]
fn only_known_controls_may_be_critical() {
    let target = target(&[]);
    let mut client = Client::to(&target).with(control("1.2.3", false, None));
    assert_eq!(client.search(&user(7), 0, "(uid=*)", &[]).code, 0);
    client.controls = vec![control("1.2.3", true, None)];
    let refused = client.search(&user(7), 0, "(uid=*)", &[]);
    assert_eq!((refused.code, refused.entries.len()), (12, 0));
    client.controls = vec![control(PAGED, true, None)];
    assert_eq!(client.compare(&user(7), "cn", "x").code, 12, "it means nothing here");
    assert_eq!(client.search(&user(7), 0, "(uid=*)", &[]).code, 2, "it has no value");
    client.controls = vec![control("2.16.840.1.113730.3.4.2", true, None)];
    assert_eq!(client.compare(&user(7), "cn", "x").code, 5);
}

#[test]
fn requests_on_behalf_of_others() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    for (name, code, identity) in [
        (format!("dn:{}", user(7)), 0, format!("dn:{}", user(7))),
        ("u:user.8".to_owned(), 0, format!("dn:{}", user(8))),
        (String::new(), 0, String::new()),
        (format!("dn:{MANAGER}"), 0, format!("dn:{MANAGER}")),
        ("u:nobody".to_owned(), 123, String::new()),
        ("dn:x".to_owned(), 123, String::new()),
    ] {
        client.controls = vec![control(PROXIED, true, Some(name.as_bytes()))];
        let who = client.extended(WHO_AM_I, None);
        assert_eq!(who.code, code, "{name}");
        if code == 0 {
            assert_eq!(who.more[0].1, identity.as_bytes(), "{name}");
        }
    }
    client.controls = vec![control(PROXIED, true, Some(b""))];
    assert_eq!(client.modify(&user(7), &[(2, "l", &["x"])]).code, 50, "nobody may not write");
    client.controls = vec![control(PROXIED, false, Some(b"u:user.7"))];
    assert_eq!(client.extended(WHO_AM_I, None).code, 2, "it must be critical");
    let mut nobody = Client::to(&target).with(control(PROXIED, true, Some(b"u:user.7")));
    assert_eq!(nobody.search(&user(7), 0, "(uid=*)", &[]).code, 123);
}

#[test]
fn an_assertion_that_does_not_hold_stops_everything() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    let etag = client.read(&user(7)).value("etag").to_owned();
    client.controls = vec![control(ASSERTION, true, Some(&filter(&format!("(etag={etag})"))))];
    assert_eq!(client.modify(&user(7), &[(2, "l", &["x"])]).code, 0);
    assert_eq!(client.modify(&user(7), &[(2, "l", &["y"])]).code, 122);
    assert_eq!(client.search(&user(7), 0, "(uid=*)", &[]).code, 122);
    assert_eq!(client.compare(&user(7), "l", "x").code, 122);
    assert_eq!(client.delete(&user(7)).code, 122);
    assert_eq!(client.rename(&user(7), "uid=x", true, None).code, 122);
    assert_eq!(client.add("cn=a,dc=example,dc=com", &[("cn", &["a"])]).code, 122);
    client.controls = vec![control(ASSERTION, true, Some(&filter("(cn=a)")))];
    assert_eq!(client.add("cn=a,dc=example,dc=com", &[("cn", &["a"])]).code, 0);
    client.controls.clear();
    assert_eq!(client.read(&user(7)).value("l"), "x");
}

fn shown(answer: &Answer, control: &str) -> Entry {
    let (tag, content, _) = split(&answer.controls[control]).unwrap();
    assert_eq!(tag, 0x64);
    Entry::read(content)
}

#[test]
fn entries_are_shown_before_and_after() {
    let target = target(&[]);
    let mut client = Client::manager(&target)
        .with(control(PRE_READ, false, Some(&texts(&["sn"]))))
        .with(control(POST_READ, false, Some(&texts(&["sn", "etag"]))));
    let changed = client.modify(&user(7), &[(2, "sn", &["New"])]);
    assert_eq!(shown(&changed, PRE_READ).value("sn"), "Hansen");
    assert_eq!(shown(&changed, POST_READ).value("sn"), "New");
    assert_ne!(shown(&changed, POST_READ).value("etag"), "0000000000000000");
    let renamed = client.rename(&user(7), "uid=x", true, None);
    assert_eq!(shown(&renamed, PRE_READ).dn, user(7));
    assert_eq!(shown(&renamed, POST_READ).dn, "uid=x,ou=people,dc=example,dc=com");
    let added = client.add("cn=a,dc=example,dc=com", &[("sn", &["A"])]);
    assert_eq!((added.controls.len(), shown(&added, POST_READ).value("sn")), (1, "A"));
    let deleted = client.delete("cn=a,dc=example,dc=com");
    assert_eq!((deleted.controls.len(), shown(&deleted, PRE_READ).value("sn")), (1, "A"));
}

/// All names that pages of a size lead to.
fn pages(client: &mut Client, base: &str, filter: &str, size: u32, others: &[Vec<u8>]) -> Vec<String> {
    let mut names = Vec::new();
    let mut cookie = Vec::new();
    loop {
        let value = group(0x30, &[integer(size), element(4, &cookie)]);
        client.controls = [others, &[control(PAGED, true, Some(&value))]].concat();
        let answer = client.search(base, 2, filter, &["1.1"]);
        assert_eq!(answer.code, 0, "{answer:?}");
        assert!(answer.entries.len() <= size as usize);
        names.extend(answer.names().into_iter().map(str::to_owned));
        let (_, content, _) = split(&answer.controls[PAGED]).unwrap();
        cookie = parts(content)[1].1.to_vec();
        if cookie.is_empty() {
            client.controls.clear();
            return names;
        }
    }
}

#[test]
fn pages_lead_through_everything_once() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    for name in
        ["cn=a,dc=example,dc=com", "cn=b,cn=a,dc=example,dc=com", "uid=new,ou=people,dc=example,dc=com"]
    {
        assert_eq!(client.add(name, &[("objectClass", &["top"])]).code, 0);
    }
    client.delete(&user(5));
    for size in [1_000, 3_333, 20_000] {
        let names = pages(&mut client, "dc=example,dc=com", "(objectClass=*)", size, &[]);
        let distinct: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!((names.len(), distinct.len()), (10_000 - 1 + 5, 10_000 - 1 + 5));
    }
    assert_eq!(pages(&mut client, PEOPLE, "(|(uid=user.1)(uid=user.2)(uid=new))", 2, &[]).len(), 3);
    assert_eq!(
        pages(&mut client, "dc=example,dc=com", "(objectClass=*)", 3_000, &[sort("uid", true)]).len(),
        10_004
    );
}

#[test]
fn a_page_can_be_short_where_nothing_is_found() {
    let config = loadgen_target::Config {
        population: 50_000,
        ldap: Some(std::net::SocketAddr::from(([127, 0, 0, 1], 0))),
        ..loadgen_target::Config::default()
    };
    let target = loadgen_target::Target::start(config).unwrap();
    let names = pages(&mut Client::to(&target), PEOPLE, "(telephoneNumber=+1 204 555 9999)", 10, &[]);
    assert_eq!(names, [user(49_999)]);
}

#[test]
fn cookies_of_others_are_refused() {
    let target = target(&[]);
    for cookie in ["x", "s5", "u", "c-1"] {
        let value = group(0x30, &[integer(5), text(cookie)]);
        let mut client = Client::to(&target).with(control(PAGED, true, Some(&value)));
        assert_eq!(client.search(PEOPLE, 2, "(uid=*)", &[]).code, 53, "{cookie}");
    }
    let value = group(0x30, &[integer(0), text("")]);
    let none = Client::to(&target).with(control(PAGED, true, Some(&value))).search(PEOPLE, 2, "(uid=*)", &[]);
    assert_eq!((none.code, none.entries.len()), (0, 0));
}

fn sort(name: &str, is_reversed: bool) -> Vec<u8> {
    let reversed = element(0x81, &boolean(is_reversed)[2..]);
    control(SORT, true, Some(&group(0x30, &[group(0x30, &[text(name), reversed])])))
}

#[test]
fn results_are_sorted() {
    let target = target(&[]);
    let mut client = Client::to(&target).with(sort("sn", false));
    let filter = "(|(uid=user.1)(uid=user.3)(uid=user.10)(uid=user.2))";
    let answer = client.search(PEOPLE, 1, filter, &["sn"]);
    let names: Vec<_> = answer.entries.iter().map(|entry| entry.value("sn")).collect();
    assert_eq!(names, ["Bakke", "Cooper", "Diaz", "Kim"]);
    assert_eq!(answer.controls["1.2.840.113556.1.4.474"], [0x30, 3, 10, 1, 0]);
    client.controls = vec![sort("sn", true)];
    let limited = client.ask(&search(PEOPLE, 1, filter, &["sn"], 2));
    assert_eq!((limited.code, limited.names()), (4, vec![user(10).as_str(), user(3).as_str()]));
    client.controls = vec![control(SORT, true, Some(&[0x30, 0]))];
    assert_eq!(client.search(PEOPLE, 1, filter, &[]).code, 2);
}
