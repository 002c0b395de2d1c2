//! The objectives of the job: the clause, what was measured, and whether it was met.

use loadgen_model::Report;
use loadgen_model::report::{Objective, Status};

use crate::grid::{Cell, Column, Grid};
use crate::style::Mark;
use crate::{Style, number};

/// Objectives shown; those that were missed come first then.
const SHOWN: usize = 10;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    if report.slo.is_empty() {
        return Vec::new();
    }
    // A generator that was the bottleneck measured itself: that is no statement on the target.
    let is_void = report.verdict.status == Status::Invalid;
    let mut grid = Grid::new(vec![
        Column::left(""),
        Column::flexible("OBJECTIVES"),
        Column::left("clause"),
        Column::right("measured"),
        Column::right("95 % interval").leaves(0),
        Column::left(""),
    ]);
    for objective in shown(&report.slo) {
        grid.row(row(objective, is_void, style));
    }
    let mut lines = grid.lines(style);
    let hidden = report.slo.len().saturating_sub(SHOWN);
    if hidden > 0 {
        lines.push(format!("{} and {hidden} more", style.ellipsis()));
    }
    lines
}

fn shown(objectives: &[Objective]) -> Vec<&Objective> {
    let mut order: Vec<&Objective> = objectives.iter().collect();
    if order.len() > SHOWN {
        order.sort_by_key(|objective| objective.met);
        order.truncate(SHOWN);
    }
    order
}

fn row(objective: &Objective, is_void: bool, style: &Style) -> Vec<Cell> {
    let figure =
        |value: f64| format!("{} {}", number::significant(value), objective.unit).trim_end().to_owned();
    let interval = match (objective.low, objective.high) {
        (Some(low), Some(high)) if !is_void => {
            format!("{}{}{}", number::significant(low), style.to(), figure(high))
        }
        _ => match objective.needs {
            Some(needs) if !is_void => format!("needs n {} {}", style.at_least(), number::count(needs)),
            _ => String::new(),
        },
    };
    let (mark, word) = match (objective.met, objective.measured) {
        _ if is_void => (Mark::Unknown, "not valid"),
        (true, _) => (Mark::Passed, "met"),
        (false, Some(_)) => (Mark::Failed, "missed"),
        (false, None) => (Mark::Unknown, "not measured"),
    };
    let sign = if objective.at_least { style.at_least() } else { "" };
    let measured = match objective.measured {
        _ if is_void => "?".to_owned(),
        Some(value) => format!("{sign}{}", figure(value)),
        None => "-".to_owned(),
    };
    vec![
        Cell::marked(style.symbol(mark), mark),
        objective.subject().into(),
        objective.clause.as_str().into(),
        measured.into(),
        interval.into(),
        word.into(),
    ]
}
