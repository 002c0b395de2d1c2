//! What LoadGen says that it sent is what the server says that it was asked for.

use crate::support::command::run_job;
use crate::support::directory::Directory;
use crate::support::job::{assert_passed, bind, job};
use std::collections::{BTreeMap, BTreeSet};

/// Every operation that servers count; users beside each other, except for renames: OpenDJ 5.0.3 is for ever in the
/// way of itself when entries beside each other are renamed at once. Nobody else may ask the directory meanwhile.
pub(crate) fn agree(directory: &Directory) {
    let rest = bind(directory)
        + r#"
  add: { ldap: add, dn: "uid=a$SEQ,$PEOPLE", attributes: { objectClass: [inetOrgPerson], cn: a, sn: b } }
  search: { ldap: search, base: $PEOPLE, scope: one, filter: (uid=a$SEQ), check: [{ entries: 1 }] }
  compare: { ldap: compare, dn: "uid=a$SEQ,$PEOPLE", attribute: sn, value: b, check: [{ result: compareTrue }] }
  modify: { ldap: modify, dn: "uid=a$SEQ,$PEOPLE", changes: [{ replace: sn, value: c }] }
  modifydn: { ldap: modifydn, dn: "uid=a$SEQ,$PEOPLE", new_rdn: uid=b$SEQ }
  delete: { ldap: delete, dn: "uid=a$SEQ,$PEOPLE", check: [{ result: [success, noSuchObject] }] }
  extended: { ldap: extended, whoami: on }
wildcards: { SEQ: { increment: 0 } }
"#;
    let beside = ["bind", "add", "search", "compare", "search", "modify", "search", "delete", "extended"];
    let alone = ["bind", "add", "modifydn", "delete"];
    let (start, before) = (directory.counts(), directory.counts());
    let runs = [("users: 4, iterations: 12", &beside[..]), ("users: 1, iterations: 5", &alone[..])];
    let mut sent = BTreeMap::new();
    for (load, names) in runs {
        let outcome = run_job(&job(&directory.url, load, names, &rest));
        assert_passed(&outcome);
        for name in names.iter().collect::<BTreeSet<_>>() {
            *sent.entry(*name).or_insert(0) += outcome.report.task(name).count("/requests");
        }
    }
    let after = directory.counts();
    for (operation, count) in &after {
        // Each reading of the counters is as long as the one before, and counts itself.
        let own = before[operation] - start[operation];
        let received = count - before[operation] - own;
        assert_eq!(received, sent[operation], "{operation}: {start:?} {before:?} {after:?}");
    }
}
