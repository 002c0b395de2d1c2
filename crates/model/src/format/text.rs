//! Text with variables, taken apart: what is text, what is a name, which filters follow.

use crate::format::decode::text::Text;
use crate::format::problems::Problems;
use crate::plan::Semantics;
use crate::template::Filter;

/// A part of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    Text(String),
    Name(Reference),
}

/// A variable in a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reference {
    /// Its name, with the column after a dot.
    pub(crate) name: String,
    pub(crate) filters: Vec<Filter>,
    /// Whether the value stands without quotes in a JSON body.
    pub(crate) raw: bool,
}

/// The one filter that is none: the value is written without the quotes around it.
const RAW: &str = "raw";

/// Takes a text apart. `known` says whether a name is defined: of several names that fit after a `$` the
/// longest known one is meant.
pub(crate) fn pieces(
    text: &Text,
    semantics: Semantics,
    known: &dyn Fn(&str) -> bool,
    problems: &mut Problems,
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text.text.as_str();
    while let Some(index) = rest.find('$') {
        plain.push_str(&rest[..index]);
        let after = &rest[index + 1..];
        let found = match (semantics, after.as_bytes().first()) {
            (Semantics::Native, Some(b'$')) => {
                plain.push('$');
                rest = &after[1..];
                continue;
            }
            (Semantics::Native, Some(b'{')) => braced(after, text, problems),
            (_, Some(byte)) if byte.is_ascii_alphabetic() || *byte == b'_' => {
                Some(bare(after, semantics, known))
            }
            _ => None,
        };
        match found {
            Some((reference, tail)) => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Name(reference));
                rest = tail;
            }
            None => {
                plain.push('$');
                rest = after;
            }
        }
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece::Text(plain));
    }
    pieces
}

/// `NAME` after a `$`: letters, digits, `_`, and `-` where a known name has one. The original replaces a name
/// wherever it stands, so that in its files a known name may also be followed by further letters.
fn bare<'a>(text: &'a str, semantics: Semantics, known: &dyn Fn(&str) -> bool) -> (Reference, &'a str) {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fits = |c: char| in_word(c) || c == '-';
    let longest = text.find(|c: char| !fits(c)).unwrap_or(text.len());
    let word = text.find(|c: char| !in_word(c)).unwrap_or(text.len());
    let ends_word = |end: &usize| semantics == Semantics::Original || !text[*end..].starts_with(in_word);
    let end = (1..=longest).rev().filter(ends_word).find(|end| known(&text[..*end])).unwrap_or(word);
    let name = text[..end].to_owned();
    (Reference { name, filters: Vec::new(), raw: false }, &text[end..])
}

/// `{NAME.column | filter | filter}` after a `$`.
fn braced<'a>(text: &'a str, whole: &Text, problems: &mut Problems) -> Option<(Reference, &'a str)> {
    let Some(end) = text.find('}') else {
        problems.error_with_help(&whole.at, "`${` without `}`", "write `$$` for a dollar that is text");
        return None;
    };
    let mut parts = text[1..end].split('|').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let mut reference = Reference { name: name.to_owned(), filters: Vec::new(), raw: false };
    if name.is_empty() {
        problems.error_with_help(&whole.at, "`${}` names no variable", "write `${NAME}`");
        return None;
    }
    for word in parts {
        match Filter::ALL.iter().find(|(name, _)| *name == word) {
            Some((_, filter)) => reference.filters.push(*filter),
            None if word == RAW => reference.raw = true,
            None => {
                let known = Filter::ALL.iter().map(|(name, _)| *name).chain([RAW]);
                let problem = crate::Diagnostic::error(whole.at.place(), format!("unknown filter `{word}`"));
                let names: Vec<_> = known.clone().collect();
                let problem = problem.help(format!("known filters: {}", names.join(", ")));
                problems.add(problem.nearest(word, known));
            }
        }
    }
    Some((reference, &text[end + 1..]))
}
