//! Targets that cannot be reached: one clear message and exit code 112 before any load.

use crate::support::{Folder, Server, golden, one_task};
use std::net::TcpListener;

/// A port of loopback on which nobody listens, kept from others while the listener lives.
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_closed_port() {
    let port = closed_port();
    let text = one_task(&format!("http://127.0.0.1:{port}"), 1, "{ url: / }");
    let done = Folder::with_job(&text).command(["run", "job.yaml", "-o", "json=report.json"]).run();
    golden::check("unreachable-closed-port", &done.golden(), &[(&format!(":{port}"), ":PORT")]);
}

#[test]
fn a_name_that_does_not_resolve() {
    // RFC 6761 section 6.4: `.invalid` never resolves.
    let text = one_task("http://am.example.invalid:8080", 1, "{ url: / }");
    let done = Folder::with_job(&text).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112, "{done:?}");
    assert_eq!(done.stdout, "");
    let begin = "error: cannot reach http://am.example.invalid:8080: cannot resolve `am.example.invalid`: ";
    // What follows is the system's own reason.
    assert!(done.stderr.starts_with(begin), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}

#[test]
fn one_of_two_servers_is_enough() {
    let server = Server::start(|_| crate::support::Answer::ok("{}"));
    let port = closed_port();
    let text = one_task(&server.url(), 1, &format!("{{ url: \"http://127.0.0.1:{port}/\" }}"))
        .replace("[{ task: t }]", "[{ task: u }, { task: t }]")
        + "  u: { url: / }\n";
    let done = Folder::with_job(&text).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stderr.contains(&format!("127.0.0.1:{port}")), "{}", done.stderr);
    assert_eq!(server.requests().len(), 0, "no load was sent");
}

#[test]
fn tls_to_a_server_that_speaks_none() {
    let server = Server::start(|_| crate::support::Answer::Close(b"HTTP/1.1 400 Bad\r\n\r\n".into()));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = std::io::Write::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    let text = one_task(&format!("https://127.0.0.1:{port}"), 1, "{ url: / }");
    let done = Folder::with_job(&text).command(["run", "job.yaml"]).run();
    drop(server);
    assert_eq!(done.code, 112, "{done:?}");
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}
