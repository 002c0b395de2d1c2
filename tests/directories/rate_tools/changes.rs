//! What modrate does to entries: each change happens, in the name of whom it should, with as many values as asked for.

use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::OPENDJ;
use crate::support::openldap::OpenLdap;
use crate::support::rate_tool::{assert_all_succeeded, manager, run, total};
use std::collections::BTreeSet;

const PEOPLE: &str = "ou=people,dc=example,dc=com";

/// The users of whom each question here changes its own: they are asked at once, and beside those of other tests.
const ALONE: &str = "uid=user.5,ou=people,dc=example,dc=com";

/// Read and changed by one at a time, no change is in the way of another.
fn without_conflicts(directory: &Directory, mvcc: &str) {
    let line = format!(
        "modrate {} -F --strategy read_modify --mvcc {mvcc} -m 30 -b '{ALONE}' -g 'inc(1,30)' 'description:no {{}}'",
        manager(directory)
    );
    assert_all_succeeded(&run(&line).done, 30);
    assert_eq!(directory.read(ALONE, "description"), ["no 30"]);
}

/// Changed by several at once, a change of what another has changed meanwhile is refused, and counted as failed.
fn conflicts(directory: &Directory, mvcc: &str) {
    let line = format!(
        "modrate {} -F -c 4 -t 4 --strategy read_modify --mvcc {mvcc} -m 400 -b '{ALONE}' -g 'inc(1,400)' \
         'description:at {{}}'",
        manager(directory)
    );
    let outcome = run(&line);
    let [operations, succeeded, failed] = total(&outcome.done);
    assert_eq!((outcome.done.code, operations, succeeded + failed), (0, 400, 400), "{outcome:?}");
    assert!(succeeded > 0 && failed > 0, "sixteen at one entry are in each other's way: {outcome:?}");
    let (kind, detail, count) = outcome.report.failure("modify");
    assert!(kind == "status" && detail.starts_with("122 assertionFailed"), "{detail}");
    assert_eq!(count, failed);
    assert!(outcome.done.stderr.contains("assertionFailed"), "{outcome:?}");
}

/// An attribute that no entry has leaves nothing to compare with.
fn unknown_version(directory: &Directory) {
    let line = format!(
        "modrate {} -F --strategy read_modify --mvcc carLicense -m 5 -b '{ALONE}' 'description:x'",
        manager(directory)
    );
    let done = run(&line).done;
    assert_eq!((done.code, total(&done)), (94, [5, 0, 5]), "{done:?}");
    assert!(done.stderr.contains("carLicense"), "{done:?}");
}

/// What the manager does in the name of a user (RFC 4370), it may do if the user may.
fn in_the_name_of_another(directory: &Directory) {
    let line = |target: &str| {
        format!(
            "modrate {} -F --proxyAs 'dn:uid=user.7,{PEOPLE}' -m 10 -b 'uid={target},{PEOPLE}' 'description:mine'",
            manager(directory)
        )
    };
    assert_all_succeeded(&run(&line("user.7")).done, 10);
    let refused = run(&line("user.6"));
    assert_eq!((refused.done.code, total(&refused.done)), (50, [10, 0, 10]), "{refused:?}");
    assert!(refused.report.failure("modify").1.starts_with("50 insufficientAccessRights"), "{refused:?}");
}

/// Each of so many values is drawn anew.
fn many_values(directory: &Directory) {
    let name = format!("uid=user.4,{PEOPLE}");
    let line = format!(
        "modrate {} -f --valueCount 3 -m 10 -b 'uid=user.{{1}},{PEOPLE}' -g 4 -g 'randstr(12,[a-f])' \
         'description:{{2}}' 'carLicense:{{2}}'",
        manager(directory)
    );
    assert_all_succeeded(&run(&line).done, 10);
    for attribute in ["description", "carLicense"] {
        let values: BTreeSet<String> = directory.read(&name, attribute).into_iter().collect();
        assert_eq!(values.len(), 3, "{values:?}");
        assert!(values.iter().all(|value| value.len() == 12), "{values:?}");
    }
}

/// Values with signs that mean something in names come as they are typed, or escaped.
fn escaped_values(directory: &Directory) {
    let search = |more: &str| {
        let line = format!(
            "searchrate {} -F -m 5 {more} -b {PEOPLE} -g 'no (one) or *' '(|(uid=user.3)(cn={{}}))'",
            manager(directory)
        );
        run(&line).done
    };
    assert_all_succeeded(&search("--escapeValues"), 5);
}

#[test]
fn openldap_takes_every_change() {
    let slapd = OpenLdap::start();
    without_conflicts(&slapd.directory, "entryCSN");
    conflicts(&slapd.directory, "entryCSN");
    unknown_version(&slapd.directory);
    in_the_name_of_another(&slapd.directory);
    many_values(&slapd.directory);
    escaped_values(&slapd.directory);
}

#[test]
fn opendj_takes_every_change() {
    let opendj = OPENDJ.alone();
    without_conflicts(&opendj.directory, "etag");
    conflicts(&opendj.directory, "etag");
    unknown_version(&opendj.directory);
    in_the_name_of_another(&opendj.directory);
    many_values(&opendj.directory);
    escaped_values(&opendj.directory);
}

#[test]
fn ds389_takes_every_change() {
    let server = DS389.alone();
    in_the_name_of_another(&server.directory);
    many_values(&server.directory);
    escaped_values(&server.directory);
}
