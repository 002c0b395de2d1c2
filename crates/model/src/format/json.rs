//! JSON (RFC 8259) to a tree of nodes. A key that stands twice counts once: the last one wins, with a warning.

use crate::diagnostic::Diagnostic;
use crate::format::node::{At, Key, Kind, Node, Scalar, Value};
use crate::format::problems::Problems;
use jsonc_parser::ast::{ObjectProp, Value as Json};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use std::sync::Arc;

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_non_finite_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a file. None when it is empty or broken, which `problems` then says.
pub(crate) fn parse(file: &Arc<str>, text: &str, problems: &mut Problems) -> Option<Node> {
    let lines = Lines::new(file, text);
    match parse_to_ast(text, &CollectOptions::default(), &STRICT) {
        Ok(result) => Some(convert(&result.value?, &lines, problems)),
        Err(error) => {
            let place = lines.at(error.range().start).place();
            problems.add(Diagnostic::error(place, format!("this is not JSON: {}", sentence(error.kind()))));
            None
        }
    }
}

fn sentence(kind: &jsonc_parser::errors::ParseErrorKind) -> String {
    let text = kind.to_string();
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

fn convert(json: &Json<'_>, lines: &Lines<'_>, problems: &mut Problems) -> Node {
    let at = lines.at(json.range().start);
    let scalar = |text: &str, kind| Value::Scalar(Scalar { text: text.to_owned(), kind });
    let value = match json {
        Json::StringLit(text) => scalar(&text.value, Kind::Text),
        Json::NumberLit(number) => scalar(number.value, Kind::Number),
        Json::BooleanLit(truth) => scalar(if truth.value { "true" } else { "false" }, Kind::Bool),
        Json::NullKeyword(_) => scalar("", Kind::Null),
        Json::Array(array) => {
            Value::List(array.elements.iter().map(|element| convert(element, lines, problems)).collect())
        }
        Json::Object(object) => Value::Map(entries(&object.properties, lines, problems)),
    };
    Node { value, at }
}

fn entries(properties: &[ObjectProp<'_>], lines: &Lines<'_>, problems: &mut Problems) -> Vec<(Key, Node)> {
    let mut entries: Vec<(Key, Node)> = Vec::new();
    for property in properties {
        let key = Key { text: property.name.as_str().to_owned(), at: lines.at(property.range.start) };
        let value = convert(&property.value, lines, problems);
        match entries.iter_mut().find(|(known, _)| known.text == key.text) {
            Some(known) => {
                let message = format!("key `{}` stands twice; the last one counts", key.text);
                problems.warning(&key.at, message, "remove the other one");
                known.1 = value;
            }
            None => entries.push((key, value)),
        }
    }
    entries
}

/// Where the lines of a text start.
struct Lines<'a> {
    file: &'a Arc<str>,
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn new(file: &'a Arc<str>, text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1)).collect();
        Self { file, text, starts }
    }

    fn at(&self, offset: usize) -> At {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        At { file: self.file.clone(), line: line as u32, column: column as u32 }
    }
}
