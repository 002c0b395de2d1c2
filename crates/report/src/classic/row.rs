//! One line of the original table: a task over all workloads and threads.

use loadgen_model::Report;
use loadgen_model::report::Task;

use super::{figure, ratio, service_rate};
use crate::prose;

/// Heads of the columns behind the name, with their widths.
const COLUMNS: [(&str, usize); 15] = [
    ("TxTotal", 10),
    ("AccmTime", 10),
    ("Thrshold", 10),
    ("TxPass", 10),
    ("PassTime", 10),
    ("TxExced", 10),
    ("ExcdTime", 10),
    ("TxFail", 10),
    ("Failtime", 10),
    ("CbdPsOps", 12),
    ("ThrdOps", 12),
    ("Avrms/op", 14),
    ("Success", 10),
    ("Exceed", 10),
    ("Fail", 10),
];

/// One task over all workloads that name it.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) name: String,
    /// The original shows the threshold of the last workload.
    threshold_ms: Option<f64>,
    pub(super) passed: u64,
    exceeded: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    pub(super) passed_s: f64,
    exceeded_s: f64,
    failed_s: f64,
}

impl Row {
    /// The rows of a report: main phase, in the job's order, only what was asked for at least once.
    pub(super) fn of(report: &Report) -> Vec<Self> {
        let mut rows: Vec<Self> = Vec::new();
        for task in report.tasks.iter().filter(|task| task.phase == "main") {
            if let Some(row) = rows.iter_mut().find(|row| row.name == task.name) {
                row.add(task);
            } else {
                let mut row = Self { name: task.name.clone(), ..Self::default() };
                row.add(task);
                rows.push(row);
            }
        }
        rows.retain(|row| row.total() > 0);
        rows
    }

    fn add(&mut self, task: &Task) {
        self.threshold_ms = task.threshold_ms.or(self.threshold_ms);
        self.passed += task.passed;
        self.exceeded += task.exceeded;
        self.failed += task.failed;
        self.skipped += task.skipped;
        self.passed_s += task.passed_s;
        self.exceeded_s += task.exceeded_s;
        self.failed_s += task.failed_s;
    }

    /// The original counts what an earlier failure kept from being sent among the failed.
    pub(super) fn total(&self) -> u64 {
        self.passed + self.exceeded + self.failed + self.skipped
    }

    pub(super) fn header() -> String {
        line("Operation", &COLUMNS.map(|(head, _)| head.to_owned()))
    }

    pub(super) fn line(&self, threads: u64) -> String {
        let failed = self.failed + self.skipped;
        let seconds = |value: f64| format!("{value:.3}s");
        let share =
            |count: u64| figure(ratio(count as f64, self.total() as f64).map(|share| share * 100.0), 2, "%");
        let average_ms = ratio(self.passed_s * 1000.0, self.passed as f64);
        line(
            &prose::harmless(&self.name),
            &[
                self.total().to_string(),
                seconds(self.passed_s + self.exceeded_s + self.failed_s),
                self.threshold_ms.map_or("-".to_owned(), |threshold| format!("{threshold}ms")),
                self.passed.to_string(),
                seconds(self.passed_s),
                self.exceeded.to_string(),
                seconds(self.exceeded_s),
                failed.to_string(),
                seconds(self.failed_s),
                self.service_rate(threads),
                self.service_rate(1),
                figure(average_ms, 3, "ms/op"),
                share(self.passed),
                share(self.exceeded),
                share(failed),
            ],
        )
    }

    /// `CbdPsOps`; for one thread, `ThrdOps`.
    pub(super) fn service_rate(&self, threads: u64) -> String {
        figure(service_rate(threads, self.passed, self.passed_s), 3, "/s")
    }
}

/// The name to the left of 32, the rest to the right of their columns, as the original has them.
fn line(name: &str, cells: &[String; COLUMNS.len()]) -> String {
    let cells = cells.iter().zip(COLUMNS).map(|(cell, (_, width))| format!("{cell:>width$}"));
    format!("{name:<32}{}", cells.collect::<String>())
}
