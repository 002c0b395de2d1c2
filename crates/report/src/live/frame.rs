//! One picture of a run: how far, how many, how fast, how healthy.

use loadgen_model::progress::{Counts, Progress, TaskProgress};

use super::{names, requests_in};
use crate::grid::{Cell, Column, Grid};
use crate::quantile::Level;
use crate::style::Mark;
use crate::{Style, name, number, prose};

/// Lines around the tasks: progress, outcomes, the head of the table, the generator.
const FIXED: usize = 4;

/// Width of the bar.
const BAR: usize = 24;

/// At most `height` lines, none wider than the style.
pub(super) fn lines(progress: &Progress, style: &Style, height: usize) -> Vec<String> {
    let mut lines = vec![state(progress, style), outcomes(progress.totals, style)];
    lines.extend(tasks(progress, style, height.saturating_sub(FIXED)));
    lines.push(generator(progress, style));
    lines.truncate(height);
    lines
}

fn state(progress: &Progress, style: &Style) -> String {
    let elapsed = number::seconds(progress.elapsed.as_secs_f64());
    let done = match progress.done {
        Some(done) => format!("{} {:>3.0} %  {elapsed}", bar(done, style), done.clamp(0.0, 1.0) * 100.0),
        None => elapsed,
    };
    let users = format!("{}/{}", number::count(progress.users), number::count(progress.users_planned));
    let rate = number::significant(progress.rate_per_s);
    let text = format!("{:<9} {done}   users {users}   {rate}/s", progress.phase);
    prose::cut(&text, style.width, style)
}

fn bar(done: f64, style: &Style) -> String {
    let full = (done.clamp(0.0, 1.0) * BAR as f64) as usize;
    let (on, off) = if style.unicode { ("█", "░") } else { ("#", "-") };
    format!("[{}{}]", on.repeat(full), off.repeat(BAR - full))
}

fn outcomes(counts: Counts, style: &Style) -> String {
    let parts = [
        (Mark::Passed, counts.passed, "passed"),
        (Mark::Warning, counts.exceeded, "exceeded"),
        (Mark::Failed, counts.failed, "failed"),
        (Mark::Unknown, counts.skipped, "skipped"),
    ];
    let mut line = String::new();
    let mut left = style.width;
    for (mark, count, word) in parts {
        let gap = if line.is_empty() { "" } else { "   " };
        let text = format!(" {} {word}", number::count(count));
        let needed = prose::width(gap) + 1 + prose::width(&text);
        if needed > left {
            break;
        }
        left -= needed;
        // What did not happen is no news: it stays uncoloured.
        let symbol = if count == 0 { style.symbol(mark).to_owned() } else { style.mark(mark) };
        line.extend([gap, &symbol, &text]);
    }
    line
}

/// The table of tasks in at most `room` rows below its head, the last one counting the others.
fn tasks(progress: &Progress, style: &Style, room: usize) -> Vec<String> {
    if progress.tasks.is_empty() || room == 0 {
        return Vec::new();
    }
    let mut grid = Grid::new(vec![
        Column::left(""),
        Column::flexible("task"),
        Column::right("rate/s"),
        Column::right("p50 ms"),
        Column::right("p99 ms"),
        Column::right("limit").leaves(1),
        Column::right("passed"),
        Column::right("exceeded").leaves(2),
        Column::right("failed"),
        Column::right("skipped").leaves(0),
    ]);
    let shown = if progress.tasks.len() > room { room - 1 } else { progress.tasks.len() };
    for task in &progress.tasks[..shown] {
        grid.row(row(task, progress, style));
    }
    let mut lines: Vec<String> = grid.lines(style);
    if shown < progress.tasks.len() {
        let hidden = progress.tasks.len() - shown;
        lines.push(prose::cut(&format!("  {} and {hidden} more", style.ellipsis()), style.width, style));
    }
    lines
}

fn row(task: &TaskProgress, progress: &Progress, style: &Style) -> Vec<Cell> {
    let count = requests_in(task.rate_per_s, progress.interval);
    let [p50, p99] = [(Level::P50, task.p50_ms), (Level::P99, task.p99_ms)]
        .map(|(level, value)| level.read_interval(count, value, task.max_ms).text(style));
    let mark = mark(task, count);
    let counts = task.counts;
    vec![
        Cell::marked(style.symbol(mark), mark),
        name::of(&task.name, &task.workload, names(progress)).into(),
        number::significant(task.rate_per_s).into(),
        p50.into(),
        p99.into(),
        task.threshold_ms.map_or("-".to_owned(), number::significant).into(),
        number::count(counts.passed).into(),
        number::count(counts.exceeded).into(),
        number::count(counts.failed).into(),
        number::count(counts.skipped).into(),
    ]
}

fn mark(task: &TaskProgress, count: u64) -> Mark {
    let is_slow = task.threshold_ms.is_some_and(|threshold| task.p99_ms > threshold);
    match task.counts {
        Counts { failed: 1.., .. } => Mark::Failed,
        Counts { exceeded: 1.., .. } | Counts { skipped: 1.., .. } => Mark::Warning,
        _ if is_slow && count > 0 => Mark::Warning,
        counts if counts.requests() == 0 => Mark::Unknown,
        _ => Mark::Passed,
    }
}

fn generator(progress: &Progress, style: &Style) -> String {
    let cpu = number::percent(progress.cpu_share);
    let lag = number::significant(progress.lag_p99_ms);
    prose::cut(&format!("generator  CPU {cpu}   lag p99 {lag} ms"), style.width, style)
}
