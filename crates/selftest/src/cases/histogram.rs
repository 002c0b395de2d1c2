//! H16: what becomes of times when they are counted and merged. Nothing is run.

use crate::case::Case;
use crate::judgement::Judgement;
use crate::ordered::Ordered;
use crate::stand::{Problem, Stand};
use loadgen_model::histogram::Histogram;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};
use std::time::Duration;

pub(crate) const CASE: Case =
    Case { name: "H16", question: "are times counted and merged without loss?", is_long: false, judge };

/// Times, and histograms that they are spread over.
const TIMES: usize = 100_000;
const PARTS: usize = 1_000;

/// How far a time may be off, of itself.
const PRECISION: f64 = 0.001;

#[expect(clippy::unnecessary_wraps, reason = "cases have one signature")]
fn judge(_stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let times = times();
    let mut parts = vec![Histogram::default(); PARTS];
    let mut whole = Histogram::default();
    for (index, time) in times.iter().enumerate() {
        parts[index % PARTS].record(*time);
        whole.record(*time);
    }
    let mut merged = Histogram::default();
    for part in parts.iter().rev() {
        merged.merge(part);
    }
    Ok(compare(&times, &whole, &merged))
}

/// From a microsecond to half an hour, each order of magnitude as likely.
fn times() -> Vec<Duration> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(160);
    let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let log_of_most = (1_800_f64 * 1e6).ln();
    (0..TIMES).map(|_| Duration::from_secs_f64((unit() * log_of_most).exp() / 1e6)).collect()
}

fn compare(times: &[Duration], whole: &Histogram, merged: &Histogram) -> Vec<Judgement> {
    let exact = Ordered::new(times.iter().map(|time| time.as_micros().max(1) as f64 / 1e3).collect());
    let sum: Duration = times.iter().sum();
    let longest = times.iter().max().copied().unwrap_or_default();
    let ranks = 1..=times.len() as u64;
    let worst = ranks.clone().zip(exact.as_slice()).map(|(rank, exact)| {
        let counted = merged.at_rank(rank).unwrap_or_default().as_secs_f64() * 1e3;
        (counted / exact - 1.0).abs()
    });
    let differing = ranks.filter(|rank| whole.at_rank(*rank) != merged.at_rank(*rank)).count() as u64;
    vec![
        Judgement::count("times in 1,000 merged parts", times.len() as u64, merged.count()),
        Judgement::within("largest error of any time, share", (0.0, PRECISION), worst.fold(0.0, f64::max))
            .exact(),
        Judgement::count("ranks that differ from counting at once", 0, differing),
        Judgement::holds("sum", "exact", format!("{:?}", merged.sum()), merged.sum() == sum).exact(),
        Judgement::holds("longest", "exact", format!("{:?}", merged.max()), merged.max() == longest).exact(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;

    #[test]
    fn a_time_that_is_lost_or_changed_fails() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        let of = |times: &[Duration]| {
            let mut histogram = Histogram::default();
            for time in times {
                histogram.record(*time);
            }
            histogram
        };
        let failed = |merged: &Histogram| {
            let judged = compare(&times, &of(&times), merged);
            judged.iter().filter(|one| one.verdict == Verdict::Failed).count()
        };
        assert_eq!(failed(&of(&times)), 0);
        assert!(failed(&of(&times[..99])) >= 4);
        let mut changed = times.clone();
        changed[50] += Duration::from_micros(400);
        assert!(failed(&of(&changed)) >= 2);
    }
}
