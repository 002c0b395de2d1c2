//! TLS, and binds that are not simple.

use crate::support::command::run_job;
use crate::support::directory::Directory;
use crate::support::job::{assert_passed, job, tasks};

/// TLS from the first byte and TLS that is asked for, with the server's certificate as authority.
pub(crate) fn tls(directory: &Directory) {
    let Directory { manager, secure_url, .. } = directory;
    let (first, later) = (directory.tls(""), directory.tls(", start_tls: on"));
    let rest = format!(
        r#"
  bind: {{ ldap: bind, url: "{secure_url}", dn: "{manager}", password: password, {first} }}
  read: {{ ldap: search, url: "{secure_url}", base: "uid=user.1,$PEOPLE", scope: base, check: [{{ entries: 1 }}], {first} }}
  bind-later: {{ ldap: bind, dn: "{manager}", password: password, {later} }}
  read-later: {{ ldap: search, base: "uid=user.1,$PEOPLE", scope: base, check: [{{ entries: 1 }}], {later} }}
"#
    );
    let names = ["bind", "read", "bind-later", "read-later"];
    let outcome = tasks(&directory.url, 2, &names, &rest);
    assert_passed(&outcome);
    assert_eq!(outcome.report.count("/connections/opened"), 2, "{outcome:?}");
}

/// A certificate that nobody vouches for ends the run before it begins.
pub(crate) fn unknown_certificate(directory: &Directory) {
    let rest = "  read: { ldap: search, base: $PEOPLE, scope: base, tls: { server_name: localhost } }\n";
    let folder = crate::support::command::Folder::with_job(&job(
        &directory.secure_url,
        "users: 1, iterations: 1",
        &["read"],
        rest,
    ));
    let done = folder.command(["run", "job.yaml"]).run();
    assert!(done.code != 0 && done.stderr.contains("certificate"), "{done:?}");
}

/// SASL PLAIN over TLS (RFC 4616): the user may then change itself and nobody else.
pub(crate) fn plain(directory: &Directory) {
    let bind = "sasl: { mechanism: PLAIN, authid: user.2 }, password: password";
    changes_itself(&directory.secure_url, &directory.tls(""), bind, "user.2");
}

/// Binds, and shows who that made it: of all entries it may only change its own.
pub(crate) fn changes_itself(url: &str, attributes: &str, bind: &str, user: &str) {
    let rest = format!(
        r#"
  bind: {{ ldap: bind, {bind} }}
  own: {{ ldap: modify, dn: "uid={user},$PEOPLE", changes: [{{ replace: description, value: mine }}] }}
  other:
    ldap: modify
    dn: uid=user.3,$PEOPLE
    changes: [{{ replace: description, value: mine }}]
    check: [{{ result: insufficientAccessRights }}]
{attributes}
"#
    );
    assert_passed(&run_job(&job(url, "users: 1, iterations: 2", &["bind", "own", "other"], &rest)));
}
