//! Redirects as browsers follow them (RFC 9110 section 15.4).

use crate::support::platform::Platform;
use crate::support::server::Request;
use crate::support::{Answer, Server, one_task, run_job};

/// Sends `/from` on to `/to` with a status; everything else is answered.
fn redirecting(status: u16) -> Server {
    Server::start(move |request| match request.path() {
        "/from" => Answer::status(status, &[("Location", "/to?x=1")], b"over there"),
        _ => Answer::ok("{\"here\":true}"),
    })
}

/// Method and body of the request that a redirect of a POST leads to.
fn after_post(status: u16) -> Request {
    let server = redirecting(status);
    let task = "{ method: POST, url: /from, json: { a: 1 }, check: [{ json: $.here }] }";
    let outcome = run_job(&one_task(&server.url(), 1, task));
    outcome.assert_code(0);
    assert_eq!(outcome.report.count("/load/redirects"), 1);
    assert_eq!(outcome.report.outcomes(), [1, 1, 0, 0, 0], "the whole chain is one request of the task");
    assert_eq!(server.paths(), ["/from", "/to?x=1"]);
    server.requests().remove(1)
}

#[test]
fn redirects_are_followed_and_counted() {
    let platform = Platform::start(&[]);
    let outcome = run_job(&one_task(&platform.url(), 4, "{ url: /redirect/3 }"));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [4, 4, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/redirects"), 12);
    assert_eq!(platform.counts().received(), 16);
}

#[test]
fn redirects_off_leaves_the_answer_as_it_is() {
    let server = redirecting(302);
    let task =
        "{ url: /from, redirects: off, check: [{ status: 302 }, { header: Location, equals: /to?x=1 }] }";
    let outcome = run_job(&one_task(&server.url(), 2, task));
    outcome.assert_code(0);
    assert_eq!(outcome.report.count("/load/redirects"), 0);
    assert_eq!(server.paths(), ["/from"; 2]);
}

#[test]
fn a_post_becomes_a_get_at_301_302_and_303() {
    for status in [301, 302, 303] {
        let request = after_post(status);
        assert_eq!((request.method(), request.body()), ("GET", ""), "status {status}");
        assert_eq!(request.header("Content-Type"), None, "status {status}");
    }
}

#[test]
fn method_and_body_stay_at_307_and_308() {
    for status in [307, 308] {
        let request = after_post(status);
        assert_eq!((request.method(), request.body()), ("POST", "{\"a\":1}"), "status {status}");
        assert_eq!(request.header("Content-Type"), Some("application/json"), "status {status}");
    }
}

#[test]
fn more_redirects_than_allowed_fail() {
    let server = Server::start(|_| Answer::status(302, &[("Location", "/again")], b""));
    let outcome = run_job(&one_task(&server.url(), 1, "{ url: /, redirects: 4 }"));
    outcome.assert_code(99);
    let detail = "more redirects than `redirects` allows".to_owned();
    assert_eq!(outcome.report.failure("t"), ("protocol".to_owned(), detail, 1));
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn credentials_do_not_go_to_another_server() {
    let other = Server::start(|_| Answer::ok("{}"));
    let location = format!("{}/landing", other.url());
    let server = Server::start(move |request| match request.path() {
        "/from" => Answer::status(302, &[("Location", &location), ("Set-Cookie", "SID=1; Path=/")], b""),
        _ => Answer::ok("{}"),
    });
    let headers = "{ Host: idp.example.org, Cookie: own=1, X-Kept: \"1\" }";
    let task = format!("{{ url: /from, auth: {{ bearer: secret.token }}, headers: {headers} }}");
    run_job(&one_task(&server.url(), 1, &task)).assert_code(0);
    let first = &server.requests()[0];
    assert_eq!(first.header("Authorization"), Some("Bearer secret.token"));
    assert_eq!((first.header("Cookie"), first.header("Host")), (Some("own=1"), Some("idp.example.org")));
    let landed = &other.requests()[0];
    assert_eq!(landed.path(), "/landing");
    assert_eq!((landed.header("Authorization"), landed.header("Cookie")), (None, None), "{}", landed.head);
    assert_eq!(landed.header("X-Kept"), Some("1"));
    assert_eq!(landed.header("Host"), Some(other.address.to_string().as_str()));
}
