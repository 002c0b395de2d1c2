//! What runs once before and after the load.

use crate::support::{Answer, Server, job, run_job};

const JOB: &str = "
load: { users: 3, iterations: 2 }
setup: [{ workload: create }]
teardown: [{ workload: delete }]
workloads:
  create: { steps: [{ task: log-in }, { task: make }] }
  use: { steps: [{ task: use }] }
  delete: { steps: [{ task: drop }] }
tasks:
  log-in: { method: POST, url: /login, capture: { TOKEN: { json: $.tokenId } } }
  make: { method: POST, url: /policies, headers: { X-Token: $TOKEN }, capture: { POLICY: { json: $.id } } }
  use: { url: /policies/$POLICY, headers: { X-Token: $TOKEN } }
  drop: { method: DELETE, url: /policies/$POLICY, headers: { X-Token: $TOKEN } }
";

/// Answers all, but for one method and path.
fn server(method: &'static str, path: &'static str, status: u16) -> Server {
    Server::start(move |request| match (request.method(), request.path()) {
        (m, p) if (m, p) == (method, path) => Answer::status(status, &[], b"no"),
        (_, "/login") => Answer::ok("{\"tokenId\":\"AQIC5\"}"),
        ("POST", _) => Answer::ok("{\"id\":\"p7\"}"),
        _ => Answer::ok("{}"),
    })
}

#[test]
fn what_set_up_captures_reaches_all_users_and_tear_down() {
    let server = server("NONE", "", 0);
    let outcome = run_job(&job(&server.url(), JOB));
    outcome.assert_valid_or_noise();
    let requests = server.requests();
    let order: Vec<String> = requests.iter().map(|r| format!("{} {}", r.method(), r.path())).collect();
    let mut wanted = vec!["POST /login", "POST /policies"];
    wanted.extend(["GET /policies/p7"; 6]);
    wanted.push("DELETE /policies/p7");
    assert_eq!(order, wanted);
    assert!(requests[1..].iter().all(|request| request.header("X-Token") == Some("AQIC5")));
    assert_eq!(outcome.report.outcomes(), [6, 6, 0, 0, 0], "the totals are those of the load");
    let phases =
        ["log-in", "make", "use", "drop"].map(|task| outcome.report.task(task).text("/phase").to_owned());
    assert_eq!(phases, ["setup", "setup", "main", "teardown"]);
    assert_eq!(outcome.report.task("drop").outcomes(), [1, 1, 0, 0, 0]);
}

#[test]
fn a_set_up_that_fails_stops_the_run_before_any_load() {
    let server = server("POST", "/policies", 403);
    let outcome = run_job(&job(&server.url(), JOB));
    outcome.assert_code(100);
    assert!(outcome.report.reasons().contains("task `make` of `create`: status: 403"), "{outcome:?}");
    assert!(outcome.done.stdout.contains("`make`"), "{}", outcome.done.stdout);
    assert_eq!(outcome.report.outcomes(), [0, 0, 0, 0, 0]);
    let paths = server.paths();
    assert!(paths.iter().all(|path| path == "/login" || path == "/policies"), "no load was sent: {paths:?}");
}

#[test]
fn tear_down_runs_after_a_set_up_that_failed() {
    let server = server("POST", "/policies", 403);
    let text =
        JOB.replace("url: /policies/$POLICY, headers: { X-Token: $TOKEN } }\n  drop", "url: / }\n  drop");
    let text = text.replace("DELETE, url: /policies/$POLICY", "DELETE, url: /everything");
    let outcome = run_job(&job(&server.url(), &text));
    outcome.assert_code(100);
    let last = server.requests().pop().unwrap();
    assert_eq!(
        (last.method(), last.path(), last.header("X-Token")),
        ("DELETE", "/everything", Some("AQIC5"))
    );
}

#[test]
fn a_tear_down_that_fails_is_told_after_the_load() {
    let server = server("DELETE", "/policies/p7", 409);
    let outcome = run_job(&job(&server.url(), JOB));
    outcome.assert_code(101);
    assert!(
        outcome.report.reasons().contains("tear-down failed: task `drop` of `delete`: status: 409"),
        "{outcome:?}"
    );
    assert_eq!(outcome.report.outcomes(), [6, 6, 0, 0, 0], "the figures stand");
}
