//! H12: other programs that want the same cores.

use crate::case::Case;
use crate::judgement::{Judgement, number};
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

pub(crate) const CASE: Case =
    Case { name: "H12", question: "is a disturbed generator ever trusted falsely?", is_long: true, judge };

/// Runs, and busy threads for each core.
const RUNS: u64 = 20;
const THREADS_PER_CORE: usize = 2;

/// How far p99 may be off in a run that the generator stands by: the larger of the two.
const OFF_SHARE: f64 = 0.1;
const OFF_MS: f64 = 1.0;

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let job = "load: { rate: 200/s, arrivals: poisson, duration: 3s, max_users: 1000 }
workloads: { open: { steps: [{ task: open }] } }
tasks: { open: { url: /users/user.7 } }
";
    let crowd = Crowd::start()?;
    let mut tally = Tally::default();
    for run in 0..RUNS {
        let behavior = ["read=exponential:5ms", "read.servers=2"];
        tally.add(&stand.trial(&Setup { behavior: &behavior, job, seed: 1_200 + run })?);
    }
    drop(crowd);
    Ok(tally.judgements())
}

/// What became of the runs.
#[derive(Default)]
struct Tally {
    flagged: u64,
    true_ones: u64,
    false_ones: u64,
    worst_ms: f64,
}

impl Tally {
    fn add(&mut self, trial: &Trial) {
        let truth = trial.experienced("open", "read").quantile(0.99);
        let off = (trial.task("open").response_ms.p99 - truth).abs();
        match trial.invalid() {
            Some(_) => self.flagged += 1,
            None if off <= OFF_MS.max(OFF_SHARE * truth) => self.true_ones += 1,
            None => self.false_ones += 1,
        }
        if trial.invalid().is_none() {
            self.worst_ms = self.worst_ms.max(off);
        }
    }

    fn judgements(&self) -> Vec<Judgement> {
        let of = self.flagged + self.true_ones + self.false_ones;
        let seen = format!(
            "{} true, {} flagged, {} false; p99 off by {} ms at most",
            self.true_ones,
            self.flagged,
            self.false_ones,
            number(self.worst_ms)
        );
        vec![
            Judgement::holds(
                &format!("{of} runs: p99 true, or flagged"),
                "no false one",
                seen,
                self.false_ones == 0,
            )
            .exact(),
        ]
    }
}

/// Threads that compute until this is dropped.
struct Crowd {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Crowd {
    fn start() -> std::io::Result<Self> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut crowd = Self { stop: Arc::new(AtomicBool::new(false)), threads: Vec::new() };
        for _ in 0..cores * THREADS_PER_CORE {
            let stop = Arc::clone(&crowd.stop);
            let busy = move || {
                while !stop.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            };
            crowd.threads.push(std::thread::Builder::new().name("crowd".to_owned()).spawn(busy)?);
        }
        Ok(crowd)
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    #[test]
    fn one_false_run_is_enough() {
        let run =
            |response_ms| Example::even("open", "read", 200, |_| 5_000).answered_in("open", response_ms);
        let mut tally = Tally::default();
        tally.add(&run(5.4).trial());
        assert_eq!(tally.judgements()[0].verdict, Verdict::Passed);
        let mut flagged = run(20.0);
        flagged.report.verdict.exit_code = 111;
        tally.add(&flagged.trial());
        assert_eq!(tally.judgements()[0].verdict, Verdict::Passed);
        tally.add(&run(20.0).trial());
        assert_eq!(tally.judgements()[0].verdict, Verdict::Failed);
    }
}
