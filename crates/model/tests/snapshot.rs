//! What is counted on several threads and in several seconds merges to what one would have counted alone.

use loadgen_model::histogram::Histogram;
use loadgen_model::mix::ScenarioId;
use loadgen_model::sample::RowId;
use loadgen_model::window::Window;
use loadgen_model::{Failure, FailureKind, Outcome, Sample, Snapshot, Timeline};
use proptest::prelude::*;
use std::time::Duration;

const ROWS: usize = 3;
const HOUR: Duration = Duration::from_secs(3600);

fn sample() -> impl Strategy<Value = Sample> {
    // Times from microseconds to beyond an hour, as evenly over the magnitudes as over the values.
    let time = (0_u32..33).prop_flat_map(|bits| (1_u64 << bits)..(2_u64 << bits));
    let outcome = prop_oneof![
        Just(Outcome::Passed),
        Just(Outcome::Exceeded),
        Just(Outcome::Failed(Failure::fixed(FailureKind::Timeout, "too late"))),
        Just(Outcome::Failed(Failure::fixed(FailureKind::Reset, "gone"))),
    ];
    (0..ROWS as u16, time, 0_u64..5_000, outcome).prop_map(|(row, service, lag, outcome)| {
        let censored = matches!(&outcome, Outcome::Failed(failure) if failure.kind == FailureKind::Timeout);
        Sample {
            row: RowId(row),
            intended: Duration::from_secs(1),
            ready: Duration::from_secs(1),
            started: Duration::from_secs(1) + Duration::from_micros(lag),
            finished: Duration::from_secs(1) + Duration::from_micros(lag + service),
            outcome,
            censored,
            bytes_sent: 10,
            bytes_received: 20,
            entries: 0,
        }
    })
}

fn recorded(samples: &[Sample]) -> Snapshot {
    let mut snapshot = Snapshot::new(ROWS, 1, Duration::ZERO);
    snapshot.to = Duration::from_secs(1);
    for sample in samples {
        snapshot.begin(ScenarioId(0));
        snapshot.record(sample.clone());
    }
    snapshot
}

/// Everything that a report reads of a snapshot.
fn figures(snapshot: &Snapshot) -> String {
    let rows = snapshot.rows.iter().map(|row| {
        let failed = row.failed_response.as_deref().map(|times| times.quantiles(0));
        let counts = (row.passed, row.exceeded, row.failed, row.censored, row.bytes_sent, row.bytes_received);
        let times = (row.passed_time, row.exceeded_time, row.failed_time);
        let quantiles = (row.response.quantiles(row.censored), row.service.quantiles(row.censored), failed);
        format!("{counts:?} {times:?} {quantiles:?}")
    });
    let rows: Vec<String> = rows.collect();
    let rest = (snapshot.lag.quantiles(0), snapshot.late, &snapshot.failures, &snapshot.iterations);
    format!("{rows:?} {rest:?}")
}

fn microseconds(times: &[u64]) -> Histogram {
    let mut histogram = Histogram::default();
    for time in times {
        histogram.record(Duration::from_micros(*time));
    }
    histogram
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_merge_to_the_whole_in_any_order(
        samples in prop::collection::vec(sample(), 0..200),
        cut in any::<prop::sample::Index>(),
    ) {
        let cut = cut.index(samples.len() + 1);
        let (first, second) = (recorded(&samples[..cut]), recorded(&samples[cut..]));
        let (mut forward, mut backward) = (first.clone(), second.clone());
        forward.merge_thread(&second);
        backward.merge_thread(&first);
        prop_assert_eq!(figures(&forward), figures(&recorded(&samples)));
        prop_assert_eq!(figures(&backward), figures(&forward));
    }

    #[test]
    fn a_quantile_is_within_a_thousandth_of_the_true_one(
        mut times in prop::collection::vec(1_u64..3_600_000_000, 1..500),
        quantile in 0.0_f64..=1.0,
    ) {
        let histogram = microseconds(&times);
        times.sort_unstable();
        let rank = ((quantile * times.len() as f64).ceil() as usize).clamp(1, times.len());
        let truth = times[rank - 1] as f64 / 1e3;
        let told = histogram.quantile_ms(quantile);
        prop_assert!((told / truth - 1.0).abs() <= 0.001, "{} ms is told as {} ms", truth, told);
        prop_assert_eq!(histogram.count(), times.len() as u64);
        prop_assert_eq!(histogram.max(), Duration::from_micros(times[times.len() - 1]));
        prop_assert_eq!(histogram.sum(), Duration::from_micros(times.iter().sum()));
    }

    #[test]
    fn a_packed_histogram_is_the_same_when_unpacked(
        times in prop::collection::vec(1_u64..10_000_000, 0..300),
    ) {
        let histogram = microseconds(&times);
        prop_assert_eq!(histogram.pack().unpack().quantiles(3), histogram.quantiles(3));
    }
}

#[test]
fn what_takes_longer_than_an_hour_is_counted_and_its_maximum_exact() {
    let mut histogram = Histogram::default();
    histogram.record(3 * HOUR);
    histogram.record(Duration::ZERO);
    assert_eq!((histogram.count(), histogram.max()), (2, 3 * HOUR));
}

/// A second of a run with so many passed requests of 5 ms.
fn second(number: u64, requests: u64, started: u64, finished: u64) -> Snapshot {
    let mut tick = Snapshot::new(1, 1, Duration::from_secs(number));
    tick.to = Duration::from_secs(number + 1);
    tick.users_started = started;
    tick.users_finished = finished;
    for _ in 0..requests {
        tick.record(Sample {
            row: RowId(0),
            intended: Duration::ZERO,
            ready: Duration::ZERO,
            started: Duration::ZERO,
            finished: Duration::from_millis(5),
            outcome: Outcome::Passed,
            censored: false,
            bytes_sent: 1,
            bytes_received: 1,
            entries: 0,
        });
    }
    tick
}

#[test]
fn the_steady_window_begins_after_the_ramp_and_ends_before_the_first_user_does() {
    let mut timeline = Timeline::new(1, 1, Window::fixed(Duration::from_secs(2), None));
    let run = [(0, 1, 1, 0), (1, 5, 1, 0), (2, 10, 0, 0), (3, 10, 0, 0), (4, 7, 0, 1), (5, 2, 0, 1)];
    for (number, requests, started, finished) in run {
        timeline.add(&second(number, requests, started, finished));
    }
    let steady = timeline.steady();
    assert_eq!((steady.from, steady.to), (Duration::from_secs(2), Duration::from_secs(4)));
    assert_eq!((steady.rows[0].passed, timeline.whole().rows[0].passed), (20, 35));
    assert_eq!(timeline.users(), 0);
}

#[test]
fn a_run_that_was_never_steady_has_its_figures_over_the_whole() {
    let mut timeline = Timeline::new(1, 1, Window::fixed(Duration::from_secs(60), None));
    timeline.add(&second(0, 4, 1, 1));
    assert!(!timeline.has_steady_window());
    assert_eq!(timeline.steady().rows[0].passed, 4);
}

#[test]
fn a_long_run_fits_into_a_bounded_number_of_intervals_without_losing_a_request() {
    let mut timeline = Timeline::new(1, 1, Window::fixed(Duration::ZERO, None));
    let seconds = 3_000;
    for number in 0..seconds {
        timeline.add(&second(number, 1 + number % 3, u64::from(number == 0), 0));
    }
    let intervals = timeline.intervals();
    assert!((600..=1_201).contains(&intervals.len()), "{} intervals", intervals.len());
    let requests: u64 = intervals.iter().map(|interval| interval.requests).sum();
    assert_eq!(requests, timeline.whole().rows[0].passed);
    let length: f64 = intervals.iter().map(|interval| interval.length_s).sum();
    assert!((length - seconds as f64).abs() < 1e-6);
    assert!(intervals.iter().all(|interval| (interval.p99_ms - 5.0).abs() < 0.1));
}

#[test]
fn a_start_is_taken_back_in_a_later_second_than_it_was_counted_in() {
    let second = |number| Snapshot::new(ROWS, 1, Duration::from_secs(number));
    let (mut first, mut next) = (second(0), second(1));
    first.start(RowId(1));
    next.withdraw(RowId(1));
    next.start(RowId(1));
    let mut whole = second(0);
    whole.merge_stretch(&first);
    whole.merge_stretch(&next);
    assert_eq!(whole.rows[1].started - whole.rows[1].withdrawn, 1);
}
