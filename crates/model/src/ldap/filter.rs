//! Search filters: from the text of RFC 4515 to a tree whose values are templates.

use crate::template::Template;

/// Filters inside of filters, at most so deep.
const DEEPEST: usize = 64;

/// A search filter (RFC 4511 section 4.5.1.7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Filter {
    /// All of them.
    And(Vec<Filter>),
    /// One of them.
    Or(Vec<Filter>),
    /// Not this.
    Not(Box<Filter>),
    /// An attribute compared with a value.
    Compare(Comparison, String, Template),
    /// Parts of a value: its begin, what stands somewhere behind it in order, and its end.
    Substrings {
        /// The attribute.
        attribute: String,
        /// The begin.
        initial: Option<Template>,
        /// The parts between.
        any: Vec<Template>,
        /// The end.
        last: Option<Template>,
    },
    /// The attribute is there.
    Present(String),
    /// A rule of matching.
    Extensible {
        /// Its name or object identifier.
        rule: Option<String>,
        /// The attribute; any when none.
        attribute: Option<String>,
        /// The value.
        value: Template,
        /// Whether the attributes of the entry's name are looked at too.
        dn: bool,
    },
    /// A filter that is known only when its variables are: its text.
    Text(Template),
}

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`.
    Equal,
    /// `>=`.
    GreaterOrEqual,
    /// `<=`.
    LessOrEqual,
    /// `~=`.
    Approximate,
}

impl Filter {
    /// Reads the text of a filter without variables. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        Self::parse_with(text, &mut |value| Template::text(value))
    }

    /// Reads the text of a filter; `value` makes the template of each part of a value in which nothing is
    /// escaped. `$NAME` and `${NAME | filter}` are parts of values whatever stands in the braces.
    pub fn parse_with(text: &str, value: &mut dyn FnMut(&str) -> Template) -> Result<Self, String> {
        let trimmed = text.trim();
        let whole = if trimmed.starts_with('(') { trimmed.to_owned() } else { format!("({trimmed})") };
        let mut reader = Reader { rest: &whole, value };
        let filter = reader.filter(0)?;
        match reader.rest.trim_start() {
            "" => Ok(filter),
            rest => Err(format!("`{rest}` stands behind its end")),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    value: &'a mut dyn FnMut(&str) -> Template,
}

impl Reader<'_> {
    fn filter(&mut self, depth: usize) -> Result<Filter, String> {
        if depth == DEEPEST {
            return Err(format!("it is more than {DEEPEST} deep"));
        }
        self.skip_blanks();
        self.expect('(')?;
        self.skip_blanks();
        let filter = match self.rest.chars().next() {
            Some('&') => Filter::And(self.list(depth)?),
            Some('|') => Filter::Or(self.list(depth)?),
            Some('!') => {
                self.rest = &self.rest[1..];
                Filter::Not(Box::new(self.filter(depth + 1)?))
            }
            _ => self.item()?,
        };
        self.skip_blanks();
        self.expect(')')?;
        Ok(filter)
    }

    /// Filters in a row; none at all is true or false (RFC 4526).
    fn list(&mut self, depth: usize) -> Result<Vec<Filter>, String> {
        self.rest = &self.rest[1..];
        let mut filters = Vec::new();
        loop {
            self.skip_blanks();
            if !self.rest.starts_with('(') {
                return Ok(filters);
            }
            filters.push(self.filter(depth + 1)?);
        }
    }

    fn item(&mut self) -> Result<Filter, String> {
        let end = self.rest.find(['=', '(', ')']).ok_or("`)` is missing")?;
        let (left, rest) = self.rest.split_at(end);
        let rest = rest.strip_prefix('=').ok_or_else(|| format!("`{left}` is compared with nothing"))?;
        let text = &rest[..value_length(rest)?];
        self.rest = &rest[text.len()..];
        let (left, comparison) = match left.as_bytes().last() {
            Some(b'>') => (&left[..left.len() - 1], Comparison::GreaterOrEqual),
            Some(b'<') => (&left[..left.len() - 1], Comparison::LessOrEqual),
            Some(b'~') => (&left[..left.len() - 1], Comparison::Approximate),
            Some(b':') => return self.extensible(&left[..left.len() - 1], text),
            _ => (left, Comparison::Equal),
        };
        let attribute = description(left)?;
        if comparison != Comparison::Equal {
            return Ok(Filter::Compare(comparison, attribute, self.assertion(text)?));
        }
        if text == "*" {
            return Ok(Filter::Present(attribute));
        }
        let parts = split(text, '*');
        let [initial, between @ .., last] = parts.as_slice() else {
            return Ok(Filter::Compare(comparison, attribute, self.assertion(text)?));
        };
        let mut part = |text: &&str| if text.is_empty() { Ok(None) } else { self.assertion(text).map(Some) };
        let (initial, last) = (part(initial)?, part(last)?);
        let any: Vec<Template> =
            between.iter().filter_map(|text| part(text).transpose()).collect::<Result<_, _>>()?;
        if initial.is_none() && last.is_none() && any.is_empty() {
            return Ok(Filter::Present(attribute));
        }
        Ok(Filter::Substrings { attribute, initial, any, last })
    }

    /// `cn:dn:caseExactMatch:=value` (RFC 4515 section 3), without the last colon.
    fn extensible(&mut self, left: &str, text: &str) -> Result<Filter, String> {
        let mut parts = left.split(':');
        let attribute = parts.next().unwrap_or_default();
        let attribute = if attribute.is_empty() { None } else { Some(description(attribute)?) };
        let (mut dn, mut rule) = (false, None);
        for part in parts {
            if part.eq_ignore_ascii_case("dn") && !dn && rule.is_none() {
                dn = true;
            } else if rule.is_none() {
                rule = Some(description(part)?);
            } else {
                return Err(format!("`{left}` names two rules"));
            }
        }
        if attribute.is_none() && rule.is_none() {
            return Err("it names neither an attribute nor a rule".to_owned());
        }
        Ok(Filter::Extensible { rule, attribute, value: self.assertion(text)?, dn })
    }

    /// A value whose escapes `\2a` become bytes (RFC 4515 section 3).
    fn assertion(&mut self, text: &str) -> Result<Template, String> {
        if positions(text).any(|(_, sign)| sign == '*') {
            return Err(format!("`*` stands for anything only behind `=`: write it \\2a in `{text}`"));
        }
        let mut template = Template::default();
        for (index, part) in split(text, '\\').into_iter().enumerate() {
            let plain = match index {
                0 => part,
                _ => {
                    let byte = part.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    let byte = byte.ok_or_else(|| format!("`\\{part}` is no escape: write it like \\2a"))?;
                    template.push_text([byte]);
                    &part[2..]
                }
            };
            if !plain.is_empty() {
                template.append(&(self.value)(plain));
            }
        }
        Ok(template)
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        let found = self.rest.strip_prefix(sign);
        self.rest = found.ok_or_else(|| {
            if self.rest.is_empty() {
                format!("`{sign}` is missing at its end")
            } else {
                format!("`{sign}` is missing before `{}`", self.rest)
            }
        })?;
        Ok(())
    }
}

/// Up to the parenthesis behind a value; those in braces of variables do not count.
fn value_length(text: &str) -> Result<usize, String> {
    let end = positions(text).find(|(_, sign)| matches!(sign, '(' | ')'));
    match end {
        Some((at, ')')) => Ok(at),
        Some(_) => Err(format!("`(` in a value is written \\28: `{text}`")),
        None => Err("`)` is missing at its end".to_owned()),
    }
}

/// The parts between signs, those in braces of variables left alone.
fn split(text: &str, sign: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (at, found) in positions(text) {
        if found == sign {
            parts.push(&text[from..at]);
            from = at + found.len_utf8();
        }
    }
    parts.push(&text[from..]);
    parts
}

/// The letters of a text with their places, without `${…}`.
pub(crate) fn positions(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut inside = false;
    text.char_indices().filter(move |(at, sign)| {
        let begins = *sign == '$' && text[at + 1..].starts_with('{');
        let ends = inside && *sign == '}';
        let hidden = inside || begins;
        inside = (inside || begins) && !ends;
        !hidden
    })
}

/// An attribute with its options, or a rule (RFC 4512 section 2.5).
fn description(text: &str) -> Result<String, String> {
    let text = text.trim();
    let fits = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '-' | '.' | ';' | '_');
    if text.is_empty() || !text.chars().all(fits) {
        return Err(format!("`{text}` is no name of an attribute"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let read = match Filter::parse(text) {
            Ok(filter) => format!("{filter:?}"),
            Err(reason) => reason,
        };
        assert!(read.contains(expected), "{text}: {read}");
    }

    #[test]
    fn filters_are_read_as_rfc_4515_says() {
        check("(cn=a)", "Compare(Equal, \"cn\", [Text(1 bytes)])");
        check("cn;lang-de=a", "Compare(Equal, \"cn;lang-de\"");
        check("(cn=*)", "Present(\"cn\")");
        check("(cn=a*b*c)", "any: [[Text(1 bytes)]], last: Some");
        check("(cn=*b*)", "initial: None, any: [[Text(1 bytes)]], last: None");
        check("(cn=\\2a\\28)", "Compare(Equal, \"cn\", [Text(2 bytes)])");
        check("( & (a>=1) (!(b<=2)) (c~=3) )", "And([Compare(GreaterOrEqual");
        check("(&)", "And([])");
        check("(sn:dn:2.4.6.8.10:=x)", "rule: Some(\"2.4.6.8.10\"), attribute: Some(\"sn\")");
        check("(:caseExactMatch:=x)", "attribute: None, value");
        check("(sn=${NAME | upper})", "Compare(Equal, \"sn\", [Text(15 bytes)])");
    }

    #[test]
    fn what_is_wrong_with_a_filter_is_said() {
        check("(cn=a", "`)` is missing at its end");
        check("(cn=a))", "`)` stands behind its end");
        check("(cn)", "`cn` is compared with nothing");
        check("(c n=a)", "`c n` is no name of an attribute");
        check("(cn=a\\zz)", "is no escape");
        check("(cn>=a*)", "only behind `=`");
        check("(cn=a(b))", "written \\28");
        check("", "is compared with nothing");
        check(&"(!".repeat(100), "more than 64 deep");
    }
}
