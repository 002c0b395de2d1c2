//! The report as JSON: the one form that scripts can rely on.

use std::io::{self, Write};
use std::path::Path;

use loadgen_model::Report;
use loadgen_model::sink::SinkError;

use crate::replace::Replacement;

/// Writes the report to a file, which is replaced as a whole or left as it is.
pub fn write(report: &Report, path: &Path) -> Result<(), SinkError> {
    Replacement::write(path, &mut |out| write_to(report, out))?.commit()
}

/// Writes the report, indented and with a line break at its end.
pub fn write_to(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, report)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// The JSON Schema of the report.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(Report).to_value()
}
