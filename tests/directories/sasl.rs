//! Binds by SASL in which the server asks: against a real OpenLDAP, and against servers that prove nothing.

use crate::ldap::scripted;
use crate::support::job::{assert_passed, tasks};
use crate::support::openldap::OpenLdap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

const MECHANISMS: [&str; 5] = ["SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512", "DIGEST-MD5", "CRAM-MD5"];

/// A bind, and a search that only the user itself may make.
fn bind_and_read(mechanism: &str, more: &str, password: &str) -> String {
    format!(
        "
  bind: {{ ldap: bind, sasl: {{ mechanism: {mechanism}, authid: user.1{more} }}, password: {password} }}
  read:
    ldap: search
    base: uid=user.1,$PEOPLE
    scope: base
    filter: (userPassword=*)
    check: [{{ entries: 1 }}]
"
    )
}

#[test]
fn every_mechanism_proves_a_user_to_openldap() {
    let slapd = OpenLdap::start();
    for mechanism in MECHANISMS {
        let rest = bind_and_read(mechanism, "", "password");
        let outcome = tasks(&slapd.directory.url, 3, &["bind", "read"], &rest);
        assert_passed(&outcome);
        assert_eq!(outcome.report.outcomes()[0], 6, "a bind is one request: {mechanism}");
        assert_eq!(outcome.report.count("/connections/opened"), 1, "{mechanism}: {outcome:?}");
    }
}

#[test]
fn a_realm_and_another_actor_reach_openldap() {
    let slapd = OpenLdap::start();
    let rest = bind_and_read("DIGEST-MD5", ", realm: example.com", "password");
    assert_passed(&tasks(&slapd.directory.url, 1, &["bind", "read"], &rest));
    let rest = bind_and_read("DIGEST-MD5", ", realm: example.org", "password");
    assert_eq!(tasks(&slapd.directory.url, 1, &["bind"], &rest).report.failure("bind").0, "status");
    for mechanism in &MECHANISMS[..4] {
        // Nobody has allowed user.1 to act as user.2.
        let rest = bind_and_read(mechanism, ", authzid: 'u:user.2'", "password");
        let (kind, detail, _) = tasks(&slapd.directory.url, 1, &["bind"], &rest).report.failure("bind");
        assert_eq!(kind, "status", "{mechanism}: {detail}");
        let rest = bind_and_read(mechanism, ", authzid: 'u:user.1'", "password");
        assert_passed(&tasks(&slapd.directory.url, 1, &["bind", "read"], &rest));
    }
}

#[test]
fn a_wrong_password_is_a_failure_with_its_name() {
    let slapd = OpenLdap::start();
    for mechanism in MECHANISMS {
        let rest = bind_and_read(mechanism, "", "wrong");
        let (kind, detail, count) = tasks(&slapd.directory.url, 2, &["bind"], &rest).report.failure("bind");
        assert_eq!((kind.as_str(), count), ("status", 2), "{mechanism}: {detail}");
        assert!(detail.starts_with("49 invalidCredentials"), "{mechanism}: {detail}");
    }
}

/// Passes messages on, and closes each connection in place of the one after so many.
fn relay(to: &str, messages: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("ldap://{}", listener.local_addr().unwrap());
    let to = to.trim_start_matches("ldap://").to_owned();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (mut client, mut server) = (client.unwrap(), TcpStream::connect(&to).unwrap());
            let (mut back, mut answers) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            std::thread::spawn(move || std::io::copy(&mut answers, &mut back));
            let mut buffer = [0; 4096];
            for _ in 0..messages {
                let Ok(length @ 1..) = client.read(&mut buffer) else { break };
                server.write_all(&buffer[..length]).unwrap();
            }
            let _ = client.read(&mut buffer);
            let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
        }
    });
    url
}

#[test]
fn an_exchange_is_repeated_on_a_new_connection() {
    let slapd = OpenLdap::start();
    for mechanism in MECHANISMS {
        let url = relay(&slapd.directory.url, 5);
        let rest = bind_and_read(mechanism, "", "password");
        let outcome = tasks(&url, 1, &["bind", "read", "read", "read", "read", "read", "read"], &rest);
        assert_passed(&outcome);
        assert!(outcome.report.count("/connections/opened") >= 2, "{mechanism}: {outcome:?}");
    }
}

/// The answer to the first message: a result code, and what the server says to the client.
fn bind_answer(code: u8, said: &str) -> Vec<u8> {
    let credentials = [&[0x87, said.len() as u8], said.as_bytes()].concat();
    let result = [&[0x0a, 1, code, 4, 0, 4, 0], &*credentials].concat();
    let operation = [&[2, 1, 1, 0x61, result.len() as u8], &*result].concat();
    [&[0x30, operation.len() as u8], &*operation].concat()
}

#[test]
fn a_server_that_proves_nothing_is_not_believed() {
    let check = |mechanism: &str, answer: Vec<u8>, expected: &str| {
        let (url, _) = scripted(move |_| Some(answer.clone()));
        let rest = bind_and_read(mechanism, "", "password");
        let (kind, detail, _) = tasks(&url, 1, &["bind"], &rest).report.failure("bind");
        assert_eq!(kind, "protocol", "{detail}");
        assert!(detail.contains(expected), "{detail}");
    };
    for mechanism in MECHANISMS {
        check(mechanism, bind_answer(0, ""), "has not proved that it knows the password");
    }
    check("SCRAM-SHA-256", bind_answer(14, "r=x,s=AAAA,i=1"), "its nonce does not continue ours");
    check("DIGEST-MD5", bind_answer(14, "nonce=x,qop=auth-conf,algorithm=md5-sess"), "insists on");
}
