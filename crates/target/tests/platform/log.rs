//! The log of requests.

use std::fs;
use std::path::Path;

use loadgen_target::{Behavior, Config, Target};
use serde_json::Value;

use crate::client::Client;

fn logged(specs: &[&str], path: &Path) -> Target {
    let behavior = Behavior::parse(&specs.iter().map(ToString::to_string).collect::<Vec<_>>()).unwrap();
    Target::start(Config { behavior, log: Some(path.to_owned()), ..Config::default() }).unwrap()
}

fn lines(path: &Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_request_is_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl");
    let target = logged(&["read=exponential:1ms", "servers=1", "query.drops=1"], &path);
    let mut client = Client::to(&target);
    for number in 0..1_500 {
        let path = if number % 10 == 0 { "/echo?x=y" } else { "/users/user.1" };
        assert_eq!(client.get(path).status, 200);
    }
    client.try_send("GET", "/users?_queryFilter=true", &[], "").unwrap_err();
    Client::to(&target).get("/users/%22quoted%22");
    target.stop();

    let lines = lines(&path);
    assert_eq!(lines.len(), 1_502);
    let number =
        |line: &Value, field: &str| line[field].as_u64().unwrap_or_else(|| panic!("{field} of {line}"));
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(number(line, "id"), at as u64 + 1);
        assert!(number(line, "arrival_us") <= number(line, "due_us"));
        if !line["status"].is_null() {
            assert!(number(line, "replied_us") >= number(line, "due_us"), "never before it is due: {line}");
        }
    }
    for pair in lines[..1_500].windows(2) {
        assert!(number(&pair[1], "arrival_us") >= number(&pair[0], "replied_us"), "one after another");
    }
    let echo = &lines[0];
    assert_eq!(
        (&echo["operation"], &echo["method"], &echo["path"]),
        (&"echo".into(), &"GET".into(), &"/echo".into())
    );
    assert_eq!((&echo["service_us"], &echo["connection"]), (&0.into(), &1.into()));
    let waits: Vec<_> =
        lines.iter().filter(|line| line["operation"] == "read" && line["status"] == 200).collect();
    let mean = waits.iter().map(|line| number(line, "service_us")).sum::<u64>() as f64 / waits.len() as f64;
    assert!((900.0..1_100.0).contains(&mean), "mean service time {mean} us");
    let dropped = &lines[1_500];
    assert_eq!(
        (&dropped["operation"], &dropped["status"], &dropped["replied_us"]),
        (&"query".into(), &Value::Null, &Value::Null)
    );
    assert_eq!((&lines[1_501]["status"], &lines[1_501]["connection"]), (&404.into(), &2.into()));
}

#[test]
fn it_can_be_read_while_the_platform_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl");
    let target = logged(&[], &path);
    Client::to(&target).get("/health");
    for _ in 0..200 {
        if !lines(&path).is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("nothing was written");
}
