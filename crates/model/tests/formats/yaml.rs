//! YAML as a JSON value, read apart from the program: plain words are what YAML 1.2 calls them.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

type Events<'a> = Parser<'a, saphyr_parser::StrInput<'a>>;

pub(crate) fn value(text: &str) -> Value {
    let mut events = Parser::new_from_str(text);
    loop {
        match next(&mut events) {
            Event::StreamStart | Event::DocumentStart(_) => {}
            event => return node(event, &mut events),
        }
    }
}

fn next<'a>(events: &mut Events<'a>) -> Event<'a> {
    events.next_event().unwrap().unwrap().0
}

fn node<'a>(event: Event<'a>, events: &mut Events<'a>) -> Value {
    match event {
        Event::Scalar(text, style, _, _) => scalar(&text, style),
        Event::SequenceStart(..) => {
            let mut list = Vec::new();
            loop {
                match next(events) {
                    Event::SequenceEnd => return Value::Array(list),
                    event => list.push(node(event, events)),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut map = Map::new();
            loop {
                match next(events) {
                    Event::MappingEnd => return Value::Object(map),
                    Event::Scalar(key, ..) => {
                        let event = next(events);
                        map.insert(key.into_owned(), node(event, events));
                    }
                    event => panic!("a key is a word, not {event:?}"),
                }
            }
        }
        event => panic!("{event:?} stands where a value belongs"),
    }
}

fn scalar(text: &str, style: ScalarStyle) -> Value {
    match text {
        _ if style != ScalarStyle::Plain => Value::from(text),
        "" | "~" | "null" => Value::Null,
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => text.parse().map_or_else(|_| Value::from(text), Value::Number),
    }
}
