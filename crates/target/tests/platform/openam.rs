//! OpenAM: authentication, sessions, users.

use loadgen_target::Target;
use serde_json::{Value, json};

use crate::client::{Client, Reply};
use crate::target;

fn log_in(client: &mut Client, user: &str, password: &str) -> Reply {
    let headers = [("X-OpenAM-Username", user), ("X-OpenAM-Password", password)];
    client.send("POST", "/openam/json/authenticate", &headers, "{}")
}

pub(crate) fn token(client: &mut Client, user: &str) -> String {
    log_in(client, user, "password").json()["tokenId"].as_str().unwrap().to_owned()
}

fn started() -> (Target, Client) {
    let target = target(&[]);
    let client = Client::to(&target);
    (target, client)
}

#[test]
fn authenticates_with_headers() {
    let (_target, mut client) = started();
    let reply = log_in(&mut client, "user.7", "password");
    let body = reply.json();
    let token = body["tokenId"].as_str().unwrap();
    assert_eq!(
        (reply.status, &body["successUrl"], &body["realm"]),
        (200, &json!("/openam/console"), &json!("/"))
    );
    assert!(reply.header("set-cookie").unwrap().starts_with(&format!("iPlanetDirectoryPro={token};")));

    let wrong = log_in(&mut client, "user.7", "wrong");
    wrong.check(401, &json!({"code": 401, "reason": "Unauthorized", "message": "Authentication Failed"}));
    assert_eq!(log_in(&mut client, "user.10000", "password").status, 401);
    assert_eq!(log_in(&mut client, "amadmin", "password").status, 200);

    let headers = [("x-openam-username", "user.1"), ("x-openam-password", "password")];
    for (path, realm) in [
        ("/openam/json/authenticate?realm=/customers", "/customers"),
        ("/openam/json/realms/root/authenticate", "/"),
        ("/openam/json/realms/root/realms/customers/authenticate", "/customers"),
        ("/openam/json/customers/authenticate", "/customers"),
    ] {
        assert_eq!(client.send("POST", path, &headers, "").json()["realm"], realm, "{path}");
    }
}

#[test]
fn authenticates_with_callbacks() {
    let (_target, mut client) = started();
    let mut body = client.send("POST", "/openam/json/authenticate", &[], "{}").json();
    assert_eq!(body["callbacks"][0]["type"], "NameCallback");
    assert_eq!(body["callbacks"][1]["type"], "PasswordCallback");
    let send = |client: &mut Client, body: &Value| {
        client.send(
            "POST",
            "/openam/json/authenticate",
            &[("Content-Type", "application/json")],
            &body.to_string(),
        )
    };
    assert_eq!(send(&mut client, &body).check_refusal(401, "Unauthorized"), "Authentication Failed");
    body["callbacks"][0]["input"][0]["value"] = "user.7".into();
    body["callbacks"][1]["input"][0]["value"] = "password".into();
    let reply = send(&mut client, &body);
    assert_eq!(reply.status, 200);
    assert!(reply.json()["tokenId"].is_string());
    body["authId"] = format!("{}x", body["authId"].as_str().unwrap()).into();
    assert_eq!(send(&mut client, &body).check_refusal(401, "Unauthorized"), "Session has timed out");
}

#[test]
fn validates_every_form_of_the_call() {
    let (_target, mut client) = started();
    let token = token(&mut client, "user.7");
    let valid = json!({"valid": true, "uid": "user.7", "realm": "/"});
    for path in [
        format!("/openam/json/sessions/{token}?_action=validate"),
        format!("/openam/json/sessions/{}?_action=validate", token.replace('*', "%2A")),
        format!("/openam/json/sessions?tokenId={token}&_action=validate"),
        format!("/openam/json/sessions/?{token}&_action=validate"),
        format!("/openam/json/realms/root/sessions?_action=validate&tokenId={token}"),
    ] {
        client.send("POST", &path, &[], "{}").check(200, &valid);
    }
    let path = "/openam/json/sessions?_action=validate";
    client.send("POST", path, &[("iplanetdirectorypro", &token)], "{}").check(200, &valid);
    let cookie = format!("a=b; iPlanetDirectoryPro=\"{token}\"; c=d");
    client.send("POST", path, &[("Cookie", &cookie)], "{}").check(200, &valid);
    client.send("POST", path, &[], &json!({"tokenId": token}).to_string()).check(200, &valid);
    client
        .send("POST", path, &[("Accept-API-Version", "resource=1.1"), ("iPlanetDirectoryPro", &token)], "")
        .check(200, &valid);
    client
        .send("POST", "/openam/json/sessions/AQIC5bogus?_action=validate", &[], "{}")
        .check(200, &json!({"valid": false}));
    client.send("POST", path, &[], "{}").check(200, &json!({"valid": false}));
}

#[test]
fn logs_out_once() {
    let (target, mut client) = started();
    let token = token(&mut client, "user.7");
    let header = [("iPlanetDirectoryPro", token.as_str())];
    let path = "/openam/json/sessions/?_action=logout";
    client.send("POST", path, &header, "{}").check(200, &json!({"result": "Successfully logged out"}));
    assert_eq!(client.send("POST", path, &header, "{}").check_refusal(401, "Unauthorized"), "Access Denied");
    let validate = "/openam/json/sessions/?_action=validate";
    client.send("POST", validate, &header, "{}").check(200, &json!({"valid": false}));
    let counts = target.counts();
    assert_eq!((counts.operation("logout").received, counts.operation("logout").answered), (2, 2));
    assert_eq!((counts.operation("validate").answered, counts.received(), counts.connections), (1, 4, 1));
}

#[test]
fn answers_questions_about_a_session() {
    let (_target, mut client) = started();
    let token = token(&mut client, "user.7");
    let header = [("iPlanetDirectoryPro", token.as_str())];
    let mut ask = |action: &str, body: &str| {
        client.send("POST", &format!("/openam/json/sessions?_action={action}"), &header, body).json()
    };
    assert_eq!(ask("getSessionInfo", "")["username"], "user.7");
    assert_eq!(ask("setProperty", "{\"locale\":\"nb\"}"), json!({"success": true}));
    assert_eq!(ask("getProperty", "{\"property\":\"locale\"}"), json!({"locale": "nb"}));
    assert_eq!(ask("getProperty", "{\"properties\":[\"none\"]}"), json!({"none": ""}));
    assert_eq!(ask("getProperty", ""), json!({"locale": "nb"}));
    assert_eq!(ask("isActive", ""), json!({"active": true}));
    assert!((7_100..=7_200).contains(&ask("getTimeLeft", "")["maxtime"].as_u64().unwrap()));
    let reply = client.send("POST", "/openam/json/users?_action=idFromSession", &header, "{}").json();
    assert_eq!((&reply["id"], &reply["realm"]), (&json!("user.7"), &json!("/")));
    assert_eq!(client.send("POST", "/openam/json/users?_action=idFromSession", &[], "{}").status, 401);
    let reply = client.send("POST", "/openam/identity/isTokenValid", &[], &format!("tokenid={token}"));
    assert_eq!(reply.text(), "boolean=true\n");
}

#[test]
fn administrator_manages_users() {
    let (_target, mut client) = started();
    let token = token(&mut client, "amadmin");
    let admin = [("iPlanetDirectoryPro", token.as_str()), ("Content-Type", "application/json")];
    let body =
        json!({"username": "new.1", "userpassword": "secret12", "mail": "n@example.com", "sn": ["One"]})
            .to_string();
    let created = client.send("POST", "/openam/json/users/?_action=create", &admin, &body);
    assert_eq!(created.status, 201);
    assert_eq!(created.json()["mail"], json!(["n@example.com"]));
    assert!(created.json().get("userpassword").is_none(), "a password is never shown");
    let again = client.send("POST", "/openam/json/users/?_action=create", &admin, &body);
    again.check_refusal(409, "Conflict");
    assert_eq!(log_in(&mut client, "new.1", "secret12").status, 200);

    let condition = [admin[0], admin[1], ("If-None-Match", "*")];
    assert_eq!(client.send("PUT", "/openam/json/users/new.2", &condition, "{\"sn\":\"Two\"}").status, 201);
    client
        .send("PUT", "/openam/json/users/new.2", &condition, "{}")
        .check_refusal(412, "Precondition Failed");

    let updated =
        client.send("PUT", "/openam/json/users/new.1", &admin, "{\"mail\":\"other@example.com\"}").json();
    assert_eq!((&updated["mail"], &updated["sn"]), (&json!(["other@example.com"]), &json!(["One"])));
    assert_eq!(log_in(&mut client, "new.1", "secret12").status, 200, "an update keeps the password");

    let read = client.send("GET", "/openam/json/users/user.7?_fields=username,mail", &admin, "").json();
    assert_eq!(
        read,
        json!({"_id": "user.7", "_rev": "0", "username": "user.7", "mail": ["user.7@example.com"]})
    );
    let found = client.send("GET", "/openam/json/users?_queryId=user.77*&_pageSize=3", &admin, "").json();
    let ids: Vec<_> =
        found["result"].as_array().unwrap().iter().map(|user| user["username"].clone()).collect();
    assert_eq!(ids, ["user.77", "user.770", "user.771"]);
    let found = client.send("GET", "/openam/json/users?_queryFilter=uid+eq+%22user.9%22", &admin, "").json();
    assert_eq!((&found["resultCount"], &found["result"][0]["username"]), (&json!(1), &json!("user.9")));

    assert_eq!(client.send("DELETE", "/openam/json/users/new.1", &admin, "").status, 200);
    client.send("DELETE", "/openam/json/users/new.1", &admin, "").check_refusal(404, "Not Found");
    assert_eq!(log_in(&mut client, "new.1", "secret12").status, 401);
}

#[test]
fn others_see_only_themselves() {
    let (_target, mut client) = started();
    let token = token(&mut client, "user.7");
    let own = [("iPlanetDirectoryPro", token.as_str())];
    assert_eq!(client.send("GET", "/openam/json/users/user.7", &own, "").json()["uid"], json!(["user.7"]));
    assert_eq!(client.send("PUT", "/openam/json/users/user.7", &own, "{\"mail\":\"m\"}").status, 200);
    let refused = client.send("GET", "/openam/json/users/user.8", &own, "");
    assert!(refused.check_refusal(403, "Forbidden").contains("read operation denied to id=user.7"));
    assert_eq!(client.send("DELETE", "/openam/json/users/user.7", &own, "").status, 403);
    assert_eq!(client.get("/openam/json/users/user.7").check_refusal(401, "Unauthorized"), "Access Denied");
    client.get("/openam/json/nothing").check_refusal(404, "Not Found");
}
