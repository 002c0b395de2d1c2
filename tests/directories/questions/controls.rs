//! Controls, each with what it brings about. Every question has a user of its own: they are asked at once.

use crate::support::directory::Directory;
use crate::support::job::{assert_passed, bind, tasks};
use crate::support::relay::Relay;

/// A change is made only if what is asserted holds (RFC 4528).
pub(crate) fn assertion(directory: &Directory) {
    let rest = bind(directory)
        + r#"
  first:
    ldap: modify
    dn: uid=user.5,$PEOPLE
    changes: [{ replace: description, value: first }]
    controls: { assertion: (&(uid=user.5)(!(description=second))) }
  second:
    ldap: modify
    dn: uid=user.5,$PEOPLE
    changes: [{ replace: description, value: second }]
    controls: { assertion: (description=third) }
    check: [{ result: assertionFailed }]
  first-again: { ldap: search, base: "uid=user.5,$PEOPLE", scope: base, check: [{ attribute: description, equals: first }] }
"#;
    assert_passed(&tasks(&directory.url, 2, &["bind", "first", "second", "first-again"], &rest));
}

/// An entry as it was before a change and as it is after (RFC 4527).
pub(crate) fn reads(directory: &Directory) {
    let rest = bind(directory)
        + r#"
  add:
    ldap: add
    dn: uid=read,$PEOPLE
    attributes: { objectClass: [inetOrgPerson], cn: a, sn: b, description: one }
    controls: { post_read: [description, sn] }
    check: [{ attribute: description, equals: one }, { attribute: sn, equals: b }, { attribute: cn, exists: false }]
  before:
    ldap: modify
    dn: uid=read,$PEOPLE
    changes: [{ replace: description, value: two }]
    controls: { pre_read: [description] }
    check: [{ attribute: description, equals: one }]
  after:
    ldap: modify
    dn: uid=read,$PEOPLE
    changes: [{ add: description, value: three }]
    controls: { post_read: [description] }
    check: [{ attribute: description, equals: two }, { attribute: description, equals: three }]
  delete:
    ldap: delete
    dn: uid=read,$PEOPLE
    controls: { pre_read: [sn] }
    check: [{ attribute: sn, equals: b }]
    capture: { NAME: { attribute: sn } }
  captured: { ldap: compare, dn: "uid=user.1,$PEOPLE", attribute: sn, value: "Name1${NAME}", check: [{ result: compareFalse }] }
"#;
    let names = ["bind", "add", "before", "after", "delete", "captured"];
    assert_passed(&tasks(&directory.url, 2, &names, &rest));
}

/// One task fetches all pages (RFC 2696).
pub(crate) fn pages(directory: &Directory) {
    const OID: &[u8] = b"1.2.840.113556.1.4.319";
    let relay = Relay::to(&directory.url);
    let rest = bind(directory)
        + r"
  all: { ldap: search, base: $PEOPLE, scope: one, filter: (uid=user.*), attributes: [uid], page_size: 3, check: [{ entries: 10 }] }
";
    let outcome = tasks(&relay.url(), 1, &["bind", "all"], &rest);
    assert_passed(&outcome);
    assert_eq!(outcome.report.outcomes()[0], 2);
    assert_eq!(times(&relay.asked(), OID), 4, "three, three, three and one");
}

/// Entries come in the order that was asked for (RFC 2891); `rule` is what a server needs to be told of orders.
pub(crate) fn sort(directory: &Directory, rule: &str) {
    let search = "ldap: search, base: $PEOPLE, scope: one, filter: (uid=user.*)";
    let rest = bind(directory)
        + &format!(
            r#"
  up: {{ {search}, controls: {{ sort: ["sn{rule}"] }}, check: [{{ entries: 10 }}, {{ dn: true, matches: "^uid=user.0," }}] }}
  down: {{ {search}, controls: {{ sort: ["-sn{rule}"] }}, check: [{{ entries: 10 }}, {{ dn: true, matches: "^uid=user.9," }}] }}
"#
        );
    assert_passed(&tasks(&directory.url, 2, &["bind", "up", "down"], &rest));
}

/// What the manager does in the name of a user (RFC 4370), it may do if the user may.
pub(crate) fn proxied_authorization(directory: &Directory) {
    let rest = bind(directory)
        + r#"
  own:
    ldap: modify
    dn: uid=user.7,$PEOPLE
    changes: [{ replace: description, value: mine }]
    controls: { proxied_authorization: "dn:uid=user.7,$PEOPLE" }
  other:
    ldap: modify
    dn: uid=user.6,$PEOPLE
    changes: [{ replace: description, value: mine }]
    controls: { proxied_authorization: "dn:uid=user.7,$PEOPLE" }
    check: [{ result: insufficientAccessRights }]
"#;
    assert_passed(&tasks(&directory.url, 2, &["bind", "own", "other"], &rest));
}

/// A bind tells who it made the user (RFC 3829).
pub(crate) fn authorization_identity(directory: &Directory) {
    let relay = Relay::to(&directory.url);
    let rest = r#"
  bind: { ldap: bind, dn: "uid=user.1,$PEOPLE", password: password, controls: { authorization_identity: on } }
"#;
    assert_passed(&tasks(&relay.url(), 1, &["bind"], rest));
    let answered = relay.answered();
    assert_eq!(times(&answered, b"2.16.840.1.113730.3.4.15"), 1);
    assert_eq!(times(&answered, b"dn:uid=user.1,ou="), 1, "{}", String::from_utf8_lossy(&answered));
}

/// A bind tells what the password policy says (draft-behera-ldap-password-policy); here after the manager gave the
/// user a password, which not every server would leave as it is.
pub(crate) fn password_policy(directory: &Directory) {
    const OID: &[u8] = b"1.3.6.1.4.1.42.2.27.8.5.1";
    let relay = Relay::to(&directory.url);
    let rest = bind(directory)
        + r#"
  reset: { ldap: modify, dn: "uid=user.8,$PEOPLE", changes: [{ replace: userPassword, value: changed }] }
  user: { ldap: bind, dn: "uid=user.8,$PEOPLE", password: changed, controls: { password_policy: on } }
"#;
    // Two runs: a server may note what became of a password after it has answered.
    assert_passed(&tasks(&directory.url, 1, &["bind", "reset"], &rest));
    assert_passed(&tasks(&relay.url(), 1, &["user"], &rest));
    assert_eq!((times(&relay.asked(), OID), times(&relay.answered(), OID)), (1, 1));
}

/// A reference is an entry like others when it is asked for as one (RFC 3296).
pub(crate) fn manage_dsa_it(directory: &Directory) {
    let rest = bind(directory)
        + r#"
  add:
    ldap: add
    dn: cn=away,$PEOPLE
    attributes: { objectClass: [referral, extensibleObject], ref: "ldap://127.0.0.1:1/cn=away,dc=example,dc=org" }
    controls: { manage_dsa_it: on }
  referred: { ldap: search, base: "cn=away,$PEOPLE", scope: base, check: [{ result: [referral, success] }, { entries: 0 }] }
  seen:
    ldap: search
    base: cn=away,$PEOPLE
    scope: base
    attributes: [ref]
    controls: { manage_dsa_it: on }
    check: [{ entries: 1 }, { attribute: ref, contains: 127.0.0.1 }]
  delete: { ldap: delete, dn: "cn=away,$PEOPLE", controls: { manage_dsa_it: on } }
"#;
    assert_passed(&tasks(&directory.url, 2, &["bind", "add", "referred", "seen", "delete"], &rest));
}

/// How often something occurs in bytes.
fn times(bytes: &[u8], part: &[u8]) -> usize {
    bytes.windows(part.len()).filter(|window| *window == part).count()
}
