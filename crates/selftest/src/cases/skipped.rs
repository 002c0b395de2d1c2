//! H18: steps after one that failed.

use crate::case::Case;
use crate::judgement::Judgement;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H18", question: "is what was never sent told from what failed?", is_long: false, judge };

/// Tasks of an iteration and their operations; a share of the second one fails.
const STEPS: [(&str, &str); 3] = [("first", "read"), ("second", "echo"), ("third", "compress")];

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let job = "load: { users: 4, iterations: 250 }
workloads: { w: { steps: [{ task: first }, { task: second }, { task: third }] } }
tasks: { first: { url: /users/user.7 }, second: { url: /echo }, third: { url: /gzip } }
";
    Ok(compare(&stand.trial(&Setup { behavior: &["echo.errors=0.3"], job, seed: 180 })?))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let broken = trial.truth.of("echo").filter(|one| one.status == Some(503)).count() as u64;
    let mut all = Vec::new();
    for (task, operation) in STEPS {
        let figure = format!("requests of the {task} step");
        all.push(Judgement::count(&figure, trial.truth.count(operation), trial.task(task).requests));
    }
    let (first, second, third) = (trial.task("first"), trial.task("second"), trial.task("third"));
    all.push(Judgement::count("failed: first step", 0, first.failed));
    all.push(Judgement::count("failed: second step", broken, second.failed));
    all.push(Judgement::count("failed: third step", 0, third.failed));
    all.push(Judgement::count("skipped: second step", 0, second.skipped));
    all.push(Judgement::count("skipped: third step", broken, third.skipped));
    all.push(Judgement::count(
        "third step: times of those that were sent",
        third.requests,
        third.response_ms.count,
    ));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;
    use loadgen_model::report::{Quantiles, Task};

    fn failed(third_failed: u64, third_skipped: u64) -> usize {
        let mut example = Example::even("first", "read", 100, |_| 0);
        let mut records = example.records.clone();
        for (index, first) in example.records.iter().enumerate() {
            let broken = index % 4 == 0;
            let mut second = first.clone();
            second.operation = "echo".to_owned();
            second.status = Some(if broken { 503 } else { 200 });
            records.push(second);
            if !broken {
                records.push(crate::truth::Record { operation: "compress".to_owned(), ..first.clone() });
            }
        }
        example.records = records;
        let task = |name: &str, requests, failed, skipped| Task {
            name: name.to_owned(),
            requests,
            failed,
            skipped,
            response_ms: Quantiles { count: requests, ..Quantiles::default() },
            ..Task::default()
        };
        example.report.tasks = vec![
            task("first", 100, 0, 0),
            task("second", 100, 25, 0),
            task("third", 75 + third_failed, third_failed, third_skipped),
        ];
        compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
    }

    #[test]
    fn skipped_steps_that_count_as_failed_fail() {
        assert_eq!(failed(0, 25), 0);
        assert_eq!(failed(25, 0), 3);
        assert_eq!(failed(0, 0), 1);
    }
}
