//! The page behind a policy agent.

use std::time::{Duration, Instant};

use crate::client::Client;
use crate::{openam, target};

#[test]
fn page_needs_a_session() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let token = openam::token(&mut client, "user.3");
    let cookie = format!("iPlanetDirectoryPro={token}");
    let page = client.send("GET", "/agent/index.html", &[("Cookie", &cookie)], "");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html;charset=UTF-8")));
    assert!(page.text().contains("shown to user.3"));
    for headers in [vec![], vec![("iPlanetDirectoryPro", "bogus")]] {
        let away = client.send("GET", "/agent/a?b=c", &headers, "");
        let goto = "http%3A%2F%2Fplatform.example.com%2Fagent%2Fa%3Fb%3Dc";
        assert_eq!(away.status, 302);
        assert_eq!(away.header("location"), Some(format!("/openam/XUI/?goto={goto}").as_str()));
    }
}

#[test]
fn page_costs_a_validation_too() {
    let target = target(&["validate=fixed:20ms", "agent=fixed:10ms"]);
    let mut client = Client::to(&target);
    let begin = Instant::now();
    client.get("/agent/");
    assert!(begin.elapsed() >= Duration::from_millis(30));
    assert_eq!(target.counts().operation("agent").answered, 1);
    assert_eq!(target.counts().operation("validate").received, 0, "it is one request");
}
