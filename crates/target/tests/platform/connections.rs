//! Listening, TLS, many connections, stopping.

use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use loadgen_target::{Config, Error, Target, TlsFiles};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use crate::client::Client;
use crate::target;

#[test]
fn says_why_it_cannot_listen() {
    let first = target(&[]);
    let second = Target::start(Config { listen: first.address(), ..Config::default() });
    let message = second.err().unwrap().to_string();
    assert!(message.contains("is in use; choose another port"), "{message}");
    assert_eq!(first.url(), format!("http://{}", first.address()));
    let log = Some("/nowhere/at/all.jsonl".into());
    assert!(matches!(Target::start(Config { log, ..Config::default() }), Err(Error::Log { .. })));
}

#[test]
fn closes_a_connection_after_so_many_answers() {
    let target = target(&["close_after=3"]);
    let mut client = Client::to(&target);
    for _ in 0..2 {
        assert_eq!(client.get("/echo").header("connection"), None);
    }
    assert_eq!(client.get("/echo").header("connection"), Some("close"));
    assert!(client.try_send("GET", "/echo", &[], "").is_err());
}

#[test]
fn keeps_idle_connections() {
    let target = target(&[]);
    let mut clients: Vec<_> = (0..400).map(|_| Client::to(&target)).collect();
    for client in clients.iter_mut().rev() {
        assert_eq!(client.get("/health").status, 200);
    }
    assert_eq!(target.counts().connections, 400);
}

#[test]
fn ten_million_users_start_at_once() {
    let begin = Instant::now();
    let target = Target::start(Config { population: 10_000_000, ..Config::default() }).unwrap();
    assert_eq!(Client::to(&target).get("/users/user.9999999").status, 200);
    assert!(begin.elapsed() < Duration::from_millis(500));
}

#[test]
fn stopping_lets_requests_end() {
    let target = target(&["echo=fixed:200ms"]);
    let mut client = Client::to(&target);
    let address = target.address();
    let asking = std::thread::spawn(move || client.get("/echo").status);
    while target.counts().received() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let idle = TcpStream::connect(address).unwrap();
    target.stop();
    assert_eq!(asking.join().unwrap(), 200);
    assert!(TcpStream::connect(address).is_err());
    drop(idle);
}

#[test]
fn stopping_does_not_wait_for_ever() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let asking = std::thread::spawn(move || client.try_send("GET", "/sleep/60000", &[], "").is_err());
    while target.counts().received() == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    let begin = Instant::now();
    target.stop();
    assert!(begin.elapsed() < Duration::from_secs(3));
    assert!(asking.join().unwrap());
}

#[test]
fn serves_tls() {
    let made = rcgen::generate_simple_self_signed(vec!["platform.example.com".to_owned()]).unwrap();
    let files = TlsFiles {
        certificate_pem: made.cert.pem().into_bytes(),
        key_pem: made.signing_key.serialize_pem().into_bytes(),
    };
    let target = Target::start(Config { tls: Some(files.clone()), ..Config::default() }).unwrap();
    assert!(target.url().starts_with("https://"));
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&files.certificate_pem).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = Arc::new(config.with_root_certificates(roots).with_no_client_auth());
    let name = "platform.example.com".try_into().unwrap();
    let connection = ClientConnection::new(config, name).unwrap();
    let stream = StreamOwned::new(connection, TcpStream::connect(target.address()).unwrap());
    let mut client = Client::over(stream);
    assert_eq!(client.get("/health").status, 200);
    assert_eq!(client.get("/bytes/300000").body.len(), 300_000);

    let broken = TlsFiles { certificate_pem: b"no certificate".to_vec(), ..files };
    let error = Target::start(Config { tls: Some(broken), ..Config::default() }).err().unwrap();
    assert_eq!(error.to_string(), "cannot serve TLS: the certificate file has no certificate in it");
}
