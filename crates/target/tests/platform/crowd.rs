//! Crowd's REST interface.

use serde_json::json;

use crate::client::Client;
use crate::target;

/// `app:password`
const APPLICATION: (&str, &str) = ("Authorization", "Basic YXBwOnBhc3N3b3Jk");
const BASE: &str = "/crowd/rest/usermanagement/1";

#[test]
fn sessions_are_made_validated_read_and_ended() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let factors = json!({"validationFactors": [{"name": "remote_address", "value": "127.0.0.1"}]});
    let body =
        json!({"username": "user.7", "password": "password", "validation-factors": factors}).to_string();
    let made = client.send("POST", &format!("{BASE}/session?expand=user"), &[APPLICATION], &body);
    assert_eq!((made.status, &made.json()["user"]["name"]), (201, &json!("user.7")));
    let token = made.json()["token"].as_str().unwrap().to_owned();
    assert!(made.header("set-cookie").unwrap().starts_with("crowd.token_key="));
    let path = format!("{BASE}/session/{token}");
    let valid = client.send("POST", &format!("{path}?expand=user"), &[APPLICATION], &factors.to_string());
    assert_eq!((valid.status, &valid.json()["user"]["email"]), (200, &json!("user.7@example.com")));
    let elsewhere = client.send("POST", &path, &[APPLICATION], "{}");
    assert_eq!((elsewhere.status, &elsewhere.json()["reason"]), (404, &json!("INVALID_SSO_TOKEN")));
    assert_eq!(client.send("GET", &path, &[APPLICATION], "").json()["user"]["name"], "user.7");
    assert_eq!(client.send("DELETE", &path, &[APPLICATION], "").status, 204);
    assert_eq!(client.send("GET", &path, &[APPLICATION], "").status, 404);
    let counts = target.counts();
    assert_eq!(counts.operation("crowd-authenticate").answered, 1);
    assert_eq!(
        (counts.operation("crowd-validate").answered, counts.operation("crowd-find").answered),
        (2, 2)
    );
}

#[test]
fn users_authenticate_and_are_added() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    let mut authenticate = |user: &str, password: &str| {
        let path = format!("{BASE}/authentication?username={user}");
        client.send("POST", &path, &[APPLICATION], &json!({ "value": password }).to_string())
    };
    assert_eq!(authenticate("user.1", "password").json()["name"], "user.1");
    let failed = authenticate("user.1", "wrong");
    assert_eq!((failed.status, &failed.json()["reason"]), (400, &json!("INVALID_USER_AUTHENTICATION")));
    let user =
        json!({"name": "new", "first-name": "N", "email": "n@example.com", "password": {"value": "p"}})
            .to_string();
    let path = format!("{BASE}/user");
    assert_eq!(client.send("POST", &path, &[APPLICATION], &user).status, 201);
    assert_eq!(client.send("POST", &path, &[APPLICATION], &user).json()["reason"], "INVALID_USER");
    let found =
        client.send("GET", &format!("{path}?username=new&expand=attributes"), &[APPLICATION], "").json();
    assert_eq!((&found["first-name"], &found["email"]), (&json!("N"), &json!("n@example.com")));
    assert_eq!(
        client.send("GET", &format!("{path}?username=none"), &[APPLICATION], "").json()["reason"],
        "USER_NOT_FOUND"
    );
    let stranger = client.send("GET", &format!("{path}?username=new"), &[], "");
    assert_eq!((stranger.status, stranger.text().as_str()), (401, "Application failed to authenticate"));
}
