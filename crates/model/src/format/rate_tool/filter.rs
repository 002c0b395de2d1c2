//! Filters with arguments in them.
//!
//! Values that cannot change what a filter means are put into its tree. Others are put into its text, as the
//! original tools do, and the text is read for each operation.

use crate::ldap::Filter;
use crate::template::{Segment, Template};

/// Begins the place of an argument in a text; what stands in braces is part of a value for whoever reads filters.
const PLACE: &str = "${";
/// A value that fits where values may stand, for looking at the rest.
const SAMPLE: &str = "1";

/// The filter of a compiled text. `is_raw` says that its values may change what it means. The error says what is
/// wrong with it.
pub(super) fn compile(template: &Template, is_raw: bool) -> Result<Filter, String> {
    if let Some(bytes) = template.constant() {
        return Filter::parse(&String::from_utf8_lossy(bytes));
    }
    if !is_raw
        && let Some(text) = with_places(template)
        && let Ok(filter) = Filter::parse_with(&text, &mut |part| without_places(part, template))
    {
        return Ok(filter);
    }
    Filter::parse(&sample(template))?;
    Ok(Filter::Text(template.clone()))
}

/// The text with the numbers of its segments where they are arguments; none when it has such places itself.
fn with_places(template: &Template) -> Option<String> {
    let mut text = String::new();
    for (index, segment) in template.segments().iter().enumerate() {
        match segment {
            Segment::Text(bytes) => {
                let part = String::from_utf8_lossy(bytes);
                if part.contains(PLACE) || part.ends_with('$') {
                    return None;
                }
                text.push_str(&part);
            }
            Segment::Value { .. } | Segment::Nested { .. } => text.push_str(&format!("{PLACE}{index}}}")),
        }
    }
    Some(text)
}

/// A part of a value, with its arguments again.
fn without_places(part: &str, template: &Template) -> Template {
    let mut out = Template::default();
    for (index, piece) in part.split(PLACE).enumerate() {
        let text = match piece.split_once('}').filter(|_| index > 0) {
            Some((number, rest)) => {
                let segment = number.parse().ok().and_then(|number: usize| template.segments().get(number));
                out.push(segment.expect("places hold numbers of segments").clone());
                rest
            }
            None => piece,
        };
        out.push_text(text);
    }
    out
}

fn sample(template: &Template) -> String {
    let segments = template.segments().iter();
    segments
        .map(|segment| match segment {
            Segment::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Segment::Value { .. } | Segment::Nested { .. } => SAMPLE.to_owned(),
        })
        .collect()
}
