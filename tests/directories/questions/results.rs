//! What a directory refuses is a failure with its code and name, counted.

use crate::support::directory::Directory;
use crate::support::job::{bind, tasks};

/// A bind, a task that is refused, and how that begins.
const REFUSED: [(&str, &str, &str); 5] = [
    ("nobody", "ldap: search, base: 'cn=nowhere,$PEOPLE', scope: base", "32 noSuchObject"),
    ("nobody", "ldap: bind, dn: 'uid=user.9,$PEOPLE', password: wrong", "49 invalidCredentials"),
    ("user", "ldap: delete, dn: 'uid=user.3,$PEOPLE'", "50 insufficientAccessRights"),
    (
        "manager",
        "ldap: add, dn: 'uid=user.9,$PEOPLE', attributes: { objectClass: [inetOrgPerson], cn: a, sn: b }",
        "68 entryAlreadyExists",
    ),
    (
        "manager",
        "ldap: modify, dn: 'uid=user.9,$PEOPLE', changes: [{ delete: sn }]",
        "65 objectClassViolation",
    ),
];

/// Those that all directories have in common.
pub(crate) fn common_refusals(directory: &Directory) {
    for (who, task, detail) in REFUSED {
        refusal(directory, who, task, detail);
    }
}

/// What a failed assertion is counted as (RFC 4528).
pub(crate) fn failed_assertion(directory: &Directory) {
    let task = "ldap: compare, dn: 'uid=user.9,$PEOPLE', attribute: sn, value: Name9, \
        controls: { assertion: (sn=other) }";
    refusal(directory, "manager", task, "122 assertionFailed");
}

/// A name without a password is no bind (RFC 4513 section 5.1.2).
pub(crate) fn unwilling(directory: &Directory) {
    let task = "ldap: bind, dn: 'uid=user.9,$PEOPLE', password: ''";
    refusal(directory, "nobody", task, "53 unwillingToPerform");
}

fn refusal(directory: &Directory, who: &str, task: &str, expected: &str) {
    let manager = bind(directory);
    let rest = format!(
        "  nobody: {{ ldap: bind }}\n\
         \x20 user: {{ ldap: bind, dn: 'uid=user.9,$PEOPLE', password: password }}\n\
         {}  refused: {{ {task} }}\n",
        manager.replace("  bind:", "  manager:")
    );
    let outcome = tasks(&directory.url, 3, &[who, "refused"], &rest);
    let (kind, detail, count) = outcome.report.failure("refused");
    assert!(kind == "status" && count == 3 && detail.starts_with(expected), "{expected}: {outcome:?}");
    assert_eq!(outcome.report.task(who).count("/passed"), 3, "{outcome:?}");
}
