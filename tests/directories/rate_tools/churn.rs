//! What addrate leaves in a directory: what it was told to leave, and nothing else.

use crate::support::command::{Done, Folder};
use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::OPENDJ;
use crate::support::openldap::OpenLdap;
use crate::support::rate_tool::{figure, manager, reporting, run_in, template, total};
use rustix::process::Signal;
use std::time::Duration;

const ADDED: &str = "(uid=add.*)";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("addrate.template", template());
    folder
}

fn line(directory: &Directory, options: &str) -> String {
    format!("addrate {} {options} addrate.template", manager(directory))
}

/// Added and deleted so many, and nothing failed.
#[track_caller]
fn check(done: &Done, added: u64, deleted: u64) {
    assert_eq!((done.code, total(done)), (0, [added + deleted, added + deleted, 0]), "{done:?}");
    assert_eq!((figure(done, "added"), figure(done, "deleted")), (added, deleted), "{done:?}");
}

/// Without deleting and purge, exactly what was added is there; with the same seed and numbers it is there already.
fn everything_stays(directory: &Directory) {
    let folder = folder();
    let line = line(directory, "-F -c 2 -t 2 -C off -n -R 7 -m 53");
    check(&run_in(&folder, &line).done, 53, 0);
    assert_eq!(directory.entries(ADDED), 53);
    let name = "uid=add.52,ou=people,dc=example,dc=com";
    assert_eq!(directory.read(name, "mail"), ["add.52@example.com"]);
    assert_eq!(directory.read(name, "telephoneNumber").len(), 1);
    let again = run_in(&folder, &line.replace("-m 53", "-m 10"));
    let (_, detail, count) = again.report.failure("add");
    assert!(detail.starts_with("68 entryAlreadyExists") && count == 53, "{again:?}");
    assert_eq!(total(&again.done), [63, 10, 53], "behind them it goes on: {again:?}");
    assert_eq!(directory.entries(ADDED), 63);
    assert_eq!(directory.empty(ADDED), 63);
}

/// From so many entries on, adds and deletes take turns; what is left stays with `-n`.
fn size_stays(directory: &Directory, mode: &str) {
    let line = line(directory, &format!("-F -c 2 -C {mode} -s 20 -n -m 70"));
    let done = run_in(&folder(), &line).done;
    let deleted = figure(&done, "deleted");
    check(&done, 70, deleted);
    let left = directory.entries(ADDED);
    assert_eq!(left as u64, 70 - deleted, "{done:?}");
    assert!((19..=23).contains(&left), "{left}: {done:?}");
    let oldest = directory.entries("(uid=add.0)");
    assert!(mode == "random" || oldest == 0, "the oldest one goes first");
    assert_eq!(directory.empty(ADDED), left as u64);
}

/// Entries older than a second are deleted.
fn age_stays(directory: &Directory) {
    let line = line(directory, "-F -M 50 -a 1 -n -d 3");
    let done = run_in(&folder(), &line).done;
    let (added, deleted) = (figure(&done, "added"), figure(&done, "deleted"));
    assert!(deleted > 0 && total(&done)[2] == 0, "{done:?}");
    assert_eq!(directory.entries(ADDED) as u64, added - deleted);
    assert_eq!(directory.empty(ADDED), added - deleted);
}

/// At the end all that was added is deleted, whatever ends the run.
fn nothing_stays(directory: &Directory) {
    let done = run_in(&folder(), &line(directory, "-F -c 2 -t 2 -C off -m 60")).done;
    check(&done, 60, 60);
    assert!(done.stdout.contains("Purge phase..."), "{done:?}");
    assert!(done.stdout.ends_with("60 entries have been successfully purged\n"), "{done:?}");
    assert_eq!(directory.entries(ADDED), 0);
    let done = run_in(&folder(), &line(directory, "-f -c 2 -M 100 -C random -s 30 -d 1")).done;
    let added = figure(&done, "added");
    check(&done, added, added);
    assert_eq!(directory.entries(ADDED), 0);
}

/// An interrupt ends adding; what was added is deleted before the command ends.
fn nothing_stays_after_an_interrupt(directory: &Directory) {
    let folder = folder();
    let mut running = reporting(&folder, &line(directory, "-F -c 2 -M 200 -C off -i 1")).start();
    running.wait_for_stdout(
        "Add% | \n--------------------------------------------------------------------------------------\n|",
    );
    assert!(directory.entries(ADDED) > 50);
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 130, "{done:?}");
    let (added, deleted) = (figure(&done, "added"), figure(&done, "deleted"));
    assert!(added > 50 && added == deleted && total(&done)[2] == 0, "{done:?}");
    assert!(done.stdout.contains("Purge phase..."), "{done:?}");
    assert_eq!(directory.entries(ADDED), 0);
}

/// The second interrupt ends the purge, too.
#[test]
fn a_second_interrupt_ends_the_purge() {
    let slapd = OpenLdap::start();
    let relay = crate::support::relay::Relay::to(&slapd.directory.url);
    let address = crate::support::rate_tool::address(&relay.url());
    let credentials = crate::support::rate_tool::credentials(&slapd.directory);
    let folder = folder();
    let line = format!("addrate {address} {credentials} -F -M 100 -C off -i 1 addrate.template");
    let mut running = reporting(&folder, &line).start();
    running.wait_for_stdout(
        "Add% | \n--------------------------------------------------------------------------------------\n|",
    );
    relay.fall_silent();
    running.signal(Signal::INT);
    std::thread::sleep(Duration::from_millis(500));
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 130, "{done:?}");
    assert!(slapd.directory.entries(ADDED) > 0, "{done:?}");
}

#[test]
fn openldap_holds_what_was_left() {
    let slapd = OpenLdap::start();
    everything_stays(&slapd.directory);
    size_stays(&slapd.directory, "fifo");
    size_stays(&slapd.directory, "random");
    age_stays(&slapd.directory);
    nothing_stays(&slapd.directory);
    nothing_stays_after_an_interrupt(&slapd.directory);
}

#[test]
fn opendj_holds_what_was_left() {
    let opendj = OPENDJ.alone();
    everything_stays(&opendj.directory);
    size_stays(&opendj.directory, "fifo");
    nothing_stays(&opendj.directory);
    nothing_stays_after_an_interrupt(&opendj.directory);
}

#[test]
fn ds389_holds_what_was_left() {
    let server = DS389.alone();
    everything_stays(&server.directory);
    size_stays(&server.directory, "random");
    nothing_stays(&server.directory);
}
