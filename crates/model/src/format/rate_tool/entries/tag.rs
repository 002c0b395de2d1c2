//! The tags of template files, and what their parameters must be.

use crate::diagnostic::nearest;
use crate::format::rate_tool::entries::random::{self, Random};
use crate::format::rate_tool::entries::{Input, resource};
use crate::format::rate_tool::generator::Lines;
use std::sync::Arc;

/// What stands between `<` and `>`.
#[derive(Clone)]
pub(super) enum Tag {
    /// The distinguished name, so many of its components: the first ones, or if negative the last ones.
    Name {
        components: i64,
        comma: char,
    },
    /// That of the parent.
    ParentName {
        comma: char,
    },
    /// The first part of the name.
    Rdn,
    First,
    Last,
    /// A line of a file: in order, or at random.
    File {
        lines: Arc<Lines>,
        in_order: bool,
    },
    Guid,
    /// The attribute is there only if another one is (not), perhaps with a certain value.
    If {
        present: bool,
        attribute: String,
        value: Option<String>,
    },
    /// The attribute is there in so many of 100 entries.
    Presence(u8),
    /// Texts with the sum of the weights up to each.
    List(Vec<(String, u64)>),
    Random(Random),
    /// A number that grows by one.
    Sequential {
        start: i64,
        anew_below_each_parent: bool,
    },
}

const NAMES: [&str; 15] = [
    "dn",
    "_dn",
    "parentdn",
    "_parentdn",
    "rdn",
    "first",
    "last",
    "file",
    "guid",
    "ifabsent",
    "ifpresent",
    "presence",
    "list",
    "random",
    "sequential",
];

/// Reads a tag without its brackets. The error says what is wrong.
pub(super) fn parse(text: &str, input: &Input<'_>) -> Result<Tag, String> {
    let mut words = text.split(':');
    let name = words.next().unwrap_or_default().trim().to_ascii_lowercase();
    let parameters: Vec<&str> = words.collect();
    let parsed = match name.as_str() {
        "dn" | "_dn" => {
            let comma = if name == "dn" { ',' } else { '_' };
            number(&parameters, 0, 0).map(|components| Tag::Name { components, comma })
        }
        "parentdn" => Some(Tag::ParentName { comma: ',' }),
        "_parentdn" => Some(Tag::ParentName { comma: '_' }),
        "rdn" => Some(Tag::Rdn),
        "first" => Some(Tag::First),
        "last" => Some(Tag::Last),
        "guid" => Some(Tag::Guid),
        "file" => return file(text, &parameters, input),
        "ifabsent" => condition(&parameters, false),
        "ifpresent" => condition(&parameters, true),
        "presence" => number(&parameters, 0, -1)
            .and_then(|share| u8::try_from(share).ok())
            .filter(|share| *share <= 100)
            .map(Tag::Presence),
        "list" => list(&parameters),
        "random" => return random::parse(text, &parameters).map(Tag::Random),
        "sequential" => sequential(&parameters),
        _ => {
            let help = nearest(&name, NAMES).map(|near| format!("; did you mean `<{near}>`?"));
            let help = help.unwrap_or_else(|| "; a sign that is no tag is written `\\<`".to_owned());
            return Err(format!("`<{text}>` is no tag{help}"));
        }
    };
    parsed.ok_or_else(|| format!("the parameters of `<{text}>` do not fit; {}", usage(&name)))
}

fn usage(name: &str) -> &'static str {
    match name {
        "dn" | "_dn" => "write `<dn>`, or `<dn:1>` for its first component",
        "ifabsent" | "ifpresent" => "write the name of an attribute behind the colon, and perhaps its value",
        "presence" => "write a percentage from 0 to 100, such as `<presence:50>`",
        "list" => {
            "write values, such as `<list:gold:silver>`, with weights if at all `<list:gold;1:silver;3>`"
        }
        _ => "write `<sequential>`, `<sequential:100>` or `<sequential:100:true>`",
    }
}

/// The parameter of a place as a number; the default when it is not there.
fn number(parameters: &[&str], place: usize, default: i64) -> Option<i64> {
    parameters.get(place).map_or(Some(default), |text| text.trim().parse().ok())
}

fn condition(parameters: &[&str], present: bool) -> Option<Tag> {
    let (attribute, value) = parameters.split_first()?;
    let value = (!value.is_empty()).then(|| value.join(":"));
    let attribute = attribute.trim().to_ascii_lowercase();
    (!attribute.is_empty()).then_some(Tag::If { present, attribute, value })
}

fn list(parameters: &[&str]) -> Option<Tag> {
    let mut sum = 0_u64;
    let mut values = Vec::new();
    for text in parameters {
        let (value, weight) = match text.rsplit_once(';') {
            Some((value, weight)) => (value, weight.trim().parse::<u32>().ok()?),
            None => (*text, 1),
        };
        sum += u64::from(weight);
        values.push((value.to_owned(), sum));
    }
    (sum > 0).then_some(Tag::List(values))
}

fn sequential(parameters: &[&str]) -> Option<Tag> {
    let anew_below_each_parent =
        match parameters.get(1).map(|text| text.trim().to_ascii_lowercase()).as_deref() {
            None | Some("false") => false,
            Some("true") => true,
            Some(_) => return None,
        };
    number(parameters, 0, 0).map(|start| Tag::Sequential { start, anew_below_each_parent })
}

fn file(text: &str, parameters: &[&str], input: &Input<'_>) -> Result<Tag, String> {
    let (last, before) =
        parameters.split_last().ok_or_else(|| format!("`<{text}>` names no file; write `<file:NAME>`"))?;
    let (name, in_order) = match last.trim().to_ascii_lowercase().as_str() {
        "sequential" if !before.is_empty() => (before.join(":"), true),
        "random" if !before.is_empty() => (before.join(":"), false),
        _ => (parameters.join(":"), false),
    };
    let lines = resource::lines(&name, input).map_err(|problem| {
        format!("{problem}; name a file in the current folder, or say with `--resourcePath` where it is")
    })?;
    Ok(Tag::File { lines, in_order })
}
