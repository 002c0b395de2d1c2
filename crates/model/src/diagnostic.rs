//! What is wrong with an input, where, and what to do about it.

use std::fmt;

/// One problem of an input file or of the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Whether the input can be used all the same.
    pub severity: Severity,
    /// Where it stands; none for a problem of the whole.
    pub place: Option<Place>,
    /// What is wrong and which value: lower case, no full stop.
    pub message: String,
    /// What to do: lower case, no full stop.
    pub help: Option<String>,
}

/// Whether the input can be used all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It cannot be used.
    Error,
    /// It can, but probably not as meant.
    Warning,
}

/// A place in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file as the user named it or as it was found.
    pub file: String,
    /// Line from 1; 0 when the whole file is meant.
    pub line: u32,
    /// Column from 1, in characters.
    pub column: u32,
}

impl Diagnostic {
    /// An error at a place.
    pub fn error(place: Option<Place>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, place, message: message.into(), help: None }
    }

    /// A warning at a place.
    pub fn warning(place: Option<Place>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, place, message: message.into(), help: None }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the nearest of `known` names, when one is near enough to be what was meant.
    #[must_use]
    pub fn nearest<'a>(self, word: &str, known: impl IntoIterator<Item = &'a str>) -> Self {
        match nearest(word, known) {
            Some(name) => self.help(format!("did you mean `{name}`?")),
            None => self,
        }
    }
}

/// The known name that `word` was probably meant to be.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = word.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, name)| *distance <= 1.max(name.len().max(word.len()) / 3))
        .min()
        .map(|(_, name)| name)
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        write!(f, "{severity}: {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}", self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.column),
        }
    }
}
