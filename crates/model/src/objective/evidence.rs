//! What an objective is judged by: the counts and times of the rows that it is on.

use crate::histogram::Histogram;
use crate::objective::{Measure, Objective};
use crate::plan::Plan;
use crate::snapshot::{RowStats, Snapshot};
use crate::statistics::{Confidence, Tally};
use crate::timeline::{Course, Timeline, per_second};
use std::time::Duration;

/// Fewer samples than this beyond a quantile make it no estimate.
const SAMPLES_BEYOND: f64 = 10.0;

/// Counts and times of the rows that an objective is on.
#[derive(Clone, Default)]
pub(super) struct Evidence {
    times: Histogram,
    /// Of the times, those that are only known to be longer.
    unknown: u64,
    requests: u64,
    failed: u64,
    exceeded: u64,
    never_started: u64,
    length: Duration,
}

/// A figure, and whether the true one is only known to be as large.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Measured {
    pub(crate) value: f64,
    pub(crate) at_least: bool,
}

impl Evidence {
    /// Of a stretch.
    pub(super) fn of(objective: &Objective, plan: &Plan, stretch: &Snapshot) -> Self {
        let mut sum = Self { length: stretch.to.saturating_sub(stretch.from), ..Self::default() };
        for (_, row) in stretch.rows.iter().enumerate().filter(|(index, _)| objective.is_on(plan, *index)) {
            sum.add(row);
        }
        sum
    }

    /// Of all that was due in the steady window.
    pub(super) fn over_the_run(objective: &Objective, plan: &Plan, timeline: &Timeline) -> Self {
        let steady = timeline.steady();
        let mut sum = Self { length: steady.to.saturating_sub(steady.from), ..Self::default() };
        for index in (0..plan.rows.len()).filter(|index| objective.is_on(plan, *index)) {
            sum.add(&timeline.due_in_steady(index));
        }
        sum
    }

    fn add(&mut self, row: &RowStats) {
        self.times.merge(&row.response);
        self.unknown += row.censored + row.never_started;
        self.requests += row.requests();
        self.failed += row.failed;
        self.exceeded += row.exceeded;
        self.never_started += row.never_started;
    }

    /// Adds what was counted in another stretch.
    pub(super) fn merge(&mut self, other: &Evidence) {
        self.times.merge(&other.times);
        self.unknown += other.unknown;
        self.requests += other.requests;
        self.failed += other.failed;
        self.exceeded += other.exceeded;
        self.never_started += other.never_started;
        self.length += other.length;
    }

    /// How long the stretches are that it is of.
    pub(super) fn length(&self) -> Duration {
        self.length
    }

    /// Samples that a quantile needs to have ten beyond it, when there are fewer.
    pub(super) fn needs(&self, measure: Measure) -> Option<u64> {
        let Measure::Quantile(quantile) = measure else { return None };
        let needed = (SAMPLES_BEYOND / (1.0 - quantile)).round() as u64;
        Some(needed).filter(|needed| self.times.count() < *needed)
    }

    /// The figure; none when there is nothing to tell it by.
    pub(super) fn measure(&self, measure: Measure) -> Option<Measured> {
        let offered = self.requests + self.never_started;
        let known = |value: f64| Measured { value, at_least: false };
        let share =
            |count: u64| (offered > 0).then(|| known((count + self.never_started) as f64 / offered as f64));
        let count = self.times.count();
        let time = |value: f64, at_least: bool| (count > 0).then_some(Measured { value, at_least });
        match measure {
            Measure::Quantile(quantile) => {
                let rank = (quantile * count as f64).ceil() as u64;
                time(self.times.quantile_ms(quantile), rank + self.unknown > count)
            }
            Measure::Mean => {
                let mean = self.times.sum().as_secs_f64() * 1e3 / count.max(1) as f64;
                time(mean, self.unknown > 0)
            }
            Measure::Max => time(self.times.max().as_secs_f64() * 1e3, self.unknown > 0),
            Measure::Errors => share(self.failed),
            Measure::Exceeded => share(self.exceeded),
            Measure::Rate => Some(known(per_second(self.requests - self.failed, self.length.as_secs_f64()))),
        }
    }
}

/// The 95 % bounds of the figure over the steady window, in its unit.
pub(super) fn bounds(
    objective: &Objective,
    plan: &Plan,
    timeline: &Timeline,
    evidence: &Evidence,
) -> Option<(Option<f64>, Option<f64>)> {
    let rows = (0..plan.rows.len()).filter(|row| objective.is_on(plan, *row));
    let courses: Vec<&Course> = rows.map(|row| timeline.course(row)).collect();
    let confidence = match objective.measure {
        Measure::Quantile(quantile) => {
            Confidence::of_quantile(&evidence.times, evidence.unknown, stretches(&courses), quantile)
        }
        Measure::Mean if evidence.unknown == 0 => Confidence::of_mean(stretches(&courses)),
        Measure::Errors => Confidence::of_share(&tallies(&courses, Course::failed)),
        Measure::Exceeded => Confidence::of_share(&tallies(&courses, Course::exceeded)),
        Measure::Mean | Measure::Max | Measure::Rate => return None,
    };
    confidence.ok().map(|confidence| (confidence.lower, confidence.upper))
}

/// Response times of all rows, by stretch: the rows have the same stretches.
fn stretches(courses: &[&Course]) -> Vec<Histogram> {
    let mut sums: Vec<Histogram> = Vec::new();
    for course in courses {
        for (index, stretch) in course.response.histograms().enumerate() {
            match sums.get_mut(index) {
                Some(sum) => sum.merge(&stretch),
                None => sums.push(stretch),
            }
        }
    }
    sums
}

fn tallies(courses: &[&Course], of: fn(&Course) -> Vec<Tally>) -> Vec<Tally> {
    let mut sums: Vec<Tally> = Vec::new();
    for course in courses {
        for (index, tally) in of(course).into_iter().enumerate() {
            match sums.get_mut(index) {
                Some(sum) => *sum = Tally { of: sum.of + tally.of, sum: sum.sum + tally.sum },
                None => sums.push(tally),
            }
        }
    }
    sums
}
