//! Connections that break and servers that fall silent. The original tools stop there, or never end.

use crate::support::command::{Folder, Outcome, Running};
use crate::support::directory::Directory;
use crate::support::ds389::DS389;
use crate::support::opendj::OPENDJ;
use crate::support::openldap::OpenLdap;
use crate::support::platform::Platform;
use crate::support::rate_tool::{
    address, assert_all_succeeded, credentials, ended, reporting, template, total,
};
use crate::support::relay::Relay;
use crate::support::report::Report;
use std::time::{Duration, Instant};

/// How long each run is to last.
const LONGEST: Duration = Duration::from_secs(3);
/// What a run may take longer.
const SLACK: Duration = Duration::from_secs(2);
const USER: &str = "uid=user.{},ou=people,dc=example,dc=com";
/// How connections are used where they can be kept.
const REUSES: [&str; 3] = ["-F -c 2 -t 2", "-f -c 4", "-c 4"];

/// Four operations are under way; connections break twice.
const MOST_LOST: u64 = 8;

/// A run through a relay.
struct Run {
    relay: Relay,
    folder: Folder,
    running: Running,
    begun: Instant,
}

impl Run {
    fn start(directory: &Directory, tool: &str, rest: &str) -> Self {
        let relay = Relay::to(&directory.url);
        let folder = Folder::new();
        folder.write("addrate.template", template());
        let longest = LONGEST.as_secs();
        let line = format!("{tool} {} -d {longest} -i 1 {rest}", address(&relay.url()));
        let running = reporting(&folder, &line).start();
        Self { relay, folder, running, begun: Instant::now() }
    }

    fn modify(directory: &Directory, reuse: &str) -> Self {
        let rest = format!("{} {reuse} -b '{USER}' -g 'rand(4,7)' 'description:a'", credentials(directory));
        Self::start(directory, "modrate", &rest)
    }

    fn bind(directory: &Directory, reuse: &str) -> Self {
        Self::start(directory, "authrate", &format!("{reuse} -D '{USER}' -w password -g 'rand(4,7)'"))
    }

    fn add(directory: &Directory, reuse: &str) -> Self {
        let rest = format!("{} {reuse} -s 50 addrate.template", credentials(directory));
        Self::start(directory, "addrate", &rest)
    }

    /// Waits for its end, which comes when it should.
    fn wait(self) -> Outcome {
        let done = self.running.wait();
        let took = self.begun.elapsed();
        assert!(took + SLACK / 10 > LONGEST && took < LONGEST + SLACK, "{took:?}: {done:?}");
        assert_eq!(done.code, 0, "{done:?}");
        ended(&self.folder, done)
    }
}

/// Every loss is said: what may have happened is counted as failed, and searches and binds are sent again. What was
/// answered succeeded, and the run goes on to its end.
#[track_caller]
fn check_losses(outcome: &Outcome) {
    let [operations, succeeded, failed] = total(&outcome.done);
    assert_eq!(operations, succeeded + failed, "{outcome:?}");
    let resent = outcome.report.count("/load/requests_resent");
    assert!((1..=MOST_LOST).contains(&(failed + resent)), "{failed} {resent} {outcome:?}");
    assert!(failed == 0 || outcome.done.stderr.contains(" reset "), "{outcome:?}");
    assert_eq!(resent > 0, outcome.done.stderr.contains(" sent again: "), "{outcome:?}");
    let last = last_second(&outcome.report);
    assert!(last.count("/passed") > 0 && last.count("/failed") == 0, "{outcome:?}");
}

/// Runs beside each other, whose connections are all reset twice.
fn reset(runs: Vec<Run>) -> Vec<Outcome> {
    for _ in 0..2 {
        std::thread::sleep(Duration::from_millis(700));
        for run in &runs {
            run.relay.reset();
        }
    }
    runs.into_iter().map(Run::wait).collect()
}

/// Runs beside each other, to which the server answers nothing any more: what it owes is given up when they end.
fn silence(runs: Vec<Run>) {
    std::thread::sleep(Duration::from_millis(1500));
    for run in &runs {
        run.relay.fall_silent();
    }
    for outcome in runs.into_iter().map(Run::wait) {
        let [operations, succeeded, failed] = total(&outcome.done);
        assert!(operations == succeeded && succeeded > 0 && failed == 0, "{outcome:?}");
        let said = "4 operations under way at the end were given up";
        assert!(outcome.done.stderr.contains(said), "{outcome:?}");
    }
}

/// The last whole second of a run.
fn last_second(report: &Report) -> Report {
    let intervals = report.at("/intervals").as_array().unwrap().iter();
    let mut whole = intervals.rev().cloned().map(Report).filter(|one| one.number("/length_s") > 0.9);
    whole.next().unwrap()
}

#[test]
fn modrate_goes_on_after_resets() {
    let slapd = OpenLdap::start();
    let outcomes = reset(REUSES.map(|reuse| Run::modify(&slapd.directory, reuse)).into());
    outcomes.iter().for_each(check_losses);
    assert!(total(&outcomes[0].done)[2] > 0, "modifications may have happened: {:?}", outcomes[0]);
}

#[test]
fn authrate_goes_on_after_resets() {
    let slapd = OpenLdap::start();
    let runs = ["-f -c 4", "-c 4"].map(|reuse| Run::bind(&slapd.directory, reuse));
    reset(runs.into()).iter().for_each(check_losses);
}

/// A deletion that went unanswered is tried again in the purge; then the entry may be gone already.
#[test]
fn addrate_goes_on_after_resets() {
    let slapd = OpenLdap::start();
    let outcome = reset(vec![Run::add(&slapd.directory, "-F -c 2 -t 2")]).remove(0);
    let failures: Vec<_> = ["add", "delete"].iter().flat_map(|task| outcome.report.failures(task)).collect();
    for (kind, detail, count) in &failures {
        let is_known = kind == "reset" || detail.starts_with("32 noSuchObject");
        assert!(is_known && *count <= MOST_LOST, "{failures:?} {outcome:?}");
    }
    assert!(failures.iter().any(|(kind, ..)| kind == "reset"), "{outcome:?}");
    assert_eq!(slapd.directory.entries("(uid=add.*)"), 0, "{outcome:?}");
}

#[test]
fn modrate_goes_on_after_resets_by_opendj() {
    reset(vec![Run::modify(&OPENDJ.with_others().directory, REUSES[0])]).iter().for_each(check_losses);
}

#[test]
fn authrate_goes_on_after_resets_by_ds389() {
    reset(vec![Run::bind(&DS389.with_others().directory, "-f -c 4")]).iter().for_each(check_losses);
}

#[test]
fn every_tool_ends_though_nothing_is_answered() {
    let slapd = OpenLdap::start();
    let mut runs: Vec<Run> = REUSES.map(|reuse| Run::modify(&slapd.directory, reuse)).into();
    runs.extend(["-f -c 4", "-c 4"].map(|reuse| Run::bind(&slapd.directory, reuse)));
    silence(runs);
}

/// With a rate, what became due in the silence is not forgotten.
#[test]
fn what_was_due_in_a_silence_is_said() {
    let slapd = OpenLdap::start();
    let run = Run::modify(&slapd.directory, "-F -c 2 -M 100");
    std::thread::sleep(Duration::from_secs(1));
    run.relay.fall_silent();
    let outcome = run.wait();
    let never = outcome.report.count("/load/never_started");
    assert!(never > 100, "{outcome:?}");
    assert!(outcome.done.stderr.contains("less than asked for"), "{outcome:?}");
    assert!(outcome.report.has_invalid_finding() || outcome.done.stderr.contains("warning"), "{outcome:?}");
}

/// Two requests that are one operation are given up as one, and not at all when both were answered.
#[test]
fn nothing_is_given_up_that_was_answered() {
    let platform = Platform::start(&["default=fixed:100ms", "servers=64"]);
    let folder = Folder::new();
    let line = format!(
        "modrate {} -D 'cn=Directory Manager' -w password -F -c 4 -m 60 --strategy read_modify -b '{USER}' \
         -g 'inc(0,99)' 'description:a'",
        address(&platform.directory())
    );
    let outcome = ended(&folder, reporting(&folder, &line).run());
    assert_all_succeeded(&outcome.done, 60);
    assert_eq!(outcome.report.count("/load/offered"), 60, "{outcome:?}");
    assert!(!outcome.done.stderr.contains("given up"), "{outcome:?}");
}
