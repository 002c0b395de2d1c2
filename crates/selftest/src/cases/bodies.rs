//! H10: answers whose end comes long after their beginning.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::ordered::Ordered;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H10", question: "does a response end with its last byte?", is_long: false, judge };

/// Head after 5 ms, body 200 ms later.
const TIME_MS: f64 = 205.0;

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let job = "load: { users: 8, iterations: 5, ramp: { group: 1, every: 25ms } }
workloads: { closed: { steps: [{ task: closed }] } }
tasks: { closed: { url: \"/bytes/70000?pause=200\" } }
";
    Ok(compare(&stand.trial(&Setup { behavior: &["bytes=fixed:5ms"], job, seed: 100 })?))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let times = trial.task("closed").response_ms;
    let truth = Ordered::new(vec![TIME_MS]);
    let levels = [("p50", 0.5, times.p50), ("p90", 0.9, times.p90)];
    let mut all = vec![
        Judgement::count("requests reported", trial.truth.count("bytes"), times.count),
        Judgement::within("shortest, ms", (TIME_MS, f64::INFINITY), times.min).exact(),
    ];
    all.extend(trial.times("to the last byte:", &levels, &truth, TOLERANCE));
    all.push(Judgement::not_run("to the first byte", "the report has no such figure"));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    #[test]
    fn a_generator_that_stops_at_the_head_fails() {
        let failed = |ms: f64| {
            let example = Example::even("closed", "bytes", 40, |_| 5_000).answered_in("closed", ms);
            compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
        };
        assert_eq!(failed(205.2), 0);
        assert_eq!(failed(5.2), 3);
    }
}
