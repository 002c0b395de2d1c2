//! LDAP against the built-in platform, and against a server that misbehaves.

use crate::support::command::{Outcome, run_job};
use crate::support::job::{assert_passed, tasks};
use crate::support::openldap::OpenLdap;
use crate::support::platform::Platform;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

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
pub(crate) fn scripted(
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
    let folder = crate::support::command::Folder::with_job(&job);
    let done = folder.command(["run", "job.yaml"]).run();
    assert!(done.stderr.contains(&format!("cannot reach ldap://127.0.0.1:{port}")), "{done:?}");
}

/// 16 users over 2 connections of 4 operations each; each checks that the answers are its own.
fn shared(directory: &str, manager: &str, rest: &str) -> Outcome {
    run_job(&format!(
        r#"
loadgen: 1
directory: {directory}
connections: {{ shared: 2, streams: 4, bind: {{ dn: "{manager}", password: password }} }}
load: {{ users: 16, iterations: 50 }}
{rest}
variables: {{ PEOPLE: "ou=people,dc=example,dc=com" }}
wildcards: {{ N: {{ random: [0, 9] }}, TEXT: {{ string: 16 }} }}
workloads: {{ w: {{ steps: [{{ task: search }}, {{ task: modify }}] }} }}
tasks:
  search:
    ldap: search
    base: $PEOPLE
    filter: (uid=user.$N)
    check: [{{ entries: 1 }}, {{ attribute: uid, equals: user.$N }}]
  modify:
    ldap: modify
    dn: uid=user.$N,$PEOPLE
    changes: [{{ replace: description, value: $TEXT }}]
    controls: {{ post_read: [description] }}
    check: [{{ attribute: description, equals: $TEXT }}]
"#
    ))
}

#[test]
fn users_share_connections_to_the_built_in_platform() {
    let platform = Platform::start(&["ldap-search=exponential:1ms"]);
    let outcome = shared(&platform.directory(), "cn=Directory Manager", "");
    assert_passed(&outcome);
    assert_eq!(outcome.report.outcomes()[0], 16 * 50 * 2);
    assert_eq!(outcome.report.count("/connections/opened"), 2, "{outcome:?}");
    assert_eq!(outcome.report.count("/connections/reused"), 1598, "{outcome:?}");
    let received = |operation| platform.counts().operation(operation).received;
    assert_eq!(["ldap-bind", "ldap-search", "ldap-modify"].map(received), [2, 800, 800]);
    assert_eq!(platform.stop().len(), 1602, "what it logged, the binds of the connections included");
}

#[test]
fn users_share_connections_to_openldap() {
    let slapd = OpenLdap::start();
    let (url, manager) = (slapd.directory.url.clone(), slapd.directory.manager);
    let tls = slapd.directory.tls(", start_tls: on");
    let before = slapd.directory.counts();
    for (url, rest) in [(&url, ""), (&url, tls.as_str()), (&slapd.local_url(), "")] {
        let outcome = shared(url, manager, rest);
        assert_passed(&outcome);
        assert_eq!(outcome.report.outcomes()[0], 16 * 50 * 2);
        assert_eq!(outcome.report.count("/connections/opened"), 2, "{outcome:?}");
    }
    let after = slapd.directory.counts();
    // Reading a counter is a bind and a search; so many of them are read.
    let own = before.len() as u64;
    let asked = ["bind", "search", "modify"].map(|operation| after[operation] - before[operation]);
    assert_eq!(asked, [3 * 2 + own, 3 * 800 + own, 3 * 800]);
}

#[test]
fn a_shared_connection_is_opened_and_bound_again_when_the_directory_closes_it() {
    let platform = Platform::start(&["close_after=100"]);
    let outcome = shared(&platform.directory(), "cn=Directory Manager", "");
    let [requests, passed, ..] = outcome.report.outcomes();
    assert!(passed * 10 > requests * 9, "{outcome:?}");
    let opened = outcome.report.count("/connections/opened");
    let lost = outcome.report.count("/connections/closed_by_peer");
    assert!(opened > 10 && lost + 2 >= opened && lost <= opened, "{opened} opened, {lost} lost");
    assert_eq!(platform.counts().operation("ldap-bind").received, opened);
}
