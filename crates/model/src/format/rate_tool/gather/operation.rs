//! What one operation is, from options and positional arguments.

use crate::format::rate_tool::entries::{Entries, Input};
use crate::format::rate_tool::filter;
use crate::format::rate_tool::generator::{Arguments, Generator};
use crate::format::rate_tool::operation::{
    Add, Bind, Change, Deletion, Dereference, Modify, Operation, Scope, Search,
};
use crate::format::rate_tool::option::Setting;
use crate::format::rate_tool::reading::Reading;
use crate::format::rate_tool::template::Known;
use crate::format::rate_tool::tool::Tool;
use crate::format::rate_tool::{INPUT_EXIT, has_errors};
use crate::ldap::Filter;
use crate::variable::Slot;
use std::path::Path;
use std::time::Duration;

/// Values that an attribute gets: a bound on the size of one request.
const MOST_VALUES: u32 = 100_000;
/// Entries after which deleting begins.
const DELETE_BEYOND: u64 = 10_000;
/// Seconds after which deleting begins: longer than any run.
const OLDEST: u64 = 1_000_000_000;

/// The operation of the tool, as far as it could be read.
pub(super) fn operation(
    reading: &mut Reading<'_>,
    arguments: &Arguments,
    exit: &mut u8,
) -> Option<Operation> {
    let known = Known { arguments, found_name: false };
    match reading.tool {
        Tool::ModRate => modify(reading, &known).map(Operation::Modify),
        Tool::SearchRate => search(reading, &known).map(Operation::Search),
        Tool::AuthRate => bind(reading, &known).map(Operation::Bind),
        Tool::AddRate => add(reading, exit).map(Operation::Add),
    }
}

fn modify(reading: &mut Reading<'_>, known: &Known<'_>) -> Option<Modify> {
    let given = reading.given;
    let target = required(reading, Setting::TargetDn);
    let changes: Vec<Change> =
        (1..).zip(&given.positional).filter_map(|(nth, text)| change(reading, nth, text, known)).collect();
    if given.positional.is_empty() {
        reading.problem("nothing says what to modify", "write `ATTRIBUTE:VALUE` behind the options");
    }
    let read_first = reading.choice(Setting::Strategy, &[("modify", false), ("read_modify", true)], false);
    let unchanged = reading.text(Setting::Mvcc).unwrap_or("eTag").to_owned();
    Some(Modify {
        target: reading.template("`--targetDn`", &target?, known),
        changes,
        value_count: reading.number(Setting::ValueCount, 1..=MOST_VALUES, 1),
        unchanged: Some(unchanged).filter(|_| read_first),
    })
}

/// Up to the first colon it is the attribute, the rest is the value. A message leaves the text out: behind a
/// misspelt option it may be a password.
fn change(reading: &mut Reading<'_>, nth: usize, text: &str, known: &Known<'_>) -> Option<Change> {
    match text.split_once(':').filter(|(attribute, _)| !attribute.trim().is_empty()) {
        Some((attribute, value)) => Some(Change {
            attribute: attribute.trim().to_owned(),
            value: reading.template(&format!("the value of `{}`", attribute.trim()), value, known),
        }),
        None => {
            let message = format!("modification {nth} names no attribute");
            reading.problem(message, "write `ATTRIBUTE:VALUE`");
            None
        }
    }
}

fn search(reading: &mut Reading<'_>, known: &Known<'_>) -> Option<Search> {
    let given = reading.given;
    let base = required(reading, Setting::BaseDn);
    if given.positional.is_empty() {
        reading.problem(
            "nothing says what to search for",
            "write a filter behind the options, such as `(uid=user.{})`",
        );
    }
    let (filter, attributes) = given.positional.split_first()?;
    Some(Search {
        base: reading.template("`--baseDn`", &base?, known),
        scope: reading.choice(Setting::Scope, &Scope::ALL, Scope::Sub),
        dereference: reading.choice(Setting::Dereference, &Dereference::ALL, Dereference::Never),
        filter: self::filter(reading, filter, known),
        attributes: attributes.to_vec(),
    })
}

fn filter(reading: &mut Reading<'_>, text: &str, known: &Known<'_>) -> Filter {
    let template = reading.template("the filter", text, known);
    let mut slots = template.slots().into_iter();
    let arguments = known.arguments;
    let is_plain = |slot: Slot| arguments.get(slot.0.into()).is_none_or(Generator::is_plain_in_filters);
    let is_raw = !reading.has(Setting::EscapeValues) && !slots.all(is_plain);
    filter::compile(&template, is_raw).unwrap_or_else(|reason| {
        // What could not be compiled was complained of already.
        if !template.segments().is_empty() || text.is_empty() {
            let help = "write a filter such as `(uid=user.{})`";
            reading.problem(format!("the filter `{text}` cannot be read: {reason}"), help);
        }
        Filter::Present("objectClass".to_owned())
    })
}

/// With a base and a filter, a search comes first.
fn bind(reading: &mut Reading<'_>, known: &Known<'_>) -> Option<Bind> {
    let searches = match (reading.has(Setting::BaseDn), reading.given.positional.is_empty()) {
        (true, false) => true,
        (false, true) => false,
        (true, true) => {
            reading.problem(
                "there is a `--baseDn` but no filter",
                "write a filter behind the options, or leave out both",
            );
            return None;
        }
        (false, false) => {
            reading.problem("there is a filter but no `--baseDn`", "add `--baseDn`, or leave out both");
            return None;
        }
    };
    let invalid_percent = reading.number(Setting::InvalidPassword, 0..=100, 0);
    let search = if searches { Some(search(reading, known)?) } else { None };
    Some(Bind { search, invalid_percent })
}

fn add(reading: &mut Reading<'_>, exit: &mut u8) -> Option<Add> {
    let deletion = deletion(reading);
    let given = reading.given;
    match given.positional.as_slice() {
        [file] => {
            let entries = entries(reading, file, exit)?;
            Some(Add { entries, deletion, purge: !reading.has(Setting::NoPurge) })
        }
        [] => {
            reading.problem(
                "nothing says which entries to add",
                "write the name of a template file behind the options",
            );
            None
        }
        several => {
            let message = format!("{} words stand where one template file should", several.len());
            reading.problem(message, "name one file, behind the options");
            None
        }
    }
}

/// A file that cannot be used is no usage error.
fn entries(reading: &mut Reading<'_>, file: &str, exit: &mut u8) -> Option<Entries> {
    let constants = constants(reading);
    let usable = !has_errors(reading.problems);
    let resources =
        reading.text(Setting::ResourcePath).map(|path| reading.outside.current_folder().join(path));
    let path = reading.outside.current_folder().join(file);
    let text = match reading.outside.read(&path).map(String::from_utf8) {
        Ok(Ok(text)) => Some(text),
        Ok(Err(_)) => {
            reading.problem("the template file is not UTF-8", "convert it to UTF-8");
            None
        }
        Err(error) => {
            let message = format!("the template file `{}` cannot be read: {error}", path.display());
            reading.problem(message, "name a file that is there");
            None
        }
    };
    let input = Input {
        file: Path::new(file),
        resources: resources.as_deref(),
        constants: &constants,
        outside: reading.outside,
    };
    let entries = text.and_then(|text| Entries::parse(&text, &input, reading.problems));
    if usable && entries.is_none() {
        *exit = INPUT_EXIT;
    }
    entries
}

fn constants(reading: &mut Reading<'_>) -> Vec<(String, String)> {
    let mut constants = Vec::new();
    let given = reading.given;
    for typed in given.all(Setting::Constant) {
        match typed.text.split_once('=').filter(|(name, _)| !name.trim().is_empty()) {
            Some((name, value)) => constants.push((name.trim().to_owned(), value.to_owned())),
            None => {
                let message = format!("`--constant` is `{}`", typed.text);
                reading.problem(message, "write `NAME=VALUE`");
            }
        }
    }
    constants
}

fn deletion(reading: &mut Reading<'_>) -> Deletion {
    #[derive(Clone, Copy)]
    enum Mode {
        Fifo,
        Random,
        Off,
    }
    let modes = [("fifo", Mode::Fifo), ("random", Mode::Random), ("off", Mode::Off)];
    let mode = reading.choice(Setting::DeleteMode, &modes, Mode::Fifo);
    let size = reading.number(Setting::DeleteSize, 1..=u64::MAX, DELETE_BEYOND);
    let age = Duration::from_secs(reading.number(Setting::DeleteAge, 1..=OLDEST, 1));
    match (mode, reading.has(Setting::DeleteSize), reading.has(Setting::DeleteAge)) {
        (Mode::Off, false, false) => return Deletion::Off,
        (Mode::Off, ..) => reading.problem(
            "there is a threshold, but `--deleteMode off` deletes nothing",
            "leave out `--deleteSizeThreshold` and `--deleteAgeThreshold`, or choose another mode",
        ),
        (_, true, true) => reading.problem(
            "there are two thresholds, `--deleteSizeThreshold` and `--deleteAgeThreshold`",
            "keep one of them",
        ),
        (Mode::Random, _, true) => reading.problem(
            "`--deleteMode random` does not go by age",
            "use `--deleteSizeThreshold` instead of `--deleteAgeThreshold`",
        ),
        (Mode::Random, _, false) => return Deletion::RandomBeyond(size),
        (Mode::Fifo, _, true) => return Deletion::OlderThan(age),
        (Mode::Fifo, _, false) => {}
    }
    Deletion::OldestBeyond(size)
}

fn required(reading: &mut Reading<'_>, key: Setting) -> Option<String> {
    let text = reading.text(key).map(str::to_owned);
    if text.is_none() {
        let name = reading.name(key);
        reading.problem(format!("`{name}` is missing"), format!("add `{name}` with a name or its template"));
    }
    text
}
