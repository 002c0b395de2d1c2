//! The table of the original program, figure for figure, and the corrected figures below it.
//!
//! The upper part keeps the original's columns, formulas and words, so that results of ten years compare.
//! Two of its figures mislead (`CbdPsOps` and `Successful ops/s`), hence the lower part.

mod corrected;
mod date;
mod job;
mod row;

use loadgen_model::Report;

use row::Row;

/// The table, the original's summary and the corrected figures, ending with a line break.
pub fn table(report: &Report) -> String {
    let rows = Row::of(report);
    let mut lines = vec![job::head(report), Row::header()];
    lines.extend(rows.iter().map(|row| row.line(report.load.users)));
    lines.extend(job::lines(report, &rows));
    lines.push(String::new());
    lines.extend(corrected::lines(report, &rows));
    lines.push(String::new());
    lines.join("\n")
}

/// A ratio, when there is something to divide by.
///
/// In single precision, as in the original: its published figures come out only so, to the last digit
/// (10056.854/s, where double precision gives 10056.853/s). Sums are not affected, and six digits hold.
fn ratio(part: f64, whole: f64) -> Option<f32> {
    (whole > 0.0).then(|| part as f32 / whole as f32)
}

/// The rate at which so many threads could pass requests if they did nothing else, per second.
fn service_rate(threads: u64, passed: u64, passed_s: f64) -> Option<f32> {
    let per_thread_ms = ratio(passed_s * 1000.0, threads as f64)?;
    ratio(passed as f64, per_thread_ms.into()).filter(|_| passed > 0).map(|per_ms| per_ms * 1000.0)
}

/// A figure with so many decimals and its unit; `-` where the original divides by zero.
///
/// Halves are rounded up as in the original (99.125 is 99.13): the lift is far below what single
/// precision can tell apart, so that it moves nothing but exact halves.
fn figure(value: Option<f32>, decimals: usize, unit: &str) -> String {
    const LIFT: f64 = 1.0 + 1e-12;
    value.map_or("-".to_owned(), |value| format!("{:.decimals$}{unit}", f64::from(value) * LIFT))
}
