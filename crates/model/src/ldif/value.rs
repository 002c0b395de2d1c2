//! One line of a record: a name, and a value that stands there, in base64, or in a file.

use crate::format::{Outside, reason};
use crate::ldif::Problem;
use crate::request::percent_decoded;
use base64::Engine as _;
use std::path::{Path, PathBuf};

/// Bytes of a value that stands in a file of its own, 16 MiB: directories refuse more.
const LARGEST_VALUE: usize = 16 << 20;
/// Bytes of all those values together, 256 MiB: they are held in memory.
const LARGEST_VALUES: usize = 256 << 20;

/// A name and its value.
pub(super) struct Field {
    pub(super) line: u32,
    pub(super) name: String,
    pub(super) value: Vec<u8>,
}

/// The files that values stand in.
pub(super) struct Files<'a> {
    path: &'a Path,
    outside: &'a dyn Outside,
    /// Bytes read so far.
    read: usize,
}

impl Field {
    /// Reads `name: value`, `name:: base64` or `name:< URL` (RFC 2849, `attrval-spec`).
    pub(super) fn parse(line: u32, text: &[u8], files: &mut Files<'_>) -> Result<Self, Problem> {
        let Some(colon) = memchr::memchr(b':', text) else {
            let message = format!("`{}` has no colon", shown(text));
            return Err(Problem::new(line, message, "write `name: value`, and a blank before what goes on"));
        };
        let name = attribute(line, &text[..colon])?;
        Ok(Self { line, name, value: files.value(line, &text[colon..])? })
    }

    /// Whether it is called so; names are compared without case.
    pub(super) fn is(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
    }

    /// The value as text: a name or a word.
    pub(super) fn into_text(self) -> Result<String, Problem> {
        let Self { line, name, value } = self;
        String::from_utf8(value)
            .map_err(|_| Problem::new(line, format!("`{name}` is not text in UTF-8"), "use text"))
    }
}

impl<'a> Files<'a> {
    pub(super) fn new(path: &'a Path, outside: &'a dyn Outside) -> Self {
        Self { path, outside, read: 0 }
    }

    /// Reads what stands from a colon on (RFC 2849, `value-spec`).
    pub(super) fn value(&mut self, line: u32, spec: &[u8]) -> Result<Vec<u8>, Problem> {
        let spec = spec.strip_prefix(b":").unwrap_or(spec);
        match spec.first() {
            Some(b':') => base64::engine::general_purpose::STANDARD
                .decode(unfilled(&spec[1..]).trim_ascii_end())
                .map_err(|_| {
                    Problem::new(
                        line,
                        "the value is no base64",
                        "encode it again, or write one colon before a text",
                    )
                }),
            Some(b'<') => self.read(line, unfilled(&spec[1..])),
            _ => {
                let plain = unfilled(spec);
                if std::str::from_utf8(plain).is_err() || plain.contains(&0) {
                    let help = "write it in base64 behind `::`";
                    return Err(Problem::new(line, "the value is not text in UTF-8", help));
                }
                Ok(plain.to_vec())
            }
        }
    }

    /// The content of a file that a URL names (RFC 8089); a path without a leading slash is beside the LDIF file.
    fn read(&mut self, line: u32, url: &[u8]) -> Result<Vec<u8>, Problem> {
        let path = path(url).ok_or_else(|| {
            let message = format!("`{}` is no URL of a file of this machine", shown(url));
            Problem::new(line, message, "write it like file:///path/photo.jpg")
        })?;
        let path = self.path.parent().map_or_else(|| path.clone(), |folder| folder.join(&path));
        let bytes = self.outside.read(&path).map_err(|error| {
            let message = format!("cannot read `{}`: {}", path.display(), reason(&error));
            Problem::new(line, message, "correct the URL")
        })?;
        self.read = self.read.saturating_add(bytes.len());
        let bounds =
            [(bytes.len(), LARGEST_VALUE, "it has"), (self.read, LARGEST_VALUES, "with it all have")];
        for (size, most, what) in bounds {
            if size > most {
                let (size, most) = (size.div_ceil(1 << 20), most >> 20);
                let message =
                    format!("`{}` is too large: {what} {size} MiB, more than {most}", path.display());
                return Err(Problem::new(line, message, "use a smaller file"));
            }
        }
        Ok(bytes)
    }
}

/// RFC 2849, `FILL`: blanks before a value are none of it.
pub(super) fn unfilled(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| *byte != b' ').unwrap_or(text.len());
    &text[start..]
}

/// The path of a `file` URL of this machine.
fn path(url: &[u8]) -> Option<PathBuf> {
    let text = std::str::from_utf8(url.trim_ascii_end()).ok()?;
    let (scheme, rest) = text.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = match rest.strip_prefix("//") {
        Some(rest) => rest.strip_prefix("localhost").unwrap_or(rest),
        None => rest,
    };
    let local = !rest.is_empty() && (rest.starts_with('/') || !text[scheme.len() + 1..].starts_with("//"));
    percent_decoded(rest).filter(|_| local).map(PathBuf::from)
}

/// A name with its options (RFC 4512 section 2.5), and `_`, which some servers let names have.
fn attribute(line: u32, name: &[u8]) -> Result<String, Problem> {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.;".contains(byte);
    match std::str::from_utf8(name) {
        Ok(text) if name.first().is_some_and(u8::is_ascii_alphanumeric) && name.iter().all(fits) => {
            Ok(text.to_owned())
        }
        _ => {
            let message = format!("`{}` is no name of an attribute", shown(name));
            Err(Problem::new(line, message, "write `name: value`"))
        }
    }
}

/// The begin of a text, for a message.
pub(super) fn shown(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * LONGEST)]);
    let cut: String = text.chars().take(LONGEST).collect();
    if cut.len() < text.len() { format!("{cut}…") } else { cut }
}
