//! Answers in all the forms that HTTP/1.1 allows.

use crate::support::platform::Platform;
use crate::support::{Answer, Server, job, one_task, run_job};
use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
use std::io::Write;
use std::time::Duration;

const TOKEN: &str = r#"{"tokenId":"AQIC5wM2LY4S*","successUrl":"/openam/console"}"#;

/// Captures a token from what `/token` answers and sends it back in a path.
fn captures_token(answer: impl Fn() -> Answer + Send + Sync + 'static) {
    let server = Server::start(move |request| match request.path() {
        "/token" => answer(),
        _ => Answer::ok("{}"),
    });
    let text = "
load: { users: 1, iterations: 2 }
workloads: { w: { steps: [{ task: token }, { task: use }] } }
tasks:
  token: { url: /token, capture: { TOKEN: { json: $.tokenId } } }
  use: { url: /use/$TOKEN }
";
    let outcome = run_job(&job(&server.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [4, 4, 0, 0, 0], "{outcome:?}");
    assert_eq!(server.paths(), ["/token", "/use/AQIC5wM2LY4S*", "/token", "/use/AQIC5wM2LY4S*"]);
}

fn coded(coding: &str, body: &[u8]) -> Answer {
    Answer::status(200, &[("Content-Encoding", coding)], body)
}

#[test]
fn a_body_with_a_length() {
    captures_token(|| Answer::ok(TOKEN));
}

#[test]
fn a_chunked_body() {
    captures_token(|| {
        let (first, second) = TOKEN.split_at(9);
        let chunk = |text: &str| format!("{:X};note=1\r\n{text}\r\n", text.len());
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        Answer::Keep(format!("{head}{}{}0\r\nX-Sum: 1\r\n\r\n", chunk(first), chunk(second)).into())
    });
}

#[test]
fn a_body_that_comes_byte_by_byte() {
    captures_token(|| {
        let whole = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{TOKEN}", TOKEN.len());
        Answer::Pieces(whole.bytes().map(|byte| vec![byte]).collect(), Duration::from_micros(100))
    });
}

#[test]
fn a_gzip_body() {
    captures_token(|| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TOKEN.as_bytes()).unwrap();
        coded("gzip", &encoder.finish().unwrap())
    });
}

#[test]
fn a_deflate_body() {
    captures_token(|| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TOKEN.as_bytes()).unwrap();
        coded("deflate", &encoder.finish().unwrap())
    });
}

#[test]
fn a_deflate_body_without_the_wrapper_that_the_standard_asks_for() {
    captures_token(|| {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(TOKEN.as_bytes()).unwrap();
        coded("Deflate", &encoder.finish().unwrap())
    });
}

#[test]
fn a_brotli_body() {
    captures_token(|| coded("br", &brotli(TOKEN.as_bytes())));
}

/// RFC 7932 section 9: a window of 16 bits (`0`), one meta-block that is not the last (`0`), its length less
/// one in four nibbles (`00`), not compressed (`1`), the bytes; then an empty last one (`11`).
fn brotli(bytes: &[u8]) -> Vec<u8> {
    let head = (u32::try_from(bytes.len()).unwrap() - 1) << 4 | 1 << 20;
    [&head.to_le_bytes()[..3], bytes, &[3]].concat()
}

#[test]
fn an_unknown_coding_fails_only_what_reads_the_body() {
    let server = Server::start(|_| coded("zstd", b"\x28\xb5\x2f\xfd"));
    let read = run_job(&one_task(&server.url(), 2, "{ url: /, check: [{ body: { contains: a } }] }"));
    read.assert_code(99);
    let detail = "the body's coding `zstd` is not gzip, deflate or br";
    assert_eq!(read.report.failure("t"), ("protocol".to_owned(), detail.to_owned(), 2));
    run_job(&one_task(&server.url(), 2, "{ url: / }")).assert_code(0);
}

#[test]
fn a_head_has_no_body_whatever_its_answer_says() {
    let server = Server::start(|_| Answer::Keep(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n".into()));
    let outcome = run_job(&one_task(&server.url(), 3, "{ method: HEAD, url: / }"));
    outcome.assert_code(0);
    assert_eq!(server.requests()[2].method(), "HEAD");
    assert_eq!(server.connections(), 1, "the connection is used on");
}

#[test]
fn answers_without_a_body() {
    for status in [204, 304] {
        let server = Server::start(move |_| Answer::Keep(format!("HTTP/1.1 {status} Empty\r\n\r\n").into()));
        let outcome = run_job(&one_task(&server.url(), 3, "{ url: /, timeout: 5s }"));
        outcome.assert_code(0);
        assert_eq!(server.connections(), 1, "status {status}: the connection is used on");
    }
}

#[test]
fn interim_answers_are_passed_over() {
    let server = Server::start(|request| {
        let interim = b"HTTP/1.1 100 Continue\r\n\r\n".to_vec();
        let last = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n";
        match request.index {
            // In one piece, and in several.
            0 => Answer::Keep([interim.as_slice(), last].concat()),
            _ => Answer::Pieces(vec![interim, last.to_vec()], Duration::from_millis(20)),
        }
    });
    let task = "{ method: POST, url: /, json: {}, check: [{ status: 201 }], timeout: 5s }";
    let outcome = run_job(&one_task(&server.url(), 2, task));
    outcome.assert_code(0);
    assert_eq!(outcome.report.outcomes(), [2, 2, 0, 0, 0]);
}

#[test]
fn an_http_1_0_answer_ends_with_its_connection() {
    let server = Server::start(|_| Answer::Close(b"HTTP/1.0 200 OK\r\n\r\n{\"valid\":true}".into()));
    let outcome =
        run_job(&one_task(&server.url(), 3, "{ url: /, check: [{ json: $.valid, equals: \"true\" }] }"));
    outcome.assert_code(0);
    assert_eq!(outcome.report.count("/load/connections_opened"), 3);
    assert_eq!(
        outcome.report.count("/load/connections_closed_by_peer"),
        0,
        "it was not kept in the first place"
    );
}

#[test]
fn five_gigabytes_are_counted_without_being_kept() {
    const LENGTH: u64 = 5_000_000_000;
    let server = Server::start(|_| {
        Answer::Custom(Box::new(|stream| {
            let piece = vec![b'x'; 1 << 20];
            let mut left = LENGTH;
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {LENGTH}\r\n\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            while left > 0 {
                let length = left.min(piece.len() as u64);
                stream.write_all(&piece[..length as usize]).unwrap();
                left -= length;
            }
            // Closing at once could take away what is still under way.
            let _ = std::io::Read::read(stream, &mut [0]);
        }))
    });
    let task = "{ url: /, timeout: 55s, check: [{ size: { min: 5000000000, max: 5000000000 } }] }";
    let outcome = run_job(&one_task(&server.url(), 1, task));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [1, 1, 0, 0, 0]);
    let received = outcome.report.count("/totals/bytes_received");
    assert!((LENGTH..LENGTH + 1_000).contains(&received), "{received}");
    let memory = outcome.report.count("/health/rss_bytes");
    assert!((1..256 << 20).contains(&memory), "{memory} bytes of memory");
}

#[test]
fn the_platforms_own_answers_are_read_in_all_forms() {
    let platform = Platform::start(&[]);
    let text = "
load: { users: 2, iterations: 3 }
workloads: { w: { steps: [{ task: plain }, { task: chunked }, { task: gzip }, { task: deflate }] } }
tasks:
  plain: { url: /bytes/1000000, check: [{ size: { min: 1000000, max: 1000000 } }] }
  chunked: { url: /bytes/1000000?chunked, check: [{ size: { min: 1000000, max: 1000000 } }] }
  gzip: { url: /gzip, check: [{ json: $.method, equals: GET }] }
  deflate: { url: /deflate, check: [{ json: $.method, equals: GET }] }
";
    let outcome = run_job(&job(&platform.url(), text));
    outcome.assert_valid_or_noise();
    assert_eq!(outcome.report.outcomes(), [24, 24, 0, 0, 0], "{outcome:?}");
    assert_eq!(platform.counts().received(), 24);
}
