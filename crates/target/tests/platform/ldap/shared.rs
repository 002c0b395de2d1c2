//! Users are the same on both sides.

use serde_json::json;

use super::client::{Client, user};
use super::target;
use crate::client::Client as Http;

#[test]
fn a_user_created_over_http_is_there() {
    let target = target(&[]);
    let mut http = Http::to(&target);
    let body = r#"{"_id":"JDoe","displayName":"J. Doe","name":{"familyName":"Doe"},"userPassword":"secret","tags":["a","b"],"age":42,"deep":{"x":1}}"#;
    assert_eq!(http.send("POST", "/users?_action=create", &[], body).status, 201);
    let mut client = Client::to(&target);
    let dn = "uid=JDoe,ou=people,dc=example,dc=com";
    assert_eq!(client.bind("uid=jdoe,ou=people,dc=example,dc=com", "secret").code, 0);
    let entry = client.search("dc=example,dc=com", 2, "(uid=JDOE)", &[]).entries.remove(0);
    assert_eq!((entry.dn.as_str(), entry.value("sn"), entry.value("age")), (dn, "Doe", "42"));
    assert_eq!((entry.attributes["tags"].len(), entry.value("deep")), (2, "{\"x\":1}"));

    assert_eq!(client.modify(dn, &[(2, "sn", &["Roe"]), (0, "age", &["43"])]).code, 0);
    let shown = http.get("/users/JDoe").json();
    assert_eq!((&shown["name"]["familyName"], &shown["deep"]), (&json!("Roe"), &json!({"x": 1})));
    assert_eq!((&shown["age"], &shown["objectClass"]), (&json!(["42", "43"]), &json!(null)));
}

#[test]
fn a_user_added_over_ldap_can_log_in_over_http() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    client.add("uid=new,ou=people,dc=example,dc=com", &[("sn", &["N"]), ("userPassword", &["secret"])]);
    let mut http = Http::to(&target);
    let login = [("X-OpenAM-Username", "new"), ("X-OpenAM-Password", "secret")];
    assert_eq!(http.send("POST", "/openam/json/authenticate", &login, "").status, 200);
    assert_eq!(http.get("/users/new").json()["name"]["familyName"], "N");
    client.delete("uid=new,ou=people,dc=example,dc=com");
    assert_eq!(http.get("/users/new").status, 404);
    assert_eq!(http.send("DELETE", "/users/user.7", &[], "").status, 200);
    assert_eq!(client.bind(&user(7), "password").code, 49);
}
