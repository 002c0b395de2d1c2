//! Wildcards: from what was typed to a source of values.

use crate::format::compile::data::Naming;
use crate::format::compile::names::{Scope, check_name};
use crate::format::compile::{Compiler, data};
use crate::format::decode::text::Text;
use crate::format::decode::words::Switch;
use crate::format::decode::{Either, Spanned};
use crate::format::file::task::{Capture, Task};
use crate::format::file::variable::{Order as TypedOrder, OrderWord, Per, Wildcard};
use crate::format::job::{Step, TaskStep, Work, Workload};
use crate::format::node::At;
use crate::variable::{DataId, Endpoint, Order, Scope as Lifetime, Source};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A wildcard that is ready to be used.
pub(crate) struct Wild {
    kind: Kind,
    lifetime: Lifetime,
}

enum Kind {
    Value(Source),
    /// Columns of a data file.
    Rows {
        data: DataId,
        columns: Vec<String>,
        naming: Naming,
    },
    /// It was wrong, which has been said.
    Broken,
}

impl Wild {
    /// Where the value of `$NAME` or `${NAME.column}` comes from.
    pub(crate) fn source(&self, column: Option<&str>) -> Option<(Source, Lifetime)> {
        let source = match (&self.kind, column) {
            (Kind::Value(source), None) => source.clone(),
            (Kind::Broken, _) => Source::Uuid,
            (Kind::Rows { data, naming: Naming::Bare, .. }, None) => {
                Source::Column { data: *data, column: 0 }
            }
            (Kind::Rows { data, columns, naming: Naming::Exact }, Some(column)) => {
                let column = columns.iter().position(|name| name == column)?;
                Source::Column { data: *data, column }
            }
            (Kind::Rows { data, columns, naming: Naming::Attributes }, Some(column)) => {
                let column = columns.iter().position(|name| name.eq_ignore_ascii_case(column))?;
                Source::Column { data: *data, column }
            }
            _ => return None,
        };
        Some((source, self.lifetime))
    }

    /// The data file, if it is one of LDIF, and how long a record stays.
    pub(crate) fn records(&self) -> Option<(DataId, Lifetime)> {
        match &self.kind {
            Kind::Rows { data, naming: Naming::Attributes, .. } => Some((*data, self.lifetime)),
            _ => None,
        }
    }

    /// Whether it was wrong, which has been said.
    pub(crate) fn is_broken(&self) -> bool {
        matches!(self.kind, Kind::Broken)
    }

    /// Every name that a text can use.
    pub(crate) fn names(&self, name: &str) -> Vec<String> {
        match &self.kind {
            Kind::Rows { columns, naming: Naming::Exact | Naming::Attributes, .. } => {
                columns.iter().map(|column| format!("{name}.{column}")).collect()
            }
            _ => vec![name.to_owned()],
        }
    }
}

impl Compiler<'_> {
    /// Makes all wildcards known.
    pub(crate) fn wildcards(&mut self, outer: &Scope) {
        self.names.built_in = self.job.built_in.clone();
        let job = self.job;
        for (name, wildcard) in &job.wildcards {
            check_name(name, self.problems);
            if self.names.captures.contains(&name.text) {
                let message = format!("`{}` is a wildcard and a capture", name.text);
                self.problems.error_with_help(&name.at, message, "rename one of them");
            }
            let lifetime = match wildcard.per {
                None | Some(Per::Iteration) => Lifetime::Iteration,
                Some(Per::Use) => Lifetime::Use,
                Some(Per::User) => Lifetime::User,
            };
            let kind = self.wildcard(name, wildcard, lifetime, outer).unwrap_or(Kind::Broken);
            if self.names.wildcards.insert(name.text.clone(), Wild { kind, lifetime }).is_some() {
                self.problems.error(&name.at, format!("wildcard `{}` is defined twice", name.text));
            }
        }
    }

    fn wildcard(&mut self, name: &Text, typed: &Wildcard, lifetime: Lifetime, outer: &Scope) -> Option<Kind> {
        if let Some(range) = &typed.random {
            return self.random(range);
        }
        if let Some(start) = typed.increment {
            return Some(Kind::Value(Source::Increment { start: start.0 }));
        }
        if let Some(length) = &typed.string {
            return self.random_text(length.value.0, &length.at, typed.chars.as_ref());
        }
        if let Some(switch) = typed.uuid.as_ref().or(typed.now.as_ref()) {
            if switch.value == Switch(false) {
                self.problems.error_with_help(&switch.at, "`off` makes no value", "use `true`");
                return None;
            }
            return Some(Kind::Value(if typed.uuid.is_some() { Source::Uuid } else { Source::Now }));
        }
        if let Some(choice) = &typed.choice {
            if choice.value.is_empty() {
                self.problems.error(&choice.at, "`choice` has nothing to choose from");
                return None;
            }
            return Some(Kind::Value(Source::Choice(
                choice.value.iter().map(|text| text.text.clone()).collect(),
            )));
        }
        if let Some(file) = &typed.file {
            return self.data_file(file, typed, lifetime, outer);
        }
        typed.endpoint.as_ref().and_then(|url| self.endpoint(name, url, typed, outer))
    }

    fn random(
        &mut self,
        range: &Spanned<Vec<Spanned<crate::format::decode::quantity::Whole>>>,
    ) -> Option<Kind> {
        let [low, high] = range.value.as_slice() else {
            self.problems.error_with_help(&range.at, "`random` takes two numbers", "write it like [0, 9999]");
            return None;
        };
        let (low, high) = (low.value.0, high.value.0);
        if low > high {
            let message = format!("`random` from {low} to {high} holds no number");
            self.problems.error_with_help(&range.at, message, format!("write [{high}, {low}]"));
            return None;
        }
        Some(Kind::Value(Source::Random { low, high }))
    }

    fn random_text(&mut self, length: u64, at: &At, chars: Option<&Text>) -> Option<Kind> {
        const LONGEST: u64 = 1 << 20;
        if length == 0 || length > LONGEST {
            self.problems.error(at, format!("`string` of {length} characters; use 1 to {LONGEST}"));
            return None;
        }
        let default = Text::new("A-Za-z0-9", at);
        let chars = chars.unwrap_or(&default);
        match alphabet(&chars.text) {
            Ok(alphabet) => Some(Kind::Value(Source::Text { length: length as usize, alphabet })),
            Err(message) => {
                self.problems.error_with_help(&chars.at, message, "write it like A-Za-z0-9");
                None
            }
        }
    }

    fn data_file(&mut self, file: &Text, typed: &Wildcard, scope: Lifetime, outer: &Scope) -> Option<Kind> {
        let name = self.constant(file, outer)?;
        let order = self.order(typed.order.as_ref())?;
        let bytes = self.read(&name, &file.at)?;
        let columns = typed.columns.as_ref().map(|columns| columns.iter().map(|c| c.text.clone()).collect());
        let path = crate::format::file_beside(&file.at, &name, self.outside);
        let shown = path.display().to_string();
        let outside = self.outside;
        let request = data::Request {
            name: &name,
            shown: &shown,
            path: &path,
            outside,
            columns,
            order,
            scope,
            at: &file.at,
        };
        let (data, naming) = data::read(&request, bytes, self.problems)?;
        let columns = data.columns.clone();
        let id = DataId(super::id(self.names.data.len()));
        self.names.data.push(data);
        Some(Kind::Rows { data: id, columns, naming })
    }

    fn order(&mut self, typed: Option<&Spanned<TypedOrder>>) -> Option<Order> {
        let Some(typed) = typed else { return Some(Order::Random) };
        Some(match &typed.value {
            Either::Second(OrderWord::Random) => Order::Random,
            Either::Second(OrderWord::Sequential) => Order::Sequential,
            Either::Second(OrderWord::Unique) => Order::Unique,
            Either::Second(OrderWord::Zipf) => Order::Zipf { exponent: 1.0 },
            Either::First(map) => {
                let exponent = map.zipf.value.0;
                if exponent <= 0.0 || exponent > 100.0 {
                    let message = format!("a Zipf exponent of {exponent}");
                    self.problems.error_with_help(&map.zipf.at, message, "use one above 0, such as 1.2");
                    return None;
                }
                Order::Zipf { exponent }
            }
        })
    }

    fn endpoint(&mut self, name: &Text, url: &Text, typed: &Wildcard, outer: &Scope) -> Option<Kind> {
        let capture = match &typed.json {
            Some(path) => Capture { json: Some(path.clone()), ..Capture::default() },
            None => Capture {
                body: Some(Spanned { value: Switch(true), at: url.at.clone() }),
                ..Capture::default()
            },
        };
        let task = Rc::new(Task { url: url.clone(), ..Task::default() });
        let step = TaskStep {
            name: name.clone(),
            attributes: crate::format::file::attributes::Attributes::default(),
            task: Work::Http(task.clone()),
            // A name that no text can say: that of the wildcard is for the fetched value.
            captures: vec![(
                Text::new(format!("{} in its response", name.text), &url.at),
                Spanned { value: capture, at: url.at.clone() },
            )],
        };
        let workload = crate::format::file::attributes::Attributes::default();
        let compiled = self.request(&step, &task, &workload, outer, crate::plan::Phase::Main);
        let constant = match &compiled.request.url {
            crate::request::Url::Fixed(_, path) => path.constant().is_some(),
            crate::request::Url::Variable(_) => false,
        };
        if !constant {
            self.problems.error(&url.at, format!("only constants can stand in the URL of `{}`", name.text));
            return None;
        }
        let refresh = typed.refresh.map(|time| time.0);
        Some(Kind::Value(Source::Endpoint(Box::new(Endpoint { request: compiled.request, refresh }))))
    }

    /// Every name that some response gives a value to.
    pub(crate) fn collect_captures(&mut self) {
        let mut found = BTreeSet::new();
        let job = self.job;
        for workload in job.setup.iter().chain(&job.workloads).chain(&job.teardown) {
            collect(workload, &mut |name| {
                check_name(name, self.problems);
                found.insert(name.text.clone());
            });
        }
        collect_steps(&job.spare, &mut |name| {
            found.insert(name.text.clone());
        });
        self.names.captures = found;
        self.variables_that_hide();
    }

    /// A constant of the job wins everywhere: a wildcard or capture of its name would never be seen.
    fn variables_that_hide(&mut self) {
        let job = self.job;
        for (name, _) in job.attributes.variables.iter().flat_map(|map| &map.entries) {
            let other = if job.wildcards.iter().any(|(known, _)| known.text == name.text) {
                "wildcard"
            } else if self.names.captures.contains(&name.text) {
                "capture"
            } else {
                continue;
            };
            let message = format!("`{}` is a variable of the job and a {other}", name.text);
            self.problems.error_with_help(&name.at, message, "rename one of them");
        }
    }
}

fn collect(workload: &Workload, found: &mut dyn FnMut(&Text)) {
    collect_steps(&workload.steps, found);
}

fn collect_steps(steps: &[Step], found: &mut dyn FnMut(&Text)) {
    for step in steps {
        match step {
            Step::Sleep(_) => {}
            Step::Repeat(_, steps) => collect_steps(steps, found),
            Step::Task(step) => {
                step.task.captured().into_iter().for_each(&mut *found);
                step.captures.iter().for_each(|(name, _)| found(name));
            }
        }
    }
}

/// `A-Za-z0-9_`: characters and ranges; a `-` at an end is itself.
pub(crate) fn alphabet(text: &str) -> Result<Vec<char>, String> {
    let letters: Vec<char> = text.chars().collect();
    let mut alphabet = Vec::new();
    let mut index = 0;
    while index < letters.len() {
        if letters.get(index + 1) == Some(&'-') && index + 2 < letters.len() {
            let (low, high) = (letters[index], letters[index + 2]);
            if low > high {
                return Err(format!("`{low}-{high}` runs backwards"));
            }
            alphabet.extend(low..=high);
            index += 3;
        } else {
            alphabet.push(letters[index]);
            index += 1;
        }
    }
    if alphabet.is_empty() { Err("`chars` holds no character".to_owned()) } else { Ok(alphabet) }
}
