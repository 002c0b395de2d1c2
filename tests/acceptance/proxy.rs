//! Through an HTTP proxy: a tunnel for every target (RFC 9110 section 9.3.6).

use crate::support::certificates::Authority;
use crate::support::nginx::Nginx;
use crate::support::{Answer, Folder, Server, one_task, run_job};
use std::io::{Write, copy};
use std::net::{Shutdown, TcpStream};

/// A proxy that tunnels to wherever it is asked to, names included.
fn proxy(to: impl Fn(&str) -> String + Send + Sync + 'static) -> Server {
    Server::start(move |request| {
        let to = to(request.path());
        Answer::Custom(Box::new(move |stream| {
            let server = TcpStream::connect(to).unwrap();
            stream.write_all(b"HTTP/1.1 200 Connection established\r\nVia: 1.1 test\r\n\r\n").unwrap();
            let (mut from_server, mut to_client) = (server.try_clone().unwrap(), stream.try_clone().unwrap());
            let back = std::thread::spawn(move || {
                let _ = copy(&mut from_server, &mut to_client);
                let _ = to_client.shutdown(Shutdown::Write);
            });
            let _ = copy(stream, &mut &server);
            let _ = server.shutdown(Shutdown::Write);
            let _ = back.join();
        }))
    })
}

#[test]
fn requests_go_through_a_tunnel_with_the_proxys_credentials() {
    let server = Server::start(|_| Answer::ok("{}"));
    let address = server.address.to_string();
    let proxy = proxy(move |_| address.clone());
    // The name is the proxy's to resolve.
    let settings = format!("proxy: http://user:p%40ss@{}\n", proxy.address);
    let text = one_task("http://am.internal.example:8080", 3, "{ url: /openam }") + &settings;
    let outcome = run_job(&text);
    outcome.assert_code(0);
    assert_eq!(server.paths(), ["/openam"; 3]);
    assert_eq!(server.requests()[0].header("Host"), Some("am.internal.example:8080"));
    assert_eq!(server.requests()[0].header("Proxy-Authorization"), None, "that was for the proxy alone");
    let asked = proxy.requests();
    // One to try whether the target is there, one that carries the requests.
    assert_eq!(asked.len(), 2);
    for request in asked {
        assert_eq!((request.method(), request.path()), ("CONNECT", "am.internal.example:8080"));
        assert_eq!(request.header("Proxy-Authorization"), Some("Basic dXNlcjpwQHNz"), "user:p@ss");
    }
    assert!(!outcome.done.stdout.contains("p%40ss"), "{}", outcome.done.stdout);
}

#[test]
fn tls_goes_through_the_tunnel() {
    let authority = Authority::new();
    let signed = authority.sign("am.example.com");
    let files = [("server.pem", signed.certificate.as_str()), ("server.key", &signed.key)];
    let nginx = Nginx::tls("location / { return 200 '{\"tls\":true}'; }", &files);
    let port = nginx.port;
    let proxy = proxy(move |_| format!("127.0.0.1:{port}"));
    let folder = Folder::new();
    folder.write("ca.pem", authority.pem());
    let task = "{ url: /, check: [{ json: $.tls, equals: \"true\" }], tls: { ca: ca.pem } }";
    let text = one_task("https://am.example.com", 2, task) + &format!("proxy: http://{}\n", proxy.address);
    folder.write("job.yaml", text);
    folder.run().assert_code(0);
    assert_eq!(proxy.requests()[0].path(), "am.example.com:443");
}

#[test]
fn a_proxy_that_refuses_is_said_to() {
    let proxy = Server::start(|_| Answer::status(407, &[("Proxy-Authenticate", "Basic realm=\"p\"")], b""));
    let settings = format!("proxy: http://{}\n", proxy.address);
    let text = one_task("http://am.internal.example", 1, "{ url: / }") + &settings;
    let done = Folder::with_job(&text).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112, "{done:?}");
    assert!(done.stderr.contains("the proxy refused: HTTP/1.1 407"), "{}", done.stderr);
    assert_eq!(done.stderr.lines().count(), 1, "{}", done.stderr);
}
