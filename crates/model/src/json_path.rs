//! One value of a JSON document, without building a tree of it.
//!
//! Paths of keys and indices are scanned: the scan stops at the value and skips all else by its bytes.
//! Wildcards, filters and slices (RFC 9535) take the full parser. Of a key that stands twice in an object,
//! which RFC 8259 section 4 leaves open, the scan takes the first.

use std::fmt;

/// A compiled path.
#[derive(Clone)]
pub struct JsonPath {
    text: String,
    path: Path,
}

#[derive(Clone)]
enum Path {
    Scan(Vec<Part>),
    Query(Box<serde_json_path::JsonPath>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Key(String),
    Index(usize),
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// A value; text without its quotes and escapes, all else as it stands.
    Value,
    /// `null`; nothing was written.
    Null,
    /// The document has no such value.
    Nothing,
    /// What was read of the document is not JSON.
    NotJson,
}

impl JsonPath {
    /// Compiles `$.a.b[0]['c d']` or any RFC 9535 query.
    pub fn parse(text: &str) -> Result<Self, String> {
        let query = serde_json_path::JsonPath::parse(text).map_err(|error| error.to_string())?;
        let path = match scan_parts(text) {
            Some(parts) => Path::Scan(parts),
            None => Path::Query(Box::new(query)),
        };
        Ok(Self { text: text.to_owned(), path })
    }

    /// The path as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Appends the first value that the path names to `out`.
    pub fn find(&self, document: &[u8], out: &mut Vec<u8>) -> Found {
        match &self.path {
            Path::Scan(parts) => {
                let mut scan = Scan { bytes: document, at: 0 };
                scan.find(parts, out).unwrap_or(Found::NotJson)
            }
            Path::Query(query) => {
                let Ok(document) = serde_json::from_slice::<serde_json::Value>(document) else {
                    return Found::NotJson;
                };
                match query.query(&document).first() {
                    None => Found::Nothing,
                    Some(serde_json::Value::Null) => Found::Null,
                    Some(serde_json::Value::String(text)) => write(text.as_bytes(), out),
                    Some(value) => write(value.to_string().as_bytes(), out),
                }
            }
        }
    }
}

fn write(bytes: &[u8], out: &mut Vec<u8>) -> Found {
    out.extend_from_slice(bytes);
    Found::Value
}

/// The parts of a path of plain keys and indices; none when it needs the full parser.
fn scan_parts(text: &str) -> Option<Vec<Part>> {
    let mut rest = text.trim().strip_prefix('$')?;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix('.') {
            let end = after.find(['.', '[']).unwrap_or(after.len());
            let (key, tail) = after.split_at(end);
            let plain = |c: char| c.is_alphanumeric() || c == '_';
            if key.is_empty() || !key.chars().all(plain) {
                return None;
            }
            parts.push(Part::Key(key.to_owned()));
            rest = tail;
        } else {
            let (inside, tail) = rest.strip_prefix('[')?.split_once(']')?;
            let quoted = ['\'', '"'].iter().find_map(|q| inside.strip_prefix(*q)?.strip_suffix(*q));
            parts.push(match quoted {
                Some(key) if !key.contains(['\\', '\'', '"', ']']) => Part::Key(key.to_owned()),
                Some(_) => return None,
                None => Part::Index(inside.parse().ok()?),
            });
            rest = tail;
        }
    }
    Some(parts)
}

/// A position in a document. Methods return none where the document is not JSON.
struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scan<'_> {
    fn find(&mut self, parts: &[Part], out: &mut Vec<u8>) -> Option<Found> {
        for part in parts {
            let found = match part {
                Part::Key(key) => self.enter_key(key.as_bytes())?,
                Part::Index(index) => self.enter_index(*index)?,
            };
            if !found {
                return Some(Found::Nothing);
            }
        }
        self.blanks();
        let start = self.at;
        match self.peek()? {
            b'"' => {
                let (from, to, escaped) = self.string()?;
                if !escaped {
                    return Some(write(&self.bytes[from..to], out));
                }
                let text: String = serde_json::from_slice(&self.bytes[start..self.at]).ok()?;
                Some(write(text.as_bytes(), out))
            }
            b'n' => self.skip_value().map(|()| Found::Null),
            _ => {
                self.skip_value()?;
                Some(write(&self.bytes[start..self.at], out))
            }
        }
    }

    /// Moves to the value of a key; false when the value here is no object or has no such key.
    fn enter_key(&mut self, key: &[u8]) -> Option<bool> {
        self.blanks();
        if self.peek()? != b'{' {
            return self.skip_value().map(|()| false);
        }
        self.at += 1;
        self.blanks();
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(false);
        }
        loop {
            self.blanks();
            let quote = self.at;
            let (from, to, escaped) = self.string()?;
            let same = if escaped {
                let text: String = serde_json::from_slice(&self.bytes[quote..self.at]).ok()?;
                text.as_bytes() == key
            } else {
                &self.bytes[from..to] == key
            };
            self.blanks();
            self.expect(b':')?;
            if same {
                return Some(true);
            }
            if !self.skip_and_continue(b'}')? {
                return Some(false);
            }
        }
    }

    /// Moves to an element; false when the value here is no array or too short.
    fn enter_index(&mut self, index: usize) -> Option<bool> {
        self.blanks();
        if self.peek()? != b'[' {
            return self.skip_value().map(|()| false);
        }
        self.at += 1;
        self.blanks();
        if self.peek()? == b']' {
            self.at += 1;
            return Some(false);
        }
        for _ in 0..index {
            if !self.skip_and_continue(b']')? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Skips a value and the comma after it; false when the container ends instead.
    fn skip_and_continue(&mut self, close: u8) -> Option<bool> {
        self.blanks();
        self.skip_value()?;
        self.blanks();
        let byte = self.peek()?;
        self.at += 1;
        if byte == close {
            return Some(false);
        }
        (byte == b',').then_some(true)
    }

    /// Skips a value. Containers are skipped by depth; what stands inside of them is not validated.
    fn skip_value(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(|_| ()),
            b'{' | b'[' => {
                let mut depth = 0_usize;
                loop {
                    match self.peek()? {
                        b'"' => {
                            self.string()?;
                            continue;
                        }
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth -= 1,
                        _ => {}
                    }
                    self.at += 1;
                    if depth == 0 {
                        return Some(());
                    }
                }
            }
            _ => {
                let rest = &self.bytes[self.at..];
                let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
                let length = rest.iter().position(ends).unwrap_or(rest.len());
                self.at += length;
                is_scalar(&rest[..length]).then_some(())
            }
        }
    }

    /// Moves over a string; its inside, and whether it has escapes.
    fn string(&mut self) -> Option<(usize, usize, bool)> {
        self.expect(b'"')?;
        let from = self.at;
        let mut escaped = false;
        loop {
            self.at += memchr::memchr2(b'"', b'\\', self.bytes.get(self.at..)?)?;
            if self.bytes[self.at] == b'"' {
                self.at += 1;
                return Some((from, self.at - 1, escaped));
            }
            escaped = true;
            self.at += 2;
        }
    }

    fn blanks(&mut self) {
        while matches!(self.bytes.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }
}

/// A number or one of the three words.
fn is_scalar(text: &[u8]) -> bool {
    matches!(text, b"true" | b"false" | b"null") || serde_json::from_slice::<serde_json::Number>(text).is_ok()
}

impl fmt::Debug for JsonPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
