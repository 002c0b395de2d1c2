//! Variables of the original: those that it knows itself, and the four types of `WILDCARDS`.

use crate::format::decode::Spanned;
use crate::format::decode::quantity::Whole;
use crate::format::decode::text::Text;
use crate::format::file::variable::Wildcard;
use crate::format::node::{Node, Value};
use crate::format::original::keys::{Keys, find};
use crate::format::problems::Problems;
use crate::variable::{Scope, Source};
use std::collections::BTreeMap;

/// What is kept of responses, for the tasks after them.
#[derive(Debug, Clone)]
pub(crate) struct Retained {
    kept: Vec<Kept>,
}

/// One attribute that is kept.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    /// Name of the variable, without `$`.
    pub(crate) name: String,
    /// Name of the attribute in the JSON of the response.
    pub(crate) attribute: String,
    /// Whether every task can give it, not only the first.
    every_task: bool,
}

impl Default for Retained {
    fn default() -> Self {
        let kept = |name: &str, attribute: &str| Kept {
            name: name.to_owned(),
            attribute: attribute.to_owned(),
            every_task: false,
        };
        Self { kept: vec![kept("TOKENID", "tokenId"), kept("AAD-ACCESS-TOKEN", "access_token")] }
    }
}

impl Retained {
    /// What the first task, or any other, can give.
    pub(crate) fn of_task(&self, first: bool) -> impl Iterator<Item = &Kept> {
        self.kept.iter().filter(move |kept| first || kept.every_task)
    }

    /// `"persist": ["tokenId"]` keeps an attribute of every response, as `$tokenId` and as `$TOKENID`.
    pub(crate) fn with(&self, persist: Option<&Node>, problems: &mut Problems) -> Self {
        let mut all = self.clone();
        let Some(node) = persist else { return all };
        let Value::List(names) = &node.value else {
            problems.error(&node.at, format!("`persist`: expected a list of names, found {}", node.kind()));
            return all;
        };
        for name in names {
            let Some(attribute) = name.scalar().map(|scalar| scalar.text.as_str()) else { continue };
            for variable in [attribute.to_owned(), attribute.to_uppercase()] {
                all.keep(variable, attribute.to_owned());
            }
        }
        all
    }

    fn keep(&mut self, name: String, attribute: String) {
        match self.kept.iter_mut().find(|kept| kept.name == name) {
            Some(kept) => {
                kept.every_task = true;
                kept.attribute = attribute;
            }
            None => self.kept.push(Kept { name, attribute, every_task: true }),
        }
    }
}

/// What the original replaces by itself.
pub(crate) fn built_in(keys: &mut Keys<'_>) -> BTreeMap<String, (Source, Scope)> {
    let mut known = BTreeMap::from([
        ("INCREMENT".to_owned(), (Source::UserIncrement, Scope::Task)),
        ("THREADID".to_owned(), (Source::UserIndex, Scope::User)),
    ]);
    if let Some(high) = keys.number("upperbounds") {
        let high = i64::try_from(high.value).unwrap_or(i64::MAX);
        known.insert("RANDOMVALUE".to_owned(), (Source::Random { low: 0, high }, Scope::Iteration));
    }
    known
}

/// Wildcards that are made anew: `generated`, `file`, `rest-endpoint`.
pub(crate) fn read(keys: &mut Keys<'_>) -> Vec<(Text, Wildcard)> {
    let upper = find_upper(keys);
    let mut wildcards = Vec::new();
    for entry in entries(keys) {
        let (Some(name), Some(kind)) = (entry.text("name"), entry.text("type")) else {
            keys.problems.error(&entry.0.at, "a wildcard has a `name` and a `type`");
            continue;
        };
        let plain = Text::new(name.text.trim_start_matches('$'), &name.at);
        let source = entry.text("source");
        if source.is_none() && matches!(kind.text.as_str(), "file" | "rest-endpoint") {
            keys.problems.error(&entry.0.at, format!("wildcard `{}` has no `source`", name.text));
            continue;
        }
        match kind.text.as_str() {
            // $RANDOMVALUE itself is built in.
            "generated" if plain.text == "RANDOMVALUE" => {}
            "generated" => wildcards.push((plain, generated(upper, &name))),
            "file" => wildcards.push((plain, Wildcard { file: source, ..Wildcard::default() })),
            "rest-endpoint" => wildcards.push((plain, Wildcard { endpoint: source, ..Wildcard::default() })),
            "retained" => {}
            other => {
                let message = format!("unknown type `{other}` of wildcard `{}`", name.text);
                let known = ["generated", "retained", "file", "rest-endpoint"];
                let problem = crate::Diagnostic::error(kind.at.place(), message);
                let problem = problem.help(format!("use one of {}", known.join(", ")));
                keys.problems.add(problem.nearest(other, known));
            }
        }
    }
    wildcards
}

/// Wildcards of the type `retained`: attributes of responses.
pub(crate) fn retained(keys: &mut Keys<'_>) -> Retained {
    let mut retained = Retained::default();
    for entry in entries(keys) {
        let kind = entry.text("type");
        if let Some(name) = entry.text("name").filter(|_| kind.is_some_and(|kind| kind.text == "retained")) {
            let name = name.text.trim_start_matches('$').to_owned();
            let known =
                retained.kept.iter().find(|kept| kept.name == name).map(|kept| kept.attribute.clone());
            let source = entry.text("source").map(|source| source.text);
            let attribute = source.or(known).unwrap_or_else(|| name.clone());
            retained.keep(name, attribute);
        }
    }
    retained
}

fn generated(upper: Option<u64>, name: &Text) -> Wildcard {
    let end = |value| Spanned { value: Whole(value), at: name.at.clone() };
    let high = i64::try_from(upper.unwrap_or(0)).unwrap_or(i64::MAX);
    let random = Some(Spanned { value: vec![end(0), end(high)], at: name.at.clone() });
    Wildcard { random, ..Wildcard::default() }
}

fn find_upper(keys: &mut Keys<'_>) -> Option<u64> {
    keys.number("upperbounds").map(|number| number.value)
}

/// One entry of `WILDCARDS`.
struct Entry<'a>(&'a Node);

impl Entry<'_> {
    fn text(&self, key: &str) -> Option<Text> {
        let (_, node) = find(self.0, key)?;
        node.scalar().map(|scalar| Text::new(scalar.text.clone(), &node.at))
    }
}

fn entries<'a>(keys: &mut Keys<'a>) -> Vec<Entry<'a>> {
    match keys.take("wildcards").map(|(_, node)| &node.value) {
        Some(Value::List(entries)) => entries.iter().map(Entry).collect(),
        _ => Vec::new(),
    }
}
