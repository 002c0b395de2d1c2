//! HTTP/2: by ALPN and by prior knowledge, connections of users' own and shared ones, ends and refusals.

use crate::support::certificates::Authority;
use crate::support::nginx::Nginx;
use crate::support::platform::{Line, Platform};
use crate::support::{Answer, Folder, Outcome, Server, job, one_task, run_job};

/// So many users with five iterations of one task, after a warm-up that nobody needs.
fn users(target: &str, users: u64, more: &str) -> String {
    let load = format!("load: {{ users: {users}, iterations: 5 }}\n");
    let steps = "workloads: { w: { steps: [{ task: t }] } }\ntasks: { t: { url: /users/user.7 } }\n";
    job(target, &format!("{load}{steps}{more}"))
}

/// How many connections carried requests.
fn connections(lines: &[Line]) -> usize {
    let mut all: Vec<u64> = lines.iter().map(|line| line.connection).collect();
    all.sort_unstable();
    all.dedup();
    all.len()
}

/// nginx with TLS and HTTP/2, and a job of three requests with these lines.
fn over_tls(protocol: &str, server: &str, more: &str) -> (Nginx, Outcome) {
    over_tls_with(protocol, server, |text| text + more)
}

/// The same with a job that was changed.
fn over_tls_with(protocol: &str, server: &str, change: impl FnOnce(String) -> String) -> (Nginx, Outcome) {
    let authority = Authority::new();
    let signed = authority.sign("localhost");
    let files = [("server.pem", signed.certificate.as_str()), ("server.key", &signed.key)];
    let hello = "location / { return 200 '{\"protocol\":\"$server_protocol\"}'; }";
    let nginx = Nginx::with_protocol(protocol, &format!("{server}\n{hello}"), &files);
    let folder = Folder::new();
    folder.write("ca.pem", authority.pem());
    let port = nginx.port;
    let text = one_task(&format!("https://localhost:{port}"), 3, "{ url: /, check: [{ json: $.protocol }] }");
    let resolve =
        format!("resolve: {{ \"localhost:{port}\": \"127.0.0.1:{port}\" }}\ntls: {{ ca: ca.pem }}\n");
    folder.write("job.yaml", change(text + &resolve));
    let outcome = folder.run();
    (nginx, outcome)
}

#[test]
fn alpn_chooses_the_version_that_the_job_allows() {
    for (protocol, http, spoken) in [
        ("http2", "http: 2", "HTTP/2.0"),
        ("http2", "http: auto", "HTTP/2.0"),
        ("http2", "http: 1.1", "HTTP/1.1"),
        ("http2", "", "HTTP/1.1"),
        ("", "http: auto", "HTTP/1.1"),
    ] {
        let (nginx, outcome) = over_tls(protocol, "", http);
        outcome.assert_code(0);
        assert_eq!(outcome.report.outcomes(), [3, 3, 0, 0, 0], "{http}");
        assert_eq!(outcome.report.count("/load/connections_opened"), 1, "{http}");
        assert_eq!(outcome.report.count("/connections/reused"), 2, "{http}");
        assert!(nginx.log(3).lines().all(|line| line.ends_with(spoken)), "{http}: {}", nginx.log(3));
    }
}

#[test]
fn a_server_without_http_2_is_told_apart_before_the_run() {
    let authority = Authority::new();
    let signed = authority.sign("localhost");
    let files = [("server.pem", signed.certificate.as_str()), ("server.key", &signed.key)];
    let nginx = Nginx::tls("location / { return 200; }", &files);
    let text = one_task(&format!("https://127.0.0.1:{}", nginx.port), 1, "{ url: / }");
    let folder = Folder::with_job(&(text + "tls: { insecure: true }\nhttp: 2\n"));
    let done = folder.command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stderr.contains("the target does not choose HTTP/2 (ALPN)"), "{}", done.stderr);
}

#[test]
fn without_tls_http_2_begins_at_once() {
    let platform = Platform::start(&[]);
    let outcome = run_job(&users(&platform.url(), 4, "http: 2\n"));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [20, 20, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 4);
    assert_eq!(outcome.report.count("/connections/reused"), 16);
    assert!(outcome.report.count("/totals/bytes_received") > 20 * 100);
    assert_eq!(connections(&platform.stop()), 4, "each user has its own");
}

#[test]
fn a_server_of_http_1_1_answers_no_preface() {
    let server = Server::start(|_| Answer::ok("{}"));
    let outcome = run_job(&one_task(&server.url(), 2, "{ url: /, http: 2, timeout: 5s }"));
    let (kind, detail, count) = outcome.report.failure("t");
    assert!(kind == "protocol" || kind == "reset", "{kind}: {detail}");
    assert_eq!(count, 2);
    assert_eq!(outcome.report.count("/load/requests_resent"), 0);
}

#[test]
fn checks_captures_and_codings_are_those_of_http_1_1() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 1, iterations: 2 }
http: 2
workloads: { w: { steps: [{ task: log-in }, { task: echo }, { task: gzip }, { task: large }] } }
tasks:
  log-in:
    url: /openam/json/authenticate
    json: {}
    headers: { X-OpenAM-Username: user.3, X-OpenAM-Password: password }
    capture: { TOKEN: { json: $.tokenId } }
  echo:
    url: /echo?token=$TOKEN
    method: PUT
    body: \"<$TOKEN>\"
    connection: keep-alive
    check: [{ json: $.method, equals: PUT }, { body: { contains: \"<\" } }, { header: Content-Type, contains: json }]
  gzip: { url: /gzip, check: [{ json: $ }] }
  large: { url: /bytes/3000000, check: [{ size: { min: 3000000B, max: 3000000B } }] }
";
    let outcome = run_job(&job(&platform.url(), text));
    assert_eq!(outcome.report.outcomes(), [8, 8, 0, 0, 0], "{outcome:?}");
    assert_eq!(connections(&platform.stop()), 1);
}

#[test]
fn cookies_and_redirects_are_those_of_http_1_1() {
    let places = "location = /in { add_header Set-Cookie 'S=abc; Path=/' always; return 303 /next; }
location = /next { return 200 '{\"protocol\":\"$http_cookie\"}'; }";
    let check = "http: 2\ntasks: { t: { url: /in, check: [{ json: $.protocol, equals: S=abc }] } }\n";
    let (nginx, outcome) = over_tls_with("http2", places, |text| {
        let (before, _) = text.split_once("tasks:").unwrap();
        let (_, after) = text.split_once("resolve:").unwrap();
        format!("{before}resolve:{after}{check}")
    });
    outcome.assert_code(0);
    assert_eq!(outcome.report.count("/load/redirects"), 3);
    assert_eq!(outcome.report.count("/load/connections_opened"), 1);
    assert!(nginx.log(6).lines().all(|line| line.ends_with("HTTP/2.0")));
}

#[test]
fn users_share_connections_with_streams() {
    let platform = Platform::start(&["read=fixed:20ms"]);
    let more = "http: 2\nconnections: { shared: 2, streams: 50 }\n";
    let outcome = run_job(&users(&platform.url(), 40, more));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [200, 200, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 2);
    assert!(outcome.report.number("/tasks/0/service_ms/p50") < 90.0, "nobody waited for another");
    assert_eq!(connections(&platform.stop()), 2);
}

#[test]
fn who_finds_no_stream_free_waits_and_that_counts() {
    let platform = Platform::start(&["read=fixed:30ms"]);
    let more = "http: 2\nconnections: { shared: 1, streams: 2 }\n";
    let outcome = run_job(&users(&platform.url(), 8, more));
    assert_eq!(outcome.report.outcomes(), [40, 40, 0, 0, 0]);
    // Four rounds of two: all but the first and the last wait for three before them.
    assert!(outcome.report.number("/tasks/0/response_ms/p50") > 100.0, "{:#}", outcome.report.0);
    let lines = platform.stop();
    assert_eq!(connections(&lines), 1);
    let together = |line: &Line| {
        let at = line.arrival_us;
        lines.iter().filter(|other| other.arrival_us <= at && at < other.arrival_us + 29_000).count()
    };
    assert!(lines.iter().all(|line| together(line) <= 2), "{lines:?}");
}

#[test]
fn users_share_connections_of_http_1_1_one_request_at_a_time() {
    let platform = Platform::start(&["read=fixed:10ms"]);
    let outcome = run_job(&users(&platform.url(), 10, "connections: { shared: 2 }\n"));
    assert_eq!(outcome.report.outcomes(), [50, 50, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 2);
    assert_eq!(outcome.report.count("/connections/reused"), 48);
    assert!(outcome.report.number("/tasks/0/response_ms/p50") > 35.0, "users wait in line");
    assert_eq!(connections(&platform.stop()), 2);
}

#[test]
fn a_connection_that_the_target_ends_is_replaced_and_nothing_is_lost() {
    let platform = Platform::start(&["close_after=3"]);
    for (sharing, least) in [("", 5), ("connections: { shared: 1, streams: 3 }\n", 3)] {
        let text = users(&platform.url(), 3, &format!("http: 2\n{sharing}"));
        let outcome = run_job(&text.replace("url: /users/user.7", "url: /echo, method: POST, json: {}"));
        assert_eq!(outcome.report.outcomes(), [15, 15, 0, 0, 0], "{sharing}");
        let opened = outcome.report.count("/load/connections_opened");
        assert!(opened >= least, "{sharing}: {opened}");
    }
}

#[test]
fn nginx_ends_connections_after_so_many_requests_and_none_fails() {
    let (nginx, outcome) = over_tls("http2", "keepalive_requests 1;", "http: 2\n");
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [3, 3, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 3);
    nginx.log(3);
}

#[test]
fn a_stream_that_is_reset_fails_its_request_only() {
    let platform = Platform::start(&["read.drops=1"]);
    let outcome = run_job(&users(&platform.url(), 2, "http: 2\n"));
    let detail = "the target reset the stream (INTERNAL_ERROR)".to_owned();
    let (kind, said, count) = outcome.report.failure("t");
    assert_eq!((kind.as_str(), said), ("reset", detail));
    assert_eq!(count, 10);
    assert_eq!(connections(&platform.stop()), 2, "the connections go on");
}

#[test]
fn a_timeout_gives_up_its_stream_and_is_censored() {
    let platform = Platform::start(&["read=fixed:2s"]);
    let text = users(&platform.url(), 1, "http: 2\nconnections: { shared: 1 }\n");
    let outcome =
        run_job(&text.replace("iterations: 5", "iterations: 2").replace("url: /", "timeout: 100ms, url: /"));
    assert_eq!(outcome.report.failure("t").0, "timeout");
    assert_eq!(outcome.report.count("/totals/timed_out"), 2);
}

#[test]
fn wrong_values_are_named_with_their_place() {
    let text = one_task("http://localhost", 1, "{ url: /, http: 3 }")
        + "connections: { shared: 4, streams: 0 }\ntls: { resumption: maybe }\n";
    let done = Folder::with_job(&text).command(["check", "job.yaml"]).run();
    assert_eq!(done.code, 104);
    for said in [
        "job.yaml:6:22: error: `3` is none of 1.1, 2, auto",
        "job.yaml:7:36: error: `streams: 0` cannot be",
        "job.yaml:8:20: error: expected `on` or `off`, found text `maybe`",
    ] {
        assert!(done.stderr.contains(said) || done.stdout.contains(said), "{said}: {done:?}");
    }
}
