//! Comma-separated values for scripts.

use crate::rate_tool::figures::{decimals, percent};
use crate::rate_tool::{Extra, Figures, Layout};

/// The names of the columns.
pub(super) fn header(layout: &Layout) -> String {
    let mut names: Vec<String> = [
        "Time (seconds)",
        "Recent throughput (ops/second)",
        "Average throughput (ops/second)",
        "Recent response time (milliseconds)",
        "Average response time (milliseconds)",
    ]
    .map(str::to_owned)
    .to_vec();
    names.extend(
        layout.percentiles.iter().map(|value| format!("{} response time (milliseconds)", percent(*value))),
    );
    names.push("Errors/second".to_owned());
    match layout.extra {
        Extra::None => {}
        Extra::EntriesPerSearch => names.push("Entries/Srch".to_owned()),
        Extra::AddShare => names.push("Add%".to_owned()),
    }
    names.join(",") + "\n"
}

/// One row.
pub(super) fn row(layout: &Layout, figures: &Figures) -> String {
    let mut cells = vec![
        decimals(Some(figures.elapsed_s), 3),
        decimals(figures.recent_per_s, 1),
        decimals(figures.average_per_s, 1),
        decimals(figures.recent_ms, 3),
        decimals(figures.average_ms, 3),
    ];
    cells.extend(figures.percentiles_ms.iter().map(|figure| decimals(*figure, 2)));
    cells.push(decimals(figures.errors_per_s, 1));
    match layout.extra {
        Extra::None => {}
        Extra::EntriesPerSearch => cells.push(decimals(figures.extra, 1)),
        Extra::AddShare => cells.push(decimals(figures.extra, 2)),
    }
    cells.join(",") + "\n"
}
