//! How long the group of processes that this one belongs to was kept from running, because its share of CPU
//! was used up. Both versions of control groups.

use super::proc;
use std::path::PathBuf;
use std::time::Duration;

/// Where the groups stand, in the order in which they are tried: version 2 alone, beside version 1, version 1.
const ROOTS: [(&str, &str); 4] = [
    ("", "/sys/fs/cgroup"),
    ("", "/sys/fs/cgroup/unified"),
    ("cpu", "/sys/fs/cgroup/cpu"),
    ("cpu", "/sys/fs/cgroup/cpu,cpuacct"),
];

/// What a group was kept from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Throttling {
    /// Periods in which the group ran out of its share.
    pub(super) periods: u64,
    /// Time in which it was kept from running.
    pub(super) time: Duration,
}

impl Throttling {
    /// What came since an earlier reading.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            periods: self.periods.saturating_sub(earlier.periods),
            time: self.time.saturating_sub(earlier.time),
        }
    }
}

/// `cpu.stat` of a group: `throttled_usec` in version 2 (Linux, `admin-guide/cgroup-v2.rst`), `throttled_time`
/// in ns in version 1 (`scheduler/sched-bwc.rst`). Groups that cannot be throttled have none of them.
pub(super) fn parse(text: &str) -> Option<Throttling> {
    let value = |key: &str| {
        text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')?.trim().parse::<u64>().ok())
    };
    let time = value("throttled_usec")
        .map(Duration::from_micros)
        .or_else(|| value("throttled_time").map(Duration::from_nanos))?;
    Some(Throttling { periods: value("nr_throttled")?, time })
}

/// Throttling of the own group so far.
pub(super) fn read() -> Option<Throttling> {
    files("cpu.stat").iter().find_map(|file| parse(&proc::text(file)?))
}

/// CPUs that the own group may use at most, all together; none without a limit.
pub(crate) fn quota() -> Option<f64> {
    let newer = files("cpu.max").iter().find_map(|file| parse_max(&proc::text(file)?));
    newer.or_else(|| {
        let quota = files("cpu.cfs_quota_us").iter().find_map(proc::number)?;
        let period = files("cpu.cfs_period_us").iter().find_map(proc::number)?;
        (period > 0).then(|| quota as f64 / period as f64)
    })
}

/// `cpu.max` of version 2: quota and period in µs; `max` for no limit.
fn parse_max(text: &str) -> Option<f64> {
    let mut numbers = proc::numbers(text);
    let (quota, period) = (numbers.next()?, numbers.next()?);
    (period > 0).then(|| quota as f64 / period as f64)
}

/// Places of a file of the own group; in a container the group's path is often not visible, but its root is.
fn files(name: &str) -> Vec<PathBuf> {
    let groups = proc::text("/proc/self/cgroup").unwrap_or_default();
    let places = ROOTS.iter().flat_map(|(controller, root)| {
        let path = group(&groups, controller).unwrap_or("/").trim_start_matches('/');
        [PathBuf::from(root).join(path).join(name), PathBuf::from(root).join(name)]
    });
    places.collect()
}

/// The path of the own group: `0::/path` in version 2, `4:cpu,cpuacct:/path` in version 1 (`cgroups(7)`).
fn group<'a>(text: &'a str, controller: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let mut controllers = fields.next()?.split(',');
        controllers.any(|one| one == controller).then(|| fields.next())?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_versions_are_read() {
        let newer = "usage_usec 9\nnr_periods 5\nnr_throttled 3\nthrottled_usec 2500\nnr_bursts 0\n";
        let older = "nr_periods 5\nnr_throttled 3\nthrottled_time 2500000\n";
        let expected = Throttling { periods: 3, time: Duration::from_micros(2_500) };
        assert_eq!(parse(newer), Some(expected));
        assert_eq!(parse(older), Some(expected));
        assert_eq!(expected.since(Throttling { periods: 1, time: Duration::from_micros(500) }).periods, 2);
        for garbage in
            ["", "usage_usec 9\n", "nr_throttled x\nthrottled_usec 1", "throttled_usec 1", "throttled_usec"]
        {
            assert_eq!(parse(garbage), None, "{garbage:?}");
        }
    }

    #[test]
    fn a_quota_is_in_cpus() {
        assert_eq!(parse_max("150000 100000\n"), Some(1.5));
        for none in ["max 100000\n", "", "5", "5 0"] {
            assert_eq!(parse_max(none), None, "{none:?}");
        }
    }

    #[test]
    fn the_own_group_is_found() {
        let text = "9:name=systemd:/x\n4:cpu,cpuacct:/some:where\n0::/user.slice\nnonsense\n";
        assert_eq!(group(text, ""), Some("/user.slice"));
        assert_eq!(group(text, "cpu"), Some("/some:where"));
        assert_eq!(group(text, "cpuset"), None);
        assert_eq!(group("", "cpu"), None);
    }
}
