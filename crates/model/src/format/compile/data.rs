//! Data files: RFC 4180 for `.csv`, one value a line for all else.

use crate::diagnostic::{Diagnostic, Place};
use crate::format::node::At;
use crate::format::problems::Problems;
use crate::variable::{Data, Order, Scope};

/// What is to be read, and how.
pub(crate) struct Request<'a> {
    pub(crate) name: &'a str,
    /// The file as it is shown.
    pub(crate) shown: &'a str,
    /// Names of columns that the file itself does not carry.
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) order: Order,
    pub(crate) scope: Scope,
    /// Where the job names it.
    pub(crate) at: &'a At,
}

/// The rows, and whether their columns have names of their own.
pub(crate) fn read(request: &Request<'_>, bytes: Vec<u8>, problems: &mut Problems) -> Option<(Data, bool)> {
    let Ok(text) = String::from_utf8(bytes) else {
        problems.error(request.at, format!("`{}` is not text in UTF-8", request.shown));
        return None;
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let csv = request.name.to_ascii_lowercase().ends_with(".csv") || request.columns.is_some();
    let data = if csv { table(request, text, problems)? } else { lines(request, text) };
    if data.rows() == 0 {
        let message = format!("`{}` holds no row", request.shown);
        problems.error_with_help(request.at, message, "add rows, or use another file");
        return None;
    }
    Some((data, csv))
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
