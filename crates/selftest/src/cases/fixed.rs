//! H1: times that are always the same.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::ordered::Ordered;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H1", question: "are fixed times reported as they are?", is_long: false, judge };

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.1, relative: 0.01 };

/// Task, operation, and the time that each request takes, ms: at a pace that keeps half of the servers busy.
const TIMES: [(&str, &str, f64); 3] =
    [("short", "read", 1.0), ("medium", "echo", 10.0), ("long", "compress", 100.0)];

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(2, 30);
    let open = format!("arrivals: even, duration: {seconds}s");
    let job = format!(
        "workloads:
  short: {{ load: {{ rate: 500/s, {open} }}, steps: [{{ task: short }}] }}
  medium: {{ load: {{ rate: 147/s, {open} }}, steps: [{{ task: medium }}] }}
  long: {{ load: {{ rate: 109/s, {open} }}, steps: [{{ task: long }}] }}
tasks: {{ short: {{ url: /users/user.7 }}, medium: {{ url: /echo }}, long: {{ url: /gzip }} }}
"
    );
    let behavior = [
        "read=fixed:1ms",
        "read.servers=1",
        "echo=fixed:10ms",
        "echo.servers=3",
        "compress=fixed:100ms",
        "compress.servers=22",
    ];
    let trial = stand.trial(&Setup { behavior: &behavior, job: &job, seed: 10 })?;
    Ok(TIMES.iter().flat_map(|(task, operation, time)| one(&trial, task, operation, *time)).collect())
}

/// Against what was experienced; and never below what each request takes, whatever the machine did.
fn one(trial: &Trial, task: &str, operation: &str, time_ms: f64) -> Vec<Judgement> {
    let truth = trial.experienced(task, operation);
    let truth = Ordered::new(truth.as_slice().iter().map(|measured| measured.max(time_ms)).collect());
    let response = trial.task(task).response_ms;
    let levels = [("p50", 0.5, response.p50), ("p99", 0.99, response.p99)];
    let name = format!("{time_ms} ms:");
    let mut all = trial.times(&name, &levels, &truth, TOLERANCE);
    all.push(Judgement::within(&format!("{name} shortest"), (time_ms, f64::INFINITY), response.min));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    fn verdicts(response_ms: f64) -> Vec<Verdict> {
        let example = Example::even("long", "compress", 100, |_| 100_000).answered_in("long", response_ms);
        one(&example.trial(), "long", "compress", 100.0).iter().map(|judgement| judgement.verdict).collect()
    }

    #[test]
    fn a_time_that_is_too_long_or_too_short_fails() {
        assert_eq!(verdicts(100.2), [Verdict::Passed; 3]);
        assert_eq!(verdicts(102.0), [Verdict::Failed, Verdict::Failed, Verdict::Passed]);
        assert_eq!(verdicts(99.9), [Verdict::Passed, Verdict::Passed, Verdict::Failed]);
    }
}
