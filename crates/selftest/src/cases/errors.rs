//! H9: failures that come quickly.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H9", question: "do quick failures make a target look quick?", is_long: false, judge };

/// Every answer that is none of the failures takes this.
const SERVICE_MS: f64 = 20.0;

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(2, 30);
    let job = format!(
        "load: {{ rate: 200/s, arrivals: even, duration: {seconds}s, max_users: 500 }}
workloads: {{ open: {{ steps: [{{ task: open }}] }} }}
tasks: {{ open: {{ url: /users/user.7 }} }}
"
    );
    let time = format!("read=fixed:{SERVICE_MS}ms");
    let trial = stand.trial(&Setup { behavior: &[&time, "read.errors=0.3"], job: &job, seed: 90 })?;
    Ok(compare(&trial))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let good = trial.truth.of("read").filter(|one| one.status == Some(200)).count() as u64;
    let bad = trial.truth.of("read").filter(|one| one.status == Some(503)).count() as u64;
    let task = trial.task("open");
    let truth = trial.experienced_by("open", "read", |one| one.status == Some(200));
    let times = &task.response_ms;
    let mut all = vec![
        Judgement::count("passed", good, task.passed),
        Judgement::count("failed", bad, task.failed),
        Judgement::count("times of those that were answered", good, times.count),
        Judgement::count("times of those that failed", bad, task.failed_ms.count),
        Judgement::within("answered: shortest, ms", (SERVICE_MS, f64::INFINITY), times.min).exact(),
    ];
    let levels = [("p50", 0.5, times.p50), ("p90", 0.9, times.p90)];
    all.extend(trial.times("answered:", &levels, &truth, TOLERANCE));
    let quick = Judgement::within("failed: p50, ms", (0.0, SERVICE_MS / 4.0), task.failed_ms.p50);
    all.push(trial.if_valid(quick));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::{Example, all};

    #[test]
    fn a_generator_that_mixes_failures_in_fails() {
        let judged = |separate: bool| {
            let mut example = Example::even("open", "read", 100, |_| 20_000).answered_in("open", 20.1);
            for record in example.records.iter_mut().step_by(4) {
                record.status = Some(503);
                record.replied_us = Some(record.arrival_us);
            }
            let task = example.task("open");
            (task.passed, task.failed) = (75, 25);
            task.failed_ms = all(25, 0.2);
            task.response_ms.count = if separate { 75 } else { 100 };
            task.response_ms.min = if separate { 20.1 } else { 0.2 };
            compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
        };
        assert_eq!(judged(true), 0);
        assert_eq!(judged(false), 2);
    }
}
