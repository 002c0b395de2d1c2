//! How much of the time some task of the machine waited for a CPU (pressure stall information).

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Where the system tells; absent on older systems and where it is switched off.
pub(crate) const FILE: &str = "/proc/pressure/cpu";
/// Pressure is judged over so long, as the system's `avg10` is.
const WINDOW: Duration = Duration::from_secs(10);
/// Readings kept: one a second over the window, and some for a clock that is late.
const READINGS_KEPT: usize = 32;

/// A reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pressure {
    /// Share of the last 10 s, 0–1.
    pub(crate) average_10_s: f64,
    /// Time in which some task waited, since the machine started.
    pub(crate) total: Duration,
}

/// The `some` line: `some avg10=1.53 avg60=0.87 avg300=0.63 total=1326946384`, in % and µs (Linux,
/// `Documentation/accounting/psi.rst`).
pub(crate) fn parse(text: &str) -> Option<Pressure> {
    let line = text.lines().find_map(|line| line.strip_prefix("some "))?;
    let value = |key: &str| line.split_whitespace().find_map(|word| word.strip_prefix(key));
    let percent: f64 = value("avg10=")?.parse().ok()?;
    let total = value("total=")?.parse().ok()?;
    let average_10_s = Some(percent / 100.0).filter(|share| (0.0..=1.0).contains(share))?;
    Some(Pressure { average_10_s, total: Duration::from_micros(total) })
}

/// The greatest pressure over 10 s. Made from the totals: the system's averages still hold what was before
/// the run.
#[derive(Debug, Default)]
pub(super) struct Greatest {
    readings: VecDeque<(Instant, Duration)>,
    /// Of a run that is shorter than the window so far.
    short: Option<f64>,
    full: Option<f64>,
}

impl Greatest {
    /// Takes a reading of the total.
    pub(super) fn take(&mut self, now: Instant, total: Duration) {
        let old = |at: &(Instant, Duration)| now.saturating_duration_since(at.0) >= WINDOW;
        // The newest of those that are old enough stays: the window begins with it.
        while self.readings.get(1).is_some_and(old) || self.readings.len() >= READINGS_KEPT {
            self.readings.pop_front();
        }
        if let Some((from, before)) = self.readings.front() {
            let elapsed = now.saturating_duration_since(*from);
            let share = total.saturating_sub(*before).as_secs_f64() / elapsed.as_secs_f64().max(1e-9);
            let share = share.min(1.0);
            if elapsed >= WINDOW {
                self.full = Some(self.full.map_or(share, |most| most.max(share)));
            } else {
                self.short = Some(share);
            }
        }
        self.readings.push_back((now, total));
    }

    /// The greatest share, 0–1; over the whole when that was shorter than 10 s; none without two readings.
    pub(super) fn share(&self) -> Option<f64> {
        self.full.or(self.short)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_some_tasks_counts() {
        let text =
            "some avg10=12.50 avg60=9.13 avg300=8.65 total=1327035392\nfull avg10=0.00 avg60=0.00 total=0\n";
        let expected = Pressure { average_10_s: 0.125, total: Duration::from_micros(1_327_035_392) };
        assert_eq!(parse(text), Some(expected));
        for garbage in
            ["", "full avg10=1 total=1", "some avg10=x total=1", "some avg10=1", "some avg10=NaN total=1"]
        {
            assert_eq!(parse(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn the_worst_ten_seconds_count() {
        let begun = Instant::now();
        let mut greatest = Greatest::default();
        let mut total = Duration::from_secs(500);
        for second in 0..=40 {
            // Half of the time between 20 and 30 s, nothing before and after.
            total += Duration::from_millis(if (20..30).contains(&second) { 500 } else { 0 });
            greatest.take(begun + Duration::from_secs(second), total);
            let share = greatest.share().unwrap_or(0.0);
            let expected = (second.clamp(19, 29) - 19) as f64 * 0.05;
            assert!((share - expected).abs() < 1e-9, "{share} at {second} s");
        }
    }

    #[test]
    fn a_short_run_is_judged_as_a_whole() {
        let begun = Instant::now();
        let mut greatest = Greatest::default();
        assert_eq!(greatest.share(), None);
        for (second, total_ms) in [(0, 0), (1, 900), (4, 1_000)] {
            greatest.take(begun + Duration::from_secs(second), Duration::from_millis(total_ms));
        }
        assert_eq!(greatest.share(), Some(0.25));
    }
}
