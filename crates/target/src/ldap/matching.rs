//! How values are compared: without regard to case (`caseIgnoreMatch`, RFC 4517, 4.2.11), whatever their
//! attribute, as there is no schema. Values that are not text are compared as they are.

use std::borrow::Cow;
use std::cmp::Ordering;

/// Whether two values, or two names of attributes, are the same.
pub(crate) fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    if one.is_ascii() || other.is_ascii() {
        return false;
    }
    fold(one) == fold(other)
}

/// Which of two values comes first: by number when both are numbers.
pub(crate) fn order(one: &[u8], other: &[u8]) -> Ordering {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => fold(one).cmp(&fold(other)),
    }
}

/// A value in small letters.
pub(crate) fn fold(value: &[u8]) -> Cow<'_, [u8]> {
    if value.is_ascii() {
        if value.iter().any(u8::is_ascii_uppercase) {
            return Cow::Owned(value.to_ascii_lowercase());
        }
        return Cow::Borrowed(value);
    }
    match std::str::from_utf8(value) {
        Ok(text) => Cow::Owned(text.to_lowercase().into_bytes()),
        Err(_) => Cow::Borrowed(value),
    }
}

/// A value as a whole number.
pub(crate) fn integer(value: &[u8]) -> Option<i64> {
    // Most values are no numbers: this is quicker than to parse them.
    if !value.last()?.is_ascii_digit() {
        return None;
    }
    std::str::from_utf8(value).ok()?.parse().ok()
}

/// The parts of a substrings filter, as they must follow each other in a value.
#[derive(Debug, Default)]
pub(crate) struct Substrings<'s> {
    pub(crate) initial: Option<&'s [u8]>,
    pub(crate) any: Vec<&'s [u8]>,
    pub(crate) last: Option<&'s [u8]>,
}

impl Substrings<'_> {
    pub(crate) fn match_value(&self, value: &[u8]) -> bool {
        let folded = fold(value);
        let mut rest: &[u8] = &folded;
        if let Some(initial) = self.initial {
            match rest.strip_prefix(&*fold(initial)) {
                Some(after) => rest = after,
                None => return false,
            }
        }
        if let Some(last) = self.last {
            match rest.strip_suffix(&*fold(last)) {
                Some(before) => rest = before,
                None => return false,
            }
        }
        self.any.iter().all(|part| match find(rest, &fold(part)) {
            Some(end) => {
                rest = &rest[end..];
                true
            }
            None => false,
        })
    }
}

/// The end of the first occurrence of a part.
fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part).map(|at| at + part.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_is_of_no_regard() {
        for (one, other, same) in
            [("Ada", "aDA", true), ("Ærø", "æRØ", true), ("a", "b", false), ("", "", true), ("Å", "a", false)]
        {
            assert_eq!(equal(one.as_bytes(), other.as_bytes()), same, "{one} {other}");
        }
        assert!(!equal(b"\xff\xfe", b"\xff\xfd") && equal(b"\xff", b"\xff"));
    }

    #[test]
    fn numbers_are_ordered_as_numbers() {
        assert_eq!(order(b"9", b"10"), Ordering::Less);
        assert_eq!(order(b"b", b"A"), Ordering::Greater);
        assert_eq!(order(b"9", b"10a"), Ordering::Greater);
    }

    #[test]
    fn parts_follow_each_other() {
        let check =
            |initial: Option<&'static str>, any: &[&'static str], last: Option<&'static str>, holds: bool| {
                let parts = Substrings {
                    initial: initial.map(str::as_bytes),
                    any: any.iter().map(|part| part.as_bytes()).collect(),
                    last: last.map(str::as_bytes),
                };
                assert_eq!(parts.match_value(b"Abcabc"), holds, "{parts:?}");
            };
        check(Some("aB"), &[], Some("bC"), true);
        check(Some("abca"), &[], Some("cabc"), false);
        check(None, &["b", "B"], None, true);
        check(None, &["b", "b", "b"], None, false);
        check(Some("a"), &["bc", "a", "b"], Some("c"), true);
        check(Some("x"), &[], None, false);
    }
}
