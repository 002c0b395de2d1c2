//! authrate binds in every way that a server knows.

use crate::support::command::Folder;
use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::{FEW_START_TLS, OPENDJ};
use crate::support::openldap::OpenLdap;
use crate::support::rate_tool::{address, assert_all_succeeded, named_address, run, total, typed};

const USER: &str = "uid=user.{},ou=people,dc=example,dc=com";

/// Users who bind beside each other, each with its own name.
#[track_caller]
fn check(line: &str) {
    let outcome = run(&format!("authrate {line} -m 40 -g 'inc(4,7)'"));
    assert_all_succeeded(&outcome.done, 40);
    let line = line.replace("-w password", "-w wrong");
    if line.contains("wrong") {
        let outcome = run(&format!("authrate {line} -m 10 -g 'inc(4,7)'"));
        assert_eq!((outcome.done.code, total(&outcome.done)), (49, [10, 0, 10]), "{outcome:?}");
        let (_, detail, count) = outcome.report.failure("bind");
        assert!(detail.starts_with("49 invalidCredentials") && count == 10, "{outcome:?}");
    }
}

fn simple(directory: &Directory) {
    for keep in ["-f -c 2", "-c 2"] {
        check(&format!("{} -D '{USER}' -w password {keep}", address(&directory.url)));
    }
}

/// The name that a search finds is the argument behind the others; the search is the first user's, who knows nobody.
fn found_by_search(directory: &Directory) {
    let address = address(&directory.url);
    let line = format!("{address} -D '{{2}}' -w password -b");
    let search =
        |more: &str, filter: &str| run(&format!("authrate {line} {more} -m 20 -g 'inc(4,7)' '{filter}'"));
    assert_all_succeeded(&search("dc=example,dc=com -f -c 2", "(uid=user.{1})").done, 20);
    assert_all_succeeded(
        &search("dc=example,dc=com", "(&(objectClass=inetOrgPerson)(uid=user.{}))").done,
        20,
    );
    assert_all_succeeded(&search("ou=people,dc=example,dc=com -s one", "(uid=user.{1})").done, 20);
    let nobody = search("dc=example,dc=com -f", "(uid=nobody.{1})").done;
    assert_eq!((nobody.code, total(&nobody)), (94, [20, 0, 20]), "{nobody:?}");
    assert!(nobody.stderr.contains("one entry that is to bind"), "{nobody:?}");
}

/// SASL PLAIN (RFC 4616), over TLS of both ways; `reuse` is how connections with StartTLS are used.
fn plain(directory: &Directory, authid: &str, reuse: &str) {
    let sasl = format!("-o mech=PLAIN -o 'authid={authid}' -w password -X");
    check(&format!("{} -Z -f -c 2 {sasl}", named_address(&directory.secure_url)));
    check(&format!("{} -q {reuse} {sasl}", named_address(&directory.url)));
}

/// Mechanisms in which the server asks (RFC 5802, 2831, 2195).
fn challenged(directory: &Directory, mechanism: &str, authid: &str) {
    let line = format!("{} -o mech={mechanism} -o 'authid={authid}' -w password", address(&directory.url));
    check(&format!("{line} -f -c 2"));
    check(&format!("{line} -c 2"));
}

/// What the command line says wrongly of SASL is said at once.
#[test]
fn wrong_options_of_sasl_are_said_at_once() {
    let line = "authrate -o mech=GSSAPI -o authid=a -o wrong=b -o nothing -w password";
    let done = typed(&Folder::new(), line).run();
    assert_eq!(done.code, 89, "{done:?}");
    for part in ["GSSAPI", "`wrong`", "no `=`"] {
        assert!(done.stderr.contains(part), "{part}: {done:?}");
    }
}

#[test]
fn everybody_binds_to_openldap() {
    let slapd = OpenLdap::start();
    simple(&slapd.directory);
    found_by_search(&slapd.directory);
    plain(&slapd.directory, "user.{}", "-c 2");
    for mechanism in ["SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512", "DIGEST-MD5", "CRAM-MD5"] {
        challenged(&slapd.directory, mechanism, "user.{}");
    }
}

#[test]
fn everybody_binds_to_opendj() {
    let opendj = OPENDJ.with_others();
    simple(&opendj.directory);
    found_by_search(&opendj.directory);
    plain(&opendj.directory, "u:user.{}", FEW_START_TLS);
    plain(&opendj.directory, &format!("dn:{USER}"), FEW_START_TLS);
}

#[test]
fn everybody_binds_to_ds389() {
    let server = DS389.with_others();
    simple(&server.directory);
    found_by_search(&server.directory);
    plain(&server.directory, "user.{}", "-c 2");
}
