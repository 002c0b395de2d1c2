//! Reads `--argument` values: `rand(…)`, `xrand(…)`, `inc(…)`, `randstr(…)`, or text that stands for itself.

use crate::diagnostic::nearest;
use crate::format::Outside;
use crate::format::rate_tool::generator::{Generator, Lines, Source};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Longest random text: what a directory takes as one value without being set up for more.
const LONGEST_TEXT: usize = 1_048_576;
/// Most characters a character set names, ranges counted in full.
const LARGEST_CHARSET: usize = 65_536;
/// The character set of `randstr` when none is given.
const DEFAULT_CHARSET: &str = "[A-Z][a-z][0-9]";
/// The functions.
const FUNCTIONS: [&str; 4] = ["inc", "rand", "randstr", "xrand"];

/// Whether `rand(min,max)` includes `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UpperEnd {
    /// As in DS 7.
    Included,
    /// As in OpenDJ.
    Excluded,
}

/// What is wrong with an argument, and what to do about it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) help: String,
}

impl Wrong {
    fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// A generator, and a warning when the text was probably meant to be a function.
pub(super) fn parse(
    text: &str,
    upper: UpperEnd,
    outside: &dyn Outside,
) -> Result<(Generator, Option<Wrong>), Wrong> {
    let Some((name, parameters)) = call(text) else { return Ok((fixed(text), None)) };
    let source = match name.to_ascii_lowercase().as_str() {
        "inc" => numbers_or_lines(text, parameters, outside)?
            .into_source(|low, high| Source::Increment { low, high }, Source::NextLine),
        "rand" => match numbers_or_lines(text, parameters, outside)? {
            NumbersOrLines::Numbers(low, high) => Source::Random { low, high: end(text, low, high, upper)? },
            NumbersOrLines::Lines(lines) => Source::RandomLine(lines),
        },
        "xrand" => match numbers(parameters) {
            Some((low, high)) => Source::EachOnce { low, high: ordered(text, low, high)? },
            None => {
                return Err(Wrong::new(
                    format!("the argument `{text}` does not name two whole numbers"),
                    "write `xrand(0,1999)`",
                ));
            }
        },
        "randstr" => letters(text, parameters)?,
        _ => {
            let warning = nearest(name, FUNCTIONS).map(|known| {
                Wrong::new(
                    format!("the argument `{text}` stands as it is, because `{name}` is no function"),
                    format!("did you mean `{known}`?"),
                )
            });
            return Ok((fixed(text), warning));
        }
    };
    Ok((Generator { source }, None))
}

/// `name(parameters)`, when the text has that form.
fn call(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.trim().split_once('(')?;
    let name_fits = !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphabetic());
    rest.strip_suffix(')').filter(|_| name_fits).map(|parameters| (name, parameters))
}

fn fixed(text: &str) -> Generator {
    Generator { source: Source::Fixed { text: text.to_owned(), number: text.parse().ok() } }
}

enum NumbersOrLines {
    Numbers(i64, i64),
    Lines(Arc<Lines>),
}

impl NumbersOrLines {
    fn into_source(
        self,
        of_numbers: impl Fn(i64, i64) -> Source,
        of_lines: impl Fn(Arc<Lines>) -> Source,
    ) -> Source {
        match self {
            Self::Numbers(low, high) => of_numbers(low, high),
            Self::Lines(lines) => of_lines(lines),
        }
    }
}

/// Two numbers, or else the lines of a file, whose name may hold a comma.
fn numbers_or_lines(text: &str, parameters: &str, outside: &dyn Outside) -> Result<NumbersOrLines, Wrong> {
    if let Some((low, high)) = numbers(parameters) {
        return ordered(text, low, high).map(|high| NumbersOrLines::Numbers(low, high));
    }
    let name = parameters.trim();
    let file = outside.current_folder().join(name);
    if name.contains(',') && !outside.is_file(&file) {
        return Err(Wrong::new(
            format!("the argument `{text}` names neither two whole numbers nor a file"),
            "write two numbers without thousands separators, such as `rand(0,1999)`, or the name of a file",
        ));
    }
    lines(text, &file, outside).map(NumbersOrLines::Lines)
}

fn numbers(parameters: &str) -> Option<(i64, i64)> {
    let (low, high) = parameters.split_once(',')?;
    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
}

fn ordered(text: &str, low: i64, high: i64) -> Result<i64, Wrong> {
    if low <= high {
        return Ok(high);
    }
    Err(Wrong::new(
        format!("in the argument `{text}` {low} is above {high}"),
        "write the smaller number first",
    ))
}

fn end(text: &str, low: i64, high: i64, upper: UpperEnd) -> Result<i64, Wrong> {
    match upper {
        UpperEnd::Included => Ok(high),
        UpperEnd::Excluded if low < high => Ok(high - 1),
        UpperEnd::Excluded => Err(Wrong::new(
            format!("the argument `{text}` leaves no number, because `--classic` excludes the upper end"),
            "write a greater upper end",
        )),
    }
}

fn lines(text: &str, file: &Path, outside: &dyn Outside) -> Result<Arc<Lines>, Wrong> {
    let content = outside.read(file).map_err(|error| {
        Wrong::new(
            format!("the file of the argument `{text}` cannot be read: {error}"),
            "name a file that is there, with a value on each line",
        )
    })?;
    let content = String::from_utf8(content).map_err(|_| {
        Wrong::new(format!("the file of the argument `{text}` is not UTF-8"), "convert it to UTF-8")
    })?;
    let lines: Vec<String> = content.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return Err(Wrong::new(
            format!("the file of the argument `{text}` is empty"),
            "write a value on each line",
        ));
    }
    Ok(Arc::new(Lines { lines }))
}

fn letters(text: &str, parameters: &str) -> Result<Source, Wrong> {
    let (length, charset) = parameters.split_once(',').unwrap_or((parameters, DEFAULT_CHARSET));
    let length = length.trim().parse().ok().filter(|length| *length <= LONGEST_TEXT).ok_or_else(|| {
        Wrong::new(
            format!("the length in the argument `{text}` is not a whole number from 0 to {LONGEST_TEXT}"),
            "write `randstr(16)`",
        )
    })?;
    let alphabet = alphabet(charset).map_err(|problem| {
        Wrong::new(
            format!("the character set in the argument `{text}` {problem}"),
            "write single characters and ranges such as `[a-z]`",
        )
    })?;
    Ok(Source::Letters { length, alphabet })
}

/// Single characters, `[a-z]` and `[a-zA-Z]`, mixed. Each character counts once, so that all are as likely.
fn alphabet(charset: &str) -> Result<Vec<char>, String> {
    let mut found = BTreeSet::new();
    let mut rest = charset;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let ranges = if letter == '[' { ranges(rest) } else { None };
        let Some((ranges, behind)) = ranges else {
            found.insert(letter);
            continue;
        };
        for (first, last) in ranges {
            if first > last {
                return Err(format!("has the range `[{first}-{last}]`, which ends before it begins"));
            }
            found.extend((first..=last).take(LARGEST_CHARSET + 1));
        }
        rest = behind;
        if found.len() > LARGEST_CHARSET {
            return Err(format!("names more than {LARGEST_CHARSET} characters"));
        }
    }
    if found.is_empty() { Err("names no character".to_owned()) } else { Ok(found.into_iter().collect()) }
}

/// Ranges up to the closing bracket, and the text behind it; none when the bracket stands for itself.
fn ranges(text: &str) -> Option<(Vec<(char, char)>, &str)> {
    let mut letters = text.chars();
    let mut ranges = Vec::new();
    loop {
        match (letters.next()?, ranges.is_empty()) {
            (']', false) => return Some((ranges, letters.as_str())),
            (first, _) => {
                letters.next().filter(|dash| *dash == '-')?;
                ranges.push((first, letters.next()?));
            }
        }
    }
}

/// What stands for an argument that could not be read: fits every place, so that nothing else is complained of.
pub(super) fn placeholder() -> Generator {
    fixed("0")
}
