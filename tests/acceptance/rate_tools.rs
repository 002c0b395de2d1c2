//! modrate, searchrate and authrate as they are typed, against the built-in platform.

use crate::support::platform::{Line, Platform};
use crate::support::{Done, Folder, Report, command};
use rustix::process::Signal;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const MANAGER: [&str; 4] = ["-D", "cn=Directory Manager", "-w", "password"];
const USER: &str = "uid=user.{},ou=people,dc=example,dc=com";

/// The words of a command line against the platform: quotes hold blanks together.
fn words(platform: &Platform, line: &str) -> Vec<String> {
    let port = platform.directory().rsplit_once(':').unwrap().1.to_owned();
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        match index % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    words.extend(["-h", "127.0.0.1", "-p", &port].map(str::to_owned));
    // Options first: what stands behind is the operation.
    words[1..].rotate_right(4);
    words
}

fn run(platform: &Platform, line: &str) -> Done {
    command(words(platform, line)).run()
}

/// A modification of a description, with more options.
fn modify(options: &str) -> String {
    let [bind, who, with, password] = MANAGER;
    format!("modrate {bind} '{who}' {with} {password} -b '{USER}' {options} 'description:new'")
}

/// The rows of a table.
fn rows(done: &Done) -> Vec<&str> {
    done.stdout.lines().filter(|line| line.starts_with('|')).skip(3).collect()
}

fn operations<'l>(lines: &'l [Line], operation: &str) -> Vec<&'l Line> {
    lines.iter().filter(|line| line.operation == operation).collect()
}

#[test]
fn so_many_operations_are_so_many_and_each_number_is_used_once() {
    let platform = Platform::start(&[]);
    let done = run(&platform, &modify("-F -c 2 -t 2 -m 1003 -g 'inc(0,1002)'"));
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(rows(&done).len(), 1, "{done:?}");
    assert!(done.stderr.contains("1,003 operations"), "{done:?}");
    let lines = platform.stop();
    let modified: BTreeSet<&str> =
        operations(&lines, "ldap-modify").iter().map(|line| line.path.as_str()).collect();
    assert_eq!(operations(&lines, "ldap-modify").len(), 1003);
    assert_eq!(modified.len(), 1003, "no number is used twice");
    let of = |operation: &str| -> BTreeSet<u64> {
        operations(&lines, operation).iter().map(|line| line.connection).collect()
    };
    assert_eq!(of("ldap-modify").len(), 2, "two connections carry all of it");
}

#[test]
fn each_worker_counts_for_itself_in_classic() {
    let platform = Platform::start(&[]);
    let done = run(&platform, &modify("--classic -F -c 2 -t 2 -m 40 -g 'inc(0,9)'"));
    assert_eq!(done.code, 0, "{done:?}");
    let lines = platform.stop();
    let names = |lines: &[Line]| {
        operations(lines, "ldap-modify").iter().map(|line| line.path.clone()).collect::<Vec<_>>()
    };
    let mut all = names(&lines);
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 10);
    let first = "uid=user.0,ou=people,dc=example,dc=com";
    assert_eq!(names(&lines).iter().filter(|name| *name == first).count(), 4);
}

#[test]
fn connections_are_used_as_the_options_say() {
    let connections = |options: &str| {
        let platform = Platform::start(&[]);
        let done = run(&platform, &modify(&format!("{options} -m 20 -g 'inc(0,19)'")));
        assert_eq!(done.code, 0, "{done:?}");
        let lines = platform.stop();
        let used: BTreeSet<u64> =
            operations(&lines, "ldap-modify").iter().map(|line| line.connection).collect();
        (used.len(), operations(&lines, "ldap-bind").len())
    };
    // One bind more comes before the run: it shows whether the password is right.
    assert_eq!(connections(""), (20, 21), "a connection and a bind for each operation");
    assert_eq!(connections("-f"), (1, 21), "a bind for each operation");
    assert_eq!(connections("-F"), (1, 2), "one bind");
    assert_eq!(connections("-F -c 4"), (4, 5), "a bind for each connection");
}

#[test]
fn the_table_is_the_one_of_the_originals() {
    let platform = Platform::start(&[]);
    let line = "searchrate -F -c 2 -d 2 -i 1 -b dc=example,dc=com -g 'rand(0,99)' '(uid=user.{})'";
    let done = run(&platform, line);
    assert_eq!(done.code, 0, "{done:?}");
    let dashes = "-".repeat(92);
    let header = format!(
        "{dashes}\n\
         |     Throughput    |                 Response Time                |       Additional      | \n\
         |    (ops/second)   |                (milliseconds)                |       Statistics      | \n\
         |   recent  average |   recent  average    99.9%   99.99%  99.999% |  err/sec Entries/Srch | \n{dashes}\n"
    );
    assert_eq!(done.stdout.get(..header.len()), Some(&*header), "{done:?}");
    assert_eq!(rows(&done).len(), 2, "{done:?}");
    assert!(rows(&done).iter().all(|row| row.ends_with("|      0.0          1.0 | ")), "{done:?}");
    assert!(done.stderr.contains(" entries"), "{done:?}");
}

#[test]
fn scripts_get_comma_separated_values() {
    let platform = Platform::start(&[]);
    let done = run(&platform, &modify("-F -S -d 2 -i 1 -e 50 -e 99.5 -g 'rand(0,99)'"));
    assert_eq!(done.code, 0, "{done:?}");
    let lines: Vec<&str> = done.stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{done:?}");
    assert_eq!(
        lines[0],
        "Time (seconds),Recent throughput (ops/second),Average throughput (ops/second),Recent response time \
         (milliseconds),Average response time (milliseconds),50.0% response time (milliseconds),99.5% response time \
         (milliseconds),Errors/second"
    );
    assert!(lines[1].starts_with("1.0"), "{done:?}");
}

#[test]
fn the_warm_up_is_in_no_figure() {
    // Pitfall of the originals: their percentiles hold the warm-up.
    let platform = Platform::start(&["stall=500ms+1s"]);
    let done = run(&platform, &modify("-F -B 2 -d 4 -i 1 -e 100 -g 'rand(0,99)'"));
    assert!(done.stdout.starts_with("Warming up for 2 seconds...\n---"), "{done:?}");
    assert_eq!(rows(&done).len(), 2, "{done:?}");
    let longest: f64 = rows(&done)[1].split_whitespace().nth(6).unwrap().parse().unwrap();
    assert!(longest < 500.0, "the stall lay in the warm-up: {done:?}");
}

#[test]
fn a_run_ends_in_time_though_the_server_hangs() {
    let platform = Platform::start(&["stall=1s+50s"]);
    let begun = Instant::now();
    let done = run(&platform, &modify("-F -c 2 -t 2 -d 2 -i 1 -g 'rand(0,99)'"));
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}: {done:?}", begun.elapsed());
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(rows(&done).len(), 2, "{done:?}");
    assert!(rows(&done)[1].starts_with("|      0.0 "), "nothing was answered: {done:?}");
    assert!(done.stderr.contains("4 operations under way at the end were given up"), "{done:?}");
}

#[test]
fn with_a_rate_response_times_count_from_when_operations_were_due() {
    let platform = Platform::start(&["stall=500ms+1s"]);
    let done = run(&platform, &modify("-F -M 100 -d 3 -i 5 -e 90 -g 'rand(0,99)' -o json=-"));
    assert_eq!(done.code, 0, "{done:?}");
    let text = &done.stdout[done.stdout.find('{').unwrap()..];
    let report = Report::parse(text);
    assert_eq!(report.count("/load/arrivals/due"), 300);
    let ms = |what: &str| report.number(&format!("/tasks/0/{what}/p90"));
    assert!(ms("response_ms") > 300.0 && ms("service_ms") < 200.0, "{done:?}");
    let line = done.stderr.lines().find(|line| line.starts_with("RATE")).unwrap_or_default();
    assert!(line.contains("100/s asked for"), "{done:?}");
}

#[test]
fn what_the_server_refuses_is_said_with_its_code() {
    let platform = Platform::start(&[]);
    let wrong =
        run(&platform, &format!("modrate -D 'cn=Directory Manager' -w wrong -F -b '{USER}' -g 1 a:b"));
    assert_eq!((wrong.code, wrong.stdout.as_str()), (49, ""), "{wrong:?}");
    assert_eq!(wrong.stderr, "error: the server refuses the bind: 49 invalidCredentials\n");
    let nobody = run(&platform, "searchrate -F -m 5 -b dc=nowhere -s base -v 'objectClass=*'");
    assert_eq!(nobody.code, 32, "{nobody:?}");
    assert!(nobody.stderr.contains("FAILED  code  result"), "{nobody:?}");
    assert!(nobody.stderr.contains("error: every operation failed"), "{nobody:?}");
    assert!(nobody.stderr.contains("failed: 32 noSuchObject"), "{nobody:?}");
    platform.stop();
    let gone = command(["modrate", "-p", "1", "-b", "a=b", "c:d"]).run();
    assert_eq!((gone.code, gone.stdout.as_str()), (91, ""), "{gone:?}");
    assert!(gone.stderr.contains("connection refused"), "{gone:?}");
}

#[test]
fn wrong_usage_is_said_all_at_once() {
    let done = command(["modrate", "-t", "4", "-c", "0", "-g", "rand(9,1)", "-b", "a", "b"]).run();
    assert_eq!((done.code, done.stdout.as_str()), (89, ""), "{done:?}");
    assert_eq!(done.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 4, "{done:?}");
    let help = command(["searchrate", "--help"]).run();
    assert_eq!(help.code, 0);
    assert!(help.stdout.starts_with("Usage: loadgen searchrate"), "{help:?}");
}

#[test]
fn authrate_binds_as_many() {
    let platform = Platform::start(&[]);
    let line = format!("authrate -f -c 2 -m 200 -D '{USER}' -w password -g 'inc(0,99)' -I 30");
    let done = run(&platform, &line);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("49  invalidCredentials"), "{done:?}");
    let lines = platform.stop();
    let binds = operations(&lines, "ldap-bind");
    let refused = binds.iter().filter(|line| line.status == Some(49)).count();
    assert_eq!(binds.len(), 200);
    assert!((30..=90).contains(&refused), "about 30 % have a wrong password: {refused}");
    assert_eq!(binds.iter().map(|line| line.connection).collect::<BTreeSet<_>>().len(), 2);
    assert_eq!(binds.iter().map(|line| &line.path).collect::<BTreeSet<_>>().len(), 100);
}

#[test]
fn authrate_searches_for_who_binds() {
    let platform = Platform::start(&[]);
    let line = "authrate -m 10 -D '{2}' -w password -b dc=example,dc=com -g 'inc(0,9)' '(uid=user.{1})'";
    let done = run(&platform, line);
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stderr.contains("10 operations"), "a search and its bind are one operation: {done:?}");
    let lines = platform.stop();
    let bound: BTreeSet<&str> =
        operations(&lines, "ldap-bind").iter().map(|line| line.path.as_str()).collect();
    assert_eq!(bound.len(), 10);
    assert_eq!(operations(&lines, "ldap-search").len(), 10);
    assert_eq!(lines.iter().map(|line| line.connection).collect::<BTreeSet<_>>().len(), 10, "{lines:?}");
}

#[test]
fn the_first_interrupt_ends_a_run_with_its_figures() {
    let platform = Platform::start(&[]);
    let mut running = command(words(&platform, &modify("-F -i 1 -g 'rand(0,99)'"))).start();
    running.wait_for_stdout(
        "err/sec | \n-------------------------------------------------------------------------------\n|",
    );
    running.signal(Signal::INT);
    let done = running.wait();
    assert_eq!(done.code, 130, "{done:?}");
    assert!(!rows(&done).is_empty() && done.stderr.contains("stopped by hand"), "{done:?}");
}

#[test]
fn a_link_of_its_name_is_the_tool() {
    let platform = Platform::start(&[]);
    let folder = Folder::new();
    let link = folder.path().join("searchrate");
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_loadgen"), &link).unwrap();
    let words = words(&platform, "searchrate -F -m 2 -b dc=example,dc=com '(uid=user.1)'");
    let done = std::process::Command::new(link).args(&words[1..]).output().unwrap();
    assert!(done.status.success(), "{done:?}");
    assert!(String::from_utf8_lossy(&done.stdout).contains("Entries/Srch"), "{done:?}");
}
