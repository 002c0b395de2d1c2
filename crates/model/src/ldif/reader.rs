//! From lines to the lines of each record.

use crate::format::Outside;
use crate::ldif::line::{Line, Lines};
use crate::ldif::value::{Field, Files, shown, unfilled};
use crate::ldif::{Problem, Record, record};
use std::path::Path;

/// The records of a file, or what is wrong with them.
pub(super) struct Reader<'a> {
    lines: Lines<'a>,
    files: Files<'a>,
    begun: bool,
}

/// The lines of one record.
pub(super) struct Section<'a> {
    lines: std::iter::Peekable<std::vec::IntoIter<(u32, Line<'a>)>>,
    /// Its last line.
    pub(super) end: u32,
}

/// A line of a record, read.
pub(super) enum Item {
    Field(Field),
    /// `-`: a change ends.
    Dash(u32),
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], path: &'a Path, outside: &'a dyn Outside) -> Self {
        Self { lines: Lines::new(bytes), files: Files::new(path, outside), begun: false }
    }

    /// The lines up to the next empty one; none at the end of the file.
    fn section(&mut self) -> Option<Section<'a>> {
        let first = self.lines.find(|(_, line)| *line != Line::Empty)?;
        let rest = self.lines.by_ref().take_while(|(_, line)| *line != Line::Empty);
        let lines: Vec<_> = std::iter::once(first).chain(rest).collect();
        let end = lines.last().map_or(0, |(line, _)| *line);
        Some(Section { lines: lines.into_iter().peekable(), end })
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<Record, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut section = self.section()?;
            if !std::mem::replace(&mut self.begun, true) {
                match version(&mut section) {
                    Ok(()) if section.lines.peek().is_none() => continue,
                    Ok(()) => {}
                    Err(problem) => return Some(Err(problem)),
                }
            }
            return Some(record::read(&mut section, &mut self.files));
        }
    }
}

impl Section<'_> {
    /// The value of the next line, if it begins with this name, up to its end.
    pub(super) fn raw(&mut self, name: &str) -> Option<(u32, Vec<u8>)> {
        match self.lines.next_if(|(_, line)| line.begins(name)) {
            Some((number, Line::Text(text))) => Some((number, text[name.len() + 1..].to_vec())),
            _ => None,
        }
    }

    /// The next line; none when the record is over.
    pub(super) fn next(&mut self, files: &mut Files<'_>) -> Result<Option<Item>, Problem> {
        match self.lines.next() {
            None => Ok(None),
            Some((line, Line::Text(text))) if text.trim_ascii_end() == b"-" => Ok(Some(Item::Dash(line))),
            Some((line, Line::Text(text))) => Ok(Some(Item::Field(Field::parse(line, &text, files)?))),
            Some((line, _)) => {
                let message =
                    "a line that begins with a blank goes on with the one before, and there is none";
                Err(Problem::new(line, message, "remove the blank, or the empty line or comment before it"))
            }
        }
    }

    /// The next line, which has to be a value of this name.
    pub(super) fn expect(&mut self, name: &str, files: &mut Files<'_>) -> Result<Field, Problem> {
        let (line, found) = match self.next(files)? {
            Some(Item::Field(field)) if field.is(name) => return Ok(field),
            Some(Item::Field(field)) => {
                (field.line, format!("`{}` stands where `{name}` has to", field.name))
            }
            Some(Item::Dash(line)) => (line, format!("`-` stands where `{name}` has to")),
            None => (self.end, format!("the record ends before `{name}`")),
        };
        Err(Problem::new(line, found, "see RFC 2849, or divide records by an empty line"))
    }

    /// Whether the next line begins with this name.
    pub(super) fn is_next(&mut self, name: &str) -> bool {
        self.lines.peek().is_some_and(|(_, line)| line.begins(name))
    }

    /// Nothing may follow.
    pub(super) fn end(&mut self, after: &str) -> Result<(), Problem> {
        match self.lines.next() {
            None => Ok(()),
            Some((line, _)) => {
                let message = format!("a line follows the end of a record of `{after}`");
                Err(Problem::new(line, message, "put an empty line before the next record"))
            }
        }
    }
}

/// Takes the line with the version, if there is one.
fn version(section: &mut Section<'_>) -> Result<(), Problem> {
    let Some((line, text)) = section.raw("version") else { return Ok(()) };
    match unfilled(&text).trim_ascii_end() {
        b"1" => Ok(()),
        other => {
            let message = format!("the version is `{}`", shown(other));
            Err(Problem::new(line, message, "there is version 1 of LDIF alone"))
        }
    }
}
