//! A run that never was: six tasks of three workloads, every block of the summary filled.

use loadgen_model::Report;
use loadgen_model::report::{
    Connections, Failure, Finding, Health, Interval, Lag, Load, Machine, Objective, Quantiles, Run, Severity,
    Status, Task, Totals, Verdict, Workload,
};

/// All objectives met.
pub(crate) fn passed() -> Report {
    Report {
        loadgen_report: 1,
        run: run(),
        verdict: Verdict { status: Status::Passed, reasons: Vec::new(), exit_code: 0 },
        load: load(),
        totals: totals(),
        connections: connections(),
        tasks: tasks(),
        workloads: workloads(),
        slo: vec![objective("login", "p99 <= 200ms", 143.2, "ms", true), objective_on_all()],
        health: health(),
        intervals: vec![interval(1.0), interval(2.0)],
    }
}

/// An objective missed, a target that refuses.
pub(crate) fn failed() -> Report {
    let mut report = passed();
    report.verdict = Verdict {
        status: Status::Failed,
        reasons: vec![
            "login: p99 <= 200ms was missed, measured 243 ms".to_owned(),
            "1.2 % of the requests failed, the job allows 0.1 %".to_owned(),
        ],
        exit_code: 1,
    };
    report.slo[0] = objective("login", "p99 <= 200ms", 243.2, "ms", false);
    let task = &mut report.tasks[0];
    (task.passed, task.exceeded, task.failed, task.timed_out) = (11_950, 100, 295, 40);
    (task.response_ms.censored, task.response_ms.p99_9, task.response_ms.max) = (40, 2000.0, 2004.0);
    task.failures =
        (0..13).map(|index| failure("status", &format!("5{index:02} from the server"), 20 - index)).collect();
    task.failures.push(failure("check", "the body holds no \"tokenId\"\u{1b}[31m", 125));
    report.tasks[1].failures = vec![failure("status", "500 from the server", 7)];
    (report.tasks[1].skipped, report.totals.skipped, report.totals.failed) = (395, 395, 302);
    report
}

/// The generator was the bottleneck.
pub(crate) fn invalid() -> Report {
    let mut report = passed();
    report.verdict = Verdict {
        status: Status::Invalid,
        reasons: vec!["requests started late: p99 of lag is 48.2 ms, the limit is 2 ms".to_owned()],
        exit_code: 3,
    };
    report.load.started_late = 9_999;
    report.load.never_started = 1_204;
    report.health.cpu_share = 0.993;
    report.health.lag_ms = Lag { p50: 12.5, p99: 48.2, p99_9: 131.0, max: 311.0 };
    report.health.findings = vec![
        Finding {
            severity: Severity::Invalid,
            message: "the busiest thread used 99.3 % of its CPU, the limit is 80 %; use more threads or a larger machine"
                .to_owned(),
        },
        Finding { severity: Severity::Warning, message: "the machine was busy with other work".to_owned() },
    ];
    report
}

/// Stopped by hand after the first seconds.
pub(crate) fn interrupted() -> Report {
    let mut report = passed();
    report.run.interrupted = true;
    report.verdict = Verdict {
        status: Status::Interrupted,
        reasons: vec!["stopped by hand (Ctrl-C)".to_owned()],
        exit_code: 130,
    };
    for task in &mut report.tasks {
        task.requests = 15;
        task.passed = 15;
        task.response_ms = quantiles(15, 12.9);
    }
    report.tasks[5].requests = 0;
    report.tasks[5].passed = 0;
    report.tasks[5].response_ms = Quantiles::default();
    report
}

fn run() -> Run {
    Run {
        changes: Vec::new(),
        id: "20261019T153724Z-7".to_owned(),
        name: "sso-evening-peak".to_owned(),
        started: "2026-10-19T15:37:24Z".to_owned(),
        finished: "2026-10-19T15:37:54Z".to_owned(),
        elapsed_s: 30.0,
        seed: 7,
        version: "0.1.0".to_owned(),
        interrupted: false,
        target_environment: "two access managers, 4 cores and 16 GB each, behind a load balancer; directory with 2,000,000 entries".to_owned(),
        generator_environment: "one server, 8 cores".to_owned(),
        notes: vec!["certificates of the target are not checked (insecure: true)".to_owned()],
    }
}

fn load() -> Load {
    Load {
        model: "closed".to_owned(),
        users: 32,
        ramp_group: 4,
        ramp_every_ms: 500.0,
        offered: 73_470,
        started_late: 12,
        never_started: 0,
        completed: 73_470,
        iterations: 12_345,
        steady_from_s: 4.0,
        steady_to_s: 29.1,
        connections_opened: 32,
        connections_closed_by_peer: 3,
        requests_resent: 1,
        redirects: 24_690,
        little: Vec::new(),
        arrivals: None,
    }
}

fn connections() -> Connections {
    let times = |count, p50, p99| Quantiles { count, p50, p99, max: 9.3, ..Quantiles::default() };
    Connections {
        opened: 32,
        reused: 98_128,
        closed_by_peer: 3,
        connect_ms: times(32, 0.412, 2.1),
        handshakes_full: 32,
        handshakes_resumed: 1_003,
        handshake_ms: times(1_035, 1.87, 7.25),
    }
}

fn totals() -> Totals {
    Totals {
        requests: 73_470,
        passed: 73_458,
        exceeded: 12,
        rate_per_s: 2449.0,
        passed_per_s: 2448.6,
        bytes_sent: 31_234_567,
        bytes_received: 112_345_678,
        sleeps: 12_345,
        sleep_s: 123.45,
        ..Totals::default()
    }
}

fn tasks() -> Vec<Task> {
    let mut tasks = vec![
        task("login", "sso", 12_345, 71.2),
        task("validate", "sso", 24_690, 2.13),
        task("logout", "sso", 12_345, 5.07),
        task("login", "admin", 400, 88.8),
        task("search", "lookup", 12_345, 0.871),
        task("modify", "lookup", 11_345, 13.4),
        Task { phase: "setup".to_owned(), ..task("create-user", "admin", 100, 44.0) },
        Task { phase: "teardown".to_owned(), ..task("delete-user", "admin", 100, 39.0) },
    ];
    tasks[0].exceeded = 12;
    tasks[0].passed -= 12;
    tasks
}

fn task(name: &str, workload: &str, count: u64, p50: f64) -> Task {
    Task {
        name: name.to_owned(),
        workload: workload.to_owned(),
        phase: "main".to_owned(),
        threshold_ms: Some(200.0),
        requests: count,
        passed: count,
        passed_s: count as f64 * p50 / 1000.0,
        rate_per_s: count as f64 / 30.0,
        response_ms: quantiles(count, p50),
        service_ms: quantiles(count, p50 * 0.99),
        bytes_sent: count * 420,
        bytes_received: count * 1_530,
        ..Task::default()
    }
}

pub(crate) fn quantiles(count: u64, p50: f64) -> Quantiles {
    Quantiles {
        count,
        min: p50 * 0.5,
        mean: p50 * 1.1,
        p50,
        p90: p50 * 1.4,
        p95: p50 * 1.6,
        p99: p50 * 2.01,
        p99_9: p50 * 3.3,
        max: p50 * 17.0,
        censored: 0,
    }
}

fn workloads() -> Vec<Workload> {
    let steps = |steps: &[&str]| steps.iter().map(|&step| step.to_owned()).collect();
    vec![
        Workload {
            name: "sso".to_owned(),
            iterations_per_user: Some(380),
            iterations: 12_345,
            steps: steps(&["login", "sleep", "validate", "validate", "logout"]),
            steps_per_iteration: 5,
            weight: None,
        },
        Workload { name: "off".to_owned(), iterations_per_user: Some(0), ..Workload::default() },
        Workload {
            name: "lookup".to_owned(),
            weight: Some(0.5),
            iterations: 12_345,
            steps: steps(&["search", "modify"]),
            steps_per_iteration: 2,
            iterations_per_user: None,
        },
    ]
}

fn objective(task: &str, clause: &str, measured: f64, unit: &str, met: bool) -> Objective {
    Objective {
        workload: None,
        task: Some(task.to_owned()),
        clause: clause.to_owned(),
        limit: 0.0,
        measured: Some(measured),
        at_least: false,
        needs: None,
        worst_at_s: None,
        unit: unit.to_owned(),
        low: Some(measured * 0.95),
        high: Some(measured * 1.05),
        met,
    }
}

fn objective_on_all() -> Objective {
    Objective {
        clause: "failed <= 0.1%".to_owned(),
        measured: Some(0.0),
        unit: "%".to_owned(),
        met: true,
        ..Objective::default()
    }
}

fn health() -> Health {
    Health {
        threads: 2,
        cpu_share: 0.341,
        cpu_us_per_request: 9.12,
        rss_bytes: 23_400_000,
        lag_ms: Lag { p50: 0.0102, p99: 0.113, p99_9: 0.24, max: 0.402 },
        machine: Machine::default(),
        findings: Vec::new(),
    }
}

fn failure(kind: &str, detail: &str, count: u64) -> Failure {
    Failure { kind: kind.to_owned(), detail: detail.to_owned(), count }
}

fn interval(t_s: f64) -> Interval {
    Interval {
        t_s,
        length_s: 1.0,
        users: 32,
        requests: 2_450,
        passed: 2_449,
        exceeded: 1,
        rate_per_s: 2450.0,
        p50_ms: 2.13,
        p99_ms: 140.5,
        max_ms: 301.25,
        bytes_sent: 1_000,
        bytes_received: 4_000,
        ..Interval::default()
    }
}
