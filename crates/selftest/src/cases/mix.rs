//! H17: which workload runs, and which values are drawn.

use crate::case::Case;
use crate::judgement::Judgement;
use crate::randomness::chi_squared;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;
use std::collections::BTreeMap;

pub(crate) const CASE: Case =
    Case { name: "H17", question: "are mixes and draws what they are said to be?", is_long: false, judge };

/// Users, the iterations of each, and their weights.
const USERS: u64 = 4;
const ITERATIONS: u64 = 1_000;
const WEIGHTS: [(&str, u64); 3] = [("read", 7), ("echo", 2), ("compress", 1)];

/// Values that are drawn from, each as likely, and what chi-squared of their counts exceeds in 0.1 % of all cases, with
/// one degree of freedom less.
const VALUES: usize = 20;
const CHI_SQUARED: f64 = 43.82;

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let last = VALUES - 1;
    let job = format!(
        "load: {{ users: {USERS}, iterations: {ITERATIONS} }}
wildcards: {{ USER: {{ random: [0, {last}] }} }}
workloads:
  a: {{ weight: 7, steps: [{{ task: a }}] }}
  b: {{ weight: 2, steps: [{{ task: b }}] }}
  c: {{ weight: 1, steps: [{{ task: c }}] }}
tasks: {{ a: {{ url: /users/user.$USER }}, b: {{ url: /echo }}, c: {{ url: /gzip }} }}
"
    );
    Ok(compare(&stand.trial(&Setup { behavior: &[], job: &job, seed: 170 })?))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let all = USERS * ITERATIONS;
    let sum: u64 = WEIGHTS.iter().map(|(_, weight)| weight).sum();
    let mut judged = vec![Judgement::count("iterations", all, trial.report.load.iterations)];
    for (operation, weight) in WEIGHTS {
        let share = all as f64 * weight as f64 / sum as f64;
        let received = trial.truth.count(operation) as f64;
        // Each generator thread keeps the proportion for itself, to one iteration.
        let off = trial.report.health.threads.max(1) as f64;
        let figure = format!("iterations of weight {weight} of {sum}");
        judged.push(Judgement::within(&figure, (share - off, share + off), received).exact());
    }
    let mut drawn: BTreeMap<&str, f64> = BTreeMap::new();
    for record in trial.truth.of("read") {
        *drawn.entry(record.path.as_str()).or_default() += 1.0;
    }
    let counts: Vec<f64> = drawn.into_values().collect();
    judged.push(Judgement::count("different values drawn", VALUES as u64, counts.len() as u64));
    judged.push(Judgement::within("chi-squared of the draws", (0.0, CHI_SQUARED), chi_squared(&counts)));
    judged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    fn failed(shares: [u64; 3], value: impl Fn(u64) -> u64) -> usize {
        let mut example = Example::even("a", "read", shares.iter().sum(), |_| 0);
        example.report.load.iterations = shares.iter().sum();
        for (index, record) in (0_u64..).zip(&mut example.records) {
            let operation =
                if index < shares[0] { 0 } else { 1 + usize::from(index >= shares[0] + shares[1]) };
            record.operation = WEIGHTS[operation].0.to_owned();
            record.path = format!("/users/user.{}", value(index));
        }
        compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
    }

    #[test]
    fn another_mix_and_uneven_draws_fail() {
        assert_eq!(failed([2_800, 800, 400], |index| index % 20), 0);
        assert_eq!(failed([2_700, 900, 400], |index| index % 20), 2);
        assert_eq!(failed([2_800, 800, 399], |index| index % 20), 1, "one iteration is lost");
        assert_eq!(failed([2_800, 800, 400], |index| index % 19), 1);
        assert_eq!(failed([2_800, 800, 400], |index| (index % 25) % 20), 1);
    }
}
