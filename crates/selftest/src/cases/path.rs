//! H2: response times before queues, request by request.

use crate::case::Case;
use crate::judgement::{Judgement, Tolerance};
use crate::stand::{Problem, Setup, Stand};
use crate::theory::completions_us;
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H2", question: "are response times those of the path?", is_long: false, judge };

/// As close as a figure has to be to the truth.
const TOLERANCE: Tolerance = Tolerance { absolute_ms: 0.15, relative: 0.01 };

/// Microseconds by which the target's log may differ from the recursion: it cuts off three times.
const CUT_US: u64 = 3;

/// Utilisations of the servers.
const QUICK: [f64; 2] = [0.5, 0.8];
const FULL: [f64; 5] = [0.5, 0.7, 0.8, 0.9, 0.95];

/// Two queues side by side: one server of 250/s (M/M/1), four of 62.5/s each (M/M/4).
fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let loads = if stand.full { FULL.as_slice() } else { QUICK.as_slice() };
    let mut all = Vec::new();
    for (index, load) in loads.iter().enumerate() {
        let (rate, seconds) = (load * 250.0, stand.seconds(4, 60));
        let open = format!("{{ rate: {rate}/s, arrivals: poisson, duration: {seconds}s, max_users: 2000 }}");
        let job = format!(
            "workloads:\n  m1: {{ load: {open}, steps: [{{ task: one }}] }}\n  \
             m4: {{ load: {open}, steps: [{{ task: four }}] }}\n\
             tasks: {{ one: {{ url: /users/user.7 }}, four: {{ url: /echo }} }}\n"
        );
        let behavior = ["read=exponential:4ms", "read.servers=1", "echo=exponential:16ms", "echo.servers=4"];
        let trial = stand.trial(&Setup { behavior: &behavior, job: &job, seed: 20 + index as u64 })?;
        let name = |servers: u32| format!("M/M/{servers} at {load}");
        all.extend(queue(&trial, &name(1), ("m1", "one", "read"), 1));
        all.extend(queue(&trial, &name(4), ("m4", "four", "echo"), 4));
    }
    Ok(all)
}

/// Judges one queue: that the target itself kept to the rules, that no request is lost, and how long they took.
fn queue(
    trial: &Trial,
    name: &str,
    (workload, task, operation): (&str, &str, &str),
    servers: usize,
) -> Vec<Judgement> {
    let due = trial.intended_s(workload).len() as u64;
    let reported = trial.task(task);
    let mut all = vec![
        Judgement::holds(
            &format!("{name}: the target is such a queue"),
            "Kiefer-Wolfowitz",
            if keeps_the_rules(trial, operation, servers) { "it is" } else { "it is not" },
            keeps_the_rules(trial, operation, servers),
        ),
        Judgement::count(&format!("{name}: requests received"), due, trial.truth.count(operation)),
        Judgement::count(&format!("{name}: requests reported"), due, reported.passed),
    ];
    let truth = trial.experienced(workload, operation);
    all.extend(trial.quantiles(task, &truth, TOLERANCE).into_iter().map(|judgement| Judgement {
        figure: judgement.figure.replacen(task, &format!("{name}:"), 1),
        ..judgement
    }));
    all
}

/// Whether each answer was due when the recursion says, from arrivals and service times as they were logged.
fn keeps_the_rules(trial: &Trial, operation: &str, servers: usize) -> bool {
    let completions = completions_us(trial.truth.of(operation), servers);
    trial
        .truth
        .of(operation)
        .zip(completions)
        .all(|(record, completion)| record.due_us.abs_diff(completion) <= CUT_US)
}
