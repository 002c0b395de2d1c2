//! H5: a target that stands still for a while.

use crate::case::Case;
use crate::judgement::{Judgement, number};
use crate::stand::{Problem, Setup, Stand};
use crate::theory::Stall;
use crate::trial::Trial;

pub(crate) const CASE: Case = Case {
    name: "H5",
    question: "is a stall in the response times of all that waited for it?",
    is_long: false,
    judge,
};

/// As close as a figure has to be to the formula.
const TOLERANCE: f64 = 0.02;

/// What a figure that leaves the stall out may be of the truth at most.
const BLIND: f64 = 0.1;

/// Iterations a second, users that they share, and servers of 1 ms each: the users are so few that hardly any
/// request meets the stall itself, as with a generator that sends late and forgets by how much.
const RATE: f64 = 200.0;
const USERS: u32 = 8;
const SERVERS: f64 = 2.0;

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let stall = Stall {
        length_s: f64::from(stand.seconds(1, 4)),
        run_s: f64::from(stand.seconds(4, 40)),
        rate: RATE,
        capacity: SERVERS * 1_000.0,
    };
    let Stall { length_s, run_s, .. } = stall;
    let job = format!(
        "workloads:
  open: {{ load: {{ rate: {RATE}/s, arrivals: even, duration: {run_s}s, max_users: {USERS} }}, steps: [{{ task: open }}] }}
  closed: {{ load: {{ users: 1, duration: {run_s}s }}, steps: [{{ task: closed }}] }}
tasks: {{ open: {{ url: /users/user.7 }}, closed: {{ url: /echo }} }}
"
    );
    let pause = format!("stall=1500ms+{length_s}s");
    let servers = format!("read.servers={SERVERS}");
    let behavior = ["read=fixed:1ms", &servers, "echo=fixed:1ms", &pause];
    let trial = stand.trial(&Setup { behavior: &behavior, job: &job, seed: 50 })?;
    Ok(compare(&trial, &stall))
}

fn compare(trial: &Trial, stall: &Stall) -> Vec<Judgement> {
    let due = (stall.rate * stall.run_s).round() as u64;
    let response = trial.task("open").response_ms;
    let never = trial.task("open").never_started;
    let mut all = vec![
        Judgement::count("requests received, or never begun", due, trial.truth.count("read") + never),
        Judgement::count("requests reported", due, response.count),
    ];
    for (name, level, measured) in [
        ("p90", 0.9, response.p90),
        ("p95", 0.95, response.p95),
        ("p99", 0.99, response.p99),
        ("max", 1.0, response.max),
    ] {
        let truth = stall.response_s(level) * 1e3;
        let holds = (measured / truth - 1.0).abs() <= TOLERANCE;
        let (shown, said) = (format!("{} ms", number(truth)), format!("{} ms", number(measured)));
        all.push(trial.if_valid(Judgement::holds(name, &shown, said, holds)));
    }
    let truth = stall.response_s(0.99) * 1e3;
    for (what, measured) in [
        ("p99 from the actual send (service time)", trial.task("open").service_ms.p99),
        ("p99 of one user who waits (closed load)", trial.task("closed").response_ms.p99),
    ] {
        let blind = Judgement::holds(
            what,
            &format!("< {} ms: blind", number(truth * BLIND)),
            format!("{} ms", number(measured)),
            measured < truth * BLIND,
        );
        all.push(trial.if_valid(blind));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;
    use loadgen_model::report::{Quantiles, Task};

    const STALL: Stall = Stall { length_s: 1.0, run_s: 5.0, rate: 200.0, capacity: 2_000.0 };

    fn verdicts(p99: f64, service_p99: f64) -> Vec<Verdict> {
        let mut example = Example::even("open", "read", 1_000, |_| 1_000);
        let open = example.task("open");
        open.response_ms =
            Quantiles { count: 1_000, p90: 550.0, p95: 775.0, p99, max: 1_000.0, ..Quantiles::default() };
        open.service_ms.p99 = service_p99;
        example.report.tasks.push(Task { name: "closed".to_owned(), ..Task::default() });
        compare(&example.trial(), &STALL).iter().map(|judgement| judgement.verdict).collect()
    }

    #[test]
    fn a_generator_that_forgets_the_stall_fails() {
        assert!(verdicts(955.0, 4.0).iter().all(|verdict| *verdict == Verdict::Passed));
        let forgetful = verdicts(4.0, 4.0);
        assert_eq!(forgetful[4], Verdict::Failed, "{forgetful:?}");
        let mixed_up = verdicts(955.0, 955.0);
        assert_eq!(mixed_up[6], Verdict::Failed, "{mixed_up:?}");
    }
}
