//! One line an interval, for logs: aligned under one head, without cursor moves.

use std::io::Write;
use std::time::Duration;

use loadgen_model::Report;
use loadgen_model::progress::{Counts, Progress};
use loadgen_model::sink::{Sink, SinkError};

use super::requests_in;
use super::screen::Screen;
use crate::quantile::Level;
use crate::{Style, number, prose};

const COLUMNS: [(&str, usize); 13] = [
    ("time s", 7),
    ("phase", 8),
    ("users", 6),
    ("rate/s", 7),
    ("p50 ms", 6),
    ("p99 ms", 6),
    ("max ms", 6),
    ("passed", 7),
    ("exceeded", 8),
    ("failed", 6),
    ("skipped", 7),
    ("CPU", 7),
    ("lag ms", 7),
];

/// One line each interval: what happened since the line before.
///
/// Rates and counts are of the whole interval. Quantiles cannot be summed up, so p50 and p99 are those of
/// the interval's slowest second, and so is the lag.
pub struct LiveLines {
    screen: Screen,
    style: Style,
    interval: Duration,
    is_begun: bool,
    /// Where the last line ended.
    from: Duration,
    before: Counts,
    /// What happened since; none when nothing did.
    open: Option<Open>,
}

/// An interval that is not yet written.
struct Open {
    progress: Progress,
    /// The second with the longest p99, and the maxima.
    slowest: Slowest,
}

#[derive(Clone, Copy, Default)]
struct Slowest {
    count: u64,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    cpu_share: f64,
    lag_p99_ms: f64,
}

impl LiveLines {
    /// The usual time between two lines.
    pub const INTERVAL: Duration = Duration::from_secs(5);

    /// Lines on `out`, one each `interval`.
    pub fn new(out: Box<dyn Write + Send>, style: Style, interval: Duration) -> Self {
        Self {
            screen: Screen::new(out),
            style,
            interval,
            is_begun: false,
            from: Duration::ZERO,
            before: Counts::default(),
            open: None,
        }
    }

    fn write_line(&mut self) {
        let Some(open) = self.open.take() else { return };
        if !self.is_begun {
            self.is_begun = true;
            let head = line(&COLUMNS.map(|(head, _)| head.to_owned()));
            self.screen.write(&format!("{head}\n"));
        }
        let cells = cells(&open, self.from, self.before, &self.style);
        self.screen.write(&format!("{}\n", line(&cells)));
        self.from = open.progress.elapsed;
        self.before = open.progress.totals;
    }
}

impl Sink for LiveLines {
    fn progress(&mut self, progress: &Progress) {
        let slowest = self.open.take().map(|open| open.slowest).unwrap_or_default();
        self.open = Some(Open { progress: progress.clone(), slowest: slowest.with(progress) });
        // Seconds do not end to the nanosecond: half an interval of progress is close enough.
        if progress.elapsed + progress.interval / 2 >= self.from + self.interval {
            self.write_line();
        }
    }

    fn notice(&mut self, message: &str) {
        self.screen.write(&format!("{}\n", prose::harmless(message)));
    }

    fn finish(&mut self, _report: &Report) -> Result<(), SinkError> {
        self.write_line();
        Ok(())
    }
}

impl Slowest {
    fn with(self, progress: &Progress) -> Self {
        let now = &progress.interval_totals;
        let later = Self {
            count: requests_in(progress.rate_per_s, progress.interval),
            p50_ms: now.p50_ms,
            p99_ms: now.p99_ms,
            max_ms: now.max_ms,
            cpu_share: progress.cpu_share,
            lag_p99_ms: progress.lag_p99_ms,
        };
        let slower =
            if later.count > 0 && (self.count == 0 || later.p99_ms > self.p99_ms) { later } else { self };
        Self {
            max_ms: self.max_ms.max(later.max_ms),
            cpu_share: self.cpu_share.max(later.cpu_share),
            lag_p99_ms: self.lag_p99_ms.max(later.lag_p99_ms),
            ..slower
        }
    }
}

fn cells(open: &Open, from: Duration, before: Counts, style: &Style) -> [String; COLUMNS.len()] {
    let Open { progress, slowest } = open;
    let now = progress.totals;
    let length = progress.elapsed.saturating_sub(from).as_secs_f64();
    let requests = now.requests().saturating_sub(before.requests());
    let rate = if length > 0.0 { requests as f64 / length } else { 0.0 };
    let quantile =
        |level: Level, value| level.read_interval(slowest.count, value, slowest.max_ms).text(style);
    let since = |now: u64, before: u64| number::count(now.saturating_sub(before));
    [
        format!("{:.1}", progress.elapsed.as_secs_f64()),
        progress.phase.to_owned(),
        number::count(progress.users),
        number::significant(rate),
        quantile(Level::P50, slowest.p50_ms),
        quantile(Level::P99, slowest.p99_ms),
        number::significant(slowest.max_ms),
        since(now.passed, before.passed),
        since(now.exceeded, before.exceeded),
        since(now.failed, before.failed),
        since(now.skipped, before.skipped),
        number::percent(slowest.cpu_share),
        number::significant(slowest.lag_p99_ms),
    ]
}

fn line(cells: &[String; COLUMNS.len()]) -> String {
    let cells: Vec<String> =
        cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("{cell:>width$}")).collect();
    cells.join(" ")
}
