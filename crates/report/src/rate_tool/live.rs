//! The table while a run lasts, and the summary behind it.

use crate::live::Screen;
use crate::rate_tool::{Counts, Extra, FailureGroup, Form, Layout, PURGE, Rows, Summary, purged, warming_up};
use crate::style::Style;
use crate::{number, prose};
use loadgen_model::churn::Purge;
use loadgen_model::histogram::Histogram;
use loadgen_model::ldap::result;
use loadgen_model::report::{Report, Severity};
use loadgen_model::sample::RowId;
use loadgen_model::sink::{Sink, SinkError};
use loadgen_model::{Failure, FailureKind, Progress, Snapshot};
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

/// A last row without an operation is shown when it is longer than this.
const SHORTEST: Duration = Duration::from_millis(100);

/// What is shown of a run, and how.
pub struct Setting {
    /// What rows look like.
    pub layout: Layout,
    /// Time between rows, in whole seconds.
    pub interval: Duration,
    /// Time before anything is counted.
    pub warm_up: Duration,
    /// Length of the run, warm-up included, when that is fixed.
    pub longest: Option<Duration>,
    /// Operations a second that are due; none if as many as the server answers.
    pub asked_per_s: Option<f64>,
    /// Whether failures are told in the second in which they happen.
    pub verbose: bool,
    /// What operations are counted under; in addrate the adds come first.
    pub operations: Vec<RowId>,
    /// What is counted apart: only its failures are shown.
    pub aside: RowId,
    /// How messages are dressed.
    pub style: Style,
    /// What a failure is called.
    pub describe: Describe,
}

/// Says what a failure of a row is called.
pub type Describe = Box<dyn Fn(RowId, &Failure) -> String>;

/// Prints a row an interval, and a summary at the end.
pub struct Live {
    setting: Setting,
    rows: Rows,
    has_begun: bool,
    /// Takes rows.
    out: Screen,
    /// Takes what is said besides.
    messages: Screen,
    /// What was counted since the last row.
    interval: Counts,
    response: Histogram,
    service: Histogram,
    failures: BTreeMap<(RowId, Failure), u64>,
    /// Operations that began and have not ended.
    under_way: u64,
    /// How far deleting what was added is.
    purge: Option<Purge>,
}

impl Live {
    /// Rows go to `out`, all else to `messages`.
    pub fn new(setting: Setting, out: Box<dyn Write + Send>, messages: Box<dyn Write + Send>) -> Self {
        Self {
            rows: Rows::new(setting.layout.clone()),
            has_begun: false,
            out: Screen::new(out),
            messages: Screen::new(messages),
            interval: Counts::default(),
            response: Histogram::default(),
            service: Histogram::default(),
            failures: BTreeMap::new(),
            under_way: 0,
            purge: None,
            setting,
        }
    }

    /// Prints what stands above the rows, once: a run that does not begin prints nothing.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.has_begun, true) {
            return;
        }
        if !self.setting.warm_up.is_zero() && self.setting.layout.form == Form::Table {
            self.out.write(&warming_up(self.setting.warm_up));
        }
        let header = self.rows.header();
        self.out.write(&header);
    }

    fn count(&mut self, second: &Snapshot) {
        let aside = &second.rows[usize::from(self.setting.aside.0)];
        let mut more = Counts {
            length: second.to.saturating_sub(second.from),
            failed: aside.failed,
            time: aside.failed_time,
            ..Counts::default()
        };
        if self.setting.layout.extra == Extra::AddShare {
            more.added =
                self.setting.operations.first().map_or(0, |row| second.rows[usize::from(row.0)].passed);
        }
        for row in self.setting.operations.iter().map(|row| &second.rows[usize::from(row.0)]) {
            more.succeeded += row.passed + row.exceeded;
            more.failed += row.failed;
            more.time += row.passed_time + row.exceeded_time + row.failed_time;
            more.entries += row.entries;
            self.response.merge(&row.response);
            self.service.merge(&row.service);
            row.failed_response.iter().for_each(|failed| self.response.merge(failed));
        }
        aside.failed_response.iter().for_each(|failed| self.response.merge(failed));
        self.interval.add(&more);
        for (key, count) in &second.failures {
            if self.setting.verbose {
                let text = format!("{count} failed: {}\n", self.describe(key));
                self.messages.write(&text);
            }
            *self.failures.entry(key.clone()).or_insert(0) += count;
        }
    }

    fn describe(&self, (row, failure): &(RowId, Failure)) -> String {
        let text = (self.setting.describe)(*row, failure);
        if failure.kind == FailureKind::Status { text } else { format!("{}: {text}", failure.kind.word()) }
    }

    fn print_row(&mut self) {
        let row = self.rows.row(&std::mem::take(&mut self.interval), &self.response);
        self.out.write(&row);
    }

    /// Why operations failed, those of one kind together.
    fn groups(&self) -> Vec<FailureGroup> {
        let mut groups = BTreeMap::<(Option<u32>, String), FailureGroup>::new();
        for (key, count) in &self.failures {
            let text = self.describe(key);
            let (code, name, message) = match result::parse(&text) {
                Some((code, name, message)) => (Some(code), name, message),
                None => (None, key.1.kind.word(), text.split_once(": ").map_or("", |(_, message)| message)),
            };
            let group = groups.entry((code, name.to_owned())).or_insert_with(|| FailureGroup {
                code,
                name: name.to_owned(),
                count: 0,
                first_message: message.to_owned(),
            });
            group.count += count;
        }
        groups.into_values().collect()
    }

    fn summary(&self) -> Summary {
        Summary {
            total: *self.rows.total(),
            asked_per_s: self.setting.asked_per_s,
            response: self.response.clone(),
            service: self.setting.asked_per_s.map(|_| self.service.clone()),
            percentiles: self.setting.layout.percentiles.clone(),
            failures: self.groups(),
        }
    }

    /// What the reader must know beside the figures.
    fn remarks(&self, report: &Report) -> Vec<String> {
        let findings = report.health.findings.iter().map(|finding| {
            let word = match finding.severity {
                Severity::Invalid => "the figures are not valid",
                Severity::Warning => "warning",
            };
            // Here users are what the command line calls connections and requests on them.
            let advice = finding
                .message
                .replace("`max_users`", "`--numConnections`")
                .replace("users free", "of them free");
            format!("{word}: {advice}")
        });
        let stopped = report
            .run
            .interrupted
            .then(|| "stopped by hand: the figures are of a part of the run".to_owned());
        let resent = (report.load.requests_resent > 0).then(|| resent(report.load.requests_resent));
        let given_up = (self.under_way > 0).then(|| given_up(self.under_way));
        stopped.into_iter().chain(resent).chain(given_up).chain(findings).collect()
    }
}

fn resent(count: u64) -> String {
    match count {
        1 => "1 request was sent again: its connection broke before it was answered".to_owned(),
        _ => format!(
            "{} requests were sent again: their connections broke before they were answered",
            number::count(count)
        ),
    }
}

fn given_up(count: u64) -> String {
    match count {
        1 => "1 operation under way at the end was given up: it is in no figure".to_owned(),
        _ => format!(
            "{} operations under way at the end were given up: they are in no figure",
            number::count(count)
        ),
    }
}

impl Sink for Live {
    fn second(&mut self, second: &Snapshot) {
        self.begin();
        // Who waits for a connect or a bind has an operation before it.
        let rows = self.setting.operations.iter().chain([&self.setting.aside]);
        for row in rows.map(|row| &second.rows[usize::from(row.0)]) {
            self.under_way = (self.under_way + row.started).saturating_sub(row.withdrawn + row.requests());
        }
        if second.from < self.setting.warm_up {
            return;
        }
        self.count(second);
        // What ends behind the last second belongs to the last row.
        let is_last = self.setting.longest.is_some_and(|longest| second.to >= longest);
        if self.interval.length >= self.setting.interval && !is_last {
            self.print_row();
        }
    }

    fn progress(&mut self, progress: &Progress) {
        let is_first = progress.purge.is_some() && self.purge.is_none();
        self.purge = progress.purge;
        if is_first && self.setting.layout.form == Form::Table {
            self.out.write(PURGE);
        }
    }

    fn notice(&mut self, message: &str) {
        self.messages.write(&format!("{message}\n"));
    }

    fn finish(&mut self, report: &Report) -> Result<(), SinkError> {
        self.begin();
        if self.interval.operations() > 0
            || self.interval.length > SHORTEST
            || self.rows.total().length.is_zero()
        {
            self.print_row();
        }
        if let Some(purge) = self.purge.filter(|_| self.setting.layout.form == Form::Table) {
            self.out.write(&purged(purge.deleted));
        }
        let mut text = String::from("\n");
        text.push_str(&self.summary().text(&self.setting.style));
        for remark in self.remarks(report) {
            text.push_str(&prose::hang("", &remark, &self.setting.style).join("\n"));
            text.push('\n');
        }
        self.messages.write(&text);
        Ok(())
    }
}
