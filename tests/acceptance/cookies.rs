//! Cookies, kept for each user as a browser would (RFC 6265).

use crate::support::{Answer, Server, job, run_job};
use std::collections::BTreeMap;

const LOG_IN_AND_USE: &str = "
workloads: { w: { steps: [{ task: login }, { task: use }] } }
tasks: { login: { url: /openam/login }, use: { url: /openam/use } }
";

/// Hands a number to each connection, and so to each user.
fn server() -> Server {
    Server::start(|request| {
        let cookie = format!("SID=s{}; Path=/openam; HttpOnly", request.connection);
        match request.path() {
            "/openam/login" => {
                Answer::status(200, &[("Set-Cookie", &cookie), ("Set-Cookie", "lb=01")], b"{}")
            }
            _ => Answer::ok("{}"),
        }
    })
}

#[test]
fn each_user_has_cookies_of_its_own() {
    let server = server();
    let text = format!("load: {{ users: 3, iterations: 2 }}\n{LOG_IN_AND_USE}");
    run_job(&job(&server.url(), &text)).assert_valid_or_noise();
    let mut uses = 0;
    for request in server.requests().iter().filter(|request| request.path() == "/openam/use") {
        let mut cookies: Vec<_> = request.header("Cookie").unwrap().split("; ").collect();
        cookies.sort_unstable();
        assert_eq!(cookies, [format!("SID=s{}", request.connection).as_str(), "lb=01"]);
        uses += 1;
    }
    assert_eq!(uses, 6);
}

#[test]
fn cookies_off_sends_none() {
    let server = server();
    let text = format!("load: {{ users: 1, iterations: 2 }}\ncookies: off\n{LOG_IN_AND_USE}");
    run_job(&job(&server.url(), &text)).assert_code(0);
    assert!(server.requests().iter().all(|request| request.header("Cookie").is_none()));
}

#[test]
fn a_cookie_goes_only_where_it_belongs_and_is_forgotten_when_told() {
    let server = Server::start(|request| match request.path() {
        "/a/set" => Answer::status(200, &[("Set-Cookie", "one=1"), ("Set-Cookie", "all=2; Path=/")], b"{}"),
        "/a/drop" => Answer::status(200, &[("Set-Cookie", "one=; Max-Age=0")], b"{}"),
        _ => Answer::ok("{}"),
    });
    let text = "
load: { users: 1, iterations: 1 }
workloads: { w: { steps: [{ task: set }, { task: a }, { task: b }, { task: drop }, { task: a }] } }
tasks: { set: { url: /a/set }, a: { url: /a/x }, b: { url: /b/x }, drop: { url: /a/drop } }
";
    run_job(&job(&server.url(), text)).assert_code(0);
    let sent: Vec<Option<BTreeMap<String, String>>> = server
        .requests()
        .iter()
        .map(|request| request.header("Cookie").map(|text| pairs(text).collect()))
        .collect();
    let some = |wanted: &[(&str, &str)]| {
        Some(wanted.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    };
    let both = some(&[("one", "1"), ("all", "2")]);
    let root = some(&[("all", "2")]);
    assert_eq!(sent, [None, both.clone(), root.clone(), both, root]);
}

fn pairs(text: &str) -> impl Iterator<Item = (String, String)> {
    text.split("; ")
        .map(|pair| pair.split_once('=').unwrap())
        .map(|(name, value)| (name.into(), value.into()))
}

#[test]
fn a_cookie_set_by_a_redirect_is_sent_to_where_it_leads() {
    let server = Server::start(|request| match request.path() {
        "/login" => Answer::status(302, &[("Location", "/home"), ("Set-Cookie", "SID=7")], b""),
        _ => Answer::ok("{}"),
    });
    let text = crate::support::one_task(&server.url(), 1, "{ url: /login }");
    run_job(&text).assert_code(0);
    assert_eq!(server.requests()[1].path(), "/home");
    assert_eq!(server.requests()[1].header("Cookie"), Some("SID=7"));
}

#[test]
fn a_cookie_can_be_captured() {
    let server =
        Server::start(|_| Answer::status(200, &[("Set-Cookie", "iPlanetDirectoryPro=AQIC5; Path=/")], b"{}"));
    let text = "
load: { users: 1, iterations: 1 }
cookies: off
workloads: { w: { steps: [{ task: login }, { task: use }] } }
tasks:
  login: { url: /login, capture: { TOKEN: { cookie: iPlanetDirectoryPro } } }
  use: { url: /use, headers: { iPlanetDirectoryPro: $TOKEN } }
";
    run_job(&job(&server.url(), text)).assert_code(0);
    assert_eq!(server.requests()[1].header("iPlanetDirectoryPro"), Some("AQIC5"));
}
