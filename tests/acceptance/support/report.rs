//! A JSON report, read by pointers.

use serde_json::Value;

/// A report.
#[derive(Debug)]
pub(crate) struct Report(pub(crate) Value);

impl Report {
    pub(crate) fn parse(text: &str) -> Self {
        Self(serde_json::from_str(text).unwrap_or_else(|error| panic!("no JSON: {error}: {text}")))
    }

    /// The value behind a JSON pointer, which must be there.
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.0.pointer(pointer).unwrap_or_else(|| panic!("no {pointer} in {:#}", self.0))
    }

    pub(crate) fn number(&self, pointer: &str) -> f64 {
        self.at(pointer).as_f64().unwrap_or_else(|| panic!("{pointer} is no number: {}", self.at(pointer)))
    }

    pub(crate) fn count(&self, pointer: &str) -> u64 {
        self.at(pointer).as_u64().unwrap_or_else(|| panic!("{pointer} is no count: {}", self.at(pointer)))
    }

    pub(crate) fn text(&self, pointer: &str) -> &str {
        self.at(pointer).as_str().unwrap_or_else(|| panic!("{pointer} is no text: {}", self.at(pointer)))
    }

    /// A task by its name; of the first workload that has it.
    pub(crate) fn task(&self, name: &str) -> Self {
        let tasks = self.at("/tasks").as_array().unwrap();
        let found = tasks.iter().find(|task| task["name"] == name);
        Self(found.unwrap_or_else(|| panic!("no task {name} in {tasks:#?}")).clone())
    }

    /// requests, passed, exceeded, failed, skipped of the whole or of one task.
    pub(crate) fn outcomes(&self) -> [u64; 5] {
        let base = if self.0.get("totals").is_some() { "/totals" } else { "" };
        ["requests", "passed", "exceeded", "failed", "skipped"]
            .map(|name| self.count(&format!("{base}/{name}")))
    }

    /// Kind, detail and count of each failure of a task.
    pub(crate) fn failures(&self, task: &str) -> Vec<(String, String, u64)> {
        let task = self.task(task);
        let all = task.at("/failures").as_array().unwrap().clone();
        all.into_iter()
            .map(Self)
            .map(|one| (one.text("/kind").to_owned(), one.text("/detail").to_owned(), one.count("/count")))
            .collect()
    }

    /// The only kind of failure that a task met: kind, detail and count.
    pub(crate) fn failure(&self, task: &str) -> (String, String, u64) {
        let mut all = self.failures(task);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    pub(crate) fn notes(&self) -> String {
        self.at("/run/notes").to_string()
    }

    pub(crate) fn reasons(&self) -> String {
        self.at("/verdict/reasons").to_string()
    }

    /// Whether the generator found itself to be the bottleneck.
    pub(crate) fn has_invalid_finding(&self) -> bool {
        self.at("/health/findings").as_array().unwrap().iter().any(|one| one["severity"] == "invalid")
    }
}
