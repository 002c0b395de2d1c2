//! Connections that break, servers that stop, answers that do not come.

use crate::support::command::{Folder, Outcome, Running};
use crate::support::directory::{Directory, Server};
use crate::support::job::{bind, job};
use crate::support::relay::Relay;
use crate::support::report::Report;
use std::time::{Duration, Instant};

/// The users of each run here.
const USERS: u64 = 4;
/// What a run may take beside its load: start, end, and a busy machine.
const SLACK: Duration = Duration::from_secs(4);

/// A run that was started.
struct Run {
    folder: Folder,
    running: Running,
    begun: Instant,
}

impl Run {
    fn start(url: &str, duration: Duration, names: &[&str], rest: &str) -> Self {
        let load = format!("users: {USERS}, duration: {}s", duration.as_secs());
        let folder = Folder::with_job(&job(url, &load, names, rest));
        let running = folder.command(["run", "job.yaml", "--quiet", "-o", "json=report.json"]).start();
        Self { folder, running, begun: Instant::now() }
    }

    /// Waits for its end; how long it took.
    fn wait(self) -> (Outcome, Duration) {
        let done = self.running.wait();
        let took = self.begun.elapsed();
        (Outcome { done, report: Report::parse(&self.folder.read("report.json")) }, took)
    }
}

/// Searches and changes, bound as the manager once.
fn reads_and_writes(directory: &Directory) -> String {
    bind(directory)
        + r#"
  read: { ldap: search, base: "uid=user.0,$PEOPLE", scope: base, check: [{ entries: 1 }] }
  write: { ldap: modify, dn: "uid=user.0,$PEOPLE", changes: [{ replace: description, value: a }] }
"#
}

/// A server that is stopped and started again under a run: what is lost is counted, users come back as who they
/// were, and the run ends when it should.
pub(crate) fn restart(server: &mut impl Server, duration: Duration) {
    let rest = reads_and_writes(server.directory());
    let run = Run::start(&server.directory().url, duration, &["bind", "read", "write"], &rest);
    std::thread::sleep(Duration::from_millis(1500));
    server.stop();
    std::thread::sleep(Duration::from_millis(300));
    server.resume();
    let (outcome, took) = run.wait();
    assert!(took < duration + SLACK, "{took:?}");
    let report = &outcome.report;
    let [requests, passed, _, failed, _] = report.outcomes();
    assert!(failed > 0 && requests == passed + failed, "{outcome:?}");
    for task in ["bind", "read", "write"] {
        for (kind, detail, _) in report.failures(task) {
            let is_loss = matches!(kind.as_str(), "reset" | "connect");
            // What a server may still say while it stops.
            assert!(is_loss || detail.starts_with("52 unavailable"), "{task}: {kind}: {detail}: {outcome:?}");
        }
    }
    assert!(report.count("/connections/opened") >= 2 * USERS, "{outcome:?}");
    let last = last_second(report);
    assert!(last.count("/passed") > 0 && last.count("/failed") == 0, "{outcome:?}");
    assert!(server.directory().counts()["modify"] > 0, "the new server was asked for nothing");
}

/// All connections are reset under a run, three times. A search that had no answer yet is sent again, by the user who
/// was bound before; a change may have happened, and is a failure.
pub(crate) fn reset(directory: &Directory) {
    const RESETS: u64 = 3;
    let relay = Relay::to(&directory.url);
    let duration = Duration::from_secs(3);
    let names: Vec<_> = ["bind"].into_iter().chain(["read", "write"].repeat(20)).collect();
    let run = Run::start(&relay.url(), duration, &names, &reads_and_writes(directory));
    for _ in 0..RESETS {
        std::thread::sleep(Duration::from_millis(600));
        relay.reset();
    }
    let (outcome, took) = run.wait();
    assert!(took < duration + SLACK, "{took:?}");
    let report = &outcome.report;
    let failures = ["bind", "read", "write"].map(|task| report.failures(task)).concat();
    assert!(failures.iter().all(|(kind, ..)| kind == "reset"), "{failures:?} {outcome:?}");
    assert_eq!(report.count("/connections/opened"), (1 + RESETS) * USERS, "{outcome:?}");
    let (resent, failed) = (report.count("/load/requests_resent"), report.outcomes()[3]);
    assert!(resent > 0 && failed > 0 && resent + failed <= RESETS * USERS, "{outcome:?}");
    assert!(report.task("write").count("/failed") > 0, "{outcome:?}");
}

/// Nothing is answered any more: every user gives its operation up after the timeout, says so to the directory, and
/// the run ends.
pub(crate) fn hang(directory: &Directory) {
    let relay = Relay::to(&directory.url);
    let (duration, timeout) = (Duration::from_secs(3), Duration::from_secs(2));
    let rest = reads_and_writes(directory) + "timeout: 2s\n";
    let run = Run::start(&relay.url(), duration, &["read"], &rest);
    std::thread::sleep(Duration::from_secs(2));
    relay.fall_silent();
    let (outcome, took) = run.wait();
    assert!(took < duration + timeout + SLACK, "{took:?}");
    let (kind, _, count) = outcome.report.failure("read");
    assert_eq!((kind.as_str(), count), ("timeout", USERS), "{outcome:?}");
    assert_eq!(abandoned(&relay.asked()), USERS, "{outcome:?}");
    let longest = outcome.report.task("read").number("/response_ms/max");
    assert!((2000.0..3000.0).contains(&longest), "{longest}");
}

/// A silence that ends: late answers belong to nobody, and the same connections go on.
pub(crate) fn silence(directory: &Directory) {
    let relay = Relay::to(&directory.url);
    let rest = reads_and_writes(directory) + "timeout: 300ms\n";
    let run = Run::start(&relay.url(), Duration::from_secs(4), &["read"], &rest);
    std::thread::sleep(Duration::from_millis(1200));
    relay.fall_silent();
    std::thread::sleep(Duration::from_secs(1));
    relay.resume();
    let (outcome, _) = run.wait();
    let report = &outcome.report;
    let (kind, _, count) = report.failure("read");
    assert!(kind == "timeout" && (USERS..=6 * USERS).contains(&count), "{outcome:?}");
    assert_eq!(abandoned(&relay.asked()), count, "{outcome:?}");
    assert_eq!(report.count("/connections/opened"), USERS, "{outcome:?}");
    assert!(last_second(report).count("/passed") > 0, "{outcome:?}");
}

/// The last whole second of a run.
fn last_second(report: &Report) -> Report {
    let intervals = report.at("/intervals").as_array().unwrap().iter();
    let mut whole = intervals.rev().cloned().map(Report).filter(|one| one.number("/length_s") > 0.9);
    whole.next().unwrap()
}

/// Abandon requests (RFC 4511 section 4.11) among messages of which each is shorter than 128 bytes.
fn abandoned(asked: &[u8]) -> u64 {
    const ABANDON: u8 = 0x50;
    let (mut rest, mut found) = (asked, 0);
    while let [0x30, length, message @ ..] = rest {
        let (message, behind) = message.split_at(usize::from(*length));
        let id_length = usize::from(message[1]);
        found += u64::from(message[2 + id_length] == ABANDON);
        rest = behind;
    }
    assert!(rest.is_empty(), "{rest:?}");
    found
}
