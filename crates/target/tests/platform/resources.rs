//! Users through the resource interface of OpenDJ and OpenIDM.

use serde_json::{Value, json};

use crate::client::Client;
use crate::target;

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn opendj_creates_reads_updates_and_deletes() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let body = json!({
        "_id": "user.new.1",
        "contactInformation": {"telephoneNumber": "+1 408 555 1212", "emailAddress": "n@example.com"},
        "name": {"familyName": "New.1", "givenName": "User"},
        "displayName": "User New 1",
        "extra": {"kept": [1, 2]},
    });
    let created = client.send("PUT", "/users/user.new.1", &[JSON, ("If-None-Match", "*")], &body.to_string());
    assert_eq!((created.status, created.header("location")), (201, Some("/users/user.new.1")));
    let shown = created.json();
    for (name, value) in body.as_object().unwrap() {
        assert_eq!(&shown[name], value, "{name}");
    }
    let revision = shown["_rev"].as_str().unwrap();
    assert_eq!(created.header("etag"), Some(format!("\"{revision}\"").as_str()));
    client
        .send("PUT", "/users/user.new.1", &[("If-None-Match", "*")], "{}")
        .check_refusal(412, "Precondition Failed");

    let changed = json!({"displayName": "Other", "name": {"familyName": "Other"}}).to_string();
    let wrong = client.send("PUT", "/users/user.new.1", &[("If-Match", "999")], &changed);
    wrong.check_refusal(412, "Precondition Failed");
    let right =
        client.send("PUT", "/users/user.new.1", &[("If-Match", &format!("\"{revision}\""))], &changed).json();
    assert_ne!(right["_rev"], revision);
    assert_eq!(
        (right.get("extra"), right["name"].get("givenName")),
        (None, None),
        "an update replaces the user"
    );
    assert_eq!(client.send("DELETE", "/users/user.new.1", &[("If-Match", revision)], "").status, 412);
    assert_eq!(
        client.send("DELETE", "/api/users/user.new.1", &[("If-Match", "*")], "").json()["displayName"],
        "Other"
    );
    let gone = client.get("/users/user.new.1");
    assert_eq!(gone.check_refusal(404, "Not Found"), "Resource 'user.new.1' not found");
}

#[test]
fn opendj_reads_the_population() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let user = client.get("/users/user.42").json();
    assert_eq!(user["contactInformation"]["emailAddress"], "user.42@example.com");
    assert_eq!(
        (&user["_id"], &user["_rev"], user.get("userPassword")),
        (&json!("user.42"), &json!("0"), None)
    );
    let fields = client.get("/users/user.42?_fields=name/familyName&_prettyPrint=true");
    assert_eq!(fields.json(), json!({"_id": "user.42", "_rev": "0", "name": user_name("familyName", &user)}));
    assert!(fields.text().contains("\n  \"_id\""));
    assert_eq!(
        client
            .send(
                "GET",
                "/users/user.42",
                &[("X-OpenIDM-Username", "user.1"), ("X-OpenIDM-Password", "bad")],
                ""
            )
            .status,
        401
    );
    assert_eq!(
        client.send("GET", "/users/user.42", &[("Authorization", "Basic dXNlci4xOnBhc3N3b3Jk")], "").status,
        200
    );
}

fn user_name(field: &str, user: &Value) -> Value {
    json!({ field: user["name"][field] })
}

#[test]
fn opendj_queries() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let mut ids = |query: &str| -> Vec<String> {
        let reply = client.get(&format!("/users?{query}"));
        assert_eq!(reply.status, 200, "{query}: {}", reply.text());
        let result = reply.json();
        let users = result["result"].as_array().unwrap();
        assert_eq!(result["resultCount"], users.len());
        users.iter().map(|user| user["_id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("_queryFilter=_id+eq+'user.7'"), ["user.7"]);
    assert_eq!(ids("_queryFilter=_id%20eq%20%22user.7%22%20or%20_id%20eq%20'user.5'"), ["user.5", "user.7"]);
    assert_eq!(ids("_queryFilter=contactInformation/emailAddress+sw+'user.123@'"), ["user.123"]);
    assert_eq!(ids("_queryFilter=false"), [""; 0]);
    assert_eq!(ids("_queryFilter=true&_pageSize=2&_pagedResultsOffset=3"), ["user.3", "user.4"]);
    assert_eq!(ids("_queryFilter=_id+sw+'user.10'+and+!(_id+co+'0.')&_pageSize=2"), ["user.10", "user.100"]);
    assert_eq!(ids("_queryFilter=true").len(), 1_000, "one answer is bounded");
    let wrong = client.get("/users?_queryFilter=_id+is+'x'");
    assert!(wrong.check_refusal(400, "Bad Request").contains("at character 4: expected eq"));
    client.get("/users").check_refusal(400, "Bad Request");
    client.get("/users?_queryFilter=true&_sortKeys=_id").check_refusal(400, "Bad Request");
}

#[test]
fn pages_cover_everything_once() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    client.send("PUT", "/users/a.first", &[], "{}");
    client.send("PUT", "/users/z.last", &[], "{}");
    client.send("DELETE", "/users/user.1234", &[], "");
    let mut found = Vec::new();
    let mut cookie = String::new();
    for page in 1.. {
        assert!(page < 50, "the pages end");
        let path = format!(
            "/users?_queryFilter=true&_pageSize=700&_totalPagedResultsPolicy=EXACT&_pagedResultsCookie={cookie}"
        );
        let reply = client.get(&path).json();
        assert_eq!(reply["totalPagedResults"], 10_001);
        found.extend(reply["result"].as_array().unwrap().iter().map(|user| user["_id"].clone()));
        match reply["pagedResultsCookie"].as_str() {
            Some(next) => cookie = next.to_owned(),
            None => break,
        }
    }
    assert_eq!((found.len(), &found[10_000]), (10_001, &json!("z.last")));
    found.sort_by_key(ToString::to_string);
    found.dedup();
    assert_eq!(found.len(), 10_001);
}

#[test]
fn patches_with_both_shapes() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let operations = json!([
        {"operation": "replace", "field": "/displayName", "value": "Cooper"},
        {"operation": "add", "field": "/tags", "value": ["a"]},
        {"operation": "add", "field": "/logins", "value": 1},
        {"operation": "increment", "field": "/logins", "value": 2},
        {"operation": "remove", "field": "/contactInformation/telephoneNumber"},
    ]);
    for base in ["/users", "/openidm/managed/user"] {
        let path = format!("{base}/user.7");
        let before = client.get(&path).json();
        let patched = client.send("PATCH", &path, &[JSON], &operations.to_string()).json();
        assert_eq!((&patched["displayName"], &patched["tags"]), (&json!("Cooper"), &json!(["a"])), "{base}");
        assert_eq!(patched["logins"], 3);
        assert_ne!(patched["_rev"], before["_rev"]);
        let merged =
            client.send("PATCH", &path, &[JSON], "{\"displayName\":\"Object\",\"tags\":null}").json();
        assert_eq!((&merged["displayName"], merged.get("tags")), (&json!("Object"), None));
        let posted = client.send("POST", &format!("{path}?_action=patch"), &[JSON], "[]");
        assert_eq!(posted.status, 200);
    }
    let bad = client.send("PATCH", "/users/user.7", &[JSON], "[{\"operation\":\"replace\"}]");
    bad.check_refusal(400, "Bad Request");
    assert!(
        client
            .send("PATCH", "/users/user.7", &[], "{")
            .check_refusal(400, "Bad Request")
            .contains("not valid JSON")
    );
    client.send("PATCH", "/users/nobody", &[], "[]").check_refusal(404, "Not Found");
    let headers = [("X-OpenAM-Username", "user.7"), ("X-OpenAM-Password", "password")];
    assert_eq!(
        client.send("POST", "/openam/json/authenticate", &headers, "").status,
        200,
        "the password is kept"
    );
}

#[test]
fn openidm_generates_identifiers() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let body = json!({"userName": "jdoe", "mail": "j@example.com", "password": "Passw0rd"}).to_string();
    let path = "/openidm/managed/user?_action=create";
    let first = client.send("POST", path, &[JSON], &body);
    let second = client.send("POST", path, &[JSON], &body);
    assert_eq!((first.status, second.status), (201, 201));
    assert_ne!(first.json()["_id"], second.json()["_id"]);
    assert_eq!(
        (&first.json()["userName"], &first.json()["accountStatus"]),
        (&json!("jdoe"), &json!("active"))
    );
    let read = client.get("/openidm/managed/user/user.9").json();
    assert_eq!((&read["userName"], &read["mail"]), (&json!("user.9"), &json!("user.9@example.com")));
    for (filter, count) in [
        ("userName+eq+'jdoe'", 2),
        ("userName+eq+'user.9999'", 1),
        ("mail+eq+'j@example.com'", 2),
        ("mail+eq+'USER.9999@example.com'", 1),
    ] {
        let found = client.get(&format!("/openidm/managed/user?_queryFilter={filter}")).json();
        assert_eq!(found["resultCount"], count, "{filter}");
    }
    let ids = client.get("/openidm/managed/user?_queryId=query-all-ids&_pageSize=2").json();
    assert_eq!(ids["result"], json!([{"_id": "user.0", "_rev": "0"}, {"_id": "user.1", "_rev": "0"}]));
    client.send("POST", "/users?_action=create", &[JSON], "{}").check_refusal(400, "Bad Request");
    assert_eq!(client.send("PUT", "/openidm/managed/user/x", &[("If-None-Match", "*")], "{}").status, 201);
    assert_eq!(
        client.send("POST", path, &[JSON], "{\"_id\":\"x\"}").check_refusal(409, "Conflict"),
        "Resource 'x' already exists"
    );
}
