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

/// Writes the identifier of user number `number`.
pub(crate) fn write_identifier(number: u64, out: &mut String) {
    out.push_str(PREFIX);
    out.push_str(Digits::of(number).text());
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
    visit(number, |name, parts| {
        attributes.insert(name.to_owned(), Value::String(parts.concat()));
    });
    attributes
}

/// Shows each attribute of user number `number` and the parts of its value, without keeping any.
pub(crate) fn visit(number: u64, mut show: impl FnMut(&'static str, &[&str])) {
    let given_name = GIVEN_NAMES[(number % GIVEN_NAMES.len() as u64) as usize];
    let family_name = FAMILY_NAMES[(number % FAMILY_NAMES.len() as u64) as usize];
    let digits = Digits::of(number);
    let (area, line) = (Digits::of(200 + number / 10_000 % 800), Digits::of(10_000 + number % 10_000));
    show("cn", &[given_name, " ", family_name]);
    show("givenName", &[given_name]);
    show("mail", &[PREFIX, digits.text(), "@example.com"]);
    show("sn", &[family_name]);
    show("telephoneNumber", &["+1 ", area.text(), " 555 ", &line.text()[1..]]);
    show("uid", &[PREFIX, digits.text()]);
    show("userPassword", &[PASSWORD]);
}

/// A number as text, without taking memory: entries are made for every request.
struct Digits {
    bytes: [u8; 20],
    start: usize,
}

impl Digits {
    fn of(number: u64) -> Self {
        let mut digits = Self { bytes: [b'0'; 20], start: 20 };
        let mut rest = number;
        loop {
            digits.start -= 1;
            digits.bytes[digits.start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                return digits;
            }
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.start..]).expect("digits are ASCII")
    }
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
