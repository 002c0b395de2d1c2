//! Query filters of the resource interface (`_queryFilter`): what they mean for a document.

mod parse;

use std::cmp::Ordering;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

pub(crate) use self::parse::FilterError;
use super::{Pointer, View};

/// A condition on a document.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Filter {
    Literal(bool),
    Present(Pointer),
    Compare { pointer: Pointer, comparison: Comparison, value: Value },
    And(Vec<Filter>),
    Or(Vec<Filter>),
    Not(Box<Filter>),
}

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    Contains,
    StartsWith,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Filter {
    /// Reads a filter such as `name/familyName sw "An" and !(mail pr)`.
    pub(crate) fn parse(text: &str) -> Result<Self, FilterError> {
        parse::parse(text)
    }

    /// Whether it holds for a document. Texts are compared without regard to case, as directories do; an
    /// array matches when one of its values does.
    pub(crate) fn matches(&self, document: &Map<String, Value>) -> bool {
        match self {
            Self::Literal(truth) => *truth,
            Self::Present(pointer) => pointer.get(document).is_some_and(|value| !value.is_null()),
            Self::Compare { pointer, comparison, value } => {
                pointer.get(document).is_some_and(|found| comparison.holds(found, value))
            }
            Self::And(parts) => parts.iter().all(|part| part.matches(document)),
            Self::Or(parts) => parts.iter().any(|part| part.matches(document)),
            Self::Not(part) => !part.matches(document),
        }
    }

    /// The only entries that can match, when the filter tells; `None`: any may.
    pub(crate) fn candidates(&self, view: &View) -> Option<Candidates> {
        match self {
            Self::Literal(false) => Some(Candidates::default()),
            Self::Compare { pointer, comparison: Comparison::Equal, value: Value::String(value) } => {
                Candidates::of(view, pointer, value)
            }
            Self::And(parts) => parts.iter().find_map(|part| part.candidates(view)),
            Self::Or(parts) => {
                let mut all = Candidates::default();
                for part in parts {
                    let Candidates { ids, written } = part.candidates(view)?;
                    all.ids.extend(ids);
                    all.written.extend(written);
                }
                Some(all)
            }
            _ => None,
        }
    }
}

/// The only entries that can match a filter.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Candidates {
    /// Those of these identifiers.
    pub(crate) ids: BTreeSet<String>,
    /// Written ones whose attribute has this value.
    pub(crate) written: Vec<(&'static str, String)>,
}

impl Candidates {
    /// Those in which the field at `pointer` can equal `value`.
    fn of(view: &View, pointer: &Pointer, value: &str) -> Option<Self> {
        let like_id = view.named_like_id.iter().find(|name| **name == pointer.text()).copied();
        let attribute = like_id.or_else(|| view.attribute(pointer))?;
        let id = match attribute {
            "uid" => value,
            "mail" => value.split('@').next().unwrap_or_default(),
            _ if like_id.is_some() => value,
            _ => return None,
        };
        let is_identifier = attribute == "uid";
        let written = if is_identifier { Vec::new() } else { vec![(attribute, value.to_owned())] };
        // Texts are compared without regard to case, and generated identifiers are in small letters.
        let ids = [id.to_owned(), id.to_lowercase()].into();
        Some(Self { ids, written })
    }
}

impl Comparison {
    fn holds(self, found: &Value, value: &Value) -> bool {
        if let Value::Array(items) = found {
            return items.iter().any(|item| self.holds(item, value));
        }
        match self {
            Self::Equal => order(found, value) == Some(Ordering::Equal),
            Self::Contains => texts(found, value).is_some_and(|(found, part)| found.contains(&part)),
            Self::StartsWith => texts(found, value).is_some_and(|(found, part)| found.starts_with(&part)),
            Self::Less => order(found, value).is_some_and(Ordering::is_lt),
            Self::LessOrEqual => order(found, value).is_some_and(Ordering::is_le),
            Self::Greater => order(found, value).is_some_and(Ordering::is_gt),
            Self::GreaterOrEqual => order(found, value).is_some_and(Ordering::is_ge),
        }
    }
}

fn texts(found: &Value, value: &Value) -> Option<(String, String)> {
    Some((found.as_str()?.to_lowercase(), value.as_str()?.to_lowercase()))
}

fn order(found: &Value, value: &Value) -> Option<Ordering> {
    match (found, value) {
        (Value::Number(found), Value::Number(value)) => found.as_f64()?.partial_cmp(&value.as_f64()?),
        (Value::Bool(found), Value::Bool(value)) => Some(found.cmp(value)),
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        _ => texts(found, value).map(|(found, value)| found.cmp(&value)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn document() -> Map<String, Value> {
        let document = json!({
            "_id": "user.7", "age": 42, "active": true, "mail": ["a@example.com", "b@example.com"],
            "name": {"givenName": "Ada", "familyName": "O'Neil"}, "none": null,
        });
        document.as_object().unwrap().clone()
    }

    fn matches(filter: &str) -> bool {
        Filter::parse(filter).unwrap_or_else(|error| panic!("{filter}: {error}")).matches(&document())
    }

    #[test]
    fn holds() {
        for filter in [
            "true",
            "!false",
            "_id eq 'user.7'",
            "_id eq \"USER.7\"",
            "/name/givenName sw 'a'",
            "name/familyName co '\\'n'",
            "mail eq 'b@example.com'",
            "age gt 41 and age ge 42 and age lt 42.5 and age le 42",
            "active eq true",
            "name pr",
            "!(nothing pr)",
            "!(none pr)",
            "false or (age eq 42 and !(age eq 43))",
            "_id gt 'user.6'",
            "_id eq 'x' or _id eq 'y' or true and true",
        ] {
            assert!(matches(filter), "{filter}");
        }
    }

    #[test]
    fn does_not_hold() {
        for filter in
            ["false", "_id eq 'user.70'", "age eq '42'", "missing eq 'x'", "age sw '4'", "true and false"]
        {
            assert!(!matches(filter), "{filter}");
        }
    }

    fn condition() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("true".to_owned()),
            Just("false".to_owned()),
            "(_id|age|name/givenName|mail) (eq|co|sw|gt|lt|ge|le) ('[a-z.7]{0,3}'|\"[A-Z]{0,2}\"|[1-9][0-9]{0,2})",
            "(none|name|zip) pr",
        ];
        leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
                (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} or {b})")),
                inner.prop_map(|a| format!("!({a})")),
            ]
        })
    }

    proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,60}", like in "[a-z\"'()! /\\\\]{0,60}") {
            let _ = Filter::parse(&text);
            let _ = Filter::parse(&like);
        }

        #[test]
        fn laws_of_and_or_not(a in condition(), b in condition()) {
            prop_assert_eq!(matches(&format!("{a} and {b}")), matches(&a) && matches(&b));
            prop_assert_eq!(matches(&format!("{a} or {b}")), matches(&a) || matches(&b));
            prop_assert_eq!(matches(&format!("!({a})")), !matches(&a));
            prop_assert_eq!(matches(&format!("!({a} and {b})")), matches(&format!("!({a}) or !({b})")));
        }

        #[test]
        fn equal_finds_exactly_its_value(value in "[a-z0-9'\"\\\\]{0,8}", other in "[a-z0-9]{0,8}") {
            let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
            let filter = Filter::parse(&format!("name eq \"{quoted}\"")).unwrap();
            let holds = |text: &str| filter.matches(json!({ "name": text }).as_object().unwrap());
            prop_assert!(holds(&value));
            prop_assert_eq!(holds(&other), value == other);
        }
    }
}
