//! H15: sessions of several steps that begin by the clock.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::ordered::Ordered;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;
use crate::truth::Record;
use std::collections::BTreeMap;

pub(crate) const CASE: Case =
    Case { name: "H15", question: "do sessions keep their steps and think times?", is_long: false, judge };

/// Between two steps.
const THINK_MS: f64 = 50.0;

/// Tasks of a session and their operations.
const STEPS: [(&str, &str); 3] = [("first", "read"), ("second", "echo"), ("third", "compress")];

/// As close as a think time has to be to what it should be.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(2, 30);
    let job = format!(
        "load: {{ rate: 60/s, arrivals: poisson, duration: {seconds}s, max_users: 200 }}
workloads:
  session:
    steps: [{{ task: first }}, {{ sleep: {THINK_MS}ms }}, {{ task: second }}, {{ sleep: {THINK_MS}ms }}, {{ task: third }}]
tasks: {{ first: {{ url: /users/user.7 }}, second: {{ url: /echo }}, third: {{ url: /gzip }} }}
"
    );
    let behavior = ["default=exponential:5ms"];
    Ok(compare(&stand.trial(&Setup { behavior: &behavior, job: &job, seed: 150 })?))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let due = trial.intended_s("session").len() as u64;
    let mut all = vec![Judgement::count("sessions that begin", due, trial.truth.count("read"))];
    for (task, operation) in STEPS {
        let figure = format!("requests of the {task} step");
        all.push(Judgement::count(&figure, trial.truth.count(operation), trial.task(task).requests));
    }
    let thought = think_times_ms(trial.truth.all());
    let truth = Ordered::new(vec![THINK_MS]);
    let levels = [("p50", 0.5, thought.quantile(0.5)), ("p90", 0.9, thought.quantile(0.9))];
    // Think times begin at the generator and end at the target: one more thread to wake than on the way back.
    all.extend(trial.times("think times, seen by the target:", &levels, &truth, TOLERANCE));
    let shortest = thought.quantile(0.0);
    all.push(Judgement::within("think times: shortest, ms", (THINK_MS, f64::INFINITY), shortest).exact());
    all
}

/// From an answer to the next request of the same session, by the target's clock. A user's sessions follow one
/// another on one connection.
fn think_times_ms(records: &[Record]) -> Ordered {
    let mut last: BTreeMap<u64, &Record> = BTreeMap::new();
    let mut thought = Vec::new();
    for record in records {
        let before = last.insert(record.connection, record);
        let begins = record.operation == STEPS[0].1;
        if let Some(replied) = before.and_then(|before| before.replied_us).filter(|_| !begins) {
            thought.push((record.arrival_us as f64 - replied as f64) / 1e3);
        }
    }
    Ordered::new(thought)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;
    use loadgen_model::report::Task;

    fn failed(think_us: u64, reported: u64) -> usize {
        let mut example = Example::even("session", "read", 20, |_| 1_000);
        let firsts = example.records.clone();
        example.records.clear();
        for first in firsts {
            for (index, (_, operation)) in (0_u64..).zip(STEPS) {
                let mut step = first.clone();
                step.id = first.id * 3 + index;
                step.connection = first.id;
                step.operation = operation.to_owned();
                step.arrival_us += index * (1_000 + think_us);
                step.replied_us = Some(step.arrival_us + 1_000);
                example.records.push(step);
            }
        }
        let task =
            |(name, _): (&str, &str)| Task { name: name.to_owned(), requests: reported, ..Task::default() };
        example.report.tasks = STEPS.map(task).to_vec();
        compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
    }

    #[test]
    fn hasty_users_and_lost_steps_fail() {
        assert_eq!(failed(50_100, 20), 0);
        assert_eq!(failed(40_000, 20), 3);
        assert_eq!(failed(60_000, 20), 2);
        assert_eq!(failed(50_100, 19), 3);
    }
}
