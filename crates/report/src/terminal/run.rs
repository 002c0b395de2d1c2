//! What the reader must know about the run, and which run it was.

use loadgen_model::Report;

use super::label;
use crate::style::Mark;
use crate::{Style, prose};

/// Notes shown; the rest are counted.
const NOTES: usize = 5;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let run = &report.run;
    let mut lines = Vec::new();
    for (index, note) in run.notes.iter().take(NOTES).enumerate() {
        let symbol = style.symbol(Mark::Warning);
        let lead = format!("{}{symbol} ", label(if index == 0 { "NOTES" } else { "" }));
        let mut wrapped = prose::hang(&lead, note, style);
        wrapped[0] = wrapped[0].replacen(symbol, &style.mark(Mark::Warning), 1);
        lines.extend(wrapped);
    }
    let more = run.notes.len().saturating_sub(NOTES);
    if more > 0 {
        lines.push(format!("{}{} and {more} more", label(""), style.ellipsis()));
    }
    for (name, text) in [("TARGET", &run.target_environment), ("MACHINE", &run.generator_environment)] {
        if !text.is_empty() {
            lines.extend(prose::hang(&label(name), text, style));
        }
    }
    let text = format!("{}, started {}, seed {}, LoadGen {}", run.name, run.started, run.seed, run.version);
    lines.extend(prose::hang(&label("RUN"), &text, style));
    lines
}
