//! The file of default values: `key=value` as in `java.util.Properties.load`, keys being long option names.
//!
//! `modrate.port` holds for one tool and wins over `port`. Keys that no option has are those of other tools.

use crate::diagnostic::{Diagnostic, Place};
use crate::format::Outside;
use crate::format::rate_tool::option::{self, Setting, Takes};
use crate::format::rate_tool::tool::Tool;
use crate::format::rate_tool::words::{Form, Given, Typed};
use std::path::PathBuf;

/// Where the file is, below the home folder, unless the command line says otherwise.
const USUAL: [&str; 2] = [".opendj", "tools.properties"];

/// Adds what the file says to what was typed, which wins.
pub(super) fn complete(tool: Tool, given: &mut Given, outside: &dyn Outside, problems: &mut Vec<Diagnostic>) {
    let Some((path, named)) = path(given, outside) else { return };
    let name = path.display().to_string();
    let content = match outside.read(&path) {
        Ok(content) => content,
        Err(error) if named => {
            let message = format!("the properties file `{name}` cannot be read: {error}");
            problems.push(Diagnostic::error(None, message).help("name a file that is there"));
            return;
        }
        Err(_) => return,
    };
    let typed: Vec<Setting> = given.options.iter().map(|(key, _)| *key).collect();
    let own_prefix = format!("{}.", tool.name());
    let properties = parse(&text(&content));
    let (own, shared): (Vec<_>, Vec<_>) =
        properties.iter().partition(|property| property.key.to_ascii_lowercase().starts_with(&own_prefix));
    for property in own.into_iter().chain(shared) {
        let key = match property.key.get(..own_prefix.len()) {
            Some(start) if start.eq_ignore_ascii_case(&own_prefix) => &property.key[own_prefix.len()..],
            _ => &property.key,
        };
        let place = Place { file: name.clone(), line: property.line, column: 1 };
        add(tool, key, &property.value, place, &typed, given, problems);
    }
}

fn path(given: &Given, outside: &dyn Outside) -> Option<(PathBuf, bool)> {
    if given.has(Setting::NoPropertiesFile) {
        return None;
    }
    if let Some(typed) = given.all(Setting::PropertiesFile).next() {
        return Some((outside.current_folder().join(&typed.text), true));
    }
    let home = outside.environment("HOME").or_else(|| outside.environment("USERPROFILE"))?;
    let usual = USUAL.iter().fold(PathBuf::from(home), |folder, name| folder.join(name));
    outside.is_file(&usual).then_some((usual, false))
}

fn add(
    tool: Tool,
    key: &str,
    value: &str,
    place: Place,
    typed: &[Setting],
    given: &mut Given,
    problems: &mut Vec<Diagnostic>,
) {
    let (name, form) = key.split_once(':').map_or((key, None), |(name, form)| (name, Some(form)));
    let Some(declaration) = option::by_name(tool, name) else { return };
    let unsuitable = matches!(
        declaration.key,
        Setting::Help | Setting::Version | Setting::PropertiesFile | Setting::NoPropertiesFile
    );
    let several = matches!(declaration.takes, Takes::Texts(_));
    let decided = typed.contains(&declaration.key) || (!several && given.has(declaration.key));
    if unsuitable || decided {
        return;
    }
    if declaration.takes == Takes::Nothing && !value.eq_ignore_ascii_case("true") {
        return;
    }
    let form = match (form.map(Form::by_name), declaration.takes) {
        (None, Takes::PasswordFile) => Form::File,
        (None, _) => Form::Text,
        (Some(Some(form)), Takes::Password) => form,
        (Some(_), _) => {
            let message = format!("the key `{key}` has a form that `{}` does not have", declaration.name());
            problems
                .push(Diagnostic::error(Some(place), message).help("leave out the colon and what follows"));
            return;
        }
    };
    given.options.push((declaration.key, Typed { form, text: value.to_owned() }));
}

/// One entry. Has no debug output, because it may hold a password.
struct Property {
    key: String,
    value: String,
    /// From 1.
    line: u32,
}

/// ISO 8859-1, as Java reads such files, unless it is UTF-8.
fn text(content: &[u8]) -> String {
    match std::str::from_utf8(content) {
        Ok(text) => text.to_owned(),
        Err(_) => content.iter().copied().map(char::from).collect(),
    }
}

fn parse(text: &str) -> Vec<Property> {
    let mut properties = Vec::new();
    let mut lines = text.lines().zip(1..);
    while let Some((first, line)) = lines.next() {
        let first = first.trim_start();
        if first.is_empty() || first.starts_with(['#', '!']) {
            continue;
        }
        let mut logical = first.to_owned();
        while continues(&logical) {
            logical.pop();
            let Some((next, _)) = lines.next() else { break };
            logical.push_str(next.trim_start());
        }
        let (key, value) = divide(&logical);
        properties.push(Property { key: unescape(key), value: unescape(value), line });
    }
    properties
}

/// Whether a line ends with an odd number of backslashes.
fn continues(line: &str) -> bool {
    line.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// At the first `=`, `:` or blank that is not escaped; blanks around the sign belong to neither.
fn divide(line: &str) -> (&str, &str) {
    let mut escaped = false;
    let end = line.find(|letter: char| {
        let ends = !escaped && (matches!(letter, '=' | ':') || letter.is_whitespace());
        escaped = letter == '\\' && !escaped;
        ends
    });
    let Some(end) = end else { return (line, "") };
    let rest = line[end..].trim_start();
    let value = rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start();
    (&line[..end], value)
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('t') => out.push('\t'),
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('f') => out.push('\u{c}'),
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                out.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn files_are_read_as_java_reads_them() {
        let text = "# comment\n! comment\n\n port = 1389\nhostname:ds.example.com\nverbose true\n\
                    bindPassword\\:file=/pin\nbindDn=cn=Directory\\u0020Manager\nbaseDn=dc=example,\\\n   dc=com\n\
                    empty\npath=C:\\\\pin\\\\\n";
        let read: Vec<_> =
            parse(text).into_iter().map(|property| (property.line, property.key, property.value)).collect();
        let expected = [
            (4, "port", "1389"),
            (5, "hostname", "ds.example.com"),
            (6, "verbose", "true"),
            (7, "bindPassword:file", "/pin"),
            (8, "bindDn", "cn=Directory Manager"),
            (9, "baseDn", "dc=example,dc=com"),
            (11, "empty", ""),
            (12, "path", "C:\\pin\\"),
        ];
        let expected = expected.map(|(line, key, value)| (line, key.to_owned(), value.to_owned()));
        assert_eq!(read, expected);
    }
}
