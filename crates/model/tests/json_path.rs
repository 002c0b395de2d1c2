//! The scan for one value says what the full parser says.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use loadgen_model::json_path::{Found, JsonPath};
use proptest::prelude::*;
use serde_json::Value;

/// Documents with few keys, so that paths often hit; strings with everything that has to be escaped.
fn document() -> impl Strategy<Value = Value> {
    let text = prop_oneof!["[a-z]{0,4}", "[\"\\\\/\\n\\t\u{7f}é€😀{}\\[\\],: ]{0,6}"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // Eighths are exact in binary: how floats are rounded is not the matter here.
        any::<i32>().prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[abc]|tokenId|a b", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn path() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just(".a".to_owned()),
        Just(".b".to_owned()),
        Just(".tokenId".to_owned()),
        Just("['a b']".to_owned()),
        Just("[\"c\"]".to_owned()),
        (0_usize..4).prop_map(|index| format!("[{index}]")),
    ];
    prop::collection::vec(part, 0..4).prop_map(|parts| format!("${}", parts.concat()))
}

fn scanned(path: &str, document: &[u8]) -> (Found, String) {
    let mut out = Vec::new();
    let found = JsonPath::parse(path).unwrap().find(document, &mut out);
    (found, String::from_utf8_lossy(&out).into_owned())
}

/// What the full parser says. Containers are compared as values: their blanks are the document's own.
fn parsed(path: &str, document: &Value) -> (Found, Option<Value>) {
    match serde_json_path::JsonPath::parse(path).unwrap().query(document).first() {
        None => (Found::Nothing, None),
        Some(Value::Null) => (Found::Null, None),
        Some(value) => (Found::Value, Some(value.clone())),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_scan_finds_what_the_parser_finds(document in document(), path in path(), pretty in any::<bool>()) {
        let text = if pretty { format!("{document:#}") } else { document.to_string() };
        let (found, value) = scanned(&path, text.as_bytes());
        let (wanted, expected) = parsed(&path, &document);
        prop_assert_eq!(found, wanted);
        match expected {
            None => prop_assert_eq!(value, ""),
            Some(Value::String(text)) => prop_assert_eq!(value, text),
            Some(other) => prop_assert_eq!(serde_json::from_str::<Value>(&value).unwrap(), other),
        }
    }

    #[test]
    fn a_document_that_is_cut_off_is_never_misread(document in document(), path in path(), cut in any::<prop::sample::Index>()) {
        let text = document.to_string();
        let cut = cut.index(text.len() + 1);
        let (found, value) = scanned(&path, &text.as_bytes()[..cut]);
        if found == Found::Value {
            // The value stood before the cut, or is a number that the cut made shorter.
            let whole = scanned(&path, text.as_bytes()).1;
            prop_assert!(whole == value || whole.starts_with(&value), "{} became {}", whole, value);
        }
    }

    #[test]
    fn any_bytes_are_scanned_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..80), path in path()) {
        let _ = scanned(&path, &bytes);
    }
}

#[test]
fn paths_beyond_keys_and_indices_take_the_full_parser() {
    let document = br#"{"result":[{"_id":"a","mail":"x"},{"_id":"b","mail":"y"}]}"#;
    assert_eq!(scanned("$.result[?@._id=='b'].mail", document), (Found::Value, "y".to_owned()));
    assert_eq!(scanned("$..mail", document), (Found::Value, "x".to_owned()));
    assert_eq!(scanned("$.result[-1]._id", document), (Found::Value, "b".to_owned()));
}

#[test]
fn what_is_not_json_is_told_apart_from_what_is_not_there() {
    assert_eq!(scanned("$.a", b"<html>").0, Found::NotJson);
    assert_eq!(scanned("$.a", b"").0, Found::NotJson);
    assert_eq!(scanned("$.a", b"{}").0, Found::Nothing);
    assert_eq!(scanned("$.a", br#"{"a":nonsense}"#).0, Found::NotJson);
}
