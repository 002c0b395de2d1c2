//! Objectives against runs whose figures are known.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use loadgen_model::format::{Options, Outside, load};
use loadgen_model::objective::{Watches, judge};
use loadgen_model::report::Objective;
use loadgen_model::sample::RowId;
use loadgen_model::window::Window;
use loadgen_model::{Outcome, Plan, Sample, Snapshot, Timeline};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A job and nothing around it.
struct Job(String);

impl Outside for Job {
    fn read(&self, _: &Path) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }

    fn is_file(&self, _: &Path) -> bool {
        false
    }

    fn glob(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn environment(&self, _: &str) -> Option<String> {
        None
    }

    fn prompt(&self, _: &str) -> Option<String> {
        None
    }

    fn current_folder(&self) -> PathBuf {
        PathBuf::new()
    }
}

/// A plan with these objectives on its one task.
fn plan(slo: &str) -> Plan {
    let text = format!(
        "loadgen: 1\ntarget: http://a\nload: {{ duration: 1h }}\nworkloads: {{ w: {{ steps: [{{ task: t }}] }} }}\n\
         tasks: {{ t: {{ url: / }} }}\nslo: [{slo}]\n"
    );
    load(Path::new("job.yaml"), &Options::default(), &Job(text)).unwrap().plan
}

/// A second of 100 requests: each takes so many ms.
fn second(number: u64, millis: u64) -> Snapshot {
    let mut second = Snapshot::new(1, 1, Duration::from_secs(number));
    second.to = Duration::from_secs(number + 1);
    for index in 0..100 {
        let at = Duration::from_secs(number) + Duration::from_millis(index * 10);
        // Not all the same: neighbours differ by 1 %.
        let took = Duration::from_micros(millis * 1_000 + millis * 10 * (index % 2));
        second.record(Sample {
            row: RowId(0),
            intended: at,
            ready: at,
            started: at,
            finished: at + took,
            outcome: Outcome::Passed,
            censored: false,
            bytes_sent: 0,
            bytes_received: 0,
            entries: 0,
        });
    }
    second
}

/// The verdict on each objective after these seconds, and when the run was to stop.
fn run(slo: &str, seconds: impl IntoIterator<Item = Snapshot>) -> (Vec<Objective>, Option<u64>) {
    let plan = plan(slo);
    let mut timeline = Timeline::new(1, 1, Window::of(&plan));
    let mut watches = Watches::new(&plan);
    let mut stopped = None;
    for second in seconds {
        timeline.add(&second);
        let reason = watches.add(&plan, &second, &timeline);
        stopped = stopped.or(reason.map(|_| second.to.as_secs()));
    }
    (judge(&plan, &timeline, &watches), stopped)
}

/// A minute of 100 ms, of which five seconds take 300 ms.
fn with_a_bad_stretch() -> Vec<Snapshot> {
    (0..60).map(|number| second(number, if (30..35).contains(&number) { 300 } else { 100 })).collect()
}

#[test]
fn any_percentile_is_judged() {
    let (slo, _) =
        run("{ p50: 102ms, p91.5: 102ms, p92: 299ms, mean: 118ms, max: 310ms }", with_a_bad_stretch());
    let met: Vec<_> = slo.iter().map(|objective| (objective.clause.as_str(), objective.met)).collect();
    assert_eq!(
        met,
        [
            ("p50 <= 102ms", true),
            ("p91.5 <= 102ms", true),
            ("p92 <= 299ms", false),
            ("mean <= 118ms", true),
            ("max <= 310ms", true)
        ]
    );
    assert!(slo[0].low.is_some() && slo[0].high.is_some(), "how sure it is: {:?}", slo[0]);
}

#[test]
fn a_window_sees_what_the_whole_hides() {
    let (slo, _) =
        run("{ p90: 150ms }, { p90: 150ms, for: 10s }, { p90: 400ms, for: 10s }", with_a_bad_stretch());
    assert!(slo[0].met, "5 of 60 seconds are no tenth");
    assert!(!slo[1].met, "5 of 10 seconds are");
    assert_eq!(slo[1].clause, "p90 <= 150ms in any 10s");
    assert!((slo[1].measured.unwrap() - 300.0).abs() < 5.0, "{:?}", slo[1]);
    assert!(slo[1].worst_at_s.is_some_and(|at| (32.0..45.0).contains(&at)), "{:?}", slo[1]);
    assert!(slo[2].met);
}

#[test]
fn a_run_that_is_shorter_than_the_window_is_judged_as_a_whole() {
    let (slo, _) = run("{ p90: 150ms, for: 10s }", (0..5).map(|number| second(number, 300)));
    assert!(!slo[0].met && slo[0].worst_at_s.is_none(), "{:?}", slo[0]);
}

#[test]
fn an_objective_can_stop_the_run() {
    assert_eq!(run("{ p90: 150ms, for: 5s, stop: on }", with_a_bad_stretch()).1, Some(31));
    assert_eq!(run("{ p90: 150ms, for: 5s }", with_a_bad_stretch()).1, None);
    assert_eq!(run("{ p90: 150ms, stop: on }", with_a_bad_stretch()).1, Some(34), "over all so far");
    assert_eq!(run("{ p90: 50ms, stop: on }", with_a_bad_stretch()).1, Some(10), "not before it had time");
    assert_eq!(run("{ p90: 50ms, stop: on, after: 3s }", with_a_bad_stretch()).1, Some(3));
}

#[test]
fn what_never_started_is_no_success() {
    let starved = || {
        let mut seconds: Vec<_> = (0..20).map(|number| second(number, 100)).collect();
        let mut last = Snapshot::new(1, 1, Duration::from_secs(20));
        last.to = Duration::from_millis(20_100);
        seconds[0].users_started = 1;
        last.users_finished = 1;
        (0..40).for_each(|_| last.never_start(RowId(0), Duration::from_secs(1)));
        seconds.push(last);
        seconds
    };
    let (slo, _) = run("{ p95: 150ms, p99: 150ms, errors: 1%, exceeded: 5% }", starved());
    assert!(slo[0].met, "2 % never started");
    assert!(!slo[1].met && slo[1].at_least, "more than the slowest 1 % is unknown: {:?}", slo[1]);
    assert!(!slo[2].met, "{:?}", slo[2]);
    assert!((slo[2].measured.unwrap() - 100.0 * 40.0 / 2040.0).abs() < 1e-9);
    assert!(slo[3].met);
}

#[test]
fn bounds_hold_the_figure() {
    let (slo, _) = run("{ p99: 1s, errors: 1% }", (0..120).map(|number| second(number, 100 + number % 7)));
    let (low, figure, high) = (slo[0].low.unwrap(), slo[0].measured.unwrap(), slo[0].high.unwrap());
    assert!(low <= figure && figure <= high, "{low} {figure} {high}");
    assert_eq!(slo[1].low, Some(0.0));
    assert!(slo[1].high.is_some_and(|high| high < 0.1), "{:?}", slo[1]);
}
