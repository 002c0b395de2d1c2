//! TLS against a real server: trust, names, client certificates.

use crate::support::certificates::{Authority, Signed};
use crate::support::nginx::Nginx;
use crate::support::{Folder, Outcome, golden, one_task};

const HELLO: &str = "location / { return 200 '{\"client\":\"$ssl_client_s_dn\"}'; }";

/// nginx with this certificate.
fn nginx(signed: &Signed, more: &str, files: &[(&str, &str)]) -> Nginx {
    let server = [("server.pem", signed.certificate.as_str()), ("server.key", &signed.key)];
    Nginx::tls(&format!("{more}\n{HELLO}"), &[&server, files].concat())
}

/// A folder with a job of three requests with these TLS settings.
fn folder(nginx: &Nginx, tls: &str, authority: &Authority) -> Folder {
    let folder = Folder::new();
    folder.write("ca.pem", authority.pem());
    let port = nginx.port;
    let text = one_task(&format!("https://localhost:{port}"), 3, "{ url: /, check: [{ json: $.client }] }");
    // The name may lead to ::1 first, where nginx does not listen.
    let resolve = format!("resolve: {{ \"localhost:{port}\": \"127.0.0.1:{port}\" }}\n");
    folder.write("job.yaml", text + &resolve + tls);
    folder
}

fn run(nginx: &Nginx, tls: &str, authority: &Authority) -> Outcome {
    folder(nginx, tls, authority).run()
}

#[test]
fn an_authority_of_the_job_is_trusted() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("localhost"), "", &[]);
    let outcome = run(&nginx, "tls: { ca: ca.pem }\n", &authority);
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [3, 3, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 1);
    assert!(!outcome.report.notes().contains("insecure"), "{}", outcome.report.notes());
    let log = nginx.log(3);
    assert!(log.lines().all(|line| line.starts_with("200 ")), "{log}");
}

#[test]
fn tls_1_2_and_1_3_are_spoken() {
    for version in ["TLSv1.2", "TLSv1.3"] {
        let authority = Authority::new();
        let nginx = nginx(&authority.sign("localhost"), &format!("ssl_protocols {version};"), &[]);
        run(&nginx, "tls: { ca: ca.pem }\n", &authority).assert_code(0);
        let log = nginx.log(3);
        assert!(log.lines().all(|line| line.contains(version)), "{log}");
    }
}

#[test]
fn a_certificate_for_another_name_is_refused_and_named() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("other.example.com"), "", &[]);
    let done = folder(&nginx, "tls: { ca: ca.pem }\n", &authority).command(["run", "job.yaml"]).run();
    golden::check("tls-name", &done.golden(), &[(&format!(":{}", nginx.port), ":PORT")]);
}

#[test]
fn a_certificate_that_is_an_authoritys_own_is_refused_in_words_unless_the_job_names_it() {
    let authority = Authority::of(&["localhost"]);
    let own = Signed { certificate: authority.pem(), key: authority.key() };
    let nginx = nginx(&own, "", &[]);
    let done = folder(&nginx, "", &authority).command(["run", "job.yaml"]).run();
    golden::check("tls-authority", &done.golden(), &[(&format!(":{}", nginx.port), ":PORT")]);
    run(&nginx, "tls: { insecure: true }\n", &authority).assert_code(0);
    run(&nginx, "tls: { ca: ca.pem }\n", &authority).assert_code(0);
}

#[test]
fn a_certificate_that_the_job_names_still_has_to_carry_the_servers_name() {
    let authority = Authority::of(&["other.example.com"]);
    let own = Signed { certificate: authority.pem(), key: authority.key() };
    let nginx = nginx(&own, "", &[]);
    let done = folder(&nginx, "tls: { ca: ca.pem }\n", &authority).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 112);
    assert!(done.stderr.contains("certificate not valid for name \"localhost\""), "{}", done.stderr);
}

#[test]
fn a_certificate_for_another_name_passes_when_the_job_expects_that_name() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("other.example.com"), "", &[]);
    run(&nginx, "tls: { ca: ca.pem, server_name: other.example.com }\n", &authority).assert_code(0);
}

#[test]
fn an_unknown_authority_is_refused() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("localhost"), "", &[]);
    let done = folder(&nginx, "", &authority).command(["run", "job.yaml"]).run();
    golden::check("tls-unknown", &done.golden(), &[(&format!(":{}", nginx.port), ":PORT")]);
}

#[test]
fn insecure_accepts_any_certificate_and_the_report_warns() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("other.example.com"), "", &[]);
    let outcome = run(&nginx, "tls: { insecure: true }\n", &authority);
    outcome.assert_code(0);
    assert!(
        outcome.report.notes().contains("TLS certificates were not verified"),
        "{}",
        outcome.report.notes()
    );
    assert!(outcome.done.stdout.contains("TLS certificates were not verified"), "{}", outcome.done.stdout);
}

#[test]
fn a_client_certificate_is_shown_to_a_server_that_asks() {
    let (authority, clients) = (Authority::new(), Authority::new());
    let trusted = clients.pem();
    let verify = "ssl_verify_client on;\nssl_client_certificate clients.pem;";
    let nginx = nginx(&authority.sign("localhost"), verify, &[("clients.pem", &trusted)]);
    let tls = "tls: { ca: ca.pem, certificate: client.pem, key: client.key }\n";
    let folder = folder(&nginx, tls, &authority);
    let client = clients.sign("loadgen.example.com");
    folder.write("client.pem", &client.certificate);
    folder.write("client.key", &client.key);
    folder.run().assert_code(0);
    let log = nginx.log(3);
    assert!(log.lines().all(|line| line.starts_with("200 CN=loadgen.example.com")), "{log}");
}

#[test]
fn a_client_certificate_comes_out_of_a_store_of_any_format() {
    let stores = std::path::Path::new("crates/model/tests/stores");
    let read = |name: &str| std::fs::read(stores.join(name)).unwrap();
    let (authority, trusted) = (Authority::new(), String::from_utf8(read("ca.pem")).unwrap());
    let verify = "ssl_verify_client on;\nssl_client_certificate clients.pem;";
    for name in ["openssl.p12", "openssl-legacy.p12", "keytool.p12", "keytool.jks", "keytool.jceks"] {
        let nginx = nginx(&authority.sign("localhost"), verify, &[("clients.pem", &trusted)]);
        let tls = format!(
            "tls: {{ ca: ca.pem, certificate: {name}, certificate_password: $PIN, nickname: first }}\n\
             variables: {{ PIN: {{ value: changeit, secret: on }} }}\n"
        );
        let folder = folder(&nginx, &tls, &authority);
        folder.write(name, read(name));
        folder.run().assert_code(0);
        let log = nginx.log(3);
        assert!(log.lines().all(|line| line.starts_with("200 CN=first")), "{name}: {log}");
    }
}

#[test]
fn without_the_client_certificate_that_server_refuses() {
    let (authority, clients) = (Authority::new(), Authority::new());
    let trusted = clients.pem();
    let verify = "ssl_verify_client on;\nssl_client_certificate clients.pem;";
    let nginx = nginx(&authority.sign("localhost"), verify, &[("clients.pem", &trusted)]);
    let outcome = run(&nginx, "tls: { ca: ca.pem }\n", &authority);
    outcome.assert_code(99);
    assert_eq!(outcome.report.failure("t"), ("status".to_owned(), "400".to_owned(), 3));
}

#[test]
fn a_tls_connection_that_the_server_ends_is_replaced() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("localhost"), "keepalive_requests 1;", &[]);
    let outcome = run(&nginx, "tls: { ca: ca.pem }\n", &authority);
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [3, 3, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 3);
}

#[test]
fn a_tls_connection_that_was_closed_while_idle_is_replaced() {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("localhost"), "keepalive_timeout 1s;", &[]);
    let folder = folder(&nginx, "tls: { ca: ca.pem }\n", &authority);
    let text =
        folder.read("job.yaml").replace("[{ task: t }]", "[{ task: t }, { sleep: 2500ms }, { task: t }]");
    folder.write("job.yaml", text.replace("iterations: 3", "iterations: 1"));
    let outcome = folder.run();
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [2, 2, 0, 0, 0]);
    assert_eq!(outcome.report.count("/load/connections_opened"), 2);
    assert_eq!(outcome.report.count("/load/connections_closed_by_peer"), 1);
    assert_eq!(outcome.report.count("/load/requests_resent"), 0, "it was seen before it was used");
}

#[test]
fn files_of_tls_settings_that_are_missing_or_no_pem_are_problems_of_the_job() {
    let text = one_task("https://localhost", 1, "{ url: / }")
        + "tls: { ca: missing.pem, certificate: job.yaml, key: job.yaml }\n";
    let done = Folder::with_job(&text).command(["run", "job.yaml"]).run();
    assert_eq!(done.code, 104, "{done:?}");
    assert!(done.stderr.contains("missing.pem"), "{}", done.stderr);
    assert!(done.stderr.contains("is no PEM file"), "{}", done.stderr);
}

/// Handshakes of two users with three connections each: full, resumed.
fn handshakes(server: &str, tls: &str) -> (Nginx, Outcome, [u64; 2]) {
    let authority = Authority::new();
    let nginx = nginx(&authority.sign("localhost"), server, &[]);
    let folder = folder(&nginx, &format!("connection: close\ntls: {{ ca: ca.pem{tls} }}\n"), &authority);
    folder.write("job.yaml", folder.read("job.yaml").replace("users: 1", "users: 2"));
    let outcome = folder.run();
    outcome.assert_valid_or_noise();
    let counts =
        ["full", "resumed"].map(|how| outcome.report.count(&format!("/connections/handshakes_{how}")));
    (nginx, outcome, counts)
}

/// Requests of nginx's log over a resumed session.
fn resumed(nginx: &Nginx) -> usize {
    nginx.log(6).lines().filter(|line| line.split(' ').rev().nth(1) == Some("r")).count()
}

#[test]
fn each_user_resumes_its_own_sessions() {
    for version in ["TLSv1.2", "TLSv1.3"] {
        let (nginx, outcome, counts) = handshakes(&format!("ssl_protocols {version};"), "");
        assert_eq!(counts, [2, 4], "{version}: the first of each user is full");
        assert_eq!(resumed(&nginx), 4, "{version}: {}", nginx.log(6));
        let report = &outcome.report;
        assert_eq!(report.count("/connections/opened"), 6);
        assert_eq!(report.count("/connections/reused"), 0);
        assert_eq!(report.count("/connections/connect_ms/count"), 6);
        assert_eq!(report.count("/connections/handshake_ms/count"), 6);
        assert!(report.number("/connections/handshake_ms/max") > 0.0);
    }
}

#[test]
fn without_resumption_every_handshake_is_full() {
    for version in ["TLSv1.2", "TLSv1.3"] {
        let (nginx, outcome, counts) = handshakes(&format!("ssl_protocols {version};"), ", resumption: off");
        assert_eq!(counts, [6, 0], "{version}");
        assert_eq!(resumed(&nginx), 0, "{version}");
        assert!(outcome.done.stdout.contains("TLS 6 full, 0 resumed"), "{}", outcome.done.stdout);
    }
}
