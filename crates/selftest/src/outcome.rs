//! What came of cases.

use crate::judgement::{Judgement, Verdict};
use crate::table;
use serde::Serialize;

/// What came of one case.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcome {
    /// The case: `H5`.
    pub name: String,
    /// What it asked.
    pub question: String,
    /// The worst of its judgements.
    pub verdict: Verdict,
    /// How often it was tried.
    pub attempts: u32,
    /// How long that took.
    pub seconds: f64,
    /// One for each figure.
    pub judgements: Vec<Judgement>,
}

/// The version that [`Outcomes`] carry.
pub(crate) const VERSION: u32 = 1;

/// What came of all of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outcomes {
    /// Version of this format: 1. Fields are added within it, none is renamed.
    pub loadgen_selftest: u32,
    /// One for each case, in their order.
    pub outcomes: Vec<Outcome>,
}

impl Outcome {
    /// The case as lines of a table, for people.
    pub fn lines(&self) -> String {
        table::lines(self)
    }
}

impl Outcomes {
    /// How many cases had this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.outcomes.iter().filter(|outcome| outcome.verdict == verdict).count()
    }

    /// How many cases had which verdict, in one line.
    pub fn summary(&self) -> String {
        let words = [
            (Verdict::Passed, "passed"),
            (Verdict::Failed, "failed"),
            (Verdict::NotJudged, "not judged"),
            (Verdict::NotRun, "not run"),
        ];
        let counts = words.map(|(verdict, word)| format!("{} {word}", self.count(verdict)));
        format!("{} cases: {}", self.outcomes.len(), counts.join(", "))
    }

    /// All of it as JSON, indented, with a line break at its end.
    pub fn json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string_pretty(self).map(|text| text + "\n")
    }
}
