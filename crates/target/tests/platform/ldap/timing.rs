//! Service times, queues, faults, and the log of them.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::ber::element;
use super::client::{Client, bind, modify, search, user};
use super::{logged, target};

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

fn read(number: u32) -> Vec<u8> {
    search(&user(number), 0, "(objectClass=*)", &["cn"], 0)
}

/// The numbers of the messages that end an operation, in the order they come.
fn ends(client: &mut Client, count: usize) -> Vec<u32> {
    let mut ends = Vec::new();
    while ends.len() < count {
        let message = client.receive().unwrap();
        if message.tag != 0x64 {
            ends.push(message.id);
        }
    }
    ends
}

#[test]
fn each_request_of_a_connection_is_delayed_on_its_own() {
    let target = target(&["ldap-modify=fixed:200ms", "ldap-search=fixed:20ms"]);
    let mut client = Client::manager(&target);
    let begin = Instant::now();
    let slow = client.send(&modify(&user(1), &[(2, "l", &["x"])]));
    for number in 0..31 {
        client.send(&read(number));
    }
    let fast = ends(&mut client, 31);
    assert!(begin.elapsed() >= ms(20) && begin.elapsed() < ms(190), "{:?}", begin.elapsed());
    assert!(!fast.contains(&slow));
    assert_eq!(ends(&mut client, 1), [slow]);
    assert!(begin.elapsed() >= ms(200) && begin.elapsed() < ms(300), "{:?}", begin.elapsed());
}

#[test]
fn one_server_serves_both_sides_one_after_another() {
    let target = target(&["default=fixed:20ms", "servers=1"]);
    let mut client = Client::to(&target);
    let begin = Instant::now();
    for number in 0..4 {
        client.send(&read(number));
    }
    std::thread::sleep(ms(5));
    crate::client::Client::to(&target).get("/users/user.1");
    assert!(begin.elapsed() >= ms(100), "{:?}", begin.elapsed());
    assert_eq!(ends(&mut client, 4), [1, 2, 3, 4]);
}

#[test]
fn a_bind_excludes_others() {
    let target = target(&["ldap-bind=fixed:50ms", "ldap-search=fixed:30ms"]);
    let mut client = Client::to(&target);
    let begin = Instant::now();
    client.send(&read(1));
    client.send(&bind(&user(1), "password"));
    client.send(&read(2));
    assert_eq!(ends(&mut client, 1), [1]);
    assert_eq!(ends(&mut client, 1), [2]);
    assert!(begin.elapsed() >= ms(80), "the bind waits for the search: {:?}", begin.elapsed());
    assert_eq!(ends(&mut client, 1), [3]);
    assert!(begin.elapsed() >= ms(110), "the search waits for the bind: {:?}", begin.elapsed());
}

#[test]
fn errors_and_drops_come_in_their_share() {
    let target = target(&["ldap-search.errors=0.5", "ldap-bind.errors=1", "ldap-compare.drops=1"]);
    let mut client = Client::to(&target);
    let busy = (0..1_000).filter(|_| client.ask(&read(1)).code == 51).count();
    assert!((400..600).contains(&busy), "{busy}");
    assert_eq!(client.bind("", "").code, 52);
    client.send(&super::ber::group(0x6e, &[super::ber::text(""), super::ber::texts(&["a", "b"])]));
    client.receive().unwrap_err();
    let counts = target.counts();
    let searches = counts.operation("ldap-search");
    assert_eq!((searches.received, searches.answered, searches.errors), (1_000, 1_000, busy as u64));
    let compares = counts.operation("ldap-compare");
    assert_eq!((compares.received, compares.answered, compares.drops), (1, 0, 1));
}

#[test]
fn an_abandoned_request_is_not_answered() {
    let target = target(&["ldap-search=fixed:50ms", "ldap-compare=fixed:100ms"]);
    let mut client = Client::to(&target);
    client.send(&read(1));
    let abandoned = client.send(&read(2));
    client.send(&element(0x50, &[abandoned as u8]));
    client.send(&read(3));
    assert_eq!(ends(&mut client, 2), [1, 4]);
    assert_eq!(client.compare(&user(1), "cn", "x").code, 5, "nothing came in between");
    let counts = target.counts();
    let searches = counts.operation("ldap-search");
    assert_eq!((searches.received, searches.answered), (3, 2));
    assert_eq!(counts.operation("ldap-abandon").received, 1);
}

#[test]
fn a_connection_is_closed_after_so_many_answers() {
    let target = target(&["close_after=3"]);
    let mut client = Client::to(&target);
    for number in 0..5 {
        client.send(&read(number));
    }
    assert_eq!(ends(&mut client, 3), [1, 2, 3]);
    client.receive().unwrap_err();
}

#[test]
fn the_log_knows_every_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl");
    let target = logged(&["ldap-search=exponential:1ms", "ldap-delete=fixed:10s"], Some(path.clone()));
    let mut client = Client::manager(&target);
    for number in 0..500 {
        client.send(&read(number));
    }
    ends(&mut client, 500);
    client.compare(&user(1), "cn", "x");
    client.send(&element(0x4a, user(1).as_bytes()));
    client.send(&element(0x42, b""));
    client.receive().unwrap_err();
    target.stop();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 503);
    let number =
        |line: &Value, field: &str| line[field].as_u64().unwrap_or_else(|| panic!("{field}: {line}"));
    let mut searched: Vec<_> = Vec::new();
    for line in &lines[..502] {
        assert!(
            number(line, "arrival_us") + number(line, "service_us") <= number(line, "due_us") + 1,
            "{line}"
        );
        assert!(number(line, "replied_us") >= number(line, "due_us"), "{line}");
        if line["operation"] == "ldap-search" {
            searched.push(number(line, "message"));
        }
    }
    searched.sort_unstable();
    assert_eq!(searched, (2..502).collect::<Vec<_>>());
    let compare = &lines[501];
    assert_eq!(
        (&compare["operation"], &compare["status"], &compare["dn"]),
        (&"ldap-compare".into(), &5.into(), &user(1).into())
    );
    let unanswered = &lines[502];
    assert_eq!((&unanswered["operation"], &unanswered["status"]), (&"ldap-delete".into(), &Value::Null));
}
