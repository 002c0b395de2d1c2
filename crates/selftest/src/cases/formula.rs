//! H3: quantiles against queueing theory, over so many samples that theory can be told.

use crate::case::Case;
use crate::judgement::{Judgement, Pair, Tolerance, Verdict, number};
use crate::stand::{Problem, Setup, Stand};
use crate::theory::{Queue, ideal_ms};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H3", question: "do quantiles agree with theory?", is_long: true, judge };

/// How far p99 of 100,000 samples may be off: the 95 % bound of sampling error at
/// these loads, by simulation, is 3.7 and 1.7 %.
const OFF: f64 = 0.05;

/// As close as the report has to be to the target's log.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

/// Length of the run, s: 100,000 requests and more of each queue.
const SECONDS: u32 = 200;

const ONE: Queue = Queue { arrivals: 500.0, services: 1_000.0, servers: 1 };
const EIGHT: Queue = Queue { arrivals: 700.0, services: 125.0, servers: 8 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let load = |queue: &Queue| {
        format!("{{ rate: {}/s, arrivals: poisson, duration: {SECONDS}s, max_users: 2000 }}", queue.arrivals)
    };
    let job = format!(
        "workloads:
  one: {{ load: {}, steps: [{{ task: one }}] }}
  eight: {{ load: {}, steps: [{{ task: eight }}] }}
tasks: {{ one: {{ url: /users/user.7 }}, eight: {{ url: /echo }} }}
",
        load(&ONE),
        load(&EIGHT)
    );
    let behavior = ["read=exponential:1ms", "read.servers=1", "echo=exponential:8ms", "echo.servers=8"];
    let trial = stand.trial(&Setup { behavior: &behavior, job: &job, seed: 30 })?;
    let mut all = compare(&trial, ("one", "read"), "M/M/1 at 0.5", &ONE);
    all.extend(compare(&trial, ("eight", "echo"), "M/M/8 at 0.7", &EIGHT));
    Ok(all)
}

/// p99 of these arrivals and services without any delay by the machine, and p99 as reported, less what a usual round trip
/// adds. A machine that stands still now and then makes real queues longer than theory has them: where the report agrees
/// with the target on that, nothing can be said of theory.
fn compare(trial: &Trial, (task, operation): (&str, &str), name: &str, queue: &Queue) -> Vec<Judgement> {
    let times = trial.task(task).response_ms;
    let theory = queue.response_s(0.99) * 1e3;
    let near = |what: &str, measured: f64| {
        let holds = (measured / theory - 1.0).abs() <= OFF;
        let (truth, measured) = (format!("{} ms", number(theory)), format!("{} ms", number(measured)));
        Judgement::holds(&format!("{name}: p99 of {} {what}", times.count), &truth, measured, holds)
    };
    let services = trial.truth.of(operation).map(|record| record.service_us);
    let ideal = ideal_ms(&trial.intended_s(task), services, queue.servers as usize).quantile(0.99);
    let mut reported = near("as reported", times.p99 - trial.machine.round_trips.quantile(0.5));
    let path = trial.experienced(task, operation).quantile(0.99);
    let pair = Pair { quantile: 0.99, truth: path, measured: times.p99 };
    let agreed = Judgement::time("", pair, TOLERANCE, &trial.machine).verdict != Verdict::Failed;
    if reported.verdict == Verdict::Failed && agreed {
        reported = reported.withheld(&format!("by the target's log it was {} ms", number(path)));
    }
    vec![near("with these draws", ideal).exact(), trial.if_valid(reported)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::example::Example;

    #[test]
    fn a_quantile_far_from_theory_fails() {
        let verdict = |ms| {
            let trial = Example::even("one", "read", 10, |_| 9_210).answered_in("one", ms).trial();
            let judged = compare(&trial, ("one", "read"), "", &ONE);
            assert_eq!(judged[0].verdict, Verdict::Passed);
            judged[1].verdict
        };
        assert_eq!(verdict(9.31), Verdict::Passed);
        assert_eq!(verdict(8.5), Verdict::Failed);
        assert_eq!(verdict(10.0), Verdict::Failed);
        let slow = Example::even("one", "read", 10, |_| 10_000).answered_in("one", 10.1).trial();
        let judged = compare(&slow, ("one", "read"), "", &ONE);
        assert_eq!(judged[0].verdict, Verdict::Failed, "these are no draws of that queue");
        assert_eq!(judged[1].verdict, Verdict::NotJudged, "the report is true to the log");
    }
}
