//! From blocks to templates: names found, orders checked, sizes bounded.

use crate::diagnostic::Diagnostic;
use crate::format::rate_tool::entries::block::{Attribute, Block, Kind};
use crate::format::rate_tool::entries::tag::Tag;
use crate::format::rate_tool::entries::tree::{self, Below};
use crate::format::rate_tool::entries::value::{self, Line, Part};
use crate::format::rate_tool::entries::{Branch, Entries, Input, Template};
use std::collections::BTreeMap;

/// Templates in a file.
const MOST_TEMPLATES: usize = 200;
/// Levels of templates below each other, and of templates that extend each other.
const MOST_LEVELS: usize = 16;
/// Bytes that all values of an entry may come to: servers take less.
const LARGEST_ENTRY: usize = 16_777_216;
/// Bytes that a distinguished name is taken for in that sum.
const NAME: usize = 4096;

/// The entries of a file; none when it does not say what they are.
pub(super) fn compile(
    blocks: &[Block],
    input: &Input<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Entries> {
    let mut compiler = Compiler { templates: Vec::new(), input, problems };
    compiler.index(blocks);
    let templates = (0..compiler.templates.len()).map(|place| compiler.template(place)).collect();
    let branches: Vec<Branch> = blocks
        .iter()
        .filter(|block| block.kind == Kind::Branch)
        .map(|block| Branch { name: block.name.clone(), below: compiler.below(&block.lines) })
        .collect();
    if branches.iter().all(|branch| branch.below.is_empty()) {
        let message = format!("nothing is to be added by `{}`", input.file.display());
        let help = "write `subordinateTemplate: TEMPLATE` below a line `branch: DN`";
        compiler.problems.push(Diagnostic::error(None, message).help(help));
        return None;
    }
    let mut entries = Entries { templates, branches };
    compiler.measure(&mut entries).then_some(entries)
}

struct Compiler<'a> {
    templates: Vec<&'a Block>,
    input: &'a Input<'a>,
    problems: &'a mut Vec<Diagnostic>,
}

/// What a word of a template file means beside attributes.
fn is(line: &Attribute, word: &str) -> bool {
    line.name.eq_ignore_ascii_case(word)
}

impl<'a> Compiler<'a> {
    fn problem(&mut self, line: &Attribute, message: impl Into<String>, help: impl Into<String>) {
        self.problems.push(Diagnostic::error(Some(line.place.clone()), message).help(help));
    }

    fn index(&mut self, blocks: &'a [Block]) {
        for block in blocks.iter().filter(|block| block.kind == Kind::Template) {
            let problem = |message: String, help: &str| {
                Diagnostic::error(Some(block.place.clone()), message).help(help)
            };
            if self.find(&block.name).is_some() {
                let message = format!("the template `{}` is there twice", block.name);
                self.problems.push(problem(message, "give one of them another name"));
            } else if self.templates.len() == MOST_TEMPLATES {
                let message = format!("there are more than {MOST_TEMPLATES} templates");
                self.problems.push(problem(message, "leave some out"));
                return;
            } else {
                self.templates.push(block);
            }
        }
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.templates.iter().position(|block| block.name.eq_ignore_ascii_case(name.trim()))
    }

    /// The place of a template that a line names.
    fn named(&mut self, line: &Attribute, name: &str) -> Option<usize> {
        let found = self.find(name);
        if found.is_none() {
            let known: Vec<String> = self.templates.iter().map(|block| block.name.clone()).collect();
            let message = format!("there is no template `{}`", name.trim());
            self.problems.push(
                Diagnostic::error(Some(line.place.clone()), message)
                    .nearest(name, known.iter().map(String::as_str)),
            );
        }
        found
    }

    /// `subordinateTemplate: name`, or `name:count`.
    fn below(&mut self, lines: &[Attribute]) -> Vec<Below> {
        let mut below = Vec::new();
        for line in lines.iter().filter(|line| is(line, "subordinateTemplate")) {
            let (name, count) = line
                .value
                .rsplit_once(':')
                .map_or((line.value.as_str(), None), |(name, count)| (name, Some(count.trim())));
            let number = count.map(str::parse).transpose();
            let Ok(count) = number else {
                let message = format!("`{}` is no number of entries", count.unwrap_or_default());
                self.problem(
                    line,
                    message,
                    "write `subordinateTemplate: TEMPLATE:100`, or leave out the number",
                );
                continue;
            };
            below.extend(self.named(line, name).map(|template| Below { template, count }));
        }
        below
    }

    fn template(&mut self, place: usize) -> Template {
        let block = self.templates[place];
        let sources = self.sources(place);
        let typed: Vec<&Attribute> = sources.iter().flat_map(|block| &block.lines).collect();
        let rdn_line = typed.iter().rev().find(|line| is(line, "rdnAttr"));
        let below = self.below(&block.lines);
        let lines: Vec<(&Attribute, Line)> = typed
            .iter()
            .filter(|line| !["rdnAttr", "subordinateTemplate", "extends"].iter().any(|word| is(line, word)))
            .filter_map(|typed| Some((*typed, self.line(typed)?)))
            .collect();
        let rdn = match rdn_line {
            Some(line) => self.rdn(line, &lines),
            None => {
                let message = format!("the template `{}` does not say what names are made of", block.name);
                let problem = Diagnostic::error(Some(block.place.clone()), message);
                self.problems.push(problem.help("add `rdnAttr: ATTRIBUTE`"));
                Vec::new()
            }
        };
        self.check(&lines, &rdn);
        Template {
            rdn,
            lines: lines.into_iter().map(|(_, line)| line).collect(),
            below,
            size: 0,
            holds: Vec::new(),
        }
    }

    /// A template with those that it extends, the furthest first.
    fn sources(&mut self, place: usize) -> Vec<&'a Block> {
        let mut sources = vec![self.templates[place]];
        while let Some(line) = sources[0].lines.iter().find(|line| is(line, "extends")) {
            if sources.len() == MOST_LEVELS {
                let message =
                    format!("templates extend each other in more than {MOST_LEVELS} levels, or in a circle");
                self.problem(line, message, "leave out this line");
                break;
            }
            match self.named(line, &line.value) {
                Some(extended) => sources.insert(0, self.templates[extended]),
                None => break,
            }
        }
        sources
    }

    fn line(&mut self, typed: &Attribute) -> Option<Line> {
        match value::parse(&typed.value, self.input) {
            Ok(parts) => Some(Line { attribute: typed.name.clone(), parts }),
            Err(problem) => {
                let message = format!("in the value of `{}` {}", typed.name, problem);
                self.problems.push(Diagnostic::error(Some(typed.place.clone()), message));
                None
            }
        }
    }

    /// The lines that names are made of.
    fn rdn(&mut self, typed: &Attribute, lines: &[(&Attribute, Line)]) -> Vec<usize> {
        let mut rdn = Vec::new();
        for name in typed.value.split('+').map(str::trim) {
            match lines.iter().position(|(_, line)| line.attribute.eq_ignore_ascii_case(name)) {
                Some(place) if lines[place].1.parts.iter().any(is_condition) => {
                    let message = format!("`{name}` is part of the name, but not there in every entry");
                    self.problem(
                        lines[place].0,
                        message,
                        "leave out `<presence>`, `<ifPresent>` and `<ifAbsent>`",
                    );
                }
                Some(place) => rdn.push(place),
                None => {
                    let message =
                        format!("`{name}` is part of the name, but the template has no such attribute");
                    self.problem(typed, message, format!("add a line `{name}: VALUE`"));
                }
            }
        }
        rdn
    }

    /// Lines may refer to earlier ones only; no entry becomes larger than a server takes.
    fn check(&mut self, lines: &[(&Attribute, Line)], rdn: &[usize]) {
        let named_from = rdn.iter().max().map_or(0, |last| last + 1);
        let mut longest: BTreeMap<String, usize> = BTreeMap::new();
        let mut sum = 0_usize;
        for (place, (typed, line)) in lines.iter().enumerate() {
            let mut bytes = 0_usize;
            for part in &line.parts {
                let other = match part {
                    Part::Attribute { name, .. } | Part::Tag(Tag::If { attribute: name, .. }) => Some(name),
                    _ => None,
                };
                if let Some(other) = other.filter(|name| !longest.contains_key(*name)) {
                    let message = format!("`{}` refers to `{other}`, which no earlier line has", typed.name);
                    self.problem(typed, message, "write the line below that of the other attribute");
                }
                let wants_name = matches!(part, Part::Tag(Tag::Name { .. } | Tag::Rdn));
                if wants_name && place < named_from {
                    let message = format!("`{}` refers to the name, which is not made yet", typed.name);
                    self.problem(typed, message, "write the line below those that `rdnAttr` names");
                }
                bytes = bytes.saturating_add(match part {
                    Part::Text(text) => text.len(),
                    Part::Attribute { name, .. } => longest.get(name).copied().unwrap_or_default(),
                    Part::Tag(tag) => most_bytes(tag),
                });
            }
            sum = sum.saturating_add(bytes);
            longest.entry(typed.name.to_ascii_lowercase()).or_insert(bytes);
        }
        if let (true, Some((typed, _))) = (sum > LARGEST_ENTRY, lines.last()) {
            let message = format!("entries can become larger than {LARGEST_ENTRY} bytes");
            self.problem(typed, message, "use shorter values");
        }
    }

    /// Counts what each template holds, the innermost first. False when they hold each other.
    fn measure(&mut self, entries: &mut Entries) -> bool {
        let mut left: Vec<usize> = (0..entries.templates.len()).collect();
        for template in &mut entries.templates {
            template.holds = vec![0; left.len()];
        }
        for _ in 0..MOST_LEVELS {
            let (ready, waiting): (Vec<usize>, Vec<usize>) = left.iter().partition(|place| {
                entries.templates[**place].below.iter().all(|below| !left.contains(&below.template))
            });
            for place in ready {
                let (size, holds) = tree::contents(entries, place);
                entries.templates[place].size = size;
                entries.templates[place].holds = holds;
            }
            left = waiting;
        }
        if let Some(place) = left.first() {
            let block = self.templates[*place];
            let message = format!(
                "`{}` has templates below it in more than {MOST_LEVELS} levels, or in a circle",
                block.name
            );
            let problem = Diagnostic::error(Some(block.place.clone()), message);
            self.problems.push(problem.help("leave out a `subordinateTemplate`"));
        }
        left.is_empty()
    }
}

fn is_condition(part: &Part) -> bool {
    matches!(part, Part::Tag(Tag::Presence(_) | Tag::If { .. }))
}

/// The most bytes that a tag becomes.
fn most_bytes(tag: &Tag) -> usize {
    match tag {
        Tag::Name { .. } | Tag::ParentName { .. } | Tag::Rdn => NAME,
        Tag::File { lines, .. } => lines.lines.iter().map(String::len).max().unwrap_or_default(),
        Tag::If { value, .. } => value.as_ref().map_or(0, String::len),
        Tag::Presence(_) => 0,
        Tag::List(values) => values.iter().map(|(value, _)| value.len()).max().unwrap_or_default(),
        Tag::Random(random) => random.longest(),
        Tag::First | Tag::Last | Tag::Guid | Tag::Sequential { .. } => 64,
    }
}
