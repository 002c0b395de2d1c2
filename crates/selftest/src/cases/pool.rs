//! H7: more load than the users can carry.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;
use loadgen_model::verdict::MEASUREMENT_INVALID;

pub(crate) const CASE: Case =
    Case { name: "H7", question: "does a pool that is too small own up to it?", is_long: false, judge };

/// Iterations a second; four users at 50 ms each carry 80.
const RATE: u64 = 200;
const SECONDS: u64 = 2;

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let job = format!(
        "load: {{ rate: {RATE}/s, arrivals: even, duration: {SECONDS}s, max_users: 4 }}
workloads: {{ open: {{ steps: [{{ task: open }}] }} }}
tasks: {{ open: {{ url: /users/user.7 }} }}
"
    );
    let trial = stand.trial(&Setup { behavior: &["read=fixed:50ms"], job: &job, seed: 70 })?;
    Ok(compare(&trial))
}

fn compare(trial: &Trial) -> Vec<Judgement> {
    let arrivals = trial.report.load.arrivals.clone().unwrap_or_default();
    let received = trial.truth.count("read");
    let due = RATE * SECONDS;
    let code = trial.report.verdict.exit_code;
    let reasons = trial.report.verdict.reasons.join("; ");
    let task = trial.task("open");
    let mut all = vec![
        Judgement::count("exit code", MEASUREMENT_INVALID.into(), code.into()).exact(),
        Judgement::holds("reason", "pool-limited", first_words(&reasons), reasons.contains("pool-limited"))
            .exact(),
        Judgement::count("due: the schedule does not slow down", due, arrivals.due),
        Judgement::count("begun", received, arrivals.begun),
        Judgement::count("never begun", due.saturating_sub(received), arrivals.never_begun),
        Judgement::count("never started, of the task", due.saturating_sub(received), task.never_started),
    ];
    // The median of those that began is not in the report: those that never did count in it. The times of both are
    // known: who never began waited from when it was due until the end.
    let experienced = trial.experienced("open", "read");
    let end_s = SECONDS as f64;
    let waited = trial.intended_s("open").into_iter().skip(received as usize).map(|due| (end_s - due) * 1e3);
    let truth = crate::ordered::Ordered::new(experienced.as_slice().iter().copied().chain(waited).collect());
    let times = task.response_ms;
    let levels = [("p50", 0.5, times.p50), ("p90", 0.9, times.p90), ("max", 1.0, times.max)];
    all.extend(trial.times_as_they_are("response", &levels, &truth, TOLERANCE));
    let service = [("p50", 0.5, task.service_ms.p50)];
    let served = crate::ordered::Ordered::new(
        trial
            .truth
            .of("read")
            .filter_map(|one| Some((one.replied_us? - one.arrival_us) as f64 / 1e3))
            .collect(),
    );
    all.extend(trial.times_as_they_are("service", &service, &served, TOLERANCE));
    all
}

fn first_words(text: &str) -> String {
    text.split([':', ';']).next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;
    use loadgen_model::report::Arrivals;

    #[test]
    fn a_generator_that_slows_its_schedule_down_fails() {
        let mut example = Example::even("open", "read", 160, |_| 50_000).answered_in("open", 50.1);
        example.report.load.arrivals = Some(Arrivals { due: 160, begun: 160, ..Arrivals::default() });
        let judged = compare(&example.trial());
        let failed = judged.iter().filter(|one| one.verdict == Verdict::Failed).count();
        assert!(failed >= 5, "{judged:#?}");
    }
}
