//! Numbers, and numbers with units: `200ms`, `0.1%`, `250/s`, `64KiB`.

use crate::format::decode::shape::Definitions;
use crate::format::decode::{Decode, shortened, wrong_kind};
use crate::format::node::{Kind, Node};
use crate::format::problems::Problems;
use crate::format::time;
use serde_json::json;
use std::time::Duration;

/// A length of time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) Duration);

/// A length of time, or none for `auto`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct TimeOrAuto(pub(crate) Option<Duration>);

/// A length of time of the size of a response: one without a unit is probably meant in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Limit(pub(crate) Duration);

/// A whole number from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Count(pub(crate) u64);

/// A whole number.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Whole(pub(crate) i64);

/// A number from 0.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Real(pub(crate) f64);

/// A share of all: `0.1%` is 0.001.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Share(pub(crate) f64);

/// So many a second.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Rate(pub(crate) f64);

/// So many a second, or none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct EndRate(pub(crate) f64);

/// Bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Size(pub(crate) u64);

/// A decoder of one word and its schema.
macro_rules! quantity {
    ($name:ident, $expected:literal, $schema:expr, $read:expr) => {
        impl Decode for $name {
            const EXPECTED: &'static str = $expected;

            fn accepts(node: &Node) -> bool {
                node.scalar().is_some() && !node.is_null()
            }

            fn decode(node: &Node, problems: &mut Problems) -> Option<Self> {
                let Some(scalar) = node.scalar().filter(|_| !node.is_null()) else {
                    return wrong_kind::<Self>(node, problems);
                };
                let read: fn(&str, Kind) -> Result<$name, Option<String>> = $read;
                match read(&scalar.text, scalar.kind) {
                    Ok(value) => Some(value),
                    Err(None) => wrong_kind::<Self>(node, problems),
                    Err(Some(help)) => {
                        let message = format!("`{}` is not {}", shortened(&scalar.text), $expected);
                        problems.error_with_help(&node.at, message, help);
                        None
                    }
                }
            }

            fn schema(_: &mut Definitions) -> serde_json::Value {
                $schema
            }
        }
    };
}

quantity!(Time, "a length of time", json!({ "type": "string", "pattern": time::PATTERN }), |text, _| {
    time::parse(text).map(Time).map_err(Some)
});

quantity!(
    TimeOrAuto,
    "a length of time or `auto`",
    json!({ "anyOf": [{ "const": "auto" }, { "type": "string", "pattern": time::PATTERN }] }),
    |text, _| match text {
        "auto" => Ok(TimeOrAuto(None)),
        _ => time::parse(text).map(|time| TimeOrAuto(Some(time))).map_err(Some),
    }
);

quantity!(Limit, "a length of time", json!({ "type": "string", "pattern": time::PATTERN }), |text, kind| {
    let advice = |said| match text.parse::<f64>() {
        // A part of a second, or of a millisecond.
        Ok(number) if kind == Kind::Number && number > 0.0 && number < 1.0 => {
            format!("add a unit: {text}s or {text}ms")
        }
        Ok(number) if kind == Kind::Number && number > 0.0 => format!("add a unit: {text}ms"),
        _ => said,
    };
    time::parse(text).map(Limit).map_err(|said| Some(advice(said)))
});

quantity!(Count, "a whole number", json!({ "type": "integer", "minimum": 0 }), |text, kind| {
    match text.parse() {
        Ok(number) if kind == Kind::Number => Ok(Count(number)),
        _ if text.starts_with('-') && kind == Kind::Number => Err(Some("use a number from 0".to_owned())),
        _ => Err(None),
    }
});

quantity!(Whole, "a whole number", json!({ "type": "integer" }), |text, kind| {
    text.parse().ok().filter(|_| kind == Kind::Number).map(Whole).ok_or(None)
});

quantity!(Real, "a number from 0", json!({ "type": "number", "minimum": 0 }), |text, kind| {
    match text.parse::<f64>() {
        Ok(number) if kind == Kind::Number && number >= 0.0 && number.is_finite() => Ok(Real(number)),
        Ok(number) if number < 0.0 => Err(Some("use a number from 0".to_owned())),
        _ => Err(None),
    }
});

quantity!(
    Share,
    "a percentage",
    json!({ "type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?%$" }),
    |text, _| match text.strip_suffix('%').map(str::parse::<f64>) {
        Some(Ok(percent)) if (0.0..=100.0).contains(&percent) => Ok(Share(percent / 100.0)),
        Some(_) => Err(Some("use 0% to 100%".to_owned())),
        None if text.parse::<f64>().is_ok() => Err(Some(format!("add the sign: {text}%"))),
        None => Err(Some("write it like 0.1%".to_owned())),
    }
);

/// What a JSON Schema says of rates.
const RATE: &str = r"^[0-9]+(\.[0-9]+)?/(s|m|h)$";
/// Higher rates than this are a mistake: no machine starts so many requests a second.
const HIGHEST_RATE: f64 = 1e8;

/// Reads `250/s`, `15000/m` or `3600/h`, to 1/s.
fn per_second(text: &str) -> Result<f64, Option<String>> {
    let per = [("/s", 1.0), ("/m", 60.0), ("/h", 3600.0)];
    let found = per.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    match found.map(|(number, seconds)| (number.parse::<f64>(), seconds)) {
        Some((Ok(number), seconds)) if (0.0..=HIGHEST_RATE).contains(&number) => Ok(number / seconds),
        Some((Ok(number), _)) if number > HIGHEST_RATE => Err(Some("use a lower one".to_owned())),
        None if text.parse::<f64>().is_ok() => Err(Some(format!("add a unit: {text}/s"))),
        _ => Err(Some("write it like 250/s, above 0".to_owned())),
    }
}

impl Rate {
    /// Reads a rate above 0, to 1/s. The error says what to do.
    pub(crate) fn parse(text: &str) -> Result<f64, String> {
        let above_0 = || "write it like 250/s, above 0".to_owned();
        match per_second(text) {
            Ok(rate) if rate > 0.0 => Ok(rate),
            Ok(_) => Err(above_0()),
            Err(advice) => Err(advice.unwrap_or_else(above_0)),
        }
    }
}

quantity!(Rate, "a rate", json!({ "type": "string", "pattern": RATE }), |text, _| {
    Rate::parse(text).map(Rate).map_err(Some)
});

quantity!(EndRate, "a rate", json!({ "type": "string", "pattern": RATE }), |text, _| per_second(text)
    .map(EndRate));

quantity!(
    Size,
    "a size",
    json!({ "anyOf": [
        { "type": "integer", "minimum": 0 },
        { "type": "string", "pattern": "^[0-9]+(B|kB|KiB|MB|MiB|GB|GiB)$" },
    ] }),
    |text, _| {
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let units = [
            ("", 1),
            ("B", 1),
            ("kB", 1000),
            ("KiB", 1 << 10),
            ("MB", 1_000_000),
            ("MiB", 1 << 20),
            ("GB", 1_000_000_000),
            ("GiB", 1 << 30),
        ];
        let unit = units.iter().find(|(unit, _)| *unit == &text[digits..]);
        match (text[..digits].parse::<u64>(), unit) {
            (Ok(number), Some((_, bytes))) => {
                number.checked_mul(*bytes).map(Size).ok_or(Some("use a smaller one".to_owned()))
            }
            _ => Err(Some("write it like 512B, 64KiB or 2MB".to_owned())),
        }
    }
);
