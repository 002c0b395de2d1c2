//! The value of a line: text, `{attribute}` and `<tag>`, with backslashes before what is none of them.

use crate::format::rate_tool::entries::Input;
use crate::format::rate_tool::entries::tag::{self, Tag};

/// A line of a template, compiled.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) attribute: String,
    pub(super) parts: Vec<Part>,
}

/// A part of a value.
#[derive(Clone)]
pub(super) enum Part {
    Text(String),
    /// The first value of another attribute, whose name is in lower case; perhaps its first letters only.
    Attribute {
        name: String,
        letters: Option<usize>,
    },
    Tag(Tag),
}

/// What stands between brackets, and the text behind them.
struct Bracketed<'a> {
    inside: String,
    rest: &'a str,
}

/// Compiles a value. The error says what is wrong.
pub(super) fn parse(text: &str, input: &Input<'_>) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let part = match letter {
            '\\' => {
                let escaped = rest.chars().next();
                literal.push(escaped.unwrap_or('\\'));
                rest = &rest[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            '<' => {
                let found =
                    bracketed(rest, '>').ok_or("`<` has no `>`; a sign that is no tag is written `\\<`")?;
                rest = found.rest;
                Part::Tag(tag::parse(&found.inside, input)?)
            }
            '{' => {
                let found =
                    bracketed(rest, '}').ok_or("`{` has no `}`; a sign that is no tag is written `\\{`")?;
                rest = found.rest;
                attribute(&found.inside)?
            }
            _ => {
                literal.push(letter);
                continue;
            }
        };
        if !literal.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut literal)));
        }
        parts.push(part);
    }
    if !literal.is_empty() {
        parts.push(Part::Text(literal));
    }
    Ok(parts)
}

/// Up to the closing sign; a backslash takes the meaning from what follows it.
fn bracketed(text: &str, close: char) -> Option<Bracketed<'_>> {
    let mut inside = String::new();
    let mut letters = text.char_indices();
    while let Some((start, letter)) = letters.next() {
        match letter {
            '\\' => inside.push(letters.next()?.1),
            _ if letter == close => {
                return Some(Bracketed { inside, rest: &text[start + letter.len_utf8()..] });
            }
            _ => inside.push(letter),
        }
    }
    None
}

fn attribute(text: &str) -> Result<Part, String> {
    let (name, letters) = match text.split_once(':') {
        Some((name, letters)) => {
            let letters = letters.trim().parse().map_err(|_| {
                format!("`{{{text}}}` has no whole number behind the colon; write `{{{name}:1}}` for its first letter")
            })?;
            (name, Some(letters))
        }
        None => (text, None),
    };
    Ok(Part::Attribute { name: name.trim().to_ascii_lowercase(), letters })
}
