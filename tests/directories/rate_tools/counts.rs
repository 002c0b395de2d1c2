//! So many operations as a tool says that it did, the server says that it was asked for.

use crate::support::command::{Folder, Outcome};
use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::OPENDJ;
use crate::support::openldap::OpenLdap;
use crate::support::rate_tool::{address, assert_all_succeeded, figure, manager, run_in, template, total};
use std::collections::BTreeMap;

const OPERATIONS: u64 = 61;
/// How connections are used, and with how many binds for so many operations; one more comes before the run.
const REUSES: [(&str, u64); 3] =
    [("-F -c 2 -t 2", 2 + 1), ("-f -c 2", OPERATIONS + 1), ("-c 2", OPERATIONS + 1)];
const USER: &str = "uid=user.{},ou=people,dc=example,dc=com";

/// A run, and what the server was asked for meanwhile by its own account.
fn counted(directory: &Directory, line: &str) -> (Outcome, BTreeMap<&'static str, u64>) {
    let folder = Folder::new();
    folder.write("addrate.template", template());
    let (start, before) = (directory.counts(), directory.counts());
    let outcome = run_in(&folder, line);
    let after = directory.counts();
    // Each reading of the counters is as long as the one before, and counts itself.
    let received = after.iter().map(|(operation, count)| {
        let own = before[operation] - start[operation];
        (*operation, count - before[operation] - own)
    });
    (outcome, received.collect())
}

/// The run did so many operations by all accounts, and the server took so many binds.
#[track_caller]
fn check(directory: &Directory, line: &str, task: &str, binds: u64) {
    let (outcome, received) = counted(directory, line);
    assert_all_succeeded(&outcome.done, OPERATIONS);
    assert_eq!(outcome.report.task(task).count("/passed"), OPERATIONS, "{line}");
    if task != "bind" {
        assert_eq!(received[task], OPERATIONS, "{line}: {received:?}");
    }
    assert_eq!(received["bind"], binds, "{line}: {received:?}");
}

fn all_tools(directory: &Directory) {
    let manager = manager(directory);
    for (reuse, binds) in REUSES {
        let common = format!("{manager} {reuse} -m {OPERATIONS} -g 'inc(4,7)'");
        check(directory, &format!("modrate {common} -b '{USER}' 'description:new'"), "modify", binds);
        check(
            directory,
            &format!("searchrate {common} -b '{USER}' -s base '(uid=user.{{}})' cn"),
            "search",
            binds,
        );
        churn(directory, reuse);
    }
    let who = format!("{} -D '{USER}' -w password", address(&directory.url));
    for reuse in ["-f -c 2", "-c 2"] {
        // Each binds as someone else: no bind of them says before the run what becomes of the others.
        let line = format!("authrate {who} {reuse} -m {OPERATIONS} -g 'inc(4,7)'");
        check(directory, &line, "bind", OPERATIONS);
    }
}

/// Adds are counted; what was added is deleted, in the run or behind it.
fn churn(directory: &Directory, reuse: &str) {
    let line = format!("addrate {} {reuse} -m {OPERATIONS} -s 20 addrate.template", manager(directory));
    let (outcome, received) = counted(directory, &line);
    let [operations, succeeded, failed] = total(&outcome.done);
    assert_eq!((outcome.done.code, failed), (0, 0), "{outcome:?}");
    let (added, deleted) = (figure(&outcome.done, "added"), figure(&outcome.done, "deleted"));
    assert_eq!((operations, added + deleted), (succeeded, succeeded), "{outcome:?}");
    assert_eq!((added, deleted), (OPERATIONS, OPERATIONS), "all is gone: {outcome:?}");
    assert_eq!((received["add"], received["delete"]), (added, deleted), "{reuse}: {received:?}");
    for (task, count) in [("add", added), ("delete", deleted)] {
        assert_eq!(outcome.report.task(task).count("/passed"), count, "{reuse}: {outcome:?}");
    }
}

/// Of the binds with a wrong password the server knows, too.
fn wrong_passwords(directory: &Directory) {
    let line = format!(
        "authrate {} -D '{USER}' -w password -f -c 2 -m 400 -I 30 -g 'rand(4,7)'",
        address(&directory.url)
    );
    let (outcome, received) = counted(directory, &line);
    let [operations, succeeded, failed] = total(&outcome.done);
    assert_eq!((outcome.done.code, operations, succeeded + failed), (0, 400, 400), "{outcome:?}");
    // 120 and five standard deviations of 9.2 to either side.
    assert!((74..=166).contains(&failed), "{outcome:?}");
    let (kind, detail, count) = outcome.report.failure("bind");
    assert!(kind == "status" && detail.starts_with("49 invalidCredentials"), "{outcome:?}");
    assert_eq!((count, received["bind"]), (failed, 400), "{received:?} {outcome:?}");
}

/// A search that finds who binds and its bind are one operation.
fn searches_that_bind(directory: &Directory) {
    let line = format!(
        "authrate {} -D '{{2}}' -w password -b dc=example,dc=com -f -c 2 -m {OPERATIONS} -g 'inc(4,7)' \
         '(uid=user.{{1}})'",
        address(&directory.url)
    );
    let (outcome, received) = counted(directory, &line);
    assert_all_succeeded(&outcome.done, OPERATIONS);
    assert_eq!((received["search"], received["bind"]), (OPERATIONS, OPERATIONS), "{received:?}");
}

fn questions(directory: &Directory) {
    all_tools(directory);
    searches_that_bind(directory);
    wrong_passwords(directory);
}

#[test]
fn openldap_counts_the_same() {
    questions(&OpenLdap::start().directory);
}

#[test]
fn opendj_counts_the_same() {
    questions(&OPENDJ.alone().directory);
}

#[test]
fn ds389_counts_the_same() {
    questions(&DS389.alone().directory);
}
