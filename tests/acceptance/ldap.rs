//! LDAP: against the built-in platform, and against a server that misbehaves. Real servers are asked in
//! `tests/directories`.

use crate::support::platform::Platform;
use crate::support::{Outcome, run_job};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// One user runs these tasks, in the order of the file, so many times.
fn tasks(directory: &str, iterations: u64, names: &[&str], rest: &str) -> Outcome {
    let steps: Vec<String> = names.iter().map(|name| format!("{{ task: {name} }}")).collect();
    run_job(&format!(
        "loadgen: 1\ndirectory: {directory}\nload: {{ users: 1, iterations: {iterations} }}\n\
         variables: {{ PEOPLE: \"ou=people,dc=example,dc=com\" }}\n\
         workloads: {{ w: {{ steps: [{}] }} }}\ntasks:\n{rest}",
        steps.join(", ")
    ))
}

#[track_caller]
fn assert_passed(outcome: &Outcome) {
    let [requests, passed, ..] = outcome.report.outcomes();
    assert!(requests > 0 && requests == passed, "{outcome:?}");
}

#[test]
fn values_of_names_are_escaped() {
    let platform = Platform::start(&[]);
    let rest = r#"
  bind: { ldap: bind, dn: cn=Directory Manager, password: password }
  add:
    ldap: add
    dn: cn=$NAME,$PEOPLE
    variables: { NAME: " a,b+c=d# " }
    attributes: { objectClass: [person], sn: x }
  delete: { ldap: delete, dn: "cn=\\ a\\,b\\+c\\=d\\#\\ ,ou=people,dc=example,dc=com" }
"#;
    let outcome = tasks(&platform.directory(), 1, &["bind", "add", "delete"], rest);
    assert_passed(&outcome);
    assert_eq!(platform.stop()[1].path, r"cn=\ a\,b\+c\=d\#\ ,ou=people,dc=example,dc=com");
}

#[test]
fn all_pages_of_a_search_are_one_request() {
    let platform = Platform::start(&[]);
    let rest = r#"
  all: { ldap: search, base: $PEOPLE, filter: (uid=user.1*), attributes: ["1.1"], page_size: 300, check: [{ entries: 1111 }] }
"#;
    let outcome = tasks(&platform.directory(), 1, &["all"], rest);
    assert_passed(&outcome);
    assert_eq!(outcome.report.outcomes()[0], 1);
    assert_eq!(platform.stop().len(), 4);
}

#[test]
fn a_wrong_result_is_a_failure_with_its_name() {
    let platform = Platform::start(&[]);
    let rest = "
  bind: { ldap: bind, dn: 'uid=user.1,$PEOPLE', password: wrong }
";
    let outcome = tasks(&platform.directory(), 4, &["bind"], rest);
    let (kind, detail, count) = outcome.report.failure("bind");
    assert_eq!((kind.as_str(), count), ("status", 4));
    assert!(detail.starts_with("49 invalidCredentials"), "{detail}");
}

#[test]
fn a_user_stays_who_it_is_when_the_directory_closes_its_connection() {
    let platform = Platform::start(&["close_after=3"]);
    let rest = "
  bind: { ldap: bind, dn: cn=Directory Manager, password: password }
  read: { ldap: search, base: 'uid=user.1,$PEOPLE', scope: base, controls: { proxied_authorization: 'u:user.2' } }
";
    let steps = ["bind", "read", "read", "read", "read", "read", "read"];
    let outcome = tasks(&platform.directory(), 1, &steps, rest);
    assert_passed(&outcome);
    assert!(outcome.report.count("/connections/opened") >= 2, "{outcome:?}");
}

/// A directory that answers as it is told: what comes on each connection, by its number from 0. The first one is
/// that on which LoadGen looks whether anybody is there.
fn scripted(
    answer: impl Fn(&[u8]) -> Option<Vec<u8>> + Send + 'static,
) -> (String, Arc<Mutex<Vec<Vec<u8>>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ldap://{}", listener.local_addr().unwrap());
    let heard = Arc::new(Mutex::new(Vec::new()));
    let all = heard.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut buffer = [0; 4096];
            while let Ok(length @ 1..) = stream.read(&mut buffer) {
                all.lock().unwrap().push(buffer[..length].to_vec());
                match answer(&buffer[..length]) {
                    Some(bytes) => stream.write_all(&bytes).unwrap(),
                    None => break,
                }
            }
        }
    });
    (url, heard)
}

const WHOAMI: &str = "
  whoami: { ldap: extended, whoami: on, timeout: 200ms }
";

#[test]
fn what_takes_too_long_is_abandoned_and_late_answers_are_passed_over() {
    // The first request is answered when it is given up; that may come together with the next one.
    let (url, heard) = scripted(|asked| {
        let holds = |part: &[u8]| asked.windows(part.len()).any(|window| window == part);
        let success = |id| [&[0x30, 0x0c, 2, 1, id, 0x78, 7, 0x0a, 1][..], &[0, 4, 0, 4, 0]].concat();
        let late = if holds(&[0x50, 1, 1]) { success(1) } else { Vec::new() };
        let own = if holds(&[2, 1, 3, 0x77]) { success(3) } else { Vec::new() };
        Some([late, own].concat())
    });
    let outcome = tasks(&url, 2, &["whoami"], WHOAMI);
    let (kind, _, count) = outcome.report.failure("whoami");
    assert_eq!((kind.as_str(), count), ("timeout", 1), "{outcome:?}");
    assert_eq!(outcome.report.task("whoami").count("/passed"), 1, "{outcome:?}");
    assert_eq!(outcome.report.count("/connections/opened"), 1);
    assert!(heard.lock().unwrap()[1].starts_with(&[0x30, 6, 2, 1, 2, 0x50, 1, 1]));
}

#[test]
fn a_bind_that_takes_too_long_closes_its_connection() {
    let (url, heard) = scripted(|_| Some(Vec::new()));
    let rest = "
  bind: { ldap: bind, dn: cn=a, password: b, timeout: 50ms }
";
    let outcome = tasks(&url, 2, &["bind"], rest);
    assert_eq!(outcome.report.failure("bind").0, "timeout");
    assert_eq!(outcome.report.count("/connections/opened"), 2, "{outcome:?}");
    assert_eq!(heard.lock().unwrap().len(), 2, "nothing gives a bind up");
}

#[test]
fn a_connection_that_is_not_kept_is_ended_by_an_unbind() {
    let platform = Platform::start(&[]);
    let rest = "
  a: { ldap: extended, whoami: on, connection: close }
  b: { ldap: extended, whoami: on, connection: iteration }
";
    assert_passed(&tasks(&platform.directory(), 3, &["a", "b"], rest));
    let said = || platform.counts().operation("ldap-unbind").received;
    let begun = Instant::now();
    // The last one may still be on its way.
    while said() < 6 && begun.elapsed() < Duration::from_secs(5) {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(said(), 6);
}

#[test]
fn what_is_no_ldap_or_a_goodbye_is_said() {
    let (url, _) = scripted(|_| Some(b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec()));
    let outcome = tasks(&url, 1, &["whoami"], WHOAMI);
    assert_eq!(outcome.report.failure("whoami").0, "protocol", "{outcome:?}");
    let (url, _) =
        scripted(|_| Some(b"\x30\x0f\x02\x01\x00\x78\x0a\x0a\x01\x34\x04\x00\x04\x03bye".to_vec()));
    let (kind, detail, _) = tasks(&url, 1, &["whoami"], WHOAMI).report.failure("whoami");
    assert_eq!((kind.as_str(), detail.as_str()), ("reset", "notice of disconnection: 52 unavailable: bye"));
    let (url, _) = scripted(|_| None);
    let (kind, detail, _) = tasks(&url, 1, &["whoami"], WHOAMI).report.failure("whoami");
    assert_eq!(kind, "reset", "{detail}");
}

#[test]
fn a_directory_that_is_not_there_ends_the_run_before_it_begins() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let job = format!(
        "loadgen: 1\ndirectory: ldap://127.0.0.1:{port}\nload: {{ iterations: 1 }}\n\
         workloads: {{ w: {{ steps: [{{ task: t }}] }} }}\ntasks: {{ t: {{ ldap: unbind }} }}\n"
    );
    let folder = crate::support::Folder::with_job(&job);
    let done = folder.command(["run", "job.yaml"]).run();
    assert!(done.stderr.contains(&format!("cannot reach ldap://127.0.0.1:{port}")), "{done:?}");
}
