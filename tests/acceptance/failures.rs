//! What can go wrong with a request, and how it is counted.

use crate::support::{Answer, Server, job, one_task, original, run_job};
use std::time::Duration;

/// A login that may fail, and a task after it.
const TWO_TASKS: &str = "
load: { users: 1, iterations: 3 }
workloads: { w: { steps: [{ task: login }, { sleep: 1ms }, { task: next }] } }
";

fn failed_as(outcome: &crate::support::Outcome, kind: &str, detail: &str, count: u64) {
    let wanted = (kind.to_owned(), detail.to_owned(), count);
    assert_eq!(outcome.report.failure("t"), wanted, "{outcome:?}");
}

#[test]
fn a_target_that_closes_without_an_answer_is_unreachable() {
    let server = Server::start(|_| Answer::Close(Vec::new()));
    let outcome = run_job(&one_task(&server.url(), 3, "{ url: / }"));
    outcome.assert_code(112);
    failed_as(&outcome, "reset", "the target closed the connection without an answer", 3);
    assert!(outcome.report.reasons().contains("no request of 3 was answered: reset"), "{outcome:?}");
    assert_eq!(server.requests().len(), 3, "a request on a new connection is not sent again");
}

#[test]
fn a_target_that_closes_within_the_body_fails_the_request() {
    let server =
        Server::start(|_| Answer::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.".into()));
    let outcome = run_job(&one_task(&server.url(), 3, "{ url: / }"));
    outcome.assert_code(99);
    failed_as(&outcome, "reset", "the target closed the connection within the body of its answer", 3);
    assert!(outcome.report.reasons().contains("no request of 3 passed"), "{outcome:?}");
}

#[test]
fn a_target_that_closes_within_the_head_fails_the_request() {
    let server = Server::start(|_| Answer::Close(b"HTTP/1.1 200 OK\r\nContent-".into()));
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: / }"));
    outcome.assert_code(99);
    failed_as(&outcome, "reset", "the target closed the connection within the head of its answer", 2);
}

#[test]
fn what_is_not_http_is_a_protocol_failure() {
    let server = Server::start(|_| Answer::Close(b"SSH-2.0-OpenSSH_9.2\r\n".into()));
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: / }"));
    outcome.assert_code(99);
    failed_as(&outcome, "protocol", "the answer is not HTTP/1.1", 2);
}

#[test]
fn a_broken_chunked_body_is_a_protocol_failure() {
    let server = Server::start(|_| {
        Answer::Close(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnot a size\r\n".into())
    });
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: / }"));
    outcome.assert_code(99);
    failed_as(&outcome, "protocol", "the answer's chunked coding is broken", 2);
}

#[test]
fn a_status_from_400_is_a_failure_that_an_objective_can_limit() {
    let server = Server::start(|request| match request.index % 4 {
        0 => Answer::status(503, &[], b"busy"),
        _ => Answer::ok("fine"),
    });
    let mut text = one_task(&server.url(), 20, "{ url: / }");
    text.push_str("slo: [{ task: t, errors: 10% }]\n");
    let outcome = run_job(&text);
    outcome.assert_code(99);
    failed_as(&outcome, "status", "503", 5);
    assert_eq!(outcome.report.outcomes(), [20, 15, 0, 5, 0]);
    assert_eq!(outcome.report.text("/verdict/status"), "failed");
    assert_eq!(outcome.report.at("/slo/0/measured"), 25.0);
    assert!(outcome.report.reasons().contains("t: errors <= 10%"), "{outcome:?}");
    assert!(outcome.done.stdout.contains("errors <= 10%"), "{}", outcome.done.stdout);
}

#[test]
fn an_objective_that_is_met_passes_in_spite_of_failures() {
    let server = Server::start(|request| match request.index {
        0 => Answer::status(503, &[], b"busy"),
        _ => Answer::ok("fine"),
    });
    let mut text = one_task(&server.url(), 20, "{ url: / }");
    text.push_str("slo: [{ task: t, errors: 5%, p99: 60s }]\n");
    let outcome = run_job(&text);
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [20, 19, 0, 1, 0]);
    assert_eq!(outcome.report.at("/slo/0/met"), true);
    assert_eq!(outcome.report.at("/slo/1/met"), true);
}

#[test]
fn a_status_may_be_the_one_that_is_wanted() {
    let server = Server::start(|_| Answer::status(404, &[], b"gone"));
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: /, check: [{ status: 404 }] }"));
    outcome.assert_code(0);
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: /, check: [{ status: [2xx, 410] }] }"));
    outcome.assert_code(99);
    failed_as(&outcome, "status", "404", 2);
}

#[test]
fn a_page_of_errors_fails_by_its_status_not_by_what_it_does_not_hold() {
    let server = Server::start(|_| Answer::status(503, &[], b"<html>busy</html>"));
    let task = "{ url: /, check: [{ json: $.valid, equals: \"true\" }, { header: X-Version }] }";
    let outcome = run_job(&one_task(&server.url(), 2, task));
    outcome.assert_code(99);
    failed_as(&outcome, "status", "503", 2);
}

#[test]
fn a_value_that_no_response_gave_is_no_fault_of_the_target() {
    let server = Server::start(|_| Answer::ok("{}"));
    let text =
        one_task(&server.url(), 2, "{ url: /$TOKEN, capture: { TOKEN: { json: $.id, scope: user } } }");
    let outcome = run_job(&text);
    outcome.assert_code(99);
    failed_as(&outcome, "capture", "needs `TOKEN`, but no response that holds it came before", 2);
    assert!(outcome.report.reasons().contains("no request of 2 passed"), "{outcome:?}");
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_check_that_does_not_hold_is_named_by_its_label() {
    let server = Server::start(|_| Answer::ok(r#"{"valid":false,"uid":"user.1"}"#));
    let cases = [
        ("{ json: $.valid, equals: \"true\" }", "json $.valid = true"),
        ("{ json: $.realm }", "json $.realm exists"),
        ("{ body: { contains: welcome } }", "body contains welcome"),
        ("{ header: Content-Length, matches: \"^1$\" }", "header Content-Length matches ^1$"),
        ("{ size: { min: 1MB } }", "size at least 1000000 bytes"),
    ];
    for (check, label) in cases {
        let task =
            format!("{{ url: /, check: [{{ status: 200 }}, {{ json: $.uid, equals: user.1 }}, {check}] }}");
        let outcome = run_job(&one_task(&server.url(), 2, &task));
        outcome.assert_code(99);
        failed_as(&outcome, "check", label, 2);
    }
}

#[test]
fn a_capture_from_what_is_not_json_fails_the_task_that_needs_it() {
    let server = Server::start(|_| Answer::ok("<html>please log in</html>"));
    let rest = "
tasks:
  login: { method: POST, url: /login, capture: { TOKEN: { json: $.tokenId } } }
  next: { url: /next/$TOKEN }
";
    let outcome = run_job(&job(&server.url(), &format!("{TWO_TASKS}{rest}")));
    outcome.assert_valid_or_noise();
    let reason = "needs `TOKEN`, but the response that should hold it is not JSON";
    assert_eq!(outcome.report.failure("next"), ("capture".to_owned(), reason.to_owned(), 3));
    assert_eq!(outcome.report.task("login").outcomes(), [3, 3, 0, 0, 0]);
    assert_eq!(server.paths(), ["/login"; 3], "what cannot be written is not sent");
}

#[test]
fn a_capture_that_is_absent_says_so() {
    let server = Server::start(|_| Answer::ok("{\"code\":401}"));
    let rest = "
tasks:
  login: { method: POST, url: /login, capture: { TOKEN: { json: $.tokenId } } }
  next: { url: /next, headers: { X-Token: $TOKEN } }
";
    let outcome = run_job(&job(&server.url(), &format!("{TWO_TASKS}{rest}")));
    let reason = "needs `TOKEN`, but the response that should hold it does not";
    assert_eq!(outcome.report.failure("next"), ("capture".to_owned(), reason.to_owned(), 3));
}

#[test]
fn a_failure_skips_the_rest_of_its_iteration_only() {
    let server = Server::start(|request| match (request.path(), request.index) {
        ("/login", 0) => Answer::status(500, &[], b""),
        _ => Answer::ok("{}"),
    });
    let rest = "tasks:\n  login: { url: /login }\n  next: { url: /next }\n";
    let outcome = run_job(&job(&server.url(), &format!("{TWO_TASKS}{rest}")));
    assert_eq!(server.paths(), ["/login", "/login", "/next", "/login", "/next"]);
    assert_eq!(outcome.report.task("login").outcomes(), [3, 2, 0, 1, 0]);
    assert_eq!(outcome.report.task("next").outcomes(), [2, 2, 0, 0, 1]);
    assert_eq!(outcome.report.count("/totals/sleeps"), 2);
    assert_eq!(outcome.report.count("/totals/sleeps_skipped"), 1);
}

#[test]
fn a_timeout_fails_and_its_latency_is_known_to_be_longer() {
    let server = Server::start(|request| match request.index {
        0 => Answer::Hang,
        _ => Answer::ok("{}"),
    });
    let outcome = run_job(&one_task(&server.url(), 4, "{ url: /, timeout: 300ms }"));
    assert_eq!(outcome.report.outcomes(), [4, 3, 0, 1, 0]);
    assert_eq!(outcome.report.count("/totals/timed_out"), 1);
    failed_as(&outcome, "timeout", "no complete answer within the timeout", 1);
    let task = outcome.report.task("t");
    assert_eq!(task.count("/timed_out"), 1);
    assert_eq!(task.count("/response_ms/censored"), 1);
    assert_eq!(task.count("/response_ms/count"), 4, "a timeout is not left out of the quantiles");
    assert!(task.number("/response_ms/max") >= 300.0, "{outcome:?}");
    assert!(outcome.done.stdout.contains('>'), "the longest is shown as a bound: {}", outcome.done.stdout);
}

#[test]
fn a_timeout_covers_the_whole_answer() {
    let server = Server::start(|_| {
        let head = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".to_vec();
        Answer::Pieces(vec![head, b"a".into(), b"b".into(), b"c".into()], Duration::from_millis(150))
    });
    let outcome = run_job(&one_task(&server.url(), 1, "{ url: /, timeout: 300ms }"));
    outcome.assert_code(99);
    failed_as(&outcome, "timeout", "no complete answer within the timeout", 1);
}

#[test]
fn an_exceeded_threshold_of_a_native_job_is_late_and_goes_on() {
    let server = Server::start(slow_login);
    let rest = "tasks:\n  login: { url: /login, threshold: 5ms }\n  next: { url: /next }\n";
    let outcome = run_job(&job(&server.url(), &format!("{TWO_TASKS}{rest}")));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.task("login").outcomes(), [3, 0, 3, 0, 0]);
    assert_eq!(outcome.report.task("next").outcomes(), [3, 3, 0, 0, 0]);
}

#[test]
fn an_exceeded_threshold_of_an_original_job_ends_its_iteration() {
    let server = Server::start(slow_login);
    // The time-out of an original job is its threshold: the answer must still come in time for that.
    let tasks = [("login", 10, "/login"), ("rest", 1, "1"), ("next", 5_000, "/next")];
    let folder = original(&server.url(), 1, 2, &tasks);
    let arguments = ["run", "jobs/job.json", "--quiet", "--format", "classic", "-o", "json=report.json"];
    let done = folder.command(arguments.iter().chain(&["--set", "timeout=5000"])).run();
    let report = crate::support::Report::parse(&folder.read("report.json"));
    assert_eq!(done.code, 99, "no request passed: {done:?}");
    assert_eq!(report.task("login").outcomes(), [2, 0, 2, 0, 0]);
    assert_eq!(report.task("next").outcomes(), [0, 0, 0, 0, 2]);
    assert_eq!(report.count("/totals/sleeps_skipped"), 2);
    assert_eq!(server.paths(), ["/login"; 2]);
    // The original counts what was skipped among the failed: TxTotal and TxFail are 2, the rest 0.
    let row = done.stdout.lines().find(|line| line.starts_with("next")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!((cells[1], cells[4], cells[6], cells[8]), ("2", "0", "0", "2"), "{row}");
}

#[test]
fn a_timeout_of_an_original_job_counts_as_exceeded() {
    let server = Server::start(|_| Answer::Hang);
    let folder = original(&server.url(), 1, 2, &[("login", 200, "/login")]);
    let done = folder.command(["run", "jobs/job.json", "--quiet", "-o", "json=report.json"]).run();
    let report = crate::support::Report::parse(&folder.read("report.json"));
    assert_eq!(done.code, 112, "{done:?}");
    assert_eq!(report.outcomes(), [2, 0, 2, 0, 0]);
    assert_eq!(report.count("/totals/timed_out"), 2);
    assert_eq!(report.count("/tasks/0/response_ms/censored"), 2);
}

/// Logins take longer than their threshold, nothing else does.
fn slow_login(request: &crate::support::server::Request) -> Answer {
    if request.path() == "/login" {
        std::thread::sleep(Duration::from_millis(40));
    }
    Answer::ok("{}")
}
