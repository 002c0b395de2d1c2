//! Outcomes as a table for people.

use crate::judgement::{Judgement, Verdict};
use crate::outcome::Outcome;

/// Width of the columns: what, truth, measured.
const FIGURE: usize = 44;
const TRUTH: usize = 24;
const MEASURED: usize = 24;
/// Of a reason below them.
const WIDTH: usize = 92;

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
    let why: String = match reason.as_str() {
        "" => String::new(),
        reason => wrapped(&format!("{}: {reason}", word(*verdict))),
    };
    format!("     {} {}\n{why}", mark(*verdict), figures.trim_end())
}

/// A text below a figure, in lines of bounded width.
fn wrapped(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.iter().flat_map(|line| ["         ", line, "\n"]).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_stands_below_its_figure() {
        let failed =
            Judgement { reason: "too long ".repeat(12), ..Judgement::within("p99, ms", (1.0, 2.0), 3.0) };
        let outcome = Outcome {
            name: "H1".to_owned(),
            question: "are times true?".to_owned(),
            verdict: Verdict::Failed,
            attempts: 2,
            seconds: 1.0,
            judgements: vec![failed, Judgement::count("requests", 3, 3)],
        };
        let lines = lines(&outcome);
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "✗ H1   are times true?  [failed; 1.0 s, tried 2 times]");
        assert!(lines[1].starts_with("     ✗ p99, ms ") && lines[1].ends_with(" 3"), "{lines:#?}");
        assert!(lines[2].starts_with("         failed: too long"), "{lines:#?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 110), "{lines:#?}");
        assert!(lines[4].starts_with("     ✓ requests"), "{lines:#?}");
    }
}
