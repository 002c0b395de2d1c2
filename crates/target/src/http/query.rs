//! The query of an address, or a form: the same notation.

use std::borrow::Cow;

/// Names and values, decoded when they are asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'q> {
    text: &'q str,
}

impl<'q> Query<'q> {
    /// Of a request's address.
    pub(crate) fn of(request: &'q super::Request) -> Self {
        Self::new(request.uri().query().unwrap_or_default())
    }

    /// Of a body that was sent as a form.
    pub(crate) fn form(request: &'q super::Request) -> Self {
        Self::new(std::str::from_utf8(request.body()).unwrap_or_default())
    }

    pub(crate) fn new(text: &'q str) -> Self {
        Self { text }
    }

    /// The first value of that name; empty when the name stands without a value.
    pub(crate) fn get(self, name: &str) -> Option<Cow<'q, str>> {
        self.parts()
            .find(|(found, _)| decoded(found) == name)
            .map(|(_, value)| decoded(value.unwrap_or_default()))
    }

    /// The first name that stands without `=`.
    pub(crate) fn bare(self) -> Option<Cow<'q, str>> {
        self.parts().find(|(name, value)| value.is_none() && !name.is_empty()).map(|(name, _)| decoded(name))
    }

    fn parts(self) -> impl Iterator<Item = (&'q str, Option<&'q str>)> {
        self.text.split('&').map(|part| match part.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (part, None),
        })
    }
}

fn decoded(text: &str) -> Cow<'_, str> {
    if text.contains('+') {
        Cow::Owned(percent_decoded(&text.replace('+', " ")).into_owned())
    } else {
        percent_decoded(text)
    }
}

/// The text with each `%41` replaced by what it stands for; what is no such code stays.
pub(crate) fn percent_decoded(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = match after {
            [high, low, ..] if first == b'%' => hex(*high).zip(hex(*low)),
            _ => None,
        };
        if let Some((high, low)) = code {
            bytes.push(high * 16 + low);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_values_and_bare_names() {
        let query = Query::new("AQIC.*x*&_action=validate&_queryFilter=_id+eq+%27user.7%27&empty=&bad=%4");
        assert_eq!(query.get("_action").unwrap(), "validate");
        assert_eq!(query.get("_queryFilter").unwrap(), "_id eq 'user.7'");
        assert_eq!(query.bare().unwrap(), "AQIC.*x*");
        assert_eq!((query.get("empty").unwrap(), query.get("bad").unwrap()), ("".into(), "%4".into()));
        assert!(query.get("none").is_none());
    }
}
