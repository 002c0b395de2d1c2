//! H3: quantiles against queueing theory, over so many samples that theory can be told.

use crate::case::Case;
use crate::judgement::{Judgement, number};
use crate::stand::{Problem, Setup, Stand};
use crate::theory::Queue;
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H3", question: "do quantiles agree with theory?", is_long: true, judge };

/// How far p99 of 100,000 samples may be off: the 95 % bound of sampling error at this load, by simulation, is below.
const OFF: f64 = 0.05;

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
    let mut all = compare(&trial, "one", "M/M/1 at 0.5", &ONE);
    all.extend(compare(&trial, "eight", "M/M/8 at 0.7", &EIGHT));
    Ok(all)
}

/// p99 less what this machine's loopback adds as a rule.
fn compare(trial: &Trial, task: &str, name: &str, queue: &Queue) -> Vec<Judgement> {
    let times = trial.task(task).response_ms;
    let measured = times.p99 - trial.machine.round_trips.quantile(0.5);
    let truth = queue.response_s(0.99) * 1e3;
    let holds = (measured / truth - 1.0).abs() <= OFF;
    let figure = format!("{name}: p99 of {} less a round trip", times.count);
    let (truth, measured) = (format!("{} ms", number(truth)), format!("{} ms", number(measured)));
    vec![trial.if_valid(Judgement::holds(&figure, &truth, measured, holds))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    #[test]
    fn a_quantile_far_from_theory_fails() {
        let verdict = |ms| {
            let trial = Example::even("one", "read", 10, |_| 1_000).answered_in("one", ms).trial();
            compare(&trial, "one", "", &ONE)[0].verdict
        };
        assert_eq!(verdict(9.31), Verdict::Passed);
        assert_eq!(verdict(8.5), Verdict::Failed);
        assert_eq!(verdict(10.0), Verdict::Failed);
    }
}
