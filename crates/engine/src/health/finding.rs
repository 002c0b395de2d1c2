//! Figures against limits.

use loadgen_model::report::Finding;
pub(super) use loadgen_model::report::Severity;

/// From where on a figure is doubtful, and from where on it voids the run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Limits {
    pub(crate) warn: f64,
    pub(crate) invalid: f64,
}

/// A finding when a figure is above a limit, in words that get the limit.
pub(super) fn grade(figure: f64, limits: Limits, words: impl Fn(f64) -> String) -> Option<Finding> {
    match figure {
        figure if figure > limits.invalid => Some(finding(Severity::Invalid, words(limits.invalid))),
        figure if figure > limits.warn => Some(finding(Severity::Warning, words(limits.warn))),
        _ => None,
    }
}

/// A finding.
pub(super) fn finding(severity: Severity, message: String) -> Finding {
    Finding { severity, message }
}

/// A share as a percentage, to two digits that say something.
pub(super) fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let digits = match percent {
        percent if percent >= 10.0 || percent == 0.0 => 0,
        percent if percent >= 0.95 => 1,
        _ => 2,
    };
    let text = format!("{percent:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}%")
}
