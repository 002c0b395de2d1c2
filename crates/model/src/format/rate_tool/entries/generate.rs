//! Makes one entry of its template, its number and the seed.

use crate::format::rate_tool::entries::names::{FIRST, LAST};
use crate::format::rate_tool::entries::tag::Tag;
use crate::format::rate_tool::entries::tree::{self, Step};
use crate::format::rate_tool::entries::value::{Line, Part};
use crate::format::rate_tool::entries::{Entries, Entry, Template};
use crate::format::rate_tool::template::escape_name;
use crate::permutation::{mix, permute};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The entry of a number. Its ancestors are made too, for their names.
pub(super) fn entry(entries: &Entries, number: u64, seed: u64) -> Option<Entry> {
    let (branch, path) = tree::find(entries, number)?;
    let mut parent = entries.branches[branch].name.clone();
    let mut made = None;
    for step in path {
        let entry = make(&entries.templates[step.template], step, &parent, seed);
        parent.clone_from(&entry.name);
        made = Some(entry);
    }
    made
}

/// An entry half made.
struct Making<'a> {
    step: Step,
    seed: u64,
    random: Xoshiro256PlusPlus,
    parent: &'a str,
    rdn: String,
    attributes: Vec<(String, Vec<String>)>,
}

fn make(template: &Template, step: Step, parent: &str, seed: u64) -> Entry {
    let random = Xoshiro256PlusPlus::seed_from_u64(mix(seed ^ mix(step.number)));
    let mut making = Making { step, seed, random, parent, rdn: String::new(), attributes: Vec::new() };
    let named_from = template.rdn.iter().max().map_or(0, |last| last + 1);
    for (place, line) in template.lines.iter().enumerate() {
        if place == named_from {
            making.name_it(template);
        }
        if let Some(value) = making.value(line) {
            making.add(&line.attribute, value);
        }
    }
    if named_from >= template.lines.len() {
        making.name_it(template);
    }
    let name = making.name();
    Entry { name, attributes: making.attributes }
}

impl Making<'_> {
    fn find(&self, attribute: &str) -> Option<&[String]> {
        let found = self.attributes.iter().find(|(name, _)| name.eq_ignore_ascii_case(attribute));
        found.map(|(_, values)| values.as_slice())
    }

    /// An empty value is none: directories refuse it.
    fn add(&mut self, attribute: &str, value: String) {
        if value.is_empty() {
            return;
        }
        match self.attributes.iter_mut().find(|(name, _)| name.eq_ignore_ascii_case(attribute)) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => self.attributes.push((attribute.to_owned(), vec![value])),
        }
    }

    /// RFC 4514 section 2.2.
    fn name_it(&mut self, template: &Template) {
        let parts = template.rdn.iter().map(|place| {
            let attribute = &template.lines[*place].attribute;
            let value = self.find(attribute).and_then(<[String]>::first).map_or("", String::as_str);
            format!("{attribute}={}", escape_name(value))
        });
        self.rdn = parts.collect::<Vec<_>>().join("+");
    }

    fn name(&self) -> String {
        format!("{},{}", self.rdn, self.parent)
    }

    /// None when a condition of the line does not hold.
    fn value(&mut self, line: &Line) -> Option<String> {
        let mut value = String::new();
        for part in &line.parts {
            match part {
                Part::Text(text) => value.push_str(text),
                Part::Attribute { name, letters } => {
                    let found = self.find(name).and_then(<[String]>::first);
                    let letters = letters.unwrap_or(usize::MAX);
                    value.extend(found.into_iter().flat_map(|text| text.chars().take(letters)));
                }
                Part::Tag(tag) => self.tag(tag, &mut value)?,
            }
        }
        Some(value)
    }

    fn tag(&mut self, tag: &Tag, out: &mut String) -> Option<()> {
        match tag {
            Tag::Name { components, comma } => out.push_str(&joined(&self.name(), *components, *comma)),
            Tag::ParentName { comma } => out.push_str(&joined(self.parent, 0, *comma)),
            Tag::Rdn => out.push_str(&self.rdn),
            Tag::First => out.push_str(&self.person().0),
            Tag::Last => out.push_str(&self.person().1),
            Tag::File { lines, in_order } => {
                let count = lines.lines.len();
                let place = if *in_order {
                    (self.step.before % count as u64) as usize
                } else {
                    self.random.random_range(0..count)
                };
                out.push_str(&lines.lines[place]);
            }
            Tag::Guid => {
                let mut text = Vec::new();
                crate::variable::Source::Uuid.draw(&mut self.random, &mut text);
                out.push_str(&String::from_utf8_lossy(&text));
            }
            Tag::If { present, attribute, value } => {
                let values = self.find(attribute).unwrap_or_default();
                let found = match value {
                    Some(value) => values.contains(value),
                    None => !values.is_empty(),
                };
                return (found == *present).then_some(());
            }
            Tag::Presence(percent) => {
                return (self.random.random_range(0..100) < *percent).then_some(());
            }
            Tag::List(values) => {
                let sum = values.last().map_or(1, |(_, sum)| *sum);
                let drawn = self.random.random_range(0..sum);
                let place = values.partition_point(|(_, sum)| *sum <= drawn);
                out.push_str(&values[place].0);
            }
            Tag::Random(random) => random.draw(&mut self.random, out),
            Tag::Sequential { start, anew_below_each_parent } => {
                let index = if *anew_below_each_parent { self.step.sibling } else { self.step.before };
                out.push_str(&start.wrapping_add_unsigned(index).to_string());
            }
        }
        Some(())
    }

    /// A given and a family name, the pair being unique in the file: numbers are added when there are no more.
    fn person(&self) -> (String, String) {
        let pairs = (FIRST.len() * LAST.len()) as u64;
        let (round, place) = (self.step.number / pairs, self.step.number % pairs);
        let place = permute(place, pairs, self.seed, round) as usize;
        let number = if round == 0 { String::new() } else { round.to_string() };
        let (first, last) = (FIRST[place % FIRST.len()], LAST[place / FIRST.len()]);
        (format!("{first}{number}"), format!("{last}{number}"))
    }
}

/// So many components of a name: the first ones, if negative the last ones, and all if 0.
fn joined(name: &str, components: i64, comma: char) -> String {
    let parts = split(name);
    let count = usize::try_from(components.unsigned_abs()).unwrap_or(usize::MAX).min(parts.len());
    let chosen = match components {
        0 => &parts[..],
        1.. => &parts[..count],
        _ => &parts[parts.len() - count..],
    };
    chosen.join(&comma.to_string())
}

/// At commas that are not escaped.
fn split(name: &str) -> Vec<&str> {
    let mut escaped = false;
    name.split(|letter| {
        let divides = letter == ',' && !escaped;
        escaped = letter == '\\' && !escaped;
        divides
    })
    .collect()
}
