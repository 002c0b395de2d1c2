//! What the command line says wins over the job.

use crate::memory::{Memory, lines};
use loadgen_model::format::{Loaded, Options};
use loadgen_model::{Load, Mix};
use std::time::Duration;

const COUNTED: &str = "
loadgen: 1
target: http://a
load: { users: 2 }
workloads:
  often: { iterations: 50, steps: [{ task: t }] }
  seldom: { iterations: 10, steps: [{ task: t }] }
  never: { iterations: 0, steps: [{ task: t }] }
tasks: { t: { url: / } }
";
const TIMED: &str = "
loadgen: 1
target: http://a
load: { users: 2, duration: 5m }
workloads: { w: { steps: [{ task: t, threshold: 1s }] } }
tasks: { t: { url: / } }
";

fn load(job: &str, options: &Options) -> Result<Loaded, String> {
    Memory::with("job.yaml", job).load("job.yaml", options).map_err(|problems| lines(&problems))
}

fn counts(loaded: &Loaded) -> Vec<u64> {
    let Mix::Iterations(counts) = &loaded.plan.groups[0].mix else { panic!("the mix is by counts") };
    counts.iter().map(|(_, count)| *count).collect()
}

fn until(loaded: &Loaded) -> (Option<u64>, Option<Duration>) {
    let Load::Closed(closed) = &loaded.plan.groups[0].load else { panic!("the load is closed") };
    (closed.until.iterations, closed.until.duration)
}

fn iterations(count: u64) -> Options {
    Options { iterations: Some(count), ..Options::default() }
}

#[test]
fn iterations_of_a_mix_by_counts_are_rounds_of_the_reduced_mix() {
    assert_eq!(counts(&load(COUNTED, &Options::default()).unwrap()), [50, 10]);
    assert_eq!(counts(&load(COUNTED, &iterations(2)).unwrap()), [10, 2]);
    assert_eq!(counts(&load(COUNTED, &iterations(10)).unwrap()), [50, 10]);
    let uneven = COUNTED.replace("10,", "4,");
    assert_eq!(counts(&load(&uneven, &iterations(1)).unwrap()), [25, 2]);
    assert_eq!(until(&load(COUNTED, &iterations(2)).unwrap()), (None, None), "the mix is the end");
}

#[test]
fn iterations_of_an_original_job_are_rounds_too() {
    let job = r#"{"service-location-port":"http://a","threads":1,"workloads":[{"w":50},{"v":10},{"off":0}]}"#;
    let world = Memory::with("jobs/job.json", job)
        .and("workloads/w.json", r#"{"tasks":[{"t":100}]}"#)
        .and("workloads/v.json", r#"{"tasks":[{"t":100}]}"#)
        .and("tasks/t.json", r#"{"request":"GET","url-endpoint":"/"}"#);
    assert_eq!(counts(&world.load("jobs/job.json", &iterations(3)).unwrap()), [15, 3]);
}

#[test]
fn iterations_and_duration_replace_each_other() {
    assert_eq!(until(&load(TIMED, &iterations(7)).unwrap()), (Some(7), None));
    let duration = Some(Duration::from_secs(9));
    let by_time = Options { duration, ..Options::default() };
    assert_eq!(until(&load(TIMED, &by_time).unwrap()), (None, duration));
    let both = Options { duration, iterations: Some(7), ..Options::default() };
    assert_eq!(until(&load(TIMED, &both).unwrap()), (Some(7), duration));
}

#[test]
fn no_iterations_are_refused_once() {
    for job in [COUNTED, TIMED] {
        let said = load(job, &iterations(0)).unwrap_err();
        assert_eq!(said, "--iterations: error: 0 iterations run nothing; use at least 1\n");
    }
}

#[test]
fn settings_change_the_job_before_it_is_read() {
    let set = |settings: &[&str]| {
        let set = settings.iter().map(|setting| (*setting).to_owned()).collect();
        load(TIMED, &Options { set, ..Options::default() })
    };
    let changed = set(&["load.users=7", "workloads.w.steps.0.threshold=2s", "seed=9"]).unwrap();
    assert_eq!((changed.plan.users(), changed.plan.seed), (7, 9));
    assert_eq!(changed.plan.rows[0].threshold, Some(Duration::from_secs(2)));
    let says =
        |setting: &str, message: &str| assert_eq!(set(&[setting]).unwrap_err(), format!("{message}\n"));
    says(
        "target.host=a",
        "--set target.host: error: there is nothing below the value before `host`; shorten the path",
    );
    says(
        "workloads.w.steps.4.sleep=1s",
        "--set workloads.w.steps.4.sleep: error: the list has no element `4`; its 1 elements are counted from 0",
    );
    says(
        "load..users=1",
        "--set load..users: error: the path has an empty part; write it like --set load.users=10",
    );
    let deep = format!("{}=1", vec!["a"; 20_000].join("."));
    says(
        &deep,
        "error: the path of `--set a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.…` has more than 64 parts; write it like --set load.users=10",
    );
}

#[test]
fn no_count_is_too_large_to_be_reckoned_with() {
    let most = u64::MAX;
    let job = format!(
        "loadgen: 1\ntarget: http://a\nload: {{ users: 10000000, iterations: {most} }}\nworkloads:\n  w:\n    steps:\n      \
         - repeat: {most}\n        steps: [{{ sleep: 36500d }}, {{ task: t }}, {{ repeat: {most}, steps: [{{ task: t }}] }}]\n\
         tasks: {{ t: {{ url: / }} }}\n"
    );
    let counted = job
        .replace(&format!(", iterations: {most}"), "")
        .replace("  w:\n", &format!("  w:\n    iterations: {most}\n"));
    for job in [job, counted] {
        let said = load(&job, &Options::default()).unwrap().explanation.to_string();
        assert!(said.contains(&format!("transactions  {most}")), "{said}");
    }
}
