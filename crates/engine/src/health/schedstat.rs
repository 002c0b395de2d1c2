//! How long generator threads were ready to run and waited for a CPU.

use super::proc;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Threads with such names are generator threads; others may wait without delaying a request.
pub(crate) const THREAD_NAME: &str = "generator-";

/// Time waited on a run queue so far: the second field of `/proc/PID/task/TID/schedstat`, in ns (Linux,
/// `Documentation/scheduler/sched-stats.rst`). A kernel that does not count writes zeros, even as the CPU time.
pub(super) fn parse(text: &str) -> Option<Duration> {
    let mut fields = text.split_whitespace();
    let cpu: u64 = fields.next()?.parse().ok()?;
    let wait: u64 = fields.next()?.parse().ok()?;
    (cpu > 0).then(|| Duration::from_nanos(wait))
}

/// What was waited by each thread, by its number, now.
pub(super) fn read() -> BTreeMap<u32, Duration> {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    tasks
        .filter_map(|task| {
            let name = proc::word(task.path().join("comm"))?;
            let wait = parse(&proc::text(task.path().join("schedstat"))?)?;
            let number = task.file_name().to_str()?.parse().ok()?;
            name.starts_with(THREAD_NAME).then_some((number, wait))
        })
        .collect()
}

/// What each thread waited between its first and its last reading.
#[derive(Debug, Default)]
pub(super) struct Waits(BTreeMap<u32, [(Instant, Duration); 2]>);

impl Waits {
    /// Takes a reading; a thread that has ended keeps its last one.
    pub(super) fn take(&mut self, now: Instant, reading: BTreeMap<u32, Duration>) {
        for (thread, wait) in reading {
            self.0.entry(thread).or_insert([(now, wait); 2])[1] = (now, wait);
        }
    }

    /// Share of its time that the worst thread waited, 0–1; none when no thread was seen twice.
    pub(super) fn worst(&self) -> Option<f64> {
        let shares = self.0.values().filter_map(|[(from, before), (to, after)]| {
            let elapsed = to.saturating_duration_since(*from);
            let waited = after.saturating_sub(*before);
            (!elapsed.is_zero()).then(|| (waited.as_secs_f64() / elapsed.as_secs_f64()).min(1.0))
        });
        shares.reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_field_is_the_wait() {
        assert_eq!(parse("53921431 1200345 77\n"), Some(Duration::from_nanos(1_200_345)));
        for garbage in ["", "0 0 0\n", "1", "a b c", "-1 5 5", "\0\0"] {
            assert_eq!(parse(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn the_worst_thread_counts() {
        let begun = Instant::now();
        let ms = Duration::from_millis;
        let mut waits = Waits::default();
        assert_eq!(waits.worst(), None);
        waits.take(begun, BTreeMap::from([(1, ms(5)), (2, ms(5))]));
        assert_eq!(waits.worst(), None, "seen once");
        waits.take(begun + ms(1_000), BTreeMap::from([(1, ms(15)), (2, ms(105))]));
        // The second thread has ended: what is known of it stays.
        waits.take(begun + ms(2_000), BTreeMap::from([(1, ms(35))]));
        let worst = waits.worst().unwrap();
        assert!((worst - 0.1).abs() < 1e-9, "{worst}");
    }
}
