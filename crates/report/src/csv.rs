//! The report as three tables of comma-separated values (RFC 4180): intervals, tasks, failures.
//!
//! Columns are named as the fields of the JSON report; figures have a decimal point and no thousands signs.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use loadgen_model::Report;
use loadgen_model::report::{Interval, Quantiles, Task};
use loadgen_model::sink::SinkError;

use crate::replace::{self, Replacement};

const INTERVALS: &str = "t_s,length_s,users,requests,passed,exceeded,failed,skipped,rate_per_s,p50_ms,p99_ms,\
    max_ms,bytes_sent,bytes_received";
const TASKS: &str = "workload,name,phase,threshold_ms,requests,passed,exceeded,failed,skipped,timed_out,\
    passed_s,exceeded_s,failed_s,rate_per_s,bytes_sent,bytes_received";
const FAILURES: &str = "workload,name,phase,kind,detail,count";

/// Writes `intervals.csv`, `tasks.csv` and `failures.csv` into a directory, which is made when missing.
///
/// All three are written before the first takes its place: a full disk leaves the older ones.
pub fn write(report: &Report, directory: &Path) -> Result<(), SinkError> {
    fs::create_dir_all(directory).map_err(|cause| replace::error(directory, cause))?;
    let replacements = [
        Replacement::write(&directory.join("intervals.csv"), &mut |out| intervals(report, out))?,
        Replacement::write(&directory.join("tasks.csv"), &mut |out| tasks(report, out))?,
        Replacement::write(&directory.join("failures.csv"), &mut |out| failures(report, out))?,
    ];
    replacements.into_iter().try_for_each(Replacement::commit)
}

/// Whether the directory can be written later; makes it when missing.
pub(crate) fn check(directory: &Path) -> Result<(), SinkError> {
    fs::create_dir_all(directory).map_err(|cause| replace::error(directory, cause))?;
    ["intervals.csv", "tasks.csv", "failures.csv"]
        .iter()
        .try_for_each(|name| replace::check(&directory.join(name)))
}

fn intervals(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    line(out, &[INTERVALS.to_owned()])?;
    report.intervals.iter().try_for_each(|interval| line(out, &interval_fields(interval)))
}

fn tasks(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let heads = ["response", "service", "failed"].map(quantile_heads).concat();
    line(out, &[vec![TASKS.to_owned()], heads].concat())?;
    report.tasks.iter().try_for_each(|task| line(out, &task_fields(task)))
}

fn failures(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    line(out, &[FAILURES.to_owned()])?;
    for task in &report.tasks {
        for failure in &task.failures {
            let names = [&task.workload, &task.name, &task.phase, &failure.kind, &failure.detail];
            let mut fields = names.map(|name| quoted(name)).to_vec();
            fields.push(failure.count.to_string());
            line(out, &fields)?;
        }
    }
    Ok(())
}

fn interval_fields(interval: &Interval) -> Vec<String> {
    let times = [interval.p50_ms, interval.p99_ms, interval.max_ms].map(decimal);
    let outcomes = [interval.requests, interval.passed, interval.exceeded, interval.failed, interval.skipped];
    let mut fields = vec![decimal(interval.t_s), decimal(interval.length_s), interval.users.to_string()];
    fields.extend(outcomes.map(|count| count.to_string()));
    fields.push(decimal(interval.rate_per_s));
    fields.extend(times);
    fields.extend([interval.bytes_sent, interval.bytes_received].map(|count| count.to_string()));
    fields
}

fn task_fields(task: &Task) -> Vec<String> {
    let outcomes = [task.requests, task.passed, task.exceeded, task.failed, task.skipped, task.timed_out];
    let mut fields = [&task.workload, &task.name, &task.phase].map(|name| quoted(name)).to_vec();
    fields.push(task.threshold_ms.map(decimal).unwrap_or_default());
    fields.extend(outcomes.map(|count| count.to_string()));
    fields.extend([task.passed_s, task.exceeded_s, task.failed_s, task.rate_per_s].map(decimal));
    fields.extend([task.bytes_sent, task.bytes_received].map(|count| count.to_string()));
    fields
        .extend([&task.response_ms, &task.service_ms, &task.failed_ms].into_iter().flat_map(quantile_fields));
    fields
}

fn quantile_heads(times: &str) -> Vec<String> {
    ["count", "min", "mean", "p50", "p90", "p95", "p99", "p99_9", "max", "censored"]
        .map(|name| match name {
            "count" | "censored" => format!("{times}_{name}"),
            _ => format!("{times}_{name}_ms"),
        })
        .to_vec()
}

fn quantile_fields(times: &Quantiles) -> Vec<String> {
    let Quantiles { count, min, mean, p50, p90, p95, p99, p99_9, max, censored } = *times;
    let mut fields = vec![count.to_string()];
    fields.extend([min, mean, p50, p90, p95, p99, p99_9, max].map(decimal));
    fields.push(censored.to_string());
    fields
}

/// The shortest decimal that reads back as the same number; empty when it is no number.
fn decimal(value: f64) -> String {
    if value.is_finite() { value.to_string() } else { String::new() }
}

/// A text field, in quotes where it must be.
fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn line(out: &mut dyn Write, fields: &[String]) -> io::Result<()> {
    write!(out, "{}\r\n", fields.join(","))
}
