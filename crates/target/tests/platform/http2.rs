//! HTTP/2: by prior knowledge and by ALPN, with the same answers, faults, counts and log as HTTP/1.1.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use h2::client::SendRequest;
use h2::{Error, Reason};
use hyper::Request;
use hyper::body::Bytes;
use loadgen_target::{Behavior, Config, Target, TlsFiles};
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::target;

/// Runs a client of the platform.
fn run(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async { tokio::time::timeout(Duration::from_secs(20), work).await.unwrap() });
}

async fn over(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> SendRequest<Bytes> {
    let (requests, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    requests
}

async fn clear(address: SocketAddr) -> SendRequest<Bytes> {
    over(TcpStream::connect(address).await.unwrap()).await
}

/// Sends a request with this body; status and body of the answer.
async fn ask(
    requests: &SendRequest<Bytes>,
    method: &str,
    path: &str,
    body: &'static str,
) -> Result<(u16, Vec<u8>), Error> {
    let uri = format!("http://platform.example.com{path}");
    let request = Request::builder().method(method).uri(uri).body(()).unwrap();
    let mut requests = requests.clone().ready().await?;
    let (answer, mut stream) = requests.send_request(request, body.is_empty())?;
    if !body.is_empty() {
        stream.send_data(Bytes::from_static(body.as_bytes()), true)?;
    }
    let answer = answer.await?;
    let status = answer.status().as_u16();
    assert_eq!(answer.headers().get("connection"), None, "HTTP/2 knows no such header");
    let mut body = answer.into_body();
    let mut all = Vec::new();
    while let Some(piece) = body.data().await {
        let piece = piece?;
        body.flow_control().release_capacity(piece.len())?;
        all.extend_from_slice(&piece);
    }
    Ok((status, all))
}

#[test]
fn is_spoken_with_a_client_that_begins_with_it() {
    let target = target(&[]);
    run(async {
        let requests = clear(target.address()).await;
        for _ in 0..3 {
            assert_eq!(ask(&requests, "GET", "/health", "").await.unwrap().0, 200);
        }
        let (status, body) = ask(&requests, "POST", "/echo?a=b", "{\"one\":1}").await.unwrap();
        let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((status, &told["path"], &told["query"]), (200, &"/echo".into(), &"a=b".into()));
        assert_eq!(told["headers"]["host"], "platform.example.com", "{told}");
        assert_eq!(ask(&requests, "GET", "/bytes/300000", "").await.unwrap().1.len(), 300_000);
    });
    let counts = target.counts();
    assert_eq!((counts.connections, counts.received(), counts.answered()), (1, 5, 5));
}

#[test]
fn is_chosen_by_alpn_and_only_then() {
    let made = rcgen::generate_simple_self_signed(vec!["platform.example.com".to_owned()]).unwrap();
    let files = TlsFiles {
        certificate_pem: made.cert.pem().into_bytes(),
        key_pem: made.signing_key.serialize_pem().into_bytes(),
    };
    let mut roots = rustls::RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&files.certificate_pem).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.with_root_certificates(roots).with_no_client_auth();
    let target = Target::start(Config { tls: Some(files), ..Config::default() }).unwrap();
    run(async {
        for (offered, chosen) in
            [(&["h2", "http/1.1"][..], &b"h2"[..]), (&["http/1.1"], b"http/1.1"), (&["h2"], b"h2")]
        {
            let mut config = config.clone();
            config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
            let socket = TcpStream::connect(target.address()).await.unwrap();
            let name = "platform.example.com".try_into().unwrap();
            let stream = TlsConnector::from(Arc::new(config)).connect(name, socket).await.unwrap();
            assert_eq!(stream.get_ref().1.alpn_protocol(), Some(chosen));
            if chosen == b"h2" {
                let requests = over(stream).await;
                assert_eq!(ask(&requests, "GET", "/health", "").await.unwrap().0, 200);
            }
        }
    });
}

#[test]
fn requests_of_one_connection_are_served_side_by_side() {
    let target = target(&["echo=fixed:300ms"]);
    run(async {
        let requests = clear(target.address()).await;
        let begin = std::time::Instant::now();
        let all = (0..50).map(|_| {
            let requests = requests.clone();
            async move { ask(&requests, "GET", "/echo", "").await.unwrap().0 }
        });
        let mut set: tokio::task::JoinSet<u16> = all.collect();
        while let Some(status) = set.join_next().await {
            assert_eq!(status.unwrap(), 200);
        }
        assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    });
    assert_eq!(target.counts().connections, 1);
}

#[test]
fn an_error_and_a_drop_are_what_they_are_over_one_stream() {
    let target = target(&["read.errors=1", "echo.drops=1"]);
    run(async {
        let requests = clear(target.address()).await;
        assert_eq!(ask(&requests, "GET", "/users/user.1", "").await.unwrap().0, 503);
        let error = ask(&requests, "GET", "/echo", "").await.unwrap_err();
        assert!(error.is_reset(), "{error:?}");
        assert_eq!(ask(&requests, "GET", "/health", "").await.unwrap().0, 200, "the connection stays");
    });
    assert_eq!(target.counts().operation("echo").drops, 1);
}

#[test]
fn a_connection_ends_after_so_many_answers() {
    let target = target(&["close_after=3"]);
    run(async {
        let requests = clear(target.address()).await;
        for _ in 0..3 {
            assert_eq!(ask(&requests, "GET", "/echo", "").await.unwrap().0, 200);
        }
        let begin = std::time::Instant::now();
        let error = loop {
            // Its goodbye may come after a further request was sent.
            match ask(&requests, "GET", "/echo", "").await {
                Err(error) => break error,
                Ok(_) => assert!(begin.elapsed() < Duration::from_secs(10), "it is not closed"),
            }
        };
        assert!(error.is_go_away() || error.is_io(), "{error:?}");
        assert_eq!(error.reason().unwrap_or(Reason::NO_ERROR), Reason::NO_ERROR);
    });
}

#[test]
fn the_log_tells_which_requests_shared_a_connection() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.jsonl");
    let behavior = Behavior::parse(&["default=fixed:1ms".to_owned()]).unwrap();
    let config = Config { behavior, log: Some(path.clone()), ..Config::default() };
    let target = Target::start(config).unwrap();
    run(async {
        for _ in 0..2 {
            let requests = clear(target.address()).await;
            for _ in 0..2 {
                ask(&requests, "GET", "/users/user.1", "").await.unwrap();
            }
        }
    });
    target.stop();
    let log = std::fs::read_to_string(path).unwrap();
    let field = |name: &str| -> Vec<serde_json::Value> {
        log.lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()[name].clone())
            .collect()
    };
    assert_eq!(field("connection"), [1, 1, 2, 2]);
    assert_eq!(field("operation"), ["read"; 4]);
    assert_eq!(field("service_us"), [1_000; 4]);
    assert_eq!(field("path"), ["/users/user.1"; 4]);
}
