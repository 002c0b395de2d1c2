//! H14: users who think and wait.

use crate::case::Case;
use crate::judgement::{Judgement, Pair, Tolerance};
use crate::ordered::Ordered;
use crate::stand::{Problem, Setup, Stand};
use crate::theory::Closed;
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H14", question: "do closed users obey Little's law and theory?", is_long: false, judge };

/// How far users = rate × (response + think time) may be off.
const LAW: f64 = 0.005;

/// How far rate and response time may be from theory, beside what so few samples scatter by.
const THEORY: f64 = 0.02;

/// Three standard deviations of a figure from n requests, times √n: those of neighbours in a queue are alike, which
/// makes it more than that of independent ones.
const SCATTER: f64 = 4.5;

/// As close as the mean has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.02 };

const LOAD: Closed = Closed { users: 30, think_s: 0.1, service_s: 0.01, servers: 4 };

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(5, 120);
    let Closed { users, think_s, service_s, servers } = LOAD;
    let (think_ms, service_ms) = (think_s * 1e3, service_s * 1e3);
    let job = format!(
        "load: {{ users: {users}, duration: {seconds}s }}
workloads: {{ closed: {{ steps: [{{ task: closed }}, {{ sleep: {{ exponential: {think_ms}ms }} }}] }} }}
tasks: {{ closed: {{ url: /users/user.7 }} }}
"
    );
    let (time, count) = (format!("read=exponential:{service_ms}ms"), format!("read.servers={servers}"));
    let trial = stand.trial(&Setup { behavior: &[&time, &count], job: &job, seed: 140 })?;
    Ok(compare(&trial, &LOAD))
}

fn compare(trial: &Trial, load: &Closed) -> Vec<Judgement> {
    let (task, run) = (trial.task("closed"), &trial.report.run);
    let requests = task.requests as f64;
    let busy_s = task.passed_s + trial.report.totals.sleep_s;
    let law = busy_s / run.elapsed_s / f64::from(load.users);
    let (rate, response_s) = load.rate_and_response();
    let allowed = THEORY + SCATTER / requests.max(1.0).sqrt();
    let near = |figure: &str, truth: f64, measured: f64| {
        Judgement::within(figure, (truth * (1.0 - allowed), truth * (1.0 + allowed)), measured)
    };
    // The target does not know when a request was due: the way to it, and the thread that wakes for it, come on top.
    let seen = trial.truth.of("read").filter_map(|one| Some((one.replied_us? - one.arrival_us) as f64 / 1e3));
    let on_top = trial.machine.mean_delay_ms() - trial.machine.round_trips.quantile(0.5);
    let mean_ms = Ordered::new(seen.collect()).mean() + on_top.max(0.0);
    let mean = Pair { quantile: 0.5, truth: mean_ms, measured: task.response_ms.mean };
    vec![
        Judgement::count("requests reported", trial.truth.count("read"), task.requests),
        trial.if_valid(Judgement::within("X·(R + Z) ÷ N", (1.0 - LAW, 1.0 + LAW), law)),
        trial.if_valid(near("X: requests a second, theory", rate, requests / run.elapsed_s)),
        trial.if_valid(near("R: mean response in ms, theory", response_s * 1e3, task.response_ms.mean)),
        trial.if_valid(Judgement::time("R: mean response, of the path", mean, TOLERANCE, &trial.machine)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    /// 30 users, 2,700 requests in 10 s, each of 11.1 ms: nearly what theory says.
    fn failed(sleep_s: f64, response_ms: f64, elapsed_s: f64) -> Vec<usize> {
        let mut example =
            Example::even("closed", "read", 2_700, |_| 11_000).answered_in("closed", response_ms);
        example.task("closed").passed_s = 2_700.0 * response_ms / 1e3;
        example.report.totals.sleep_s = sleep_s;
        example.report.run.elapsed_s = elapsed_s;
        let judged = compare(&example.trial(), &LOAD);
        (0..judged.len()).filter(|&index| judged[index].verdict == Verdict::Failed).collect()
    }

    #[test]
    fn figures_that_do_not_fit_together_fail() {
        assert_eq!(failed(270.0, 11.1, 10.0), Vec::<usize>::new());
        assert_eq!(failed(250.0, 11.1, 10.0), [1], "think time that was not slept");
        assert_eq!(failed(270.0, 8.0, 10.0), [1, 3, 4], "response times that are too short");
        assert_eq!(failed(270.0, 11.1, 20.0), [1, 2], "half the rate");
    }
}
