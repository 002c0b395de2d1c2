//! Data files: RFC 4180 for `.csv`, RFC 2849 for `.ldif`, one value a line for all else.

use crate::diagnostic::{Diagnostic, Place};
use crate::format::Outside;
use crate::format::node::At;
use crate::format::problems::Problems;
use crate::ldif;
use crate::variable::{Data, Order, Scope};
use std::path::Path;

/// Attributes that the entries of an LDIF file may have between them: each is a column.
const MOST_ATTRIBUTES: usize = 1000;

/// What is to be read, and how.
pub(crate) struct Request<'a> {
    pub(crate) name: &'a str,
    /// The file as it is shown.
    pub(crate) shown: &'a str,
    pub(crate) path: &'a Path,
    pub(crate) outside: &'a dyn Outside,
    /// Names of columns that the file itself does not carry.
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
    /// Where the job names it.
    pub(crate) at: &'a At,
}

/// How texts name the columns of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// Not at all: there is one column.
    Bare,
    /// As they are written.
    Exact,
    /// As attributes, without case.
    Attributes,
}

/// The rows, and how their columns are named.
pub(crate) fn read(request: &Request<'_>, bytes: Vec<u8>, problems: &mut Problems) -> Option<(Data, Naming)> {
    let ends = |ending| request.name.to_ascii_lowercase().ends_with(ending);
    let (data, naming) = match &request.columns {
        Some(_) if ends(".ldif") => {
            let message = format!("`{}` is LDIF, whose columns are `dn` and the attributes", request.shown);
            problems.error_with_help(request.at, message, "remove `columns`");
            return None;
        }
        None if ends(".ldif") => (records(request, &bytes, problems)?, Naming::Attributes),
        Some(_) => (table(request, &text(request, bytes, problems)?, problems)?, Naming::Exact),
        None if ends(".csv") => (table(request, &text(request, bytes, problems)?, problems)?, Naming::Exact),
        None => (lines(request, &text(request, bytes, problems)?), Naming::Bare),
    };
    if data.rows() == 0 {
        let message = format!("`{}` holds no row", request.shown);
        problems.error_with_help(request.at, message, "add rows, or use another file");
        return None;
    }
    Some((data, naming))
}

fn text(request: &Request<'_>, bytes: Vec<u8>, problems: &mut Problems) -> Option<String> {
    match String::from_utf8(bytes) {
        Ok(text) => Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text)),
        Err(_) => {
            problems.error(request.at, format!("`{}` is not text in UTF-8", request.shown));
            None
        }
    }
}

fn records(request: &Request<'_>, bytes: &[u8], problems: &mut Problems) -> Option<Data> {
    let records = match ldif::read(bytes, request.path, request.outside) {
        Ok(records) => records,
        Err(wrong) => {
            for problem in wrong {
                problems.add(problem);
            }
            return None;
        }
    };
    let data = Data::of_records(request.shown.to_owned(), records, request.order, request.scope);
    if data.columns.len() > MOST_ATTRIBUTES {
        let count = data.columns.len() - 1;
        let message = format!("the entries of `{}` have {count} attributes", request.shown);
        problems.error_with_help(request.at, message, format!("use at most {MOST_ATTRIBUTES}"));
        return None;
    }
    Some(data)
}

fn lines(request: &Request<'_>, text: &str) -> Data {
    let mut data =
        Data::new(request.shown.to_owned(), vec!["value".to_owned()], request.order, request.scope);
    text.lines().filter(|line| !line.is_empty()).for_each(|line| data.push([line]));
    data
}

fn table(request: &Request<'_>, text: &str, problems: &mut Problems) -> Option<Data> {
    let place = |line: u32| Some(Place { file: request.shown.to_owned(), line, column: 1 });
    let mut rows = Rows { rest: text, line: 1 };
    let columns = match &request.columns {
        Some(columns) => columns.clone(),
        None => match rows.next() {
            Some(Ok((_, names))) => names,
            Some(Err((line, message))) => {
                problems.add(Diagnostic::error(place(line), message));
                return None;
            }
            None => Vec::new(),
        },
    };
    if columns.is_empty() || columns.iter().any(|name| name.trim().is_empty()) {
        let message = format!("`{}` has no line of column names", request.shown);
        problems.error_with_help(request.at, message, "add one, or name them in `columns`");
        return None;
    }
    if let Some(twice) = columns.iter().enumerate().find(|(index, name)| columns[..*index].contains(name)) {
        let message = format!("`{}` has two columns `{}`", request.shown, twice.1);
        problems.error_with_help(request.at, message, "rename one of them");
        return None;
    }
    let count = columns.len();
    let mut data = Data::new(request.shown.to_owned(), columns, request.order, request.scope);
    for row in rows {
        match row {
            Ok((_, fields)) if fields.len() == count => data.push(fields.iter().map(String::as_str)),
            Ok((line, fields)) => {
                let message = format!(
                    "the row has {}, the file has {}",
                    plural(fields.len(), "field"),
                    plural(count, "column")
                );
                problems.add(Diagnostic::error(place(line), message).help("quote fields that hold a comma"));
                return None;
            }
            Err((line, message)) => {
                problems.add(Diagnostic::error(place(line), message));
                return None;
            }
        }
    }
    Some(data)
}

fn plural(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Rows of RFC 4180 with the line that each starts in; blank lines are left out.
struct Rows<'a> {
    rest: &'a str,
    line: u32,
}

impl Iterator for Rows<'_> {
    type Item = Result<(u32, Vec<String>), (u32, String)>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(after) = self.rest.strip_prefix("\r\n").or_else(|| self.rest.strip_prefix('\n')) {
            self.rest = after;
            self.line += 1;
        }
        if self.rest.is_empty() {
            return None;
        }
        let line = self.line;
        let mut fields = Vec::new();
        loop {
            match self.field() {
                Ok(field) => fields.push(field),
                Err(message) => {
                    self.rest = "";
                    return Some(Err((line, message)));
                }
            }
            match self.rest.strip_prefix(',') {
                Some(after) => self.rest = after,
                None => break,
            }
        }
        Some(Ok((line, fields)))
    }
}

impl Rows<'_> {
    /// Reads one field, up to the comma or line break after it.
    fn field(&mut self) -> Result<String, String> {
        let Some(mut inside) = self.rest.strip_prefix('"') else {
            let end = self.rest.find([',', '\n']).unwrap_or(self.rest.len());
            let (field, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(field.strip_suffix('\r').unwrap_or(field).to_owned());
        };
        let mut field = String::new();
        loop {
            let end = inside.find('"').ok_or("a quoted field does not end")?;
            field.push_str(&inside[..end]);
            inside = &inside[end + 1..];
            match inside.strip_prefix('"') {
                Some(after) => {
                    field.push('"');
                    inside = after;
                }
                None => break,
            }
        }
        self.line += field.matches('\n').count() as u32;
        self.rest = inside.strip_prefix('\r').filter(|after| after.starts_with('\n')).unwrap_or(inside);
        if !self.rest.is_empty() && !self.rest.starts_with([',', '\n']) {
            return Err("text stands behind a quoted field".to_owned());
        }
        Ok(field)
    }
}
