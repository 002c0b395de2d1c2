//! Extended operations. StartTLS is in `connections`.

use super::ber::{element, group, parts, split};
use super::client::{Client, user};
use super::target;

const PASSWORD_MODIFY: &str = "1.3.6.1.4.1.4203.1.11.1";

fn wish(user: Option<&str>, old: Option<&str>, new: Option<&str>) -> Vec<u8> {
    let wishes = [(0x80, user), (0x81, old), (0x82, new)];
    let elements = wishes.iter().filter_map(|(tag, text)| text.map(|text| element(*tag, text.as_bytes())));
    group(0x30, &elements.collect::<Vec<_>>())
}

#[test]
fn what_is_unknown_is_refused() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    for name in ["1.2.3.4", "1.3.6.1.4.1.1466.20037", ""] {
        assert_eq!(client.extended(name, None).code, 2, "{name}");
    }
}

#[test]
fn passwords_are_changed() {
    let target = target(&[]);
    let mut client = Client::to(&target);
    assert_eq!(client.extended(PASSWORD_MODIFY, None).code, 50);
    client.bind(&user(7), "password");
    let refused = client.extended(PASSWORD_MODIFY, Some(&wish(None, Some("wrong"), Some("new"))));
    assert_eq!(refused.code, 49);
    assert_eq!(client.extended(PASSWORD_MODIFY, Some(&wish(None, Some("password"), Some("new")))).code, 0);
    assert_eq!((client.bind(&user(7), "password").code, client.bind(&user(7), "new").code), (49, 0));
    assert_eq!(client.extended(PASSWORD_MODIFY, Some(b"nonsense")).code, 2);
}

#[test]
fn the_manager_changes_passwords_of_others_and_the_server_makes_them() {
    let target = target(&[]);
    let mut client = Client::manager(&target);
    assert_eq!(client.extended(PASSWORD_MODIFY, None).code, 53);
    for name in [user(8), format!("dn:{}", user(8)), "u:user.8".to_owned(), "user.8".to_owned()] {
        let answer = client.extended(PASSWORD_MODIFY, Some(&wish(Some(&name), None, None)));
        assert_eq!(answer.code, 0, "{name}");
        assert_eq!(answer.more[0].0, 0x8b);
        let (_, made, _) = split(&answer.more[0].1).unwrap();
        let password = String::from_utf8(parts(made)[0].1.to_vec()).unwrap();
        assert_eq!(Client::to(&target).bind(&user(8), &password).code, 0, "{name}");
    }
    assert_eq!(client.extended(PASSWORD_MODIFY, Some(&wish(Some("u:nobody"), None, Some("x")))).code, 32);
}
