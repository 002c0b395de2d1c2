//! All operations of LDAP, with what their answers say.

use crate::support::directory::Directory;
use crate::support::job::{assert_passed, bind, tasks};

/// Every operation in a row, three times; `more` are attributes of the whole job.
pub(crate) fn every_operation(directory: &Directory, more: &str) {
    let names = [
        "bind", "whoami", "add", "search", "compare", "modify", "rename", "gone", "delete", "password",
        "unbind",
    ];
    let bind = bind(directory);
    let rest = format!(
        r#"
{bind}  whoami: {{ ldap: extended, whoami: on, capture: {{ ME: {{ value: true }} }} }}
  add:
    ldap: add
    dn: uid=new,$PEOPLE
    attributes: {{ objectClass: [inetOrgPerson], cn: "a\\b*(c)", sn: $ME, mail: [a@x, b@x] }}
  search:
    ldap: search
    base: $PEOPLE
    scope: one
    filter: (&(objectClass=inetOrgPerson)(cn=a\5cb\2a\28c\29)(sn=$ME)(mail=b*))
    attributes: [mail, cn]
    check:
      - {{ entries: 1 }}
      - {{ attribute: MAIL, equals: b@x }}
      - {{ attribute: sn, exists: false }}
      - {{ dn: true, matches: "^uid=new," }}
    capture: {{ DN: {{ dn: true }}, CN: {{ attribute: cn }} }}
  compare: {{ ldap: compare, dn: $DN, attribute: cn, value: $CN, check: [{{ result: compareTrue }}] }}
  modify:
    ldap: modify
    dn: $DN
    changes: [{{ replace: sn, value: x }}, {{ add: mail, value: [c@x, d@x] }}, {{ delete: cn, value: $CN }}, {{ add: cn, value: y }}]
    controls: {{ post_read: [sn] }}
    check: [{{ attribute: sn, equals: x }}]
  rename: {{ ldap: modifydn, dn: $DN, new_rdn: uid=newer }}
  gone: {{ ldap: search, base: $DN, scope: base, check: [{{ result: noSuchObject }}] }}
  delete: {{ ldap: delete, dn: "uid=newer,$PEOPLE" }}
  password: {{ ldap: extended, password_modify: {{ user: "uid=user.3,ou=people,dc=example,dc=com", new: password }} }}
  unbind: {{ ldap: unbind }}
{more}
"#
    );
    let outcome = tasks(&directory.url, 3, &names, &rest);
    assert_passed(&outcome);
    assert_eq!(outcome.report.count("/connections/opened"), 3, "each unbind closes one: {outcome:?}");
    assert_eq!(outcome.report.count("/connections/closed_by_peer"), 0, "{outcome:?}");
}
