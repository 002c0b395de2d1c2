//! What a run comes to: totals, rate, times, and why operations failed. The original tools have no such thing.

use crate::grid::{Column, Grid};
use crate::quantile::Reading;
use crate::rate_tool::Counts;
use crate::rate_tool::figures::percent;
use crate::{Style, number, prose};
use loadgen_model::histogram::{Histogram, SAMPLES_BEYOND};

/// Groups of failures that are shown; the rest are counted.
const SHOWN: usize = 10;
/// Blanks below a label.
const INDENT: &str = "           ";
/// A rate that differs less from what was asked for is that rate, as a share.
const ACHIEVED: f64 = 0.01;

/// What a run comes to.
#[derive(Clone)]
pub struct Summary {
    /// What was counted after the warm-up.
    pub total: Counts,
    /// Operations a second that were due; none if as many as the server answered.
    pub asked_per_s: Option<f64>,
    /// From when each operation was due to its end. Without a rate, an operation is due when it is sent.
    pub response: Histogram,
    /// From when each operation was sent to its end; with a rate only.
    pub service: Option<Histogram>,
    /// Percentiles that are shown, from 0 to 100, ascending.
    pub percentiles: Vec<f64>,
    /// Why operations failed.
    pub failures: Vec<FailureGroup>,
}

/// Operations that failed in the same way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailureGroup {
    /// The result code (RFC 4511 appendix A.1); none when no result came.
    pub code: Option<u32>,
    /// Its name, or what happened instead of a result.
    pub name: String,
    /// How many.
    pub count: u64,
    /// The diagnostic message of the first of them.
    pub first_message: String,
}

impl Summary {
    /// The summary, ending with a line break.
    pub fn text(&self, style: &Style) -> String {
        let mut lines = prose::hang(&label("TOTAL"), &self.totals(), style);
        if let Some(asked) = self.asked_per_s {
            lines.extend(prose::hang(&label("RATE"), &self.rate(asked), style));
        }
        lines.extend(self.times(style));
        lines.extend(self.reasons(style));
        lines.join("\n") + "\n"
    }

    fn totals(&self) -> String {
        let total = &self.total;
        let mut text = format!(
            "{} operations in {}: {}/s; {} succeeded, {} failed ({})",
            number::count(total.operations()),
            number::seconds(total.length.as_secs_f64()),
            number::significant(self.per_second().unwrap_or(f64::NAN)),
            number::count(total.succeeded),
            number::count(total.failed),
            number::percent_of(total.failed, total.operations()),
        );
        if total.entries > 0 {
            text.push_str(&format!("; {} entries found", number::count(total.entries)));
        }
        if total.added > 0 {
            let deleted = total.succeeded.saturating_sub(total.added);
            text.push_str(&format!(
                "; {} added, {} deleted",
                number::count(total.added),
                number::count(deleted)
            ));
        }
        text
    }

    fn per_second(&self) -> Option<f64> {
        let length = self.total.length.as_secs_f64();
        (length > 0.0).then(|| self.total.operations() as f64 / length)
    }

    fn rate(&self, asked: f64) -> String {
        let done = self.per_second().unwrap_or_default();
        let share = done / asked;
        let verdict = if (share - 1.0).abs() <= ACHIEVED {
            "as asked for"
        } else if share < 1.0 {
            "less than asked for: response times count the wait for it, service times do not"
        } else {
            "more than asked for: operations that were overdue were caught up"
        };
        let (asked, done) = (number::significant(asked), number::significant(done));
        format!("{asked}/s asked for, {done}/s done ({}), {verdict}", number::percent(share))
    }

    fn times(&self, style: &Style) -> Vec<String> {
        let mut columns = vec![Column::left("TIMES, ms"), Column::right("mean")];
        columns
            .extend(self.percentiles.iter().map(|percentile| Column::right(&percent(*percentile)).leaves(0)));
        columns.push(Column::right("max"));
        let mut grid = Grid::new(columns);
        let mut short = false;
        let rows = std::iter::once(("response", &self.response))
            .chain(self.service.as_ref().map(|service| ("service", service)));
        for (name, times) in rows {
            let readings: Vec<Reading> =
                self.percentiles.iter().map(|percentile| read(times, *percentile)).collect();
            short |= readings.iter().any(|reading| matches!(reading, Reading::AtLeast(_)));
            let mut cells = vec![name.into(), mean(times).text(style).into()];
            cells.extend(readings.iter().map(|reading| reading.text(style).into()));
            cells.push(longest(times).text(style).into());
            grid.row(cells);
        }
        let mut lines = grid.lines(style);
        if short {
            let text = format!("{} the maximum: fewer than ten operations took longer", style.at_least());
            lines.extend(prose::hang(INDENT, &text, style));
        }
        lines
    }

    fn reasons(&self, style: &Style) -> Vec<String> {
        if self.failures.is_empty() {
            return Vec::new();
        }
        let mut groups: Vec<&FailureGroup> = self.failures.iter().collect();
        groups.sort_by(|a, b| (b.count, a.code, &a.name).cmp(&(a.count, b.code, &b.name)));
        let mut grid = Grid::new(vec![
            Column::right("FAILED"),
            Column::right("code"),
            Column::left("result"),
            Column::flexible("first message"),
        ]);
        for group in groups.iter().take(SHOWN) {
            grid.row(vec![
                number::count(group.count).into(),
                group.code.map_or_else(|| "-".to_owned(), |code| code.to_string()).into(),
                group.name.as_str().into(),
                group.first_message.as_str().into(),
            ]);
        }
        let mut lines = grid.lines(style);
        let rest = groups.get(SHOWN..).unwrap_or_default();
        if !rest.is_empty() {
            let failures = number::count(rest.iter().map(|group| group.count).sum());
            lines.push(format!("{} and {} more with {failures} failures", style.ellipsis(), rest.len()));
        }
        lines
    }
}

fn label(text: &str) -> String {
    format!("{text:<width$}", width = INDENT.len())
}

fn mean(times: &Histogram) -> Reading {
    match times.count() {
        0 => Reading::Nothing,
        count => Reading::Known(times.sum().as_secs_f64() * 1e3 / count as f64),
    }
}

fn longest(times: &Histogram) -> Reading {
    match times.count() {
        0 => Reading::Nothing,
        _ => Reading::Known(times.max().as_secs_f64() * 1e3),
    }
}

/// An estimate only with so many samples beyond it; 100 % is the maximum itself.
fn read(times: &Histogram, percentile: f64) -> Reading {
    let beyond = times.count() as f64 * (1.0 - percentile / 100.0);
    match longest(times) {
        // What binary fractions lose, such as a hundredth of 1000 being a little less than 10.
        Reading::Known(max) if percentile < 100.0 && beyond < SAMPLES_BEYOND - 1e-6 => Reading::AtLeast(max),
        Reading::Known(_) => Reading::Known(times.quantile_ms(percentile / 100.0)),
        other => other,
    }
}
