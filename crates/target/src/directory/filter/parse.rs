//! The grammar of query filters.
//!
//! ```text
//! filter  = and *("or" and)
//! and     = not *("and" not)
//! not     = "!" not / "(" filter ")" / "true" / "false" / pointer "pr" / pointer compare value
//! compare = "eq" / "co" / "sw" / "lt" / "le" / "gt" / "ge"
//! value   = "…" / '…' (backslash escapes) / number / "true" / "false" / "null"
//! ```

use serde_json::Value;

use super::{Comparison, Filter};
use crate::directory::Pointer;

/// Brackets and exclamation marks deeper than this are refused.
const NESTING_LIMIT: usize = 64;

/// Why a text is no filter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid query filter at character {at}: expected {expected}")]
pub(crate) struct FilterError {
    /// In bytes, from 0.
    at: usize,
    expected: &'static str,
}

pub(super) fn parse(text: &str) -> Result<Filter, FilterError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    let filter = parser.either()?;
    parser.blanks();
    if parser.at < text.len() {
        return Err(parser.expected("`and`, `or` or the end"));
    }
    Ok(filter)
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn either(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.both()?];
        while self.word_is("or") {
            parts.push(self.both()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::Or(parts) })
    }

    fn both(&mut self) -> Result<Filter, FilterError> {
        let mut parts = vec![self.single()?];
        while self.word_is("and") {
            parts.push(self.single()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { Filter::And(parts) })
    }

    fn single(&mut self) -> Result<Filter, FilterError> {
        self.blanks();
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            return Err(self.expected("a filter that is less deeply nested"));
        }
        let filter = if self.symbol_is('!') {
            Filter::Not(Box::new(self.single()?))
        } else if self.symbol_is('(') {
            let inner = self.either()?;
            self.blanks();
            if !self.symbol_is(')') {
                return Err(self.expected("`)`"));
            }
            inner
        } else {
            self.condition()?
        };
        self.depth -= 1;
        Ok(filter)
    }

    fn condition(&mut self) -> Result<Filter, FilterError> {
        let name = self.word();
        match name {
            "" => return Err(self.expected("a field, `!`, `(`, `true` or `false`")),
            "true" => return Ok(Filter::Literal(true)),
            "false" => return Ok(Filter::Literal(false)),
            _ => {}
        }
        let pointer = Pointer::new(name);
        self.blanks();
        let before = self.at;
        let comparison = match self.word().to_ascii_lowercase().as_str() {
            "pr" => return Ok(Filter::Present(pointer)),
            "eq" => Comparison::Equal,
            "co" => Comparison::Contains,
            "sw" => Comparison::StartsWith,
            "lt" => Comparison::Less,
            "le" => Comparison::LessOrEqual,
            "gt" => Comparison::Greater,
            "ge" => Comparison::GreaterOrEqual,
            _ => {
                self.at = before;
                return Err(self.expected("eq, co, sw, lt, le, gt, ge or pr"));
            }
        };
        Ok(Filter::Compare { pointer, comparison, value: self.value()? })
    }

    fn value(&mut self) -> Result<Value, FilterError> {
        self.blanks();
        let before = self.at;
        if self.symbol_is('"') {
            return self.quoted('"');
        }
        if self.symbol_is('\'') {
            return self.quoted('\'');
        }
        let value = match self.word() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" => Some(Value::Null),
            number => serde_json::from_str(number).ok().filter(Value::is_number),
        };
        value.ok_or_else(|| {
            self.at = before;
            self.expected("a value: \"text\", 'text', a number, true, false or null")
        })
    }

    fn quoted(&mut self, quote: char) -> Result<Value, FilterError> {
        let mut text = String::new();
        let mut escaped = false;
        for (at, symbol) in self.text[self.at..].char_indices() {
            match symbol {
                '\\' if !escaped => escaped = true,
                symbol if symbol == quote && !escaped => {
                    self.at += at + symbol.len_utf8();
                    return Ok(Value::String(text));
                }
                symbol => {
                    text.push(symbol);
                    escaped = false;
                }
            }
        }
        Err(self.expected("the end of the quoted text"))
    }

    fn blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next word, which may be empty.
    fn word(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let ends = |symbol: char| symbol.is_whitespace() || matches!(symbol, '(' | ')' | '!' | '"' | '\'');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Consumes the next word if it is this one.
    fn word_is(&mut self, wanted: &str) -> bool {
        let before = self.at;
        self.blanks();
        let found = self.word().eq_ignore_ascii_case(wanted);
        if !found {
            self.at = before;
        }
        found
    }

    fn symbol_is(&mut self, wanted: char) -> bool {
        let found = self.text[self.at..].starts_with(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn expected(&self, expected: &'static str) -> FilterError {
        FilterError { at: self.at, expected }
    }
}
