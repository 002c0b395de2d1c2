//! Lengths of time as people write them: `250ms`, `10s`, `1h30m`, `1.5s`.

use std::time::Duration;

/// What a JSON Schema says of them.
pub(crate) const PATTERN: &str = r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h|d))+$";

const UNITS: [(&str, u64); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

/// Longest length that is accepted: a hundred years.
const LONGEST: Duration = Duration::from_secs(100 * 366 * 86_400);

/// Words that people write for units, and the unit that is meant.
const MEANT: [(&str, &str); 12] = [
    ("msec", "ms"),
    ("msecs", "ms"),
    ("millis", "ms"),
    ("milliseconds", "ms"),
    ("sec", "s"),
    ("secs", "s"),
    ("second", "s"),
    ("seconds", "s"),
    ("min", "m"),
    ("mins", "m"),
    ("minutes", "m"),
    ("hours", "h"),
];

/// Reads a length of time. The error says what to do.
pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    if text.starts_with('-') {
        return Err("time does not run backwards: use a length from 0s".to_owned());
    }
    if text.parse::<f64>().is_ok_and(f64::is_finite) {
        return Err(if text == "0" {
            "add a unit: 0s".to_owned()
        } else if text.parse::<f64>().is_ok_and(|number| number < 1000.0) {
            format!("add a unit: {text}s")
        } else {
            format!("add a unit: {text}ms")
        });
    }
    let mut rest = text;
    let mut sum = Duration::ZERO;
    while !rest.is_empty() {
        let (part, tail) = part(rest).ok_or_else(|| advice(text))?;
        sum = sum.checked_add(part).ok_or_else(|| advice(text))?;
        rest = tail;
    }
    if text.is_empty() || sum > LONGEST {
        return Err(advice(text));
    }
    Ok(sum)
}

/// One number with its unit, and what follows.
fn part(text: &str) -> Option<(Duration, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, rest) = text.split_at(end);
    let word = &rest[..rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len())];
    let (_, nanos) = UNITS.iter().find(|(unit, _)| *unit == word)?;
    let (whole, fraction) = number.split_once('.').map_or((number, None), |(w, f)| (w, Some(f)));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !fraction.is_none_or(digits) {
        return None;
    }
    let whole = u128::from(whole.parse::<u64>().ok()?) * u128::from(*nanos);
    let fraction = fraction.map_or(0, |digits| {
        let digits = &digits[..digits.len().min(15)];
        digits.parse::<u128>().unwrap_or(0) * u128::from(*nanos) / 10_u128.pow(digits.len() as u32)
    });
    Some((Duration::from_nanos(u64::try_from(whole + fraction).ok()?), &rest[word.len()..]))
}

fn advice(text: &str) -> String {
    let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
    let end = compact.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(compact.len());
    let (number, word) = compact.split_at(end);
    let unit = MEANT.iter().find(|(wrong, _)| *wrong == word).map_or(word, |(_, unit)| *unit);
    let fixed = format!("{number}{unit}");
    match part(&fixed) {
        Some((_, "")) => format!("write {fixed}"),
        _ => "write it like 250ms, 10s, 5m or 1h30m".to_owned(),
    }
}

/// Writes a length of time so that it can be read again.
pub(crate) fn show(time: Duration) -> String {
    let mut rest = time.as_nanos();
    if rest == 0 {
        return "0s".to_owned();
    }
    if rest < 60_000_000_000 && rest.is_multiple_of(1_000_000) && rest > 1_000_000_000 {
        let millis = rest / 1_000_000;
        let text = format!("{}.{:03}", millis / 1000, millis % 1000);
        return format!("{}s", text.trim_end_matches('0').trim_end_matches('.'));
    }
    let mut out = String::new();
    for unit in ["d", "h", "m", "s", "ms", "us", "ns"] {
        let (_, nanos) = UNITS.iter().find(|(name, _)| *name == unit).expect("one of the units");
        let count = rest / u128::from(*nanos);
        rest %= u128::from(*nanos);
        if count > 0 {
            out.push_str(&format!("{count}{unit}"));
        }
    }
    out
}
