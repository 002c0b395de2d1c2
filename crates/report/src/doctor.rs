//! What an examination of the generator's machine found, for people and as JSON.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use loadgen_model::report::{Calibration, Check, Examination, Grade};
use loadgen_model::sink::SinkError;

use crate::grid::{Column, Grid};
use crate::open::OpenError;
use crate::replace::{self, Replacement};
use crate::style::Mark;
use crate::{Style, number, prose};

/// Blanks between the names of checks and what was found.
const GAP: usize = 2;
/// Above this share of what a core can do, the wait for the generator tells in the measured times.
const SAFE_SHARE: f64 = 0.5;

/// The examination on a terminal, ending with a line break: the worst first word, a line for each check, then
/// what the generator can do.
pub fn text(examination: &Examination, style: &Style) -> String {
    let names = examination.checks.iter().map(|check| prose::width(&check.name)).max().unwrap_or(0);
    let mut lines = prose::hang("", &headline(examination), style);
    lines.push(String::new());
    lines.extend(examination.checks.iter().flat_map(|check| check_lines(check, names, style)));
    if !examination.calibration.is_empty() {
        lines.push(String::new());
        lines.extend(calibration(&examination.calibration, style));
    }
    lines.join("\n") + "\n"
}

fn headline(examination: &Examination) -> String {
    let count = |grade| examination.checks.iter().filter(|check| check.grade == grade).count();
    let (warn, bad) = (count(Grade::Warn), count(Grade::Bad));
    let meaning = match examination.worst() {
        Grade::Ok => "this machine is fit to generate load",
        Grade::Warn => "figures from this machine may be doubtful",
        Grade::Bad => "figures from this machine would be void",
    };
    format!("{} checks, {warn} warn, {bad} bad: {meaning}", examination.checks.len())
}

fn check_lines(check: &Check, names: usize, style: &Style) -> Vec<String> {
    let (mark, word) = match check.grade {
        Grade::Ok => (Mark::Passed, "ok"),
        Grade::Warn => (Mark::Warning, "warn"),
        Grade::Bad => (Mark::Failed, "bad"),
    };
    let lead = format!("{} {word:<4} {:<width$}", style.symbol(mark), check.name, width = names + GAP);
    let mut lines = prose::hang(&lead, &check.found, style);
    lines[0] = lines[0].replacen(style.symbol(mark), &style.mark(mark), 1);
    if let Some(advice) = &check.advice {
        let indent = " ".repeat(prose::width(&lead));
        lines.extend(prose::hang(&format!("{indent}-> "), advice, style));
    }
    lines
}

fn calibration(rows: &[Calibration], style: &Style) -> Vec<String> {
    let heads = ["GENERATOR", "think", "rate/s", "CPU/request", "a core", "late p50", "late p99"];
    let mut grid = Grid::new(heads.into_iter().map(Column::right).collect());
    for row in rows {
        let known = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        let ms = |value| format!("{} ms", number::significant(value));
        grid.row(vec![
            format!("{} users", number::count(row.users)).into(),
            if row.think_ms > 0.0 { ms(row.think_ms) } else { "none".to_owned() }.into(),
            number::significant(row.requests_per_s).into(),
            format!("{} {}", number::significant(row.cpu_us_per_request), style.micro()).into(),
            known(row.core_requests_per_s.map(|rate| format!("{}/s", number::significant(rate)))).into(),
            // Users that never sleep are never woken.
            known((row.think_ms > 0.0).then(|| ms(row.lag_p50_ms))).into(),
            known((row.think_ms > 0.0).then(|| ms(row.lag_p99_ms))).into(),
        ]);
    }
    let mut lines = grid.lines(style);
    let most = rows.iter().filter_map(|row| row.core_requests_per_s).fold(0.0, f64::max);
    let advice = format!(
        "One thread against the built-in platform, plain HTTP/1.1 with keep-alive. Stay below {} requests a \
         second for each core, half of the maximum; TLS, large bodies and captures cost more.",
        number::significant(most * SAFE_SHARE)
    );
    lines.extend(prose::hang("", &advice, style));
    lines
}

/// Where the examination is written: `json=FILE`, or `json=-` for standard output. The place is tried at once.
pub fn open(spec: &str) -> Result<PathBuf, OpenError> {
    let (kind, place) = spec.split_once('=').unwrap_or((spec, ""));
    if kind.trim() != "json" {
        return Err(OpenError::OnlyJson { kind: kind.to_owned() });
    }
    if place.is_empty() {
        return Err(OpenError::Place { kind: "json" });
    }
    let path = PathBuf::from(if place == "-" { "/dev/stdout" } else { place });
    replace::check(&path)?;
    Ok(path)
}

/// Writes the examination as JSON to a file, which is replaced as a whole or left as it is.
pub fn write(examination: &Examination, path: &Path) -> Result<(), SinkError> {
    let mut fill = |out: &mut dyn Write| -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, examination)?;
        out.write_all(b"\n")
    };
    Replacement::write(path, &mut fill)?.commit()
}
