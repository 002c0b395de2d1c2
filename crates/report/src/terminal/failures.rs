//! Why requests failed, most frequent first.

use std::collections::BTreeMap;

use loadgen_model::Report;

use crate::grid::{Column, Grid};
use crate::{Style, number};

/// Reasons shown; the rest are counted.
const SHOWN: usize = 10;

pub(super) fn lines(report: &Report, style: &Style) -> Vec<String> {
    let reasons = reasons(report);
    if reasons.is_empty() {
        return Vec::new();
    }
    let mut grid = Grid::new(vec![
        Column::right("FAILED"),
        Column::left("kind"),
        Column::flexible("detail"),
        Column::left("task").leaves(0),
    ]);
    for reason in reasons.iter().take(SHOWN) {
        let tasks = match reason.tasks.as_slice() {
            [task] => (*task).to_owned(),
            tasks => format!("{} tasks", tasks.len()),
        };
        grid.row(vec![
            number::count(reason.count).into(),
            reason.kind.into(),
            reason.detail.into(),
            tasks.into(),
        ]);
    }
    let mut lines = grid.lines(style);
    let rest = reasons.get(SHOWN..).unwrap_or_default();
    if !rest.is_empty() {
        let failures = number::count(rest.iter().map(|reason| reason.count).sum());
        lines.push(format!("{} and {} more with {failures} failures", style.ellipsis(), rest.len()));
    }
    lines
}

/// One reason over all tasks.
struct Reason<'a> {
    kind: &'a str,
    detail: &'a str,
    tasks: Vec<&'a str>,
    count: u64,
}

fn reasons(report: &Report) -> Vec<Reason<'_>> {
    let mut sums: BTreeMap<(&str, &str), (u64, Vec<&str>)> = BTreeMap::new();
    for task in &report.tasks {
        for failure in &task.failures {
            let (count, tasks) = sums.entry((&failure.kind, &failure.detail)).or_default();
            *count += failure.count;
            if !tasks.contains(&task.name.as_str()) {
                tasks.push(&task.name);
            }
        }
    }
    let mut reasons: Vec<Reason> = sums
        .into_iter()
        .map(|((kind, detail), (count, tasks))| Reason { kind, detail, tasks, count })
        .collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.count));
    reasons
}
