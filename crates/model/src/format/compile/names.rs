//! What names in texts mean: constants by level, then wildcards, captures and what the format provides.

use crate::diagnostic::Diagnostic;
use crate::format::Outside;
use crate::format::compile::id;
use crate::format::compile::wildcard::Wild;
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Map};
use crate::format::file::variable::{Constant as Typed, ConstantSource};
use crate::format::node::At;
use crate::format::problems::Problems;
use crate::format::text::{Piece, Reference, pieces};
use crate::plan::Semantics;
use crate::template::{Escape, Missing, Segment, Template, Values, escape_into};
use crate::variable::{Data, Scope as Lifetime, Slot, Source, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Constants inside of constants, at most so deep.
const DEEPEST: usize = 32;
/// Bytes that the constants of a job may grow to, summed over its texts.
const LONGEST: usize = 64 << 20;
/// What a constant counts at least, so that many empty ones have an end too.
const LEAST: usize = 64;

/// The constants of one level.
pub(crate) type Layer = BTreeMap<String, Constant>;

/// A value that is known before the run.
#[derive(Clone)]
pub(crate) struct Constant {
    text: Text,
    /// Whether variables in it are filled in: what comes from outside stands as it is.
    filled: bool,
    pub(crate) secret: bool,
}

/// Where a text stands: the constants of its levels, innermost first.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    layers: Vec<Rc<Layer>>,
}

/// All names of a job, and the slots of those that are used.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) wildcards: BTreeMap<String, Wild>,
    pub(crate) captures: BTreeSet<String>,
    pub(crate) built_in: BTreeMap<String, (Source, Lifetime)>,
    slots: BTreeMap<String, Slot>,
    variables: Vec<Variable>,
    pub(crate) data: Vec<Data>,
    /// What was read from outside, so that nothing is asked twice.
    asked: BTreeMap<(String, u32, u32), Constant>,
    /// Whether a secret was written into a template since this was last cleared.
    pub(crate) wrote_secret: bool,
    /// What constants filled in so far, against [`LONGEST`].
    filled: usize,
}

/// What a name means.
enum Meaning {
    Constant(Constant),
    Slot(Slot),
    Unknown,
}

impl Scope {
    pub(crate) fn outermost(layer: Rc<Layer>) -> Self {
        Self { layers: vec![layer] }
    }

    /// The scope inside of this one.
    pub(crate) fn inner(&self, layer: Rc<Layer>) -> Self {
        let layers = std::iter::once(layer).chain(self.layers.iter().cloned()).collect();
        Self { layers }
    }

    fn constant(&self, name: &str) -> Option<&Constant> {
        self.layers.iter().find_map(|layer| layer.get(name))
    }
}

/// The constants of one level, those from outside fetched.
pub(crate) fn layer(
    constants: Option<&Map<Typed>>,
    outside: &dyn Outside,
    names: &mut Names,
    problems: &mut Problems,
) -> Layer {
    let mut layer = Layer::new();
    for (name, constant) in constants.iter().flat_map(|map| &map.entries) {
        check_name(name, problems);
        let constant = match constant {
            Some(Either::First(text)) => Constant { text: text.clone(), filled: true, secret: false },
            Some(Either::Second(source)) => fetched(name, source, outside, names, problems),
            None => Constant { text: Text::default(), filled: false, secret: true },
        };
        layer.insert(name.text.clone(), constant);
    }
    layer
}

fn fetched(
    name: &Text,
    source: &ConstantSource,
    outside: &dyn Outside,
    names: &mut Names,
    problems: &mut Problems,
) -> Constant {
    let key = (name.at.file.to_string(), name.at.line, name.at.column);
    if let Some(known) = names.asked.get(&key) {
        return known.clone();
    }
    let value = outside_value(source, outside, problems).unwrap_or_default();
    let secret = source.secret.map_or(source.value.is_none(), |Switch(secret)| secret);
    let constant = Constant { text: Text::new(value, &name.at), filled: false, secret };
    names.asked.insert(key, constant.clone());
    constant
}

fn outside_value(source: &ConstantSource, outside: &dyn Outside, problems: &mut Problems) -> Option<String> {
    if let Some(name) = &source.env {
        let value = outside.environment(&name.text);
        if value.is_none() {
            let message = format!("the environment variable `{}` is not set", name.text);
            problems.error_with_help(&name.at, message, format!("set it: {}=…", name.text));
        }
        return value;
    }
    if let Some(name) = &source.file {
        let path = crate::format::file_beside(&name.at, &name.text, outside);
        return match outside.read(&path).map(String::from_utf8) {
            Ok(Ok(text)) => Some(text.trim_end_matches(['\r', '\n']).to_owned()),
            Ok(Err(_)) => {
                problems.error(&name.at, format!("`{}` is not text in UTF-8", path.display()));
                None
            }
            Err(error) => {
                let reason = crate::format::reason(&error);
                problems.error(&name.at, format!("cannot read `{}`: {reason}", path.display()));
                None
            }
        };
    }
    if let Some(question) = &source.prompt {
        let answer = outside.prompt(&question.text);
        if answer.is_none() {
            let message = format!("nobody can be asked for `{}`: there is no terminal", question.text);
            problems.error_with_help(&question.at, message, "use `env` or `file`");
        }
        return answer;
    }
    source.value.as_ref().map(|value| value.text.clone())
}

/// Names are what `$NAME` can say.
pub(crate) fn check_name(name: &Text, problems: &mut Problems) {
    let mut letters = name.text.chars();
    let first = letters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !first || !letters.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-')) {
        let message = format!("`{}` cannot be the name of a variable", name.text);
        problems.error_with_help(&name.at, message, "use letters, digits, `_` and `-`, a letter first");
    }
}

impl Names {
    pub(crate) fn len(&self) -> usize {
        self.variables.len()
    }

    pub(crate) fn into_parts(self) -> (Vec<Variable>, Vec<Data>) {
        (self.variables, self.data)
    }

    /// The slot that is called `name`; made when it is asked for the first time.
    pub(crate) fn slot(&mut self, name: &str, source: Source, scope: Lifetime) -> Slot {
        if let Some(slot) = self.slots.get(name) {
            return *slot;
        }
        let slot = Slot(id(self.variables.len()));
        self.variables.push(Variable { name: name.to_owned(), source, scope });
        self.slots.insert(name.to_owned(), slot);
        slot
    }

    pub(crate) fn capture_slot(&mut self, name: &str) -> Slot {
        self.slot(name, Source::Captured, Lifetime::Iteration)
    }

    pub(crate) fn template(
        &mut self,
        text: &Text,
        escape: Escape,
        semantics: Semantics,
        scope: &Scope,
        problems: &mut Problems,
    ) -> Template {
        let mut filling = Filling { names: self, semantics, scope, problems, at: &text.at, open: Vec::new() };
        filling.fill(text, escape)
    }

    /// The one variable that a text consists of when it asks for its value without quotes.
    pub(crate) fn raw(
        &mut self,
        text: &Text,
        semantics: Semantics,
        scope: &Scope,
        problems: &mut Problems,
    ) -> Option<Template> {
        let parts = pieces(text, semantics, &|name| self.knows(name, scope), &mut Problems::default());
        match parts.as_slice() {
            [Piece::Name(reference)] if reference.raw => {
                let reference = Reference { raw: false, ..reference.clone() };
                let mut filling =
                    Filling { names: self, semantics, scope, problems, at: &text.at, open: Vec::new() };
                let mut template = Template::default();
                filling.name(&reference, Escape::None, &mut template);
                Some(template)
            }
            _ => None,
        }
    }

    fn knows(&self, name: &str, scope: &Scope) -> bool {
        scope.constant(name).is_some()
            || self.wildcards.contains_key(name)
            || self.captures.contains(name)
            || self.built_in.contains_key(name)
    }

    /// The text of the constant that a text consists of, if it consists of one in which variables are filled in.
    pub(crate) fn constant_behind(text: &Text, scope: &Scope) -> Option<Text> {
        let name = text.text.trim().strip_prefix('$')?;
        let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
        scope.constant(name).filter(|constant| constant.filled).map(|constant| constant.text.clone())
    }

    fn all(&self, scope: &Scope) -> Vec<String> {
        let constants = scope.layers.iter().flat_map(|layer| layer.keys());
        let columns = self.wildcards.iter().flat_map(|(name, wild)| wild.names(name));
        let others = self.captures.iter().chain(self.built_in.keys());
        constants.chain(others).cloned().chain(columns).collect()
    }
}

/// A text while its variables are filled in.
struct Filling<'a> {
    names: &'a mut Names,
    semantics: Semantics,
    scope: &'a Scope,
    problems: &'a mut Problems,
    /// Where the outermost text stands.
    at: &'a At,
    /// Constants that are being filled in, outermost first.
    open: Vec<String>,
}

impl Filling<'_> {
    fn fill(&mut self, text: &Text, escape: Escape) -> Template {
        let (names, scope) = (&*self.names, self.scope);
        let parts = pieces(text, self.semantics, &|name| names.knows(name, scope), self.problems);
        let mut template = Template::default();
        for part in parts {
            match part {
                Piece::Text(plain) if escape == Escape::Dn && self.open.is_empty() => {
                    template.push_text(plain);
                }
                Piece::Text(plain) => {
                    let mut bytes = Vec::new();
                    escape_into(plain.as_bytes(), escape, &mut bytes);
                    template.push_text(bytes);
                }
                Piece::Name(reference) if reference.raw => {
                    let message = format!("`{} | raw` needs a JSON text of its own", reference.name);
                    let help =
                        format!("write \"${{{} | raw}}\" and nothing else in the text", reference.name);
                    self.problems.error_with_help(self.at, message, help);
                }
                Piece::Name(reference) => self.name(&reference, escape, &mut template),
            }
        }
        template
    }

    fn name(&mut self, reference: &Reference, escape: Escape, template: &mut Template) {
        let filters = reference.filters.clone();
        match self.meaning(&reference.name) {
            Meaning::Slot(slot) => template.push(Segment::Value { slot, filters, escape }),
            Meaning::Constant(constant) => {
                self.names.wrote_secret |= constant.secret;
                if self.open.contains(&reference.name) {
                    let chain = [&self.open[..], std::slice::from_ref(&reference.name)].concat();
                    let message = format!("variable `{}` is made of itself", reference.name);
                    let message = format!("{message}: {}", chain.join(" → "));
                    self.problems.error_with_help(
                        &constant.text.at,
                        message,
                        "give one of them a plain value",
                    );
                    return;
                }
                self.names.filled = self.names.filled.saturating_add(LEAST + constant.text.text.len());
                if self.open.len() == DEEPEST || self.names.filled > LONGEST {
                    self.too_large(&reference.name);
                    return;
                }
                self.open.push(reference.name.clone());
                let place = if filters.is_empty() { escape } else { Escape::None };
                let inner = if constant.filled {
                    self.fill(&constant.text, place)
                } else {
                    let mut bytes = Vec::new();
                    escape_into(constant.text.text.as_bytes(), place, &mut bytes);
                    Template::text(bytes)
                };
                self.open.pop();
                template.append(&if filters.is_empty() { inner } else { nested(inner, filters, escape) });
            }
            Meaning::Unknown => self.unknown(&reference.name),
        }
    }

    /// Constants can double each other: what they make is bounded, and said once.
    fn too_large(&mut self, name: &str) {
        let message = if self.open.len() == DEEPEST {
            format!("variables stand inside of each other more than {DEEPEST} deep, at `{name}`")
        } else {
            format!("the variables fill more than {} MiB into the job", LONGEST >> 20)
        };
        self.problems.error_with_help(self.at, message, "give one of them a plain value");
    }

    fn meaning(&mut self, name: &str) -> Meaning {
        if let Some(constant) = self.scope.constant(name) {
            return Meaning::Constant(constant.clone());
        }
        if let Some((source, scope)) = self.names.built_in.get(name).cloned() {
            return Meaning::Slot(self.names.slot(name, source, scope));
        }
        if self.names.captures.contains(name) {
            return Meaning::Slot(self.names.capture_slot(name));
        }
        let (wildcard, column) =
            name.split_once('.').map_or((name, None), |(name, column)| (name, Some(column)));
        let found = self.names.wildcards.get(wildcard).and_then(|wild| wild.source(column));
        match found {
            Some((source, scope)) => Meaning::Slot(self.names.slot(name, source, scope)),
            None => Meaning::Unknown,
        }
    }

    fn unknown(&mut self, name: &str) {
        if self.problems.misspelt(&["variables", "wildcards", "capture"]) {
            return;
        }
        let known = self.names.all(self.scope);
        let (wildcard, _) = name.split_once('.').unwrap_or((name, ""));
        let columns = self.names.wildcards.get(wildcard).map(|wild| wild.names(wildcard));
        let mut problem = Diagnostic::error(self.at.place(), format!("unknown variable `${name}`"));
        if let Some(columns) = columns {
            let written: Vec<_> = columns.iter().map(|name| format!("${{{name}}}")).collect();
            problem = problem.help(format!("`{wildcard}` gives {}", written.join(", ")));
        } else if self.semantics == Semantics::Native {
            problem = problem
                .help("define it in `variables`, `wildcards` or `capture`, or write `$$` for a dollar");
        }
        self.problems.add(problem.nearest(name, known.iter().map(String::as_str)));
    }
}

/// A filtered template; worked out at once when nothing in it varies.
pub(crate) fn nested(inner: Template, filters: Vec<crate::template::Filter>, escape: Escape) -> Template {
    let constant = inner.constant().is_some();
    let mut template = Template::default();
    template.push(Segment::Nested { inner, filters, escape });
    let mut bytes = Vec::new();
    if constant && template.render(&mut Nothing, &mut bytes).is_ok() {
        return Template::text(bytes);
    }
    template
}

/// The values of a template without variables.
struct Nothing;

impl Values for Nothing {
    fn write(&mut self, slot: Slot, _: &mut Vec<u8>) -> Result<(), Missing> {
        Err(Missing::NotCaptured(slot))
    }
}
