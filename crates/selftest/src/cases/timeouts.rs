//! H8: answers that do not come.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance, number};
use crate::ordered::Ordered;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H8", question: "do answers that never come stay in the figures?", is_long: false, judge };

/// Requests are given up after this; the ones that get lost would take far longer.
const TIMEOUT_MS: f64 = 300.0;

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(3, 30);
    let job = format!(
        "load: {{ rate: 300/s, arrivals: even, duration: {seconds}s, max_users: 500 }}
timeout: {TIMEOUT_MS}ms
workloads: {{ open: {{ steps: [{{ task: open }}] }} }}
tasks: {{ open: {{ url: /users/user.7 }} }}
"
    );
    let behavior = ["read=bimodal:5ms,1500ms,0.02"];
    Ok(compare(&stand.trial(&Setup { behavior: &behavior, job: &job, seed: 80 })?))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let is_lost = |service_us: u64| service_us as f64 / 1e3 > TIMEOUT_MS;
    let lost = trial.truth.of("read").filter(|one| is_lost(one.service_us)).count() as u64;
    let received = trial.truth.count("read");
    let task = trial.task("open");
    let times = &task.response_ms;
    let share = lost as f64 / received.max(1) as f64;
    let answered = trial.experienced_by("open", "read", |one| !is_lost(one.service_us));
    let with_lost = answered.as_slice().iter().copied().chain((0..lost).map(|_| TIMEOUT_MS));
    let truth = Ordered::new(with_lost.collect());
    let levels = [("p50", 0.5, times.p50), ("p90", 0.9, times.p90)];
    let mut all = vec![
        Judgement::count("requests reported", received, task.requests),
        trial.if_valid(Judgement::count("timed out", lost, task.timed_out).inexact()),
        Judgement::count("samples known to be longer", task.timed_out, times.censored),
        trial.if_valid(Judgement::holds(
            &format!("p99, with {} % lost", number(share * 100.0)),
            &format!("> {TIMEOUT_MS} ms"),
            format!("> {} ms", number(times.p99)),
            share > 0.01 && times.p99 >= TIMEOUT_MS && times.censored as f64 > 0.01 * times.count as f64,
        )),
    ];
    all.extend(trial.times("answered:", &levels, &truth, TOLERANCE));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    fn failed(p99: f64, censored: u64) -> usize {
        let service = |index| if index % 50 == 0 { 1_500_000 } else { 5_000 };
        let mut example = Example::even("open", "read", 500, service).answered_in("open", 5.1);
        let task = example.task("open");
        task.timed_out = censored;
        task.response_ms.p99 = p99;
        task.response_ms.censored = censored;
        compare(&example.trial()).iter().filter(|one| one.verdict == Verdict::Failed).count()
    }

    #[test]
    fn a_generator_that_forgets_what_was_lost_fails() {
        assert_eq!(failed(300.0, 10), 0);
        assert_eq!(failed(5.1, 0), 2, "nothing timed out");
        assert_eq!(failed(5.1, 10), 1, "left out of the times");
    }
}
