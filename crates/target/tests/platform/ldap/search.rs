//! What searches find.

use super::client::{Client, search, user};
use super::target;

const SUFFIX: &str = "dc=example,dc=com";
const PEOPLE: &str = "ou=people,dc=example,dc=com";

#[test]
fn a_generated_user_is_whole() {
    let target = target(&[]);
    let entry = Client::to(&target).read(&user(7));
    assert_eq!(entry.dn, user(7));
    for (name, value) in [
        ("uid", "user.7"),
        ("cn", "Hiro Hansen"),
        ("givenName", "Hiro"),
        ("sn", "Hansen"),
        ("mail", "user.7@example.com"),
        ("telephoneNumber", "+1 200 555 0007"),
        ("etag", "0000000000000000"),
    ] {
        assert_eq!(entry.value(name), value);
    }
    assert_eq!(entry.attributes["objectClass"], ["top", "person", "organizationalPerson", "inetOrgPerson"]);
    assert_eq!(entry.value("entryUUID").len(), 36);
    assert!(!entry.attributes.contains_key("userPassword"), "nobody sees passwords");
}

/// How many of the users 0 to 9 a filter finds.
#[track_caller]
fn check(filter: &str, found: usize) {
    let config = loadgen_target::Config {
        population: 10,
        ldap: Some(std::net::SocketAddr::from(([127, 0, 0, 1], 0))),
        ..loadgen_target::Config::default()
    };
    let target = loadgen_target::Target::start(config).unwrap();
    let answer = Client::to(&target).search(PEOPLE, 1, filter, &["uid"]);
    assert_eq!((answer.code, answer.entries.len()), (0, found), "{filter}: {:?}", answer.names());
}

#[test]
fn filters_of_all_kinds() {
    for (filter, found) in [
        ("(uid=user.7)", 1),
        ("(UID=USER.7)", 1),
        ("(uid=user.77)", 0),
        ("(mail=User.3@Example.com)", 1),
        ("(mail=user.3@other.com)", 0),
        ("(|(uid=user.1)(uid=user.2)(uid=user.2))", 2),
        ("(&(uid=user.1)(uid=user.2))", 0),
        ("(&(objectClass=person)(|(mail=user.1@example.com)(uid=user.2)))", 2),
        ("(&(uid=user.1)(!(sn=bakke)))", 0),
        ("(!(uid=user.1))", 9),
        ("(objectClass=*)", 10),
        ("(nothing=*)", 0),
        ("(!(nothing=x))", 10),
        ("(cn=a*)", 1),
        ("(cn=*a*e*)", 8),
        ("(cn=*Kim)", 0),
        ("(mail=user.*@*.com)", 10),
        ("(uid>=user.8)", 2),
        ("(uid<=user.1)", 2),
        ("(telephoneNumber~=+1 200 555 0004)", 1),
        ("(caseIgnoreMatch:=x)", 0),
        ("(!(caseIgnoreMatch:=x))", 0),
        ("(|(caseIgnoreMatch:=x)(uid=user.1))", 1),
        ("(&)", 10),
        ("(|)", 0),
    ] {
        check(filter, found);
    }
}

#[test]
fn scopes() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let find = |client: &mut Client, base: &str, scope, filter: &str| {
        let answer = client.search(base, scope, filter, &["1.1"]);
        assert_eq!(answer.code, 0, "{base} {scope}: {answer:?}");
        answer.names().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let seventh = "(|(uid=user.7)(objectClass=domain)(objectClass=organizationalUnit))";
    assert_eq!(find(&mut client, SUFFIX, 0, seventh), [SUFFIX]);
    assert_eq!(find(&mut client, SUFFIX, 1, seventh), [PEOPLE]);
    assert_eq!(find(&mut client, SUFFIX, 2, "(uid=user.7)"), [user(7)]);
    assert_eq!(find(&mut client, "", 2, "(uid=user.7)"), [user(7)]);
    assert_eq!(find(&mut client, "", 1, "(objectClass=*)"), [SUFFIX]);
    assert_eq!(find(&mut client, PEOPLE, 1, "(uid=user.7)"), [user(7)]);
    assert_eq!(find(&mut client, &user(7), 2, "(objectClass=*)"), [user(7)]);
    assert_eq!(find(&mut client, &user(7), 1, "(objectClass=*)"), [""; 0]);
    assert_eq!(find(&mut client, SUFFIX, 2, "(objectClass=person)").len(), 10_000);
}

#[test]
fn what_is_not_there_is_missing_below_what_is() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    for (base, matched) in [
        ("uid=user.10000,ou=people,dc=example,dc=com", PEOPLE),
        ("cn=a,ou=b,dc=example,dc=com", SUFFIX),
        ("dc=org", ""),
    ] {
        let answer = client.search(base, 2, "(objectClass=*)", &[]);
        assert_eq!((answer.code, answer.matched.as_str()), (32, matched), "{base}");
    }
    assert_eq!(client.search("nonsense", 0, "(objectClass=*)", &[]).code, 34);
}

#[test]
fn only_what_is_asked_for_is_shown() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let names = |client: &mut Client, attributes: &[&str]| {
        let answer = client.search(&user(7), 0, "(objectClass=*)", attributes);
        answer.entries[0].attributes.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(names(&mut client, &["CN", "Etag", "userPassword", "nothing"]), ["cn", "etag"]);
    assert_eq!(names(&mut client, &["1.1"]), [""; 0]);
    assert_eq!(names(&mut client, &["+"]), ["entryUUID", "etag"]);
    assert_eq!(names(&mut client, &[]).len(), 7);
    assert_eq!(names(&mut client, &["*", "+"]).len(), 9);
    let mut types_only = search(&user(7), 0, "(objectClass=*)", &["cn"], 0);
    let at = types_only.windows(3).rposition(|bytes| bytes == [1, 1, 0]).unwrap();
    types_only[at + 2] = 0xff;
    assert_eq!(client.ask(&types_only).entries[0].attributes["cn"], [""; 0]);
}

#[test]
fn the_size_limit_holds() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let answer = client.ask(&search(PEOPLE, 1, "(objectClass=*)", &["1.1"], 5));
    assert_eq!((answer.code, answer.entries.len()), (4, 5));
    let exact = client.ask(&search(PEOPLE, 1, "(uid=user.7)", &["1.1"], 1));
    assert_eq!((exact.code, exact.entries.len()), (0, 1));
}

#[test]
fn a_search_that_no_index_helps_ends_in_a_large_population() {
    let config = loadgen_target::Config {
        population: 1_000_000_000,
        ldap: Some(std::net::SocketAddr::from(([127, 0, 0, 1], 0))),
        ..loadgen_target::Config::default()
    };
    let target = loadgen_target::Target::start(config).unwrap();
    let mut client = Client::to(&target);
    assert_eq!(client.search(SUFFIX, 2, "(cn=nobody)", &[]).code, 11);
    let answer = client.search(SUFFIX, 2, "(uid=user.999999999)", &["cn"]);
    assert_eq!((answer.code, answer.entries.len()), (0, 1));
}

#[test]
fn the_root_and_the_monitor_are_shown() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let root = client.read("");
    assert_eq!((root.value("namingContexts"), root.value("supportedLDAPVersion")), (SUFFIX, "3"));
    assert!(root.attributes["supportedControl"].contains(&"1.2.840.113556.1.4.319".to_owned()));
    assert!(!root.attributes["supportedExtension"].contains(&"1.3.6.1.4.1.1466.20037".to_owned()));
    client.compare(&user(1), "cn", "x");
    let monitor = client.read("cn=monitor");
    for (name, value) in [
        ("searchReceived", "2"),
        ("searchCompleted", "1"),
        ("compareCompleted", "1"),
        ("totalConnections", "1"),
        ("currentConnections", "1"),
    ] {
        assert_eq!(monitor.value(name), value, "{name}");
    }
}

#[test]
fn comparisons() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    for (name, value, code) in [
        ("sn", "hansen", 6),
        ("sn", "Kim", 5),
        ("nothing", "x", 16),
        ("userPassword", "password", 6),
        ("userPassword", "PASSWORD", 5),
    ] {
        assert_eq!(client.compare(&user(7), name, value).code, code, "{name} {value}");
    }
    assert_eq!(client.compare("cn=a,dc=example,dc=com", "cn", "a").code, 32);
}
