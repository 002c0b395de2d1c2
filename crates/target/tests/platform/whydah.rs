//! Whydah's token service and web login.

use serde_json::json;

use crate::client::{Client, Reply};
use crate::target;

/// The text of the first element of a name.
fn element(reply: &Reply, name: &str) -> String {
    let text = reply.text();
    let (_, rest) = text.split_once(&format!("<{name}>")).unwrap_or_else(|| panic!("no {name} in {text}"));
    rest.split_once('<').unwrap().0.to_owned()
}

fn encoded(text: &str) -> String {
    text.bytes().flat_map(|byte| format!("%{byte:02x}").into_bytes()).map(char::from).collect()
}

fn post(client: &mut Client, path: &str, form: &[(&str, &str)]) -> Reply {
    let form: Vec<_> = form.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
    client.send("POST", path, &[("Content-Type", "application/x-www-form-urlencoded")], &form.join("&"))
}

/// Logs an application on; returns its token and its identifier.
fn logon(client: &mut Client) -> (String, String) {
    let credential = "<applicationcredential><params><applicationID>101</applicationID><applicationName>Tests \
                      &amp; more</applicationName><applicationSecret>s</applicationSecret></params></applicationcredential>";
    let reply = post(client, "/tokenservice/logon", &[("applicationcredential", credential)]);
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/xml")));
    assert_eq!(
        (element(&reply, "applicationid"), element(&reply, "expires")),
        ("101".into(), "1200000".into())
    );
    let id = element(&reply, "applicationtokenID");
    (reply.text(), id)
}

const USER: &str = "<usercredential><params><username>user.7</username><password>password</password></params></usercredential>";

#[test]
fn users_log_in_and_are_picked_up() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let (apptoken, id) = logon(&mut client);
    let path = |action: &str| format!("/tokenservice/user/{id}/{action}");
    let reply = post(&mut client, &path("usertoken"), &[("apptoken", &apptoken), ("usercredential", USER)]);
    assert_eq!((reply.status, element(&reply, "email")), (200, "user.7@example.com".into()));
    let usertoken = reply.text().split('"').nth(7).unwrap().to_owned();
    assert_eq!(usertoken.len(), 36, "{usertoken}");

    client.get(&path(&format!("validate_usertokenid/{usertoken}"))).check(200, &json!({"result": "true"}));
    let token_form = [("apptoken", apptoken.as_str()), ("usertokenid", usertoken.as_str())];
    let picked_up = post(&mut client, &path("get_usertoken_by_usertokenid"), &token_form);
    assert_eq!(element(&picked_up, "username"), "user.7");

    let reply =
        post(&mut client, &path("my-ticket/usertoken"), &[("apptoken", &apptoken), ("usercredential", USER)]);
    assert_eq!(reply.status, 200);
    let ticket_form = [("apptoken", apptoken.as_str()), ("userticket", "my-ticket")];
    assert_eq!(post(&mut client, &path("get_usertoken_by_userticket"), &ticket_form).status, 200);
    let used = post(&mut client, &path("get_usertoken_by_userticket"), &ticket_form);
    assert_eq!((used.status, &used.json()["code"]), (406, &json!(6002)), "a ticket is used once");

    post(&mut client, &path("release_usertoken"), &token_form).check(200, &json!({"result": "true"}));
    assert_eq!(post(&mut client, &path("release_usertoken"), &token_form).json()["code"], 6002);
    client.get(&path(&format!("validate_usertokenid/{usertoken}"))).check(409, &json!({"result": "false"}));
    let counts = target.counts();
    assert_eq!((counts.operation("logon").answered, counts.operation("usertoken").answered), (1, 2));
    assert_eq!((counts.operation("pickup").answered, counts.operation("logout").answered), (3, 2));
}

#[test]
fn wrong_credentials_are_refused() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let refused = post(&mut client, "/tokenservice/logon", &[("applicationcredential", "<x/>")]);
    assert_eq!((refused.status, &refused.json()["code"]), (403, &json!(7000)));
    let (apptoken, id) = logon(&mut client);
    let path = format!("/tokenservice/user/{id}/usertoken");
    let wrong = post(
        &mut client,
        &path,
        &[("apptoken", &apptoken), ("usercredential", &USER.replace(">password<", ">no<"))],
    );
    assert_eq!((wrong.status, &wrong.json()["code"]), (403, &json!(6000)));
    assert_eq!(post(&mut client, &path, &[("usercredential", USER)]).json()["code"], 7000);
    client.get(&format!("/tokenservice/{id}/validate")).check(200, &json!({"result": "true"}));
    assert_eq!(client.get("/tokenservice/nobody/validate").status, 403);
    assert_eq!(post(&mut client, &format!("/tokenservice/{id}/renew_applicationtoken"), &[]).status, 200);
}

#[test]
fn web_login_leads_back_with_a_ticket() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let page = client.get("/sso/login?redirectURI=https%3A%2F%2Fapp.example.com%2F%3Fa%3Db");
    assert_eq!(page.header("content-type"), Some("text/html;charset=UTF-8"));
    let text = page.text();
    let csrf = text.split("name=\"CSRFtoken\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(text.contains("value=\"https://app.example.com/?a=b\""));
    let form = |csrf: &str, password: &str| {
        let form = [
            ("user", "user.5"),
            ("password", password),
            ("CSRFtoken", csrf),
            ("redirectURI", "https://app.example.com/?a=b"),
        ];
        form.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let mut send = |csrf: &str, password: &str| {
        let form = form(csrf, password);
        let form: Vec<_> = form.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        post(&mut client, "/sso/action", &form)
    };
    assert_eq!((send("forged", "password").status, send(csrf, "wrong").status), (403, 401));
    let back = send(csrf, "password");
    assert_eq!(back.status, 302);
    let ticket = back
        .header("location")
        .unwrap()
        .strip_prefix("https://app.example.com/?a=b&userticket=")
        .unwrap()
        .to_owned();
    assert!(back.header("set-cookie").unwrap().starts_with("whydahusertoken_sso="));
    let (apptoken, id) = logon(&mut client);
    let path = format!("/tokenservice/user/{id}/get_usertoken_by_userticket");
    let token = post(&mut client, &path, &[("apptoken", &apptoken), ("userticket", &ticket)]);
    assert_eq!(element(&token, "uid"), "user.5");
}
