//! Outcomes as a table for people.

use crate::judgement::{Judgement, Verdict};
use crate::outcome::Outcome;

/// Width of the columns: what, truth, measured.
const FIGURE: usize = 44;
const TRUTH: usize = 24;
const MEASURED: usize = 24;

/// A case and below it its figures, a line each.
pub(crate) fn lines(outcome: &Outcome) -> String {
    let again = match outcome.attempts {
        1 => String::new(),
        attempts => format!(", tried {attempts} times"),
    };
    let head = format!(
        "{} {:<4} {}  [{}; {:.1} s{again}]\n",
        mark(outcome.verdict),
        outcome.name,
        outcome.question,
        word(outcome.verdict),
        outcome.seconds
    );
    std::iter::once(head).chain(outcome.judgements.iter().map(line)).collect()
}

fn line(judgement: &Judgement) -> String {
    let Judgement { figure, truth, measured, verdict, reason, .. } = judgement;
    let figures = format!("{figure:<FIGURE$} {truth:>TRUTH$} {measured:>MEASURED$}");
    let why =
        if reason.is_empty() { String::new() } else { format!("\n         {}: {reason}", word(*verdict)) };
    format!("     {} {}{why}\n", mark(*verdict), figures.trim_end())
}

/// What stands above the columns.
pub fn head() -> String {
    format!("       {:<FIGURE$} {:>TRUTH$} {:>MEASURED$}\n", "figure", "truth", "measured")
}

fn mark(verdict: Verdict) -> char {
    match verdict {
        Verdict::Passed => '✓',
        Verdict::Failed => '✗',
        Verdict::NotJudged => '?',
        Verdict::NotRun => '–',
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Passed => "passed",
        Verdict::Failed => "failed",
        Verdict::NotJudged => "not judged",
        Verdict::NotRun => "not run",
    }
}
