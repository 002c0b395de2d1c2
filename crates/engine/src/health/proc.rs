//! Files in which the system tells about itself, read with a bound.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// These files are a few hundred bytes; `/proc/stat` of a machine of a thousand cores is the largest of them.
const LIMIT: u64 = 1 << 20;

/// What a file says; none where it is absent, forbidden, or no text.
pub(crate) fn text(path: impl AsRef<Path>) -> Option<String> {
    text_up_to(path, LIMIT)
}

/// The same with another bound, in bytes. What lies beyond the bound is left out.
pub(crate) fn text_up_to(path: impl AsRef<Path>, limit: u64) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(limit).read_to_string(&mut text).ok()?;
    Some(text)
}

/// The one word or number of a file.
pub(crate) fn word(path: impl AsRef<Path>) -> Option<String> {
    text(path)?.split_whitespace().next().map(str::to_owned)
}

/// The one number of a file.
pub(crate) fn number(path: impl AsRef<Path>) -> Option<u64> {
    word(path)?.parse().ok()
}

/// The numbers of a line, as far as they are numbers.
pub(crate) fn numbers(line: &str) -> impl Iterator<Item = u64> {
    line.split_whitespace().map_while(|word| word.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_not_known() {
        assert_eq!(text("/proc/no such file"), None);
        assert_eq!(number("/proc/no such file"), None);
        assert_eq!(text("/proc"), None);
    }

    #[test]
    fn what_is_there_is_read_up_to_the_bound() {
        assert_eq!(text_up_to("/proc/self/stat", 3).map(|text| text.len()), Some(3));
        assert_eq!(numbers("1 2 x 3").collect::<Vec<_>>(), [1, 2]);
    }
}
