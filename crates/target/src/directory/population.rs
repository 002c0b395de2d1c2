//! The generated users: each is made from its number when it is asked for, so that any number of them
//! takes no memory.

use std::fmt::{self, Write};

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

/// Writes the identifier of user number `number`.
pub(crate) fn write_identifier(number: u64, out: &mut String) {
    // Writing into a text in memory cannot fail.
    let _ = write!(out, "{PREFIX}{number}");
}

/// The number of a generated user's identifier; `None` for another, such as `user.007`.
pub(crate) fn number(identifier: &str) -> Option<u64> {
    let digits = identifier.strip_prefix(PREFIX)?;
    let canonical = digits == "0" || digits.starts_with(|first: char| matches!(first, '1'..='9'));
    if canonical { digits.parse().ok() } else { None }
}

/// The attributes of user number `number`.
pub(crate) fn attributes(number: u64) -> Map<String, Value> {
    let mut attributes = Map::new();
    visit(number, |name, value| {
        attributes.insert(name.to_owned(), Value::String(value.to_string()));
    });
    attributes
}

/// Shows each attribute of user number `number`, without keeping any.
pub(crate) fn visit(number: u64, mut show: impl FnMut(&'static str, fmt::Arguments<'_>)) {
    let given_name = GIVEN_NAMES[(number % GIVEN_NAMES.len() as u64) as usize];
    let family_name = FAMILY_NAMES[(number % FAMILY_NAMES.len() as u64) as usize];
    show("cn", format_args!("{given_name} {family_name}"));
    show("givenName", format_args!("{given_name}"));
    show("mail", format_args!("{PREFIX}{number}@example.com"));
    show("sn", format_args!("{family_name}"));
    show("telephoneNumber", format_args!("+1 {} 555 {:04}", 200 + number / 10_000 % 800, number % 10_000));
    show("uid", format_args!("{PREFIX}{number}"));
    show("userPassword", format_args!("{PASSWORD}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_canonical_numbers() {
        let mut identifier = String::new();
        write_identifier(9_999_999, &mut identifier);
        assert_eq!(number(&identifier), Some(9_999_999));
        for other in ["user.", "user.07", "user.+7", "user.-1", "user.x", "User.7", "amadmin"] {
            assert_eq!(number(other), None, "{other}");
        }
    }
}
