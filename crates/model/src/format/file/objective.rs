//! Objectives as they are typed.

use crate::format::decode::Decode;
use crate::format::decode::fields::{Fields, Record, Rule};
use crate::format::decode::quantity::{Limit, Rate, Share, Time};
use crate::format::decode::record::record;
use crate::format::decode::shape::{Definitions, Shape};
use crate::format::decode::text::Text;
use crate::format::decode::words::{Switch, words};

record! {
    /// An objective: limits on a task, on a workload or on the whole run.
    pub(crate) struct Objective {
        /// The task; all tasks when absent.
        task: Option<Text>,
        /// The workload; all workloads when absent.
        workload: Option<Text>,
        /// Mean response time, at most.
        mean: Option<Limit>,
        /// Longest response time, at most.
        max: Option<Limit>,
        /// Share of failed requests, at most.
        errors: Option<Share>,
        /// Share of requests over their threshold, at most.
        exceeded: Option<Share>,
        /// What is measured of the whole: `rate`.
        total: Option<Total>,
        /// Requests a second, at least; with `total: rate`.
        at_least: Option<Rate>,
        /// It has to hold in every window of this length; over the whole steady window when absent.
        window = "for": Option<Time>,
        /// Whether the run ends when it is missed.
        stop: Option<Switch>,
        /// Time in the steady window before it may end the run; 10s when absent.
        after: Option<Time>,
        ..percentiles: Percentiles,
    }
    rules: [
        Rule::Needs("total", &["at_least"]),
        Rule::Needs("at_least", &["total"]),
        Rule::Needs("after", &["stop"]),
    ]
}

words! {
    /// What is measured of the whole.
    pub(crate) enum Total {
        /// Requests a second.
        Rate = "rate",
    }
}

/// What an objective can be on besides percentiles.
const MEASURES: [&str; 5] = ["mean", "max", "errors", "exceeded", "total"];
/// Keys such as `p99` and `p99.9`.
const PERCENTILE: &str = r"^p[0-9]{1,2}(\.[0-9]{1,6})?$";

/// Limits on percentiles of the response time, by quantile (0–1).
#[derive(Debug, Clone, Default)]
pub(crate) struct Percentiles(pub(crate) Vec<(f64, Limit)>);

impl Record for Percentiles {
    fn take(fields: &mut Fields<'_>) -> Option<Self> {
        let mut found = Vec::new();
        for (key, node) in fields.take_all(|key| quantile(key).is_some()) {
            let quantile = quantile(key).expect("only such keys are taken");
            found.extend(Limit::decode(node, fields.problems).map(|limit| (quantile, limit)));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        if found.is_empty() && !MEASURES.iter().any(|key| fields.has(key)) {
            fields
                .missing("a limit, such as `p99`, `mean`, `max`, `errors`, `exceeded` or `total`", &MEASURES);
        }
        Some(Self(found))
    }

    fn describe(shape: &mut Shape, definitions: &mut Definitions) {
        let docs = "Percentile of the response time, at most.";
        shape.pattern(PERCENTILE, docs, Limit::schema(definitions), &MEASURES);
    }
}

/// `p99.9` is 0.999; none for other keys, and for 0 and 100.
fn quantile(key: &str) -> Option<f64> {
    let digits = key.strip_prefix('p')?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let are_digits =
        |text: &str, most| (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !are_digits(whole, 2) || !are_digits(fraction, 6) {
        return None;
    }
    let percent: f64 = digits.parse().ok()?;
    // 99.9 ÷ 100 is not 0.999: rounded to what was written.
    Some((percent * 1e6).round() / 1e8).filter(|quantile| *quantile > 0.0)
}
