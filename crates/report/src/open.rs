//! Where the report goes, by name: `json=FILE`, `json=-`, `csv=DIR`.

use std::io;
use std::path::{Path, PathBuf};

use loadgen_model::report::Report;
use loadgen_model::sink::{Sink, SinkError};

use crate::{csv, json, replace};

/// The kinds of outputs.
const KINDS: [&str; 2] = ["json", "csv"];

/// An output that cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such kind.
    #[error("unknown output kind {kind:?}{}; use json=FILE, json=- (standard output) or csv=DIR", meant(*.nearest))]
    Kind {
        /// What was asked for.
        kind: String,
        /// The kind that it looks like.
        nearest: Option<&'static str>,
    },
    /// It is no report that is written, but an examination: as JSON only.
    #[error("output {kind:?} is not one of an examination; use json=FILE or json=- (standard output)")]
    OnlyJson {
        /// What was asked for.
        kind: String,
    },
    /// The kind is known, but not where to.
    #[error("output {kind:?} names no place; write {kind}=PATH")]
    Place {
        /// The kind.
        kind: &'static str,
    },
    /// The place cannot be written.
    #[error(transparent)]
    Unwritable(#[from] SinkError),
}

/// Opens an output: `json=FILE`, `json=-` for standard output, `csv=DIR`.
///
/// The place is tried at once, so that a run does not end without a place for its report; what it holds
/// stays until the new report is complete.
pub fn open(spec: &str) -> Result<Box<dyn Sink>, OpenError> {
    let (kind, place) = spec.split_once('=').unwrap_or((spec, ""));
    let Some(kind) = KINDS.into_iter().find(|known| *known == kind.trim()) else {
        return Err(OpenError::Kind { kind: kind.to_owned(), nearest: nearest(kind) });
    };
    if place.is_empty() {
        return Err(OpenError::Place { kind });
    }
    let path = PathBuf::from(place);
    match kind {
        "json" if place == "-" => Ok(Box::new(Output::Stdout)),
        "json" => replace::check(&path).map(|()| boxed(Output::Json(path))).map_err(Into::into),
        _ => csv::check(&path).map(|()| boxed(Output::Csv(path))).map_err(Into::into),
    }
}

/// A sink that waits for the whole report.
enum Output {
    Stdout,
    Json(PathBuf),
    Csv(PathBuf),
}

impl Sink for Output {
    fn finish(&mut self, report: &Report) -> Result<(), SinkError> {
        match self {
            Self::Stdout => json::write_to(report, &mut io::stdout().lock())
                .map_err(|cause| replace::error(Path::new("standard output"), cause)),
            Self::Json(path) => json::write(report, path),
            Self::Csv(directory) => csv::write(report, directory),
        }
    }
}

fn boxed(output: Output) -> Box<dyn Sink> {
    Box::new(output)
}

fn nearest(kind: &str) -> Option<&'static str> {
    let kind = kind.trim().to_lowercase();
    let distance = |known: &&str| strsim::damerau_levenshtein(known, &kind);
    KINDS.into_iter().min_by_key(distance).filter(|known| distance(known) <= 2)
}

fn meant(nearest: Option<&'static str>) -> String {
    nearest.map(|kind| format!(", did you mean {kind:?}?")).unwrap_or_default()
}
