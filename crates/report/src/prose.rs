//! Free text on a terminal: made harmless, wrapped by words, cut to a width.

use crate::Style;

/// Text from jobs and targets without the control characters that would steer a terminal.
pub(crate) fn harmless(text: &str) -> String {
    text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

/// Characters of a text, which is its width for all but the scripts that need two cells a letter.
pub(crate) fn width(text: &str) -> usize {
    text.chars().count()
}

/// The text, cut to `limit` characters with a sign that it was cut.
pub(crate) fn cut(text: &str, limit: usize, style: &Style) -> String {
    if width(text) <= limit {
        return text.to_owned();
    }
    let sign = style.ellipsis();
    match limit.checked_sub(width(sign)) {
        Some(kept) => text.chars().take(kept).chain(sign.chars()).collect(),
        None => text.chars().take(limit).collect(),
    }
}

/// Lines of at most `limit` characters, broken between words where that is possible.
pub(crate) fn wrap(text: &str, limit: usize) -> Vec<String> {
    let limit = limit.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut rest: Vec<char> = word.chars().collect();
        while !rest.is_empty() {
            let line = lines.last_mut().expect("there is always a line");
            let used = width(line);
            let gap = usize::from(used > 0);
            if used + gap + rest.len() <= limit {
                line.extend([' '].iter().take(gap));
                line.extend(rest.drain(..));
            } else if used > 0 {
                lines.push(String::new());
            } else {
                line.extend(rest.drain(..limit));
            }
        }
    }
    lines
}

/// `lead` before the first line of the text, as many blanks before the others; never wider than the style.
pub(crate) fn hang(lead: &str, text: &str, style: &Style) -> Vec<String> {
    let indent = width(lead);
    wrap(&harmless(text), style.columns().saturating_sub(indent))
        .into_iter()
        .enumerate()
        .map(
            |(index, line)| {
                if index == 0 { format!("{lead}{line}") } else { format!("{:indent$}{line}", "") }
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn escape_sequences_do_not_reach_the_terminal() {
        assert_eq!(harmless("a\x1b[31mb\nc\u{9b}d"), "a [31mb c d");
    }

    #[test]
    fn words_stay_whole() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh", 3), ["abc", "def", "gh"]);
        assert_eq!(wrap("", 3), [""]);
    }

    #[test]
    fn what_is_cut_says_so() {
        let style = Style::default();
        assert_eq!(cut("authenticate", 6, &style), "authe…");
        assert_eq!(cut("authenticate", 6, &Style { unicode: false, ..style }), "aut...");
        assert_eq!(cut("short", 6, &style), "short");
    }

    proptest! {
        #[test]
        fn no_line_is_wider(text in ".{0,200}", limit in 1..80usize) {
            for line in wrap(&text, limit) {
                prop_assert!(width(&line) <= limit);
            }
            prop_assert!(width(&cut(&text, limit, &Style::default())) <= limit);
        }
    }
}
