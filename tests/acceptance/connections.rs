//! Connections: kept, closed, lost under a request, moved to other addresses.

use crate::support::{Answer, Folder, Server, job, one_task, run_job};
use std::io::Write;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// So many users with three iterations each, and a pause before each request.
fn users(target: &str, users: u64, pause: &str, task: &str) -> String {
    let load = format!("load: {{ users: {users}, iterations: 3 }}\n");
    let steps = format!("workloads: {{ w: {{ steps: [{{ task: t }}, {{ sleep: {pause} }}] }} }}\n");
    job(target, &format!("{load}{steps}tasks:\n  t: {task}\n"))
}

#[test]
fn a_user_keeps_its_connection() {
    let server = Server::start(|_| Answer::ok("{}"));
    let outcome = run_job(&users(&server.url(), 4, "1ms", "{ url: / }"));
    outcome.assert_valid_or_noise();
    assert_eq!(server.requests().len(), 12);
    assert_eq!(server.connections(), 4);
    assert_eq!(outcome.report.count("/load/connections_opened"), 4);
}

#[test]
fn connection_close_opens_one_for_each_request() {
    let server = Server::start(|_| Answer::ok("{}"));
    let outcome = run_job(&users(&server.url(), 2, "1ms", "{ url: /, connection: close }"));
    outcome.assert_valid_or_noise();
    assert_eq!(server.connections(), 6);
    assert_eq!(outcome.report.count("/load/connections_opened"), 6);
    let requests = server.requests();
    assert!(requests.iter().all(|request| request.header("Connection") == Some("close")), "{requests:?}");
}

#[test]
fn connection_iteration_opens_one_for_each_iteration() {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = "
load: { users: 1, iterations: 3 }
connection: iteration
workloads: { w: { steps: [{ task: t }, { task: t }] } }
tasks: { t: { url: / } }
";
    let outcome = run_job(&job(&server.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!((server.requests().len(), server.connections()), (6, 3));
    assert_eq!(outcome.report.count("/load/connections_opened"), 3);
}

#[test]
fn an_answer_that_announces_the_end_ends_the_connection() {
    let server = Server::start(|_| Answer::status(200, &[("Connection", "close")], b"{}"));
    let outcome = run_job(&one_task(&server.url(), 3, "{ url: / }"));
    outcome.assert_code(0);
    assert_eq!(server.connections(), 3);
    assert_eq!(outcome.report.count("/load/connections_closed_by_peer"), 0);
}

#[test]
fn a_connection_that_was_closed_while_idle_is_replaced() {
    let server = Server::start(|_| Answer::Close(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".into()));
    let outcome = run_job(&users(&server.url(), 2, "200ms", "{ method: POST, url: /, json: {} }"));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [6, 6, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_closed_by_peer"), 4);
    assert_eq!(outcome.report.count("/load/connections_opened"), 6);
    assert_eq!(outcome.report.count("/load/requests_resent"), 0);
}

/// Answers the first request of each connection, and closes under the second.
fn closes_under_the_second(request: &crate::support::server::Request) -> Answer {
    if request.on_connection == 0 { Answer::ok("{}") } else { Answer::Close(Vec::new()) }
}

#[test]
fn a_get_whose_connection_was_closed_under_it_is_sent_again() {
    let server = Server::start(closes_under_the_second);
    let outcome = run_job(&one_task(&server.url(), 3, "{ url: / }"));
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [3, 3, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/requests_resent"), 2);
    assert_eq!(server.requests().len(), 5);
}

#[test]
fn a_post_whose_connection_was_closed_under_it_fails() {
    let server = Server::start(closes_under_the_second);
    let outcome = run_job(&one_task(&server.url(), 4, "{ method: POST, url: /, json: {} }"));
    let detail = "the target closed the connection without an answer".to_owned();
    assert_eq!(outcome.report.failure("t"), ("reset".to_owned(), detail, 2));
    assert_eq!(outcome.report.count("/load/requests_resent"), 0);
    assert_eq!(server.requests().len(), 4, "the target may have done it already: nothing is sent twice");
}

#[test]
fn a_get_that_was_partly_answered_is_not_sent_again() {
    let server = Server::start(|request| match request.on_connection {
        0 => Answer::ok("{}"),
        _ => Answer::Close(b"HTTP/1.1 200".into()),
    });
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: / }"));
    assert_eq!(outcome.report.outcomes(), [2, 1, 0, 1, 0]);
    assert_eq!(outcome.report.count("/load/requests_resent"), 0);
}

#[test]
fn resolve_leads_elsewhere_and_leaves_the_request_as_it_is() {
    let server = Server::start(|_| Answer::ok("{}"));
    let resolve = format!("resolve: {{ \"am.example.com:80\": \"{}\" }}\n", server.address);
    let outcome = run_job(&(one_task("http://am.example.com", 2, "{ url: /openam }") + &resolve));
    outcome.assert_code(0);
    assert_eq!(server.requests()[0].header("Host"), Some("am.example.com"));
    assert_eq!(server.paths(), ["/openam"; 2]);
}

#[test]
fn a_host_header_of_the_job_wins() {
    let server = Server::start(|_| Answer::ok("{}"));
    let outcome = run_job(&one_task(&server.url(), 1, "{ url: /, headers: { Host: idp.example.org } }"));
    outcome.assert_code(0);
    let head = &server.requests()[0].head;
    assert_eq!(head.lines().filter(|line| line.to_lowercase().starts_with("host:")).count(), 1, "{head}");
    assert_eq!(server.requests()[0].header("Host"), Some("idp.example.org"));
}

#[test]
fn a_post_without_a_body_says_so() {
    let server = Server::start(|_| Answer::ok("{}"));
    for (method, length) in [("POST", Some("0")), ("PUT", Some("0")), ("GET", None), ("DELETE", None)] {
        run_job(&one_task(&server.url(), 1, &format!("{{ method: {method}, url: / }}"))).assert_code(0);
        assert_eq!(server.requests().pop().unwrap().header("Content-Length"), length, "{method}");
    }
}

#[test]
fn an_ipv6_address_in_brackets() {
    let Ok(listener) = TcpListener::bind("[::1]:0") else {
        println!("left out: this machine has no IPv6 loopback");
        return;
    };
    let server = Server::on(listener, |_| Answer::ok("{}"));
    let port = server.address.port();
    let outcome = run_job(&one_task(&format!("http://[::1]:{port}"), 2, "{ url: /six }"));
    outcome.assert_code(0);
    assert_eq!(server.requests()[0].header("Host"), Some(format!("[::1]:{port}").as_str()));
    assert_eq!(server.paths(), ["/six"; 2]);
}

#[test]
fn basic_credentials() {
    let server = Server::start(|_| Answer::ok("{}"));
    // RFC 7617 section 2: Aladdin, open sesame.
    let task = "{ url: /, auth: { basic: { user: Aladdin, password: open sesame } } }";
    run_job(&one_task(&server.url(), 1, task)).assert_code(0);
    assert_eq!(server.requests()[0].header("Authorization"), Some("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
}

#[test]
fn basic_credentials_of_each_user() {
    let server = Server::start(|_| Answer::ok("{}"));
    let task = "{ url: /, auth: { basic: { user: \"user.$N\", password: p } } }";
    let text = one_task(&server.url(), 2, task) + "wildcards: { N: { increment: 0 } }\n";
    run_job(&text).assert_code(0);
    let sent: Vec<_> =
        server.requests().iter().map(|r| r.header("Authorization").unwrap().to_owned()).collect();
    assert_eq!(sent, ["Basic dXNlci4wOnA=", "Basic dXNlci4xOnA="]);
}

#[test]
fn a_bearer_token_that_was_captured() {
    let server = Server::start(|_| Answer::ok("{\"access_token\":\"abc.def\"}"));
    let text = "
load: { users: 1, iterations: 1 }
workloads: { w: { steps: [{ task: token }, { task: use }] } }
tasks:
  token: { url: /token, capture: { TOKEN: { json: $.access_token } } }
  use: { url: /use, auth: { bearer: $TOKEN } }
";
    run_job(&job(&server.url(), text)).assert_code(0);
    let requests = server.requests();
    assert_eq!(requests[0].header("Authorization"), None);
    assert_eq!(requests[1].header("Authorization"), Some("Bearer abc.def"));
}

#[test]
fn a_large_request_is_sent_whole() {
    let server = Server::start(|request| {
        std::thread::sleep(Duration::from_millis(20));
        Answer::ok(&format!("{{\"length\":{}}}", request.body.len()))
    });
    let folder = crate::support::Folder::new();
    let body: Vec<u8> = (0..4_000_000_u32).map(|index| b'a' + (index % 26) as u8).collect();
    folder.write("body.bin", &body);
    let task = "{ method: PUT, url: /, body_file: body.bin, template: off }";
    folder.write("job.yaml", one_task(&server.url(), 2, task));
    let outcome = folder.run();
    outcome.assert_valid_or_noise();
    assert!(server.requests().iter().all(|request| request.body == body), "the body came as it was written");
    assert!(outcome.report.count("/totals/bytes_sent") > 8_000_000);
}

#[test]
fn connections_come_from_the_addresses_that_are_named_in_turn() {
    let peers = Arc::new(Mutex::new(Vec::new()));
    let seen = peers.clone();
    let server = Server::start(move |_| {
        let seen = seen.clone();
        Answer::Custom(Box::new(move |stream| {
            seen.lock().unwrap().push(stream.peer_addr().unwrap().ip().to_string());
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        }))
    });
    let task = "{ url: /, source_addresses: [127.0.0.2, 127.0.0.3, '::1'] }";
    let outcome = run_job(&users(&server.url(), 1, "1ms", task).replace("iterations: 3", "iterations: 4"));
    outcome.assert_valid_or_noise();
    // The first connect only tries whether the target is there.
    let peers = peers.lock().unwrap();
    assert_eq!(peers.iter().filter(|peer| *peer == "127.0.0.2").count(), 2, "{peers:?}");
    assert_eq!(peers.iter().filter(|peer| *peer == "127.0.0.3").count(), 2, "{peers:?}");
    let foreign = users(&server.url(), 1, "1ms", "{ url: /, source_addresses: [203.0.113.9] }");
    let done = Folder::with_job(&foreign).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stderr.contains("a source address is not one of this machine"), "{}", done.stderr);
}
