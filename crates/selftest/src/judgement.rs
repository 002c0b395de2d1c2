//! One figure against the truth, and what is to be said of it: pure functions.

use crate::machine::Machine;
use serde::Serialize;

/// What is to be said of a figure, or of all figures of a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It is as true as the criterion asks for.
    Passed,
    /// There is nothing to measure here: the judgement says why.
    NotRun,
    /// The run was no measurement, or the machine was busier than the criterion is narrow.
    NotJudged,
    /// It is not true.
    Failed,
}

/// One figure against the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// What is compared.
    pub figure: String,
    /// What was true.
    pub truth: String,
    /// What the generator said, or what the target saw of it.
    pub measured: String,
    /// What is to be said of it.
    pub verdict: Verdict,
    /// Why, when it did not pass.
    pub reason: String,
    /// Whether no noise can make it wrong, as with counts.
    #[serde(skip)]
    pub(crate) is_exact: bool,
}

/// How far a time may be from the truth: the larger of the two.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tolerance {
    pub(crate) absolute_ms: f64,
    pub(crate) relative: f64,
}

/// Delays by the machine that a request may meet and no log sees: an answer wakes the generator, which may be
/// interrupted again before it looks at the clock.
const DELAYS: f64 = 2.0;

/// A quantile of response times, true and measured, in ms.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pair {
    /// 0–1; 1 is the maximum.
    pub(crate) quantile: f64,
    pub(crate) truth: f64,
    pub(crate) measured: f64,
}

impl Judgement {
    pub(crate) fn new(figure: &str, truth: String, measured: String, verdict: Verdict) -> Self {
        Self { figure: figure.to_owned(), truth, measured, verdict, reason: String::new(), is_exact: false }
    }

    /// No noise can make this wrong: one failure is enough.
    pub(crate) fn exact(self) -> Self {
        Self { is_exact: true, ..self }
    }

    /// A machine that stands still for long may make this wrong.
    pub(crate) fn inexact(self) -> Self {
        Self { is_exact: false, ..self }
    }

    /// Whether it failed, and no noise can be the cause.
    pub(crate) fn is_final_failure(&self) -> bool {
        self.is_exact && self.verdict == Verdict::Failed
    }

    fn because(self, reason: String) -> Self {
        Self { reason, ..self }
    }

    /// Counts are equal or they are wrong: no machine is too busy to count.
    pub(crate) fn count(figure: &str, truth: u64, measured: u64) -> Self {
        let verdict = if truth == measured { Verdict::Passed } else { Verdict::Failed };
        let reason = if truth == measured { String::new() } else { "the counts differ".to_owned() };
        Self::new(figure, truth.to_string(), measured.to_string(), verdict).because(reason).exact()
    }

    /// Something that holds or does not.
    pub(crate) fn holds(figure: &str, truth: &str, measured: impl Into<String>, holds: bool) -> Self {
        let verdict = if holds { Verdict::Passed } else { Verdict::Failed };
        let reason = if holds { String::new() } else { "it does not hold".to_owned() };
        Self::new(figure, truth.to_owned(), measured.into(), verdict).because(reason)
    }

    /// A figure that must be from `low` to `high`.
    pub(crate) fn within(figure: &str, (low, high): (f64, f64), measured: f64) -> Self {
        let holds = (low..=high).contains(&measured);
        let truth = match (low.is_finite(), high.is_finite()) {
            (true, true) => format!("{} to {}", number(low), number(high)),
            (true, false) => format!("≥ {}", number(low)),
            _ => format!("≤ {}", number(high)),
        };
        Self::holds(figure, &truth, number(measured), holds)
    }

    /// Something that is not there to be judged, and why.
    pub(crate) fn not_run(figure: &str, reason: &str) -> Self {
        Self::new(figure, "–".to_owned(), "–".to_owned(), Verdict::NotRun).because(reason.to_owned())
    }

    /// A response time against what the target's log makes of it.
    ///
    /// The log ends where the target hands over its answer; the generator's clock stops when it has read it. A
    /// usual round trip on this machine's loopback lies between the two at most, so it is allowed beside the tolerance. What is later than that by no more than twice what the machine made an
    /// independent client wait at the same quantile may be the machine's; it is not judged. Nothing excuses a time that is too short.
    pub(crate) fn time(figure: &str, pair: Pair, tolerance: Tolerance, machine: &Machine) -> Self {
        let allowed = tolerance.absolute_ms.max(tolerance.relative * pair.truth);
        let usual = machine.round_trips.quantile(0.5);
        let (low, high) = (pair.truth - allowed, pair.truth + allowed + usual);
        let noisy = high + DELAYS * machine.delay_ms(pair.quantile.max(0.99));
        let (verdict, reason) = match pair.measured {
            measured if measured < low => (Verdict::Failed, format!("below {} ms", number(low))),
            measured if measured <= high => (Verdict::Passed, String::new()),
            measured if measured <= noisy => (
                Verdict::NotJudged,
                format!(
                    "above {} ms by less than the {} ms by which this machine delays an independent client twice",
                    number(high),
                    number(noisy - high)
                ),
            ),
            _ => (Verdict::Failed, format!("above {} ms", number(high))),
        };
        let (truth, measured) = (number(pair.truth), number(pair.measured));
        Self::new(figure, format!("{truth} ms"), format!("{measured} ms"), verdict).because(reason)
    }

    /// The same judgement of a run that was no measurement: nothing that depends on time can be said.
    pub(crate) fn withheld(self, why: &str) -> Self {
        match self.verdict {
            Verdict::NotRun => self,
            _ => Self { verdict: Verdict::NotJudged, reason: why.to_owned(), ..self },
        }
    }
}

/// The worst of several verdicts: failed before not judged before not run; passed when there are none.
pub(crate) fn worst(judgements: &[Judgement]) -> Verdict {
    let judged = judgements.iter().map(|judgement| judgement.verdict);
    let all_absent = !judgements.is_empty() && judged.clone().all(|verdict| verdict == Verdict::NotRun);
    match judged.filter(|verdict| *verdict != Verdict::NotRun).max() {
        _ if all_absent => Verdict::NotRun,
        Some(verdict) => verdict,
        None => Verdict::Passed,
    }
}

/// Three digits that count, without needless zeros; four where they are before the point.
pub(crate) fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 1_000.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 10.0 => 2,
        size if size >= 1.0 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::Verdict::{Failed, NotJudged, NotRun, Passed};
    use super::*;
    use crate::ordered::Ordered;

    /// 0.1 ms as a rule, 2 ms at the worst.
    fn machine() -> Machine {
        let round_trips = Ordered::new(std::iter::repeat_n(0.1, 199).chain([2.0]).collect());
        Machine { round_trips, wake_ups: Ordered::default() }
    }

    fn time(quantile: f64, measured: f64) -> Verdict {
        let pair = Pair { quantile, truth: 10.0, measured };
        let tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };
        Judgement::time("p", pair, tolerance, &machine()).verdict
    }

    #[test]
    fn a_time_is_true_within_the_tolerance_and_a_round_trip() {
        assert_eq!(time(0.5, 10.0), Verdict::Passed);
        assert_eq!(time(0.5, 10.24), Verdict::Passed);
        assert_eq!(time(0.5, 10.30), Verdict::NotJudged);
        assert_eq!(time(0.5, 10.50), Verdict::Failed, "the machine does not excuse this much");
        assert_eq!(time(1.0, 12.2), Verdict::NotJudged, "its longest wake-up excuses a maximum");
        assert_eq!(time(1.0, 14.3), Verdict::Failed);
    }

    #[test]
    fn nothing_excuses_a_time_that_is_too_short() {
        assert_eq!(time(0.5, 9.86), Verdict::Passed);
        assert_eq!(time(0.5, 9.8), Verdict::Failed);
        assert_eq!(time(1.0, 9.8), Verdict::Failed);
    }

    #[test]
    fn counts_and_ranges_can_be_wrong() {
        assert_eq!(Judgement::count("n", 3, 3).verdict, Verdict::Passed);
        assert_eq!(Judgement::count("n", 3, 4).verdict, Verdict::Failed);
        assert_eq!(Judgement::within("n", (1.0, 2.0), 2.0).verdict, Verdict::Passed);
        assert_eq!(Judgement::within("n", (1.0, 2.0), 2.1).verdict, Verdict::Failed);
        assert_eq!(Judgement::within("n", (1.0, 2.0), f64::NAN).verdict, Verdict::Failed);
    }

    #[test]
    fn the_worst_counts() {
        let of = |verdict| Judgement::new("", String::new(), String::new(), verdict);
        for (all, expected) in [
            (vec![Passed, NotRun], Passed),
            (vec![NotRun], NotRun),
            (vec![Passed, NotJudged], NotJudged),
            (vec![NotJudged, Failed, Passed], Failed),
        ] {
            assert_eq!(worst(&all.iter().map(|verdict| of(*verdict)).collect::<Vec<_>>()), expected);
        }
    }
}
