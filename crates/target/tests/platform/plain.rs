//! Calls of no identity system.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::Client;
use crate::target;

#[test]
fn sleeps_as_long_as_asked() {
    let target = target(&["default=fixed:500ms", "servers=1"]);
    let begin = Instant::now();
    let sleepers: Vec<_> = (0..4)
        .map(|_| {
            let address = target.address();
            std::thread::spawn(move || {
                Client::at(address).get("/sleep/50").check(200, &json!({"slept_ms": 50.0}));
            })
        })
        .collect();
    for sleeper in sleepers {
        sleeper.join().unwrap();
    }
    let elapsed = begin.elapsed();
    assert!((Duration::from_millis(50)..Duration::from_millis(200)).contains(&elapsed), "{elapsed:?}");
}

#[test]
fn sends_bytes_of_any_number() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    for length in [0, 1, 65_536, 3_000_001] {
        let reply = client.get(&format!("/bytes/{length}"));
        assert_eq!(
            (reply.body.len(), reply.header("content-length")),
            (length, Some(length.to_string().as_str()))
        );
        let reply = client.get(&format!("/bytes/{length}?chunked"));
        assert_eq!((reply.body.len(), reply.header("transfer-encoding")), (length, Some("chunked")));
    }
    let begin = Instant::now();
    assert_eq!(client.get("/bytes/10?pause=30").body.len(), 10);
    assert!(begin.elapsed() >= Duration::from_millis(30));
}

#[test]
fn answers_statuses_and_redirects() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    for status in [200, 204, 304, 404, 418, 503, 599] {
        assert_eq!(client.get(&format!("/status/{status}")).status, status);
    }
    client.get("/status/404").check_refusal(404, "Not Found");
    assert_eq!(client.get("/status/700").status, 404);
    let mut path = "/redirect/2".to_owned();
    for _ in 0..2 {
        let reply = client.get(&path);
        assert_eq!(reply.status, 302);
        reply.header("location").unwrap().clone_into(&mut path);
    }
    assert_eq!(client.get(&path).status, 200);
    client.get("/health").check(200, &json!({"status": "up"}));
    assert_eq!(client.get("/nowhere").check_refusal(404, "Not Found"), "Resource '/nowhere' not found");
}

#[test]
fn echoes_what_arrived() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let echo =
        client.send("PATCH", "/echo/a?b=%20c", &[("X-Two", "1"), ("X-Two", "2")], "{\"d\":[1]}").json();
    assert_eq!(
        (&echo["method"], &echo["path"], &echo["query"]),
        (&json!("PATCH"), &json!("/echo/a"), &json!("b=%20c"))
    );
    assert_eq!((&echo["headers"]["x-two"], &echo["body"]), (&json!("1, 2"), &json!({"d": [1]})));
    assert_eq!(client.send("POST", "/echo", &[], "plain text").json()["body"], "plain text");
}

#[test]
fn compresses() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let reply = client.get("/gzip");
    assert_eq!((reply.header("content-encoding"), &reply.body[..2]), (Some("gzip"), &[0x1f, 0x8b][..]));
    let reply = client.get("/deflate");
    assert_eq!((reply.header("content-encoding"), reply.body[0]), (Some("deflate"), 0x78));
}
