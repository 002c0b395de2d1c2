//! The examples do what they say, against the built-in platform.

use crate::schemas;
use crate::support::{Folder, Outcome, Report, command};
use std::path::Path;

/// Runs an example as the guide says to, its report in a folder of its own.
fn run(job: &str, more: &[&str]) -> Outcome {
    let folder = Folder::new();
    let job = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(job);
    let json = format!("json={}", folder.path().join("report.json").display());
    let arguments = ["run", job.to_str().unwrap(), "--simulate", "--quiet", "-o", &json];
    let done = command(arguments.iter().chain(more)).run();
    let report = Report::parse(&folder.read("report.json"));
    Outcome { done, report }
}

/// No request failed, and these tasks are there, in this order.
fn assert_sound(outcome: &Outcome, tasks: &[&str]) {
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.count("/totals/failed"), 0, "{outcome:?}");
    let names =
        outcome.report.at("/tasks").as_array().unwrap().iter().map(|task| task["name"].as_str().unwrap());
    assert_eq!(names.collect::<Vec<_>>(), tasks);
    assert!(outcome.report.notes().contains("the target was the built-in platform"), "{outcome:?}");
}

#[test]
fn all_examples_are_tested_here() {
    let names: Vec<String> = schemas::examples()
        .iter()
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        ["am-login.yaml", "crowd-hammer.yaml", "opendj-mix.yaml", "rest-and-ldap.yaml", "whydah.yaml"]
    );
}

#[test]
fn am_login() {
    // Quick enough that a busy machine meets the example's objectives.
    let outcome = run("am-login.yaml", &["--duration", "8s", "--behavior", "default=fixed:5ms"]);
    assert_sound(&outcome, &["authenticate", "validate", "update-user", "logout"]);
    let of = |task: &str| outcome.report.task(task).count("/passed");
    assert!(of("authenticate") >= 60, "{outcome:?}");
    assert!(of("authenticate") >= of("validate") && of("validate") >= of("update-user"), "{outcome:?}");
    assert!(of("update-user") >= of("logout") && of("logout") > 0, "{outcome:?}");
    assert_eq!(outcome.report.count("/load/users"), 60);
    let steady = outcome.report.number("/load/steady_from_s");
    assert!(steady >= 2.5, "the ramp of 2.5 s is no part of the steady window: {steady}");
}

#[test]
fn crowd_hammer() {
    let outcome = run("crowd-hammer.yaml", &[]);
    assert_sound(&outcome, &["authenticate", "verify-token", "find-user"]);
    assert_eq!(outcome.report.count("/load/iterations"), 8);
    assert_eq!(outcome.report.count("/totals/requests"), 8 * 201);
    assert_eq!(outcome.report.task("find-user").count("/requests"), 800);
}

#[test]
fn opendj_mix() {
    let outcome = run("opendj-mix.yaml", &[]);
    let tasks = ["read-user", "query-users", "create-user", "patch-user", "read-new-user", "delete-user"];
    assert_sound(&outcome, &tasks);
    assert_eq!(outcome.report.count("/load/iterations"), 2_000);
    let of = |task: &str| outcome.report.task(task).count("/requests");
    assert!((1_795..=1_805).contains(&of("read-user")), "{}", of("read-user"));
    assert!((175..=185).contains(&of("query-users")), "{}", of("query-users"));
    assert_eq!(of("read-user") + of("query-users") + of("create-user"), 2_000);
    assert_eq!([of("patch-user"), of("read-new-user"), of("delete-user")], [of("create-user"); 3]);
}

#[test]
fn rest_and_ldap() {
    let outcome = run("rest-and-ldap.yaml", &["--duration", "3s", "--behavior", "default=fixed:2ms"]);
    let rest = ["authenticate", "bind", "find-user", "logout"];
    let both = ["bind-as-manager", "add-user", "change-mail", "read-over-rest", "delete-user"];
    assert_sound(&outcome, &[&rest[..], &both].concat());
    let of = |task: &str| outcome.report.task(task).count("/passed");
    assert!(of("logout") > 20 && of("delete-user") > 10, "{outcome:?}");
}

#[test]
fn whydah() {
    let outcome = run("whydah.yaml", &["--users", "10"]);
    assert_sound(&outcome, &["logon-application", "logon-user", "pick-up-session"]);
    assert_eq!(outcome.report.task("logon-application").text("/phase"), "setup");
    assert_eq!(outcome.report.count("/load/iterations"), 40);
    assert_eq!(outcome.report.task("logon-user").count("/requests"), 40);
    assert_eq!(outcome.report.task("pick-up-session").count("/requests"), 2_000);
    assert_eq!(outcome.report.count("/totals/sleeps"), 2_000);
}

#[test]
fn the_original_job() {
    let folder = Folder::new();
    let job = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/original/jobs/am.json");
    let json = format!("json={}", folder.path().join("report.json").display());
    let done = command(["--config", job.to_str().unwrap(), "--simulate", "--quiet", "-o", &json]).run();
    let report = Report::parse(&folder.read("report.json"));
    let outcome = Outcome { done, report };
    outcome.assert_valid_or_noise();
    let [requests, _, _, failed, skipped] = outcome.report.outcomes();
    assert_eq!((requests + skipped, failed), (960, 0), "{outcome:?}");
    assert_eq!(outcome.report.count("/load/iterations"), 240);
    let table = &outcome.done.stdout;
    assert!(table.lines().any(|line| line == crate::original::HEADER), "{table}");
    // Of 1160 steps 1000 are those of the first workload: 4 tasks and a sleep, 200 times.
    let shares: Vec<&str> =
        table.lines().filter(|line| line.contains("Percent load")).map(str::trim).collect();
    assert_eq!(
        shares,
        [
            "Workload: authenticate-validate-logout with 200 loops; Percent load = 86.21%",
            "Workload: create-and-patch-user with 40 loops; Percent load = 13.79%",
        ]
    );
    assert!(!table.contains("never-run"), "{table}");
}
