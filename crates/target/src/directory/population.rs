//! The generated users: each is made from its number when it is asked for, so that any number of them
//! takes no memory.

use serde_json::{Map, Value};

/// Every generated user's password.
pub(crate) const PASSWORD: &str = "password";

/// How the identifier of a generated user begins; the number follows.
const PREFIX: &str = "user.";

const GIVEN_NAMES: [&str; 16] = [
    "Aaron", "Beatrice", "Carlos", "Dagny", "Elena", "Farid", "Grace", "Hiro", "Ingrid", "Jamal", "Kirsten",
    "Liam", "Maria", "Nils", "Olga", "Priya",
];

const FAMILY_NAMES: [&str; 24] = [
    "Andersen", "Bakke", "Cooper", "Diaz", "Eriksen", "Fischer", "Garcia", "Hansen", "Ito", "Jensen", "Kim",
    "Larsen", "Moreau", "Nguyen", "Olsen", "Petrov", "Quist", "Rossi", "Singh", "Tanaka", "Ueda", "Vogel",
    "Wang", "Ziegler",
];

/// The identifier of user number `number`.
pub(crate) fn identifier(number: u64) -> String {
    format!("{PREFIX}{number}")
}

/// The number of a generated user's identifier; `None` for another, such as `user.007`.
pub(crate) fn number(identifier: &str) -> Option<u64> {
    let digits = identifier.strip_prefix(PREFIX)?;
    let canonical = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    if canonical { digits.parse().ok() } else { None }
}

/// The attributes of user number `number`.
pub(crate) fn attributes(number: u64) -> Map<String, Value> {
    let given_name = GIVEN_NAMES[(number % GIVEN_NAMES.len() as u64) as usize];
    let family_name = FAMILY_NAMES[(number % FAMILY_NAMES.len() as u64) as usize];
    let uid = identifier(number);
    let mut attributes = Map::new();
    let mut put = |name: &str, value: String| attributes.insert(name.to_owned(), Value::String(value));
    put("cn", format!("{given_name} {family_name}"));
    put("givenName", given_name.to_owned());
    put("mail", format!("{uid}@example.com"));
    put("sn", family_name.to_owned());
    put("telephoneNumber", format!("+1 {} 555 {:04}", 200 + number / 10_000 % 800, number % 10_000));
    put("uid", uid);
    put("userPassword", PASSWORD.to_owned());
    attributes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_canonical_numbers() {
        assert_eq!(number(&identifier(9_999_999)), Some(9_999_999));
        for other in ["user.", "user.07", "user.+7", "user.-1", "user.x", "User.7", "amadmin"] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
