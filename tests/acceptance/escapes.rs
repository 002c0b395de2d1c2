//! What stands on the wire: escapes for each place, filters, dollars.

use crate::support::server::Request;
use crate::support::{Answer, Folder, Server, one_task};

/// A value that tries to break out of every place.
const HOSTILE: &str = "a\"b\\c&d=e%41+f #g\r\nX-Evil: 1\n</x>é\u{1}";

/// Sends one task with `$V`, the hostile value; the request.
fn sent(task: &str) -> Request {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = Folder::new();
    let quoted = HOSTILE.replace('"', "\"\"");
    folder.write("v.csv", format!("v\n\"{quoted}\"\n"));
    let text = one_task(&server.url(), 1, task) + "wildcards: { P: { file: v.csv } }\n";
    folder.write("job.yaml", text);
    folder.run().assert_code(0);
    server.requests().remove(0)
}

/// Takes percent-encoding off.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first == b'%' {
            let hex = std::str::from_utf8(&rest[..2]).unwrap();
            bytes.push(u8::from_str_radix(hex, 16).unwrap());
            rest = &rest[2..];
        } else {
            assert!(first.is_ascii_graphic(), "{text}");
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_hostile_value_stays_inside_of_its_json_string() {
    let request = sent("{ method: POST, url: /, json: { \"${P.v}\": [1, \"x${P.v}y\"] } }");
    let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
    assert_eq!(body, serde_json::json!({ HOSTILE: [1, format!("x{HOSTILE}y")] }));
    assert_eq!(request.header("Content-Type"), Some("application/json"));
}

#[test]
fn a_hostile_value_stays_inside_of_its_form_field() {
    let request = sent("{ method: POST, url: /, form: { \"${P.v}\": \"${P.v}\", b: two words } }");
    let fields: Vec<(String, String)> = request
        .body()
        .split('&')
        .map(|field| field.split_once('=').unwrap())
        .map(|(name, value)| (decoded(name), decoded(value)))
        .collect();
    let hostile = HOSTILE.to_owned();
    assert_eq!(fields, [(hostile.clone(), hostile), ("b".to_owned(), "two words".to_owned())]);
    assert_eq!(request.header("Content-Type"), Some("application/x-www-form-urlencoded"));
}

#[test]
fn a_hostile_value_stays_inside_of_its_query_parameter() {
    let request = sent("{ url: \"/find?x=1\", query: { q: \"${P.v}\", r: two } }");
    let query = request.path().strip_prefix("/find?x=1&q=").unwrap();
    let (value, rest) = query.split_once('&').unwrap();
    assert_eq!((decoded(value).as_str(), rest), (HOSTILE, "r=two"));
}

#[test]
fn a_hostile_value_adds_no_header() {
    let request = sent("{ url: /, headers: { X-Value: \"<${P.v}>\" } }");
    assert_eq!(request.header("X-Evil"), None, "{}", request.head);
    let value = request.header("X-Value").unwrap();
    assert!(value.starts_with("<a\"b\\c&d=e%41+f #g") && value.contains("X-Evil: 1"), "{value}");
}

#[test]
fn a_hostile_value_does_not_end_the_request_line() {
    let request = sent("{ url: \"/x/${P.v}\" }");
    assert_eq!(request.header("X-Evil"), None, "{}", request.head);
    // In the text of a URL existing escapes and reserved characters stand as they are.
    assert!(request.path().starts_with("/x/a%22b%5Cc&d=e%41+f%20"), "{}", request.path());
    assert_eq!(request.head.lines().next().unwrap().split(' ').count(), 3);
}

#[test]
fn a_body_of_text_is_sent_as_it_stands() {
    let request =
        sent("{ method: PATCH, url: /, body: \"<v>${P.v}</v>\", headers: { Content-Type: text/xml } }");
    assert_eq!(request.body(), format!("<v>{HOSTILE}</v>"));
    assert_eq!((request.method(), request.header("Content-Type")), ("PATCH", Some("text/xml")));
}

#[test]
fn json_keeps_order_numbers_and_lists() {
    let patch = "[{ operation: replace, field: /displayName, value: Cooper }, 1.50, 1e3, null, true, \"1\"]";
    let request = sent(&format!("{{ method: PATCH, url: /, json: {patch} }}"));
    let wanted =
        r#"[{"operation":"replace","field":"/displayName","value":"Cooper"},1.50,1e3,null,true,"1"]"#;
    assert_eq!(request.body(), wanted);
}

/// Sends one task with these variables; the path that came.
fn path(url: &str, variables: &str) -> String {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = one_task(&server.url(), 1, &format!("{{ url: \"{url}\" }}")) + variables;
    crate::support::run_job(&text).assert_code(0);
    server.paths().remove(0)
}

#[test]
fn two_dollars_are_one() {
    assert_eq!(
        path("/pay?amount=$$5&to=$$USER&a=${A}$$", "variables: { A: \"1\" }\n"),
        "/pay?amount=$5&to=$USER&a=1$"
    );
}

#[test]
fn the_pkce_challenge_is_that_of_rfc_7636_appendix_b() {
    let variables = "variables: { VERIFIER: dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk }\n";
    let sent = path("/authorize?code_challenge=${VERIFIER | sha256_base64url}", variables);
    assert_eq!(sent, "/authorize?code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

#[test]
fn filters() {
    let variables = "variables: { V: \"Aladdin:open sesame\", ID: user.7 }\n";
    assert_eq!(path("/?a=${V | base64}", variables), "/?a=QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
    assert_eq!(path("/?a=${V | urlencode}", variables), "/?a=Aladdin%3Aopen%20sesame");
    assert_eq!(path("/?a=${V | base64 | urlencode}", variables), "/?a=QWxhZGRpbjpvcGVuIHNlc2FtZQ%3D%3D");
    assert_eq!(
        path("/?a=${ID | upper}-${ID | hex}-${ID|lower}", variables),
        "/?a=USER.7-757365722e37-user.7"
    );
}

#[test]
fn filters_on_values_that_vary() {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = one_task(&server.url(), 2, "{ url: \"/?a=${N | base64}\" }")
        + "wildcards: { N: { increment: 98 } }\n";
    crate::support::run_job(&text).assert_code(0);
    assert_eq!(server.paths(), ["/?a=OTg=", "/?a=OTk="]);
}

#[test]
fn urls_as_the_original_writes_them() {
    let sent = path("/users?_queryFilter=_id+eq+'user.7'&a=\\\"b\\\"&c=%2F d", "");
    assert_eq!(sent, "/users?_queryFilter=_id+eq+'user.7'&a=%22b%22&c=%2F%20d");
}
