//! Time that the hypervisor took, and pages that had to be fetched from a disk.

use super::proc;

/// CPU time of the whole machine, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CpuTime {
    /// Of every kind, idle included.
    pub(crate) all: u64,
    /// When a task was ready and the hypervisor ran something else.
    pub(crate) stolen: u64,
}

impl CpuTime {
    /// Share that was stolen since an earlier reading, 0–1; none when no time has passed.
    pub(crate) fn stolen_since(self, earlier: Self) -> Option<f64> {
        let all = self.all.saturating_sub(earlier.all);
        let stolen = self.stolen.saturating_sub(earlier.stolen);
        (all > 0).then(|| (stolen as f64 / all as f64).min(1.0))
    }
}

/// The line of all CPUs: user, nice, system, idle, iowait, irq, softirq, steal, then guests, who are in the
/// first two already (`proc_stat(5)`).
pub(crate) fn parse(text: &str) -> Option<CpuTime> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let times: Vec<u64> = proc::numbers(line).take(8).collect();
    let all = times.iter().fold(0, |sum: u64, time| sum.saturating_add(*time));
    Some(CpuTime { all, stolen: *times.get(7)? })
}

/// CPU time of the machine, now.
pub(crate) fn read() -> Option<CpuTime> {
    parse(&proc::text("/proc/stat")?)
}

/// Major faults of this process: the twelfth field of `/proc/PID/stat` (`proc_pid_stat(5)`). The second one,
/// the name, may hold anything.
pub(super) fn parse_faults(text: &str) -> Option<u64> {
    let (_, after_name) = text.rsplit_once(") ")?;
    after_name.split_whitespace().nth(9)?.parse().ok()
}

/// Major faults of this process so far.
pub(super) fn read_faults() -> Option<u64> {
    parse_faults(&proc::text("/proc/self/stat")?)
}

/// Major faults between readings, one a second.
#[derive(Debug, Default)]
pub(super) struct Faults {
    last: Option<u64>,
    sum: Option<u64>,
    row: u64,
    longest: u64,
}

impl Faults {
    /// Takes a reading.
    pub(super) fn take(&mut self, reading: u64) {
        if let Some(last) = self.last {
            let added = reading.saturating_sub(last);
            self.sum = Some(self.sum.unwrap_or(0) + added);
            self.row = if added > 0 { self.row + 1 } else { 0 };
            self.longest = self.longest.max(self.row);
        }
        self.last = Some(reading);
    }

    /// Faults from the first reading to the last.
    pub(super) fn sum(&self) -> Option<u64> {
        self.sum
    }

    /// The most readings in a row that each found new ones.
    pub(super) fn longest(&self) -> Option<u64> {
        self.sum.map(|_| self.longest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eighth_time_is_stolen() {
        let text = "cpu  700 0 100 100 0 0 50 50 7 7\ncpu0 1 2 3\nintr 5\n";
        let now = parse(text).unwrap();
        assert_eq!(now, CpuTime { all: 1_000, stolen: 50 });
        assert_eq!(now.stolen_since(CpuTime { all: 500, stolen: 25 }), Some(0.05));
        assert_eq!(now.stolen_since(now), None);
        for garbage in ["", "cpu0 1 2 3 4 5 6 7 8", "cpu  1 2 3", "cpu  a b c d e f g h"] {
            assert_eq!(parse(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn the_twelfth_field_counts_major_faults() {
        let text = "14826 (a (mad) name) R 1 2 3 4 -1 4194304 99 0 5 0 1 2 3 4\n";
        assert_eq!(parse_faults(text), Some(5));
        for garbage in ["", "1 (x) R 1", "1 x R 1 2 3 4 5 6 7 8 9", "1 (x) R a b c d e f g h i j"] {
            assert_eq!(parse_faults(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn faults_are_counted_and_so_are_seconds_in_a_row() {
        let mut faults = Faults::default();
        assert_eq!((faults.sum(), faults.longest()), (None, None));
        for reading in [10, 10, 12, 13, 13, 20] {
            faults.take(reading);
        }
        assert_eq!((faults.sum(), faults.longest()), (Some(10), Some(2)));
    }
}
