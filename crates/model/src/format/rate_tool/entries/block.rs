//! The lines of a template file: constants replaced, long lines joined, divided into branches and templates.

use crate::diagnostic::{Diagnostic, Place};
use crate::format::rate_tool::entries::Input;
use std::collections::BTreeMap;

/// Lines of a template file: far more than anybody writes.
const MOST_LINES: usize = 100_000;
/// Letters of a line once constants are replaced: what a directory takes as one value.
const LONGEST_LINE: usize = 1_048_576;

/// A branch or a template.
pub(super) struct Block {
    pub(super) kind: Kind,
    /// The branch's distinguished name, or the template's name.
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) lines: Vec<Attribute>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Branch,
    Template,
}

/// `name: value`.
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) place: Place,
}

/// Divides a file.
pub(super) fn blocks(text: &str, input: &Input<'_>, problems: &mut Vec<Diagnostic>) -> Vec<Block> {
    let mut reader = Reader { input, constants: BTreeMap::new(), blocks: Vec::new(), open: false, problems };
    for (name, value) in input.constants {
        reader.constants.insert(name.to_ascii_lowercase(), value.clone());
    }
    if text.lines().count() > MOST_LINES {
        let message = format!("the template file has more than {MOST_LINES} lines");
        reader.problem(reader.place(0), message, "leave some out");
        return Vec::new();
    }
    let mut defined = Vec::new();
    for (line, number) in joined(text) {
        reader.line(&line, number, &mut defined);
    }
    for (name, _) in input.constants {
        if !defined.iter().any(|known: &String| known.eq_ignore_ascii_case(name)) {
            let message = format!("the template file defines no constant `{name}`");
            let known = defined.iter().map(String::as_str);
            reader.problems.push(Diagnostic::warning(None, message).nearest(name, known));
        }
    }
    reader.blocks
}

/// Lines with their number from 1; one that starts with a blank continues the one before (RFC 2849 note 2).
fn joined(text: &str) -> Vec<(String, u32)> {
    let mut lines: Vec<(String, u32)> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.starts_with('#') {
            continue;
        }
        match (line.strip_prefix(' ').filter(|rest| !rest.trim().is_empty()), lines.last_mut()) {
            (Some(rest), Some((last, _))) if !last.trim().is_empty() => last.push_str(rest),
            _ => lines.push((line.to_owned(), number)),
        }
    }
    lines
}

struct Reader<'a> {
    input: &'a Input<'a>,
    constants: BTreeMap<String, String>,
    blocks: Vec<Block>,
    /// Whether lines belong to the last block.
    open: bool,
    problems: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn place(&self, line: u32) -> Place {
        Place { file: self.input.file.display().to_string(), line, column: 1 }
    }

    fn problem(&mut self, place: Place, message: impl Into<String>, help: &str) {
        self.problems.push(Diagnostic::error(Some(place), message).help(help));
    }

    fn line(&mut self, line: &str, number: u32, defined: &mut Vec<String>) {
        let place = self.place(number);
        if line.trim().is_empty() {
            self.open = false;
            return;
        }
        let Some(line) = self.replace_constants(line) else {
            let message = format!("the line is longer than {LONGEST_LINE} letters with its constants");
            return self.problem(place, message, "use shorter constants");
        };
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match word.to_ascii_lowercase().as_str() {
            "define" => self.define(rest, place, defined),
            "include" => self.problem(place, "classes of Java cannot be included", "leave out the line"),
            _ => self.attribute(&line, place),
        }
    }

    /// What the command line says about a constant wins.
    fn define(&mut self, text: &str, place: Place, defined: &mut Vec<String>) {
        let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) else {
            return self.problem(place, "a constant has no name or no value", "write `define NAME=VALUE`");
        };
        let name = name.trim();
        if defined.iter().any(|known| known.eq_ignore_ascii_case(name)) {
            return self.problem(place, format!("`{name}` is defined twice"), "keep one of them");
        }
        defined.push(name.to_owned());
        self.constants.entry(name.to_ascii_lowercase()).or_insert_with(|| value.trim().to_owned());
    }

    fn attribute(&mut self, line: &str, place: Place) {
        let Some((name, value)) = line.split_once(':').filter(|(name, _)| !name.trim().is_empty()) else {
            return self.problem(place, "the line has no colon", "write `ATTRIBUTE: VALUE`");
        };
        let (name, value) = (name.trim(), value.trim());
        let kind = match name.to_ascii_lowercase().as_str() {
            "branch" => Some(Kind::Branch),
            "template" => Some(Kind::Template),
            _ => None,
        };
        match (kind, self.blocks.last_mut().filter(|_| self.open)) {
            (Some(kind), _) => {
                let name = value.to_owned();
                self.blocks.push(Block { kind, name, place, lines: Vec::new() });
                self.open = true;
            }
            (None, Some(block)) => {
                let (name, value) = (name.to_owned(), value.to_owned());
                block.lines.push(Attribute { name, value, place });
            }
            (None, None) => {
                let message = format!("`{name}` belongs to no branch and no template");
                self.problem(
                    place,
                    message,
                    "write it below a line `branch:` or `template:`, without an empty line between",
                );
            }
        }
    }

    /// Replaces `[name]`; unknown names stand as they are. None when the line grows too long.
    fn replace_constants(&self, line: &str) -> Option<String> {
        let mut text = String::new();
        let mut rest = line;
        while let Some(start) = rest.find('[') {
            text.push_str(&rest[..start]);
            rest = &rest[start..];
            let name = rest.find(']').map(|end| &rest[1..end]).filter(|_| !text.ends_with('\\'));
            match name.and_then(|name| Some((name, self.constants.get(&name.to_ascii_lowercase())?))) {
                Some((name, value)) => {
                    text.push_str(value);
                    rest = &rest[name.len() + 2..];
                }
                None => {
                    text.push('[');
                    rest = &rest[1..];
                }
            }
            if text.len() > LONGEST_LINE {
                return None;
            }
        }
        text.push_str(rest);
        (text.len() <= LONGEST_LINE).then_some(text)
    }
}
