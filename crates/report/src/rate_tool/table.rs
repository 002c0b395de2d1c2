//! The table for people. A line ends with a blank behind its last bar, as the original's does.

use crate::rate_tool::figures::{decimals, percent};
use crate::rate_tool::{Extra, Figures, Layout};

/// Letters of a column.
const WIDTH: usize = 8;

/// Three groups of columns, each between bars.
fn columns(layout: &Layout) -> [Vec<(String, usize)>; 3] {
    let column = |head: &str| (head.to_owned(), WIDTH);
    let mut times = vec![column("recent"), column("average")];
    times.extend(layout.percentiles.iter().map(|percentile| (percent(*percentile), WIDTH)));
    let mut rest = vec![column("err/sec")];
    match layout.extra {
        Extra::None => {}
        Extra::EntriesPerSearch => rest.push(("Entries/Srch".to_owned(), "Entries/Srch".len())),
        Extra::AddShare => rest.push(("Add%".to_owned(), 6)),
    }
    [vec![column("recent"), column("average")], times, rest]
}

/// Two lines of titles, one of columns, between dashes.
pub(super) fn header(layout: &Layout) -> String {
    let groups = columns(layout);
    let rest = match layout.extra {
        Extra::None => ["", ""],
        Extra::EntriesPerSearch | Extra::AddShare => ["Additional", "Statistics"],
    };
    let titles = [["Throughput", "Response Time", rest[0]], ["(ops/second)", "(milliseconds)", rest[1]]];
    let widths = groups.each_ref().map(|group| group.iter().map(|(_, width)| width + 1).sum::<usize>() + 1);
    let dashes = "-".repeat(widths.iter().sum::<usize>() + widths.len() + 1);
    let mut text = format!("{dashes}\n");
    for line in titles {
        for (title, width) in line.into_iter().zip(widths) {
            text.push('|');
            text.push_str(&centred(title, width));
        }
        text.push_str("| \n");
    }
    text.push_str(&line(&groups));
    text.push_str(&dashes);
    text.push('\n');
    text
}

/// In the middle; where that is not possible, further right.
fn centred(title: &str, width: usize) -> String {
    let left = width.saturating_sub(title.len()).div_ceil(2);
    format!("{:left$}{title:<rest$}", "", rest = width.saturating_sub(left))
}

/// One row.
pub(super) fn row(layout: &Layout, figures: &Figures) -> String {
    let throughput = [figures.recent_per_s, figures.average_per_s].map(|figure| decimals(figure, 1));
    let means = [figures.recent_ms, figures.average_ms].map(|figure| decimals(figure, 3));
    let percentiles = figures.percentiles_ms.iter().map(|figure| decimals(*figure, 2));
    let errors = decimals(figures.errors_per_s, 1);
    let extra = match layout.extra {
        Extra::None => None,
        Extra::EntriesPerSearch => Some(decimals(figures.extra, 1)),
        Extra::AddShare => Some(decimals(figures.extra, 2)),
    };
    let cells = [
        throughput.to_vec(),
        means.into_iter().chain(percentiles).collect(),
        std::iter::once(errors).chain(extra).collect::<Vec<_>>(),
    ];
    let mut groups = columns(layout);
    for (group, cells) in groups.iter_mut().zip(cells) {
        for (column, cell) in group.iter_mut().zip(cells) {
            column.0 = cell;
        }
    }
    line(&groups)
}

fn line(groups: &[Vec<(String, usize)>; 3]) -> String {
    let mut text = String::new();
    for group in groups {
        text.push('|');
        for (cell, width) in group {
            text.push_str(&format!(" {cell:>width$}"));
        }
        text.push(' ');
    }
    text.push_str("| \n");
    text
}
