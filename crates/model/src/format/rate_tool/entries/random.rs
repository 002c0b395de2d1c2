//! `<random:…>`: letters, digits, numbers, months and telephone numbers.

use crate::diagnostic::nearest;
use rand::Rng;

/// Longest random text.
const LONGEST: usize = 65_536;
/// Most digits that a number is filled up to with zeros.
const MOST_DIGITS: usize = 64;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
const DIGITS: &str = "0123456789";
const HEX: &str = "0123456789abcdef";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const KINDS: [&str; 8] = ["alpha", "numeric", "alphanumeric", "chars", "hex", "base64", "month", "telephone"];

/// What is drawn.
#[derive(Clone)]
pub(super) enum Random {
    /// From `least` to `most` characters.
    Characters { alphabet: Vec<char>, least: usize, most: usize },
    /// The same, filled up with `=` to a multiple of four.
    Base64 { least: usize, most: usize },
    /// A number, both ends included, with so many digits at least.
    Number { low: i64, high: i64, digits: usize },
    /// The name of a month, perhaps its first letters only.
    Month { letters: usize },
    /// `+1` and ten digits.
    Telephone,
}

/// Reads the parameters of the tag `text`. The error says what is wrong.
pub(super) fn parse(text: &str, parameters: &[&str]) -> Result<Random, String> {
    let (kind, rest) = parameters.split_first().unwrap_or((&"", &[]));
    let kind = kind.trim().to_ascii_lowercase();
    let of = |alphabet: &str, rest: &[&str]| {
        lengths(rest).map(|(least, most)| Random::Characters {
            alphabet: alphabet.chars().collect(),
            least,
            most,
        })
    };
    let parsed = match kind.as_str() {
        "alpha" => of(LETTERS, rest),
        "alphanumeric" => of(&format!("{LETTERS}{DIGITS}"), rest),
        "hex" => of(HEX, rest),
        "numeric" if rest.len() == 1 => of(DIGITS, rest),
        "numeric" => numbers(rest),
        "chars" => {
            rest.split_first().filter(|(set, _)| !set.is_empty()).and_then(|(set, rest)| of(set, rest))
        }
        "base64" => lengths(rest).map(|(least, most)| Random::Base64 { least, most }),
        "month" if rest.is_empty() => Some(Random::Month { letters: usize::MAX }),
        "month" => rest[0]
            .trim()
            .parse()
            .ok()
            .filter(|letters| *letters > 0)
            .map(|letters| Random::Month { letters }),
        "telephone" => Some(Random::Telephone),
        _ => {
            let help = nearest(&kind, KINDS).map_or_else(
                || format!("use one of {}", KINDS.join(", ")),
                |near| format!("did you mean `<random:{near}>`?"),
            );
            return Err(format!("`<{text}>` does not say what to draw; {help}"));
        }
    };
    parsed.ok_or_else(|| {
        format!("the parameters of `<{text}>` do not fit; lengths are whole numbers up to {LONGEST}, the smaller first")
    })
}

/// `length`, or `least:most`.
fn lengths(parameters: &[&str]) -> Option<(usize, usize)> {
    let (least, most) = match parameters {
        [length] => (length, length),
        [least, most] => (least, most),
        _ => return None,
    };
    let (least, most) = (least.trim().parse().ok()?, most.trim().parse().ok()?);
    (least <= most && most <= LONGEST).then_some((least, most))
}

/// `low:high`, and perhaps a pattern of zeros as `java.text.DecimalFormat` has it.
fn numbers(parameters: &[&str]) -> Option<Random> {
    let (low, high, pattern) = match parameters {
        [low, high] => (low, high, ""),
        [low, high, pattern] => (low, high, pattern.trim()),
        _ => return None,
    };
    let (low, high) = (low.trim().parse().ok()?, high.trim().parse().ok()?);
    let zeros = pattern.trim_start_matches('#');
    let fits = zeros.bytes().all(|byte| byte == b'0') && zeros.len() <= MOST_DIGITS;
    (low <= high && fits).then_some(Random::Number { low, high, digits: zeros.len() })
}

impl Random {
    /// The most letters that can come of it.
    pub(super) fn longest(&self) -> usize {
        match self {
            Self::Characters { most, .. } => most * 4,
            Self::Base64 { most, .. } => most + 3,
            Self::Number { digits, .. } => digits + 20,
            Self::Month { .. } | Self::Telephone => 16,
        }
    }

    /// Appends what is drawn.
    pub(super) fn draw(&self, random: &mut impl Rng, out: &mut String) {
        match self {
            Self::Characters { alphabet, least, most } => {
                characters(random, alphabet.len(), |index| alphabet[index], *least, *most, out);
            }
            Self::Base64 { least, most } => {
                let digits = BASE64.as_bytes();
                let drawn =
                    characters(random, digits.len(), |index| char::from(digits[index]), *least, *most, out);
                out.extend(std::iter::repeat_n('=', drawn.next_multiple_of(4) - drawn));
            }
            Self::Number { low, high, digits } => {
                let number: i64 = random.random_range(*low..=*high);
                let sign = if number < 0 { "-" } else { "" };
                out.push_str(&format!("{sign}{:0digits$}", number.unsigned_abs()));
            }
            Self::Month { letters } => {
                let month = MONTHS[random.random_range(0..MONTHS.len())];
                out.push_str(&month[..month.len().min(*letters)]);
            }
            Self::Telephone => {
                let digits: u64 = random.random_range(0..10_000_000_000);
                let (area, rest) = (digits / 10_000_000, digits % 10_000_000);
                out.push_str(&format!("+1 {area:03} {:03} {:04}", rest / 10_000, rest % 10_000));
            }
        }
    }
}

/// Appends characters; how many is drawn first.
fn characters(
    random: &mut impl Rng,
    choices: usize,
    of: impl Fn(usize) -> char,
    least: usize,
    most: usize,
    out: &mut String,
) -> usize {
    let length = random.random_range(least..=most);
    out.extend((0..length).map(|_| of(random.random_range(0..choices))));
    length
}
