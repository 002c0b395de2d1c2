//! The tests' own BER: elements as vectors of bytes, filters from their text. Independent of the platform's.

/// An element.
pub(crate) fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    match content.len() {
        length @ 0..0x80 => bytes.push(length as u8),
        length @ 0x80..0x1_0000 => bytes.extend([0x82, (length >> 8) as u8, length as u8]),
        length => bytes.extend([
            0x84,
            (length >> 24) as u8,
            (length >> 16) as u8,
            (length >> 8) as u8,
            length as u8,
        ]),
    }
    bytes.extend_from_slice(content);
    bytes
}

/// An element of elements.
pub(crate) fn group(tag: u8, parts: &[Vec<u8>]) -> Vec<u8> {
    element(tag, &parts.concat())
}

pub(crate) fn text(text: &str) -> Vec<u8> {
    element(4, text.as_bytes())
}

pub(crate) fn integer(value: u32) -> Vec<u8> {
    element(2, &value.to_be_bytes())
}

pub(crate) fn choice(value: u8) -> Vec<u8> {
    element(10, &[value])
}

pub(crate) fn boolean(value: bool) -> Vec<u8> {
    element(1, &[if value { 0xff } else { 0 }])
}

/// Texts in a sequence.
pub(crate) fn texts(values: &[&str]) -> Vec<u8> {
    group(0x30, &values.iter().map(|value| text(value)).collect::<Vec<_>>())
}

/// Splits the first element off: its tag, its content, the rest.
pub(crate) fn split(bytes: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let count = usize::from(first & 0x7f);
        let octets = rest.get(..count)?;
        (octets.iter().fold(0, |length, &byte| length << 8 | usize::from(byte)), &rest[count..])
    };
    Some((tag, rest.get(..length)?, &rest[length..]))
}

/// All elements.
pub(crate) fn parts(bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut rest = bytes;
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (tag, content, after) = split(rest).expect("the platform sends whole elements");
        parts.push((tag, content));
        rest = after;
    }
    parts
}

/// A filter from its text: `(&(uid=user.7)(!(cn=A*b*c))(age>=4)(mail=*))`.
pub(crate) fn filter(text: &str) -> Vec<u8> {
    let (filter, rest) = read_filter(text);
    assert!(rest.is_empty(), "{text}");
    filter
}

fn read_filter(text: &str) -> (Vec<u8>, &str) {
    let inner = text.strip_prefix('(').expect("a filter begins with a bracket");
    let tag = match inner.as_bytes()[0] {
        b'&' => 0xa0,
        b'|' => 0xa1,
        b'!' => 0xa2,
        _ => {
            let end = inner.find(')').expect("a filter ends with a bracket");
            return (condition(&inner[..end]), &inner[end + 1..]);
        }
    };
    let mut rest = &inner[1..];
    let mut filters = Vec::new();
    while rest.starts_with('(') {
        let (filter, after) = read_filter(rest);
        filters.push(filter);
        rest = after;
    }
    (group(tag, &filters), rest.strip_prefix(')').expect("a filter ends with a bracket"))
}

fn condition(condition: &str) -> Vec<u8> {
    for (sign, tag) in [(">=", 0xa5), ("<=", 0xa6), ("~=", 0xa8)] {
        if let Some((name, value)) = condition.split_once(sign) {
            return group(tag, &[text(name), text(value)]);
        }
    }
    if let Some((rule, value)) = condition.split_once(":=") {
        return group(0xa9, &[element(0x82, rule.as_bytes()), element(0x83, value.as_bytes())]);
    }
    let (name, value) = condition.split_once('=').expect("a condition has a sign");
    if value == "*" {
        return element(0x87, name.as_bytes());
    }
    if !value.contains('*') {
        return group(0xa3, &[text(name), text(value)]);
    }
    let pieces: Vec<_> = value.split('*').collect();
    let last = pieces.len() - 1;
    let pieces = pieces.iter().enumerate().filter(|(_, piece)| !piece.is_empty()).map(|(at, piece)| {
        let tag = if at == 0 {
            0x80
        } else if at == last {
            0x82
        } else {
            0x81
        };
        element(tag, piece.as_bytes())
    });
    group(0xa4, &[text(name), group(0x30, &pieces.collect::<Vec<_>>())])
}
