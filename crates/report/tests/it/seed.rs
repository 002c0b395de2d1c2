//! The five tables that the original's author published, as raw figures: milliseconds and counts.

use loadgen_model::Report;
use loadgen_model::report::{Connections, Health, Load, Run, Status, Task, Totals, Verdict, Workload};

/// Name, threshold ms, passed and their ms, exceeded and their ms, failed and their ms.
type Raw = (&'static str, u32, u64, u64, u64, u64, u64, u64);

/// 16 threads, a target with four cores.
pub(crate) fn four_cores() -> Report {
    let rows: &[Raw] = &[
        ("authenticate-openam-user-object", 200, 159_679, 11_065_405, 321, 65_193, 0, 0),
        ("logout-openam-user-object", 100, 159_639, 541_514, 40, 4_153, 321, 0),
    ];
    let mut report = report(16, 731_276, ("2015-06-25T15:43:06Z", "2015-06-25T15:55:17Z"), rows);
    report.workloads = vec![login_logout(10_000)];
    report.run.target_environment = String::from(
        "one 4xcore 7GB Ubuntu 14.04 VM in Azure Apache Tomcat 7.59, JDK8, \
        OpenAM 12.0.0 with 200,000 users",
    );
    report.run.generator_environment = String::from(AZURE);
    report
}

/// 16 threads, a target with eight cores.
pub(crate) fn eight_cores() -> Report {
    let rows: &[Raw] = &[
        ("authenticate-openam-user-object", 200, 159_632, 6_313_170, 368, 76_747, 0, 0),
        ("logout-openam-user-object", 100, 159_632, 443_919, 0, 0, 368, 0),
    ];
    let mut report = report(16, 428_219, ("2015-06-25T19:54:52Z", "2015-06-25T20:02:00Z"), rows);
    report.workloads = vec![login_logout(10_000)];
    report.run.target_environment = String::from(
        "one 8xcore 14GB Ubuntu 14.04 VM in Azure Apache Tomcat 7.59, JDK8, \
        OpenAM 12.0.0 with 200,000 users",
    );
    report.run.generator_environment = String::from(AZURE);
    report
}

/// 4 threads, three workloads on a directory, with sleeps.
pub(crate) fn directory() -> Report {
    let rows: &[Raw] = &[
        ("read-opendj-user-object", 400, 39_991, 211_023, 0, 0, 9, 65),
        ("query-opendj-user-objects", 400, 3_999, 34_809, 0, 0, 1, 5),
        ("create-opendj-user-object", 400, 40, 1_803, 0, 0, 0, 0),
        ("update-opendj-new-user-object", 200, 38, 596, 2, 436, 0, 0),
        ("read-opendj-new-user-object", 200, 76, 1_277, 0, 0, 4, 0),
    ];
    let mut report = report(4, 66_399, ("2015-06-26T18:50:36Z", "2015-06-26T18:51:42Z"), rows);
    report.load.ramp_every_ms = 1000.0;
    (report.totals.sleeps, report.totals.sleeps_skipped, report.totals.sleep_s) = (118, 2, 12.179);
    report.workloads = vec![
        workload("read-user-object", 10_000, &["read-opendj-user-object"]),
        workload("query-user-objects", 1_000, &["query-opendj-user-objects"]),
        workload(
            "create-and-update-user-object",
            10,
            &[
                "create-opendj-user-object",
                "sleep",
                "read-opendj-new-user-object",
                "sleep",
                "update-opendj-new-user-object",
                "sleep",
                "read-opendj-new-user-object",
            ],
        ),
    ];
    report
}

/// 32 threads, ramped up one at a time, with ten seconds of sleep between the tasks.
pub(crate) fn ramped() -> Report {
    let rows: &[Raw] = &[
        ("authenticate-openam-user-object", 200, 7_932, 181_388, 68, 13_840, 0, 0),
        ("validate-openam-user-session", 100, 15_861, 42_376, 3, 308, 136, 0),
        ("logout-openam-user-object", 100, 7_927, 25_223, 2, 207, 71, 0),
    ];
    let mut report = report(32, 5_795_471, ("2015-06-26T17:33:06Z", "2015-06-26T19:09:41Z"), rows);
    (report.load.ramp_group, report.load.ramp_every_ms) = (1, 10_000.0);
    (report.load.steady_from_s, report.totals.passed_per_s, report.totals.rate_per_s) = (310.0, 5.81, 5.86);
    (report.totals.sleeps, report.totals.sleep_s) = (24_000, 174_473.266);
    report.workloads = vec![workload(
        "authenticate-read-logout-user-object",
        250,
        &[
            "authenticate-openam-user-object",
            "sleep",
            "validate-openam-user-session",
            "sleep",
            "validate-openam-user-session",
            "sleep",
            "logout-openam-user-object",
        ],
    )];
    report
}

/// 4 threads for less than a second.
pub(crate) fn short() -> Report {
    let rows: &[Raw] = &[
        ("authenticate-openam-admin", 400, 40, 816, 0, 0, 0, 0),
        ("create-openam-user-object-post", 800, 40, 1_015, 0, 0, 0, 0),
        ("logout-openam-admin", 100, 40, 440, 0, 0, 0, 0),
    ];
    let mut report = report(4, 617, ("2016-10-19T22:37:24Z", "2016-10-19T22:37:25Z"), rows);
    report.workloads = vec![workload(
        "adminuser-authenticate-createuser-logout",
        10,
        &["authenticate-openam-admin", "create-openam-user-object-post", "logout-openam-admin"],
    )];
    report
}

const AZURE: &str = "one 2xcore Ubuntu 14.04 VM in Azure on same vnet at OpenAM server (example.com)";

fn report(threads: u64, lapsed_ms: u64, (started, finished): (&str, &str), rows: &[Raw]) -> Report {
    let elapsed_s = lapsed_ms as f64 / 1000.0;
    let tasks: Vec<Task> = rows.iter().map(|raw| task(raw, elapsed_s)).collect();
    let passed: u64 = tasks.iter().map(|task| task.passed).sum();
    let requests: u64 = tasks.iter().map(|task| task.requests).sum();
    Report {
        loadgen_report: 1,
        run: Run {
            started: started.to_owned(),
            finished: finished.to_owned(),
            elapsed_s,
            seed: 7,
            ..Run::default()
        },
        verdict: Verdict { status: Status::Passed, reasons: Vec::new(), exit_code: 0 },
        load: Load { model: "closed".to_owned(), users: threads, steady_to_s: elapsed_s, ..Load::default() },
        totals: Totals {
            requests,
            passed,
            rate_per_s: requests as f64 / elapsed_s,
            passed_per_s: passed as f64 / elapsed_s,
            ..Totals::default()
        },
        connections: Connections::default(),
        tasks,
        workloads: Vec::new(),
        slo: Vec::new(),
        health: Health::default(),
        intervals: Vec::new(),
    }
}

fn task(raw: &Raw, elapsed_s: f64) -> Task {
    let &(name, threshold, passed, passed_ms, exceeded, exceeded_ms, failed, failed_ms) = raw;
    let requests = passed + exceeded + failed;
    Task {
        name: name.to_owned(),
        workload: "any".to_owned(),
        phase: "main".to_owned(),
        threshold_ms: Some(threshold.into()),
        requests,
        passed,
        exceeded,
        failed,
        passed_s: passed_ms as f64 / 1000.0,
        exceeded_s: exceeded_ms as f64 / 1000.0,
        failed_s: failed_ms as f64 / 1000.0,
        rate_per_s: requests as f64 / elapsed_s,
        response_ms: crate::sample::quantiles(requests, passed_ms as f64 / passed as f64),
        ..Task::default()
    }
}

fn login_logout(iterations: u64) -> Workload {
    workload(
        "authenticate-read-logout-user-object",
        iterations,
        &["authenticate-openam-user-object", "logout-openam-user-object"],
    )
}

fn workload(name: &str, iterations_per_user: u64, steps: &[&str]) -> Workload {
    Workload {
        name: name.to_owned(),
        iterations_per_user: Some(iterations_per_user),
        steps: steps.iter().map(|&step| step.to_owned()).collect(),
        steps_per_iteration: steps.len() as u64,
        ..Workload::default()
    }
}
