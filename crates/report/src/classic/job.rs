//! The lines around the original table: when, the sums, the workloads, the environments.

use loadgen_model::Report;
use loadgen_model::report::Workload;

use super::row::Row;
use super::{date, figure, ratio, service_rate};
use crate::prose::harmless;

pub(super) fn head(report: &Report) -> String {
    let run = &report.run;
    format!(
        "Job Started with {} threads on {}...and completed {}",
        report.load.users,
        date::java(&run.started),
        date::java(&run.finished)
    )
}

pub(super) fn lines(report: &Report, rows: &[Row]) -> Vec<String> {
    let mut lines = sums(report, rows);
    lines.push("Based on following workloads:".to_owned());
    for workload in &report.workloads {
        lines.extend(workload_lines(workload, report, rows));
    }
    lines.push(format!("Target environment(s): {}", harmless(&report.run.target_environment)));
    lines.push(format!("Load generator: {}", harmless(&report.run.generator_environment)));
    lines
}

/// The sums, their values in line behind labels of 24.
fn sums(report: &Report, rows: &[Row]) -> Vec<String> {
    let load = &report.load;
    let goal: u64 = rows.iter().map(Row::total).sum();
    let actual: u64 = rows.iter().map(|row| row.passed).sum();
    let passed_s: f64 = rows.iter().map(|row| row.passed_s).sum();
    let successful = service_rate(load.users, actual, passed_s);
    let per_ms = ratio(actual as f64, report.run.elapsed_s * 1000.0);
    let success = ratio(actual as f64, goal as f64);
    let sums = [
        ("Job lapsed time =", format!("{:.0}ms", report.run.elapsed_s * 1000.0)),
        ("Passed Accum time =", format!("{:.0}ms", passed_s * 1000.0)),
        ("Total Threads =", load.users.to_string()),
        ("Thread group size =", load.ramp_group.to_string()),
        ("Launch interval =", format!("{}ms", load.ramp_every_ms)),
        ("Transaction goal =", goal.to_string()),
        ("Transction actual =", actual.to_string()),
        ("Successful ops/s =", figure(successful, 3, "")),
        ("Ops/s during job =", figure(per_ms.map(|rate| rate * 1000.0), 3, "")),
        ("Success rate =", figure(success.map(|share| share * 100.0), 2, "%")),
        ("Total sleep sec =", format!("{:.3}", report.totals.sleep_s)),
    ];
    sums.into_iter().map(|(label, value)| format!("{label:<24}{value}")).collect()
}

/// A workload that ran at all: its share of all that was executed, and its steps.
fn workload_lines(workload: &Workload, report: &Report, rows: &[Row]) -> Vec<String> {
    let loops = match workload.iterations_per_user {
        Some(iterations) => iterations.saturating_mul(report.load.users),
        None => workload.iterations,
    };
    if loops == 0 {
        return Vec::new();
    }
    let tasks: u64 = rows.iter().map(Row::total).sum();
    let executed = tasks + report.totals.sleeps + report.totals.sleeps_skipped;
    let steps = loops as f64 * workload.steps_per_iteration as f64;
    let share = figure(ratio(steps, executed as f64).map(|share| share * 100.0), 2, "%");
    let name = harmless(&workload.name);
    let mut lines = vec![
        format!("\tWorkload: {name} with {loops} loops; Percent load = {share}"),
        "\tTasks used:".to_owned(),
    ];
    lines.extend(workload.steps.iter().map(|step| format!("\t\t{}", harmless(step))));
    lines
}
