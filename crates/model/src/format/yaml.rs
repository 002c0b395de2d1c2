//! YAML to a tree of nodes: anchors expanded, `<<` merged, all of it bounded.

use crate::diagnostic::{Diagnostic, Place};
use crate::format::node::{At, Key, Kind, Node, Scalar, Value, kind_of};
use crate::format::problems::Problems;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError};
use std::collections::HashMap;
use std::sync::Arc;

/// More values than this, aliases expanded, and the file is refused.
const MOST_NODES: usize = 100_000;
/// Deeper nesting than this is refused.
const DEEPEST: usize = 64;
/// What the parser says when lists and maps in one line are nested deeper than it goes itself.
const TOO_DEEP: &str = "recursion limit exceeded";

/// Reads the one document of a file. None when there is none or it is broken, which `problems` then says.
pub(crate) fn parse(file: &Arc<str>, text: &str, problems: &mut Problems) -> Option<Node> {
    let mut reader =
        Reader { parser: Parser::new_from_str(text), file, problems, anchors: HashMap::new(), nodes: 0 };
    match reader.document() {
        Ok(node) => node,
        Err(problem) => {
            problems.add(problem);
            None
        }
    }
}

struct Reader<'a, 'p> {
    parser: Parser<'a, saphyr_parser::StrInput<'a>>,
    file: &'p Arc<str>,
    problems: &'p mut Problems,
    anchors: HashMap<usize, (Node, usize)>,
    nodes: usize,
}

type Read<T> = Result<T, Diagnostic>;

impl<'a> Reader<'a, '_> {
    fn document(&mut self) -> Read<Option<Node>> {
        let mut root = None;
        loop {
            let (event, at) = self.next()?;
            match event {
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(_) if root.is_some() => {
                    return Err(
                        refuse(&at, "the file holds a second YAML document").help("keep one document a file")
                    );
                }
                Event::Nothing | Event::StreamStart | Event::DocumentEnd | Event::DocumentStart(_) => {}
                event => root = Some(self.node(event, at, 0)?),
            }
        }
    }

    fn next(&mut self) -> Read<(Event<'a>, At)> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let at = self.at(&span.start);
                Ok((event, at))
            }
            Some(Err(error)) => Err(self.broken(&error)),
            None => Ok((Event::StreamEnd, At::file(self.file.clone()))),
        }
    }

    fn node(&mut self, event: Event<'a>, at: At, depth: usize) -> Read<Node> {
        self.count(&at, 1)?;
        if depth > DEEPEST {
            return Err(refuse(&at, format!("values are nested more than {DEEPEST} deep")));
        }
        let before = self.nodes;
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && tag.is_none();
                let kind = if plain { kind_of(&text) } else { Kind::Text };
                (Node { value: Value::Scalar(Scalar { text: text.into_owned(), kind }), at }, anchor)
            }
            Event::SequenceStart(anchor, _) => {
                let mut list = Vec::new();
                loop {
                    let (event, at) = self.next()?;
                    if matches!(event, Event::SequenceEnd) {
                        break;
                    }
                    list.push(self.node(event, at, depth + 1)?);
                }
                (Node { value: Value::List(list), at }, anchor)
            }
            Event::MappingStart(anchor, _) => (self.mapping(at, depth)?, anchor),
            Event::Alias(anchor) => return self.alias(anchor, &at),
            _ => return Err(refuse(&at, "this is not YAML")),
        };
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), self.nodes - before + 1));
        }
        Ok(node)
    }

    fn alias(&mut self, anchor: usize, at: &At) -> Read<Node> {
        let Some((node, size)) = self.anchors.get(&anchor) else {
            return Err(refuse(at, "an alias stands inside of its own anchor"));
        };
        let (node, size) = (node.clone(), *size);
        self.count(at, size)?;
        Ok(node)
    }

    fn mapping(&mut self, start: At, depth: usize) -> Read<Node> {
        let mut entries: Vec<(Key, Node)> = Vec::new();
        let mut merged = Vec::new();
        loop {
            let (event, at) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                break;
            }
            let key = self.node(event, at, depth + 1)?;
            let Some(text) = key.scalar().map(|scalar| scalar.text.clone()) else {
                return Err(refuse(&key.at, format!("a key is one word, found {}", key.kind())));
            };
            let (event, at) = self.next()?;
            let value = self.node(event, at, depth + 1)?;
            if text == "<<" {
                merged.push(value);
            } else if entries.iter().any(|(known, _)| known.text == text) {
                self.problems.error_with_help(
                    &key.at,
                    format!("key `{text}` stands twice"),
                    "keep one of them",
                );
            } else {
                entries.push((Key { text, at: key.at }, value));
            }
        }
        for node in merged {
            merge(node, &mut entries)?;
        }
        Ok(Node { value: Value::Map(entries), at: start })
    }

    fn count(&mut self, at: &At, nodes: usize) -> Read<()> {
        self.nodes = self.nodes.saturating_add(nodes);
        if self.nodes > MOST_NODES {
            return Err(refuse(
                at,
                format!("the file holds more than {MOST_NODES} values, aliases expanded"),
            )
            .help("use fewer aliases, or put rows of data into a data file"));
        }
        Ok(())
    }

    fn at(&self, marker: &Marker) -> At {
        At { file: self.file.clone(), line: marker.line() as u32, column: marker.col() as u32 + 1 }
    }

    fn broken(&self, error: &ScanError) -> Diagnostic {
        let at = self.at(error.marker());
        let place = Place { file: at.file.to_string(), line: at.line.max(1), column: at.column };
        if error.info() == TOO_DEEP {
            return Diagnostic::error(Some(place), format!("values are nested more than {DEEPEST} deep"));
        }
        Diagnostic::error(Some(place), format!("this is not YAML: {}", error.info()))
    }
}

fn refuse(at: &At, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(at.place(), message)
}

/// `<<: *anchor` or `<<: [*a, *b]`: what stands in the map itself wins, then the earlier one.
fn merge(node: Node, entries: &mut Vec<(Key, Node)>) -> Read<()> {
    match node.value {
        Value::Map(from) => {
            for (key, value) in from {
                if !entries.iter().any(|(known, _)| known.text == key.text) {
                    entries.push((key, value));
                }
            }
            Ok(())
        }
        Value::List(nodes) => nodes.into_iter().try_for_each(|node| merge(node, entries)),
        Value::Scalar(_) => Err(refuse(&node.at, "`<<` merges a map, found one word")),
    }
}
