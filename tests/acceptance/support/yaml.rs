//! YAML as JSON, for validating job files against their schema.

use saphyr_parser::{Event, Parser, ScalarStyle, StrInput};
use serde_json::{Map, Value};

/// Reads a document without aliases.
pub(crate) fn to_json(text: &str) -> Value {
    let mut parser = Parser::new_from_str(text);
    loop {
        match next(&mut parser) {
            Event::StreamStart | Event::DocumentStart(_) | Event::Nothing => {}
            event => return value(event, &mut parser),
        }
    }
}

fn next<'a>(parser: &mut Parser<'a, StrInput<'a>>) -> Event<'a> {
    parser.next_event().unwrap().unwrap().0
}

fn value<'a>(event: Event<'a>, parser: &mut Parser<'a, StrInput<'a>>) -> Value {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, _, None) => plain(&text),
        Event::Scalar(text, ..) => Value::String(text.into_owned()),
        Event::SequenceStart(..) => {
            let mut list = Vec::new();
            loop {
                match next(parser) {
                    Event::SequenceEnd => return Value::Array(list),
                    event => list.push(value(event, parser)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Map::new();
            loop {
                match next(parser) {
                    Event::MappingEnd => return Value::Object(map),
                    Event::Scalar(key, ..) => {
                        let event = next(parser);
                        map.insert(key.into_owned(), value(event, parser));
                    }
                    event => panic!("a key is one word: {event:?}"),
                }
            }
        }
        event => panic!("not expected here: {event:?}"),
    }
}

/// An unquoted word by YAML's core schema, in which `on` and `off` are text.
fn plain(text: &str) -> Value {
    match text {
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => serde_json::from_str::<serde_json::Number>(text)
            .map_or_else(|_| Value::String(text.to_owned()), Value::Number),
    }
}
