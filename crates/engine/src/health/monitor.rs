//! Looks at the machine once a second while the load lasts, on the thread that merges counts: never on the way
//! of a request.

use super::ports::{self, Range, Reuse};
use super::pressure::{self, Greatest};
use super::retransmits::{self, Segments};
use super::schedstat::{self, Waits};
use super::stat::{self, CpuTime, Faults};
use super::{cgroup, descriptors, proc};
use loadgen_model::report::Machine;
use std::time::{Duration, Instant};

/// How often the machine is looked at.
pub(crate) const EVERY: Duration = Duration::from_secs(1);
/// Sockets are counted one by one, which costs some 1 µs each, only when all together they take this share of
/// the ports …
const PORTS_WORTH_COUNTING: f64 = 0.5;
/// … and only so often.
const COUNT_EVERY: Duration = Duration::from_secs(5);

/// Where the system names the clock that `Instant` reads.
pub(crate) const CLOCK_SOURCE: &str = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

/// What was seen of the machine up to now.
pub(crate) struct Monitor {
    begun: Instant,
    cpu: Option<CpuTime>,
    throttling: Option<cgroup::Throttling>,
    segments: Option<Segments>,
    waits: Waits,
    pressure: Greatest,
    faults: Faults,
    ports: Option<(Range, Reuse)>,
    ports_used: Option<u64>,
    counted: Option<Instant>,
    descriptors_used: Option<u64>,
}

impl Monitor {
    /// Begins to look.
    pub(crate) fn begin() -> Self {
        let mut monitor = Self {
            begun: Instant::now(),
            cpu: stat::read(),
            throttling: cgroup::read(),
            segments: retransmits::read(),
            waits: Waits::default(),
            pressure: Greatest::default(),
            faults: Faults::default(),
            ports: Range::read().map(|range| (range, Reuse::read().unwrap_or(Reuse::Never))),
            ports_used: None,
            counted: None,
            descriptors_used: None,
        };
        monitor.look();
        monitor
    }

    /// Looks once more; to be called every [`EVERY`].
    pub(crate) fn look(&mut self) {
        let now = Instant::now();
        self.waits.take(now, schedstat::read());
        if let Some(pressure) = proc::text(pressure::FILE).and_then(|text| pressure::parse(&text)) {
            self.pressure.take(now, pressure.total);
        }
        // In the first second the program itself is loaded.
        let loaded = now.saturating_duration_since(self.begun) >= EVERY / 2;
        if let Some(faults) = stat::read_faults().filter(|_| loaded) {
            self.faults.take(faults);
        }
        self.descriptors_used = self.descriptors_used.max(descriptors::used());
        self.look_at_ports(now);
    }

    fn look_at_ports(&mut self, now: Instant) {
        let (Some((range, reuse)), Some(sockets)) = (self.ports, ports::sockets()) else { return };
        let enough = PORTS_WORTH_COUNTING * range.count() as f64;
        if (sockets as f64) < enough {
            // What was counted is exact, and more than this bound of quieter times.
            self.ports_used = self.ports_used.max(Some(sockets));
            return;
        }
        if self.counted.is_none_or(|last| now.saturating_duration_since(last) >= COUNT_EVERY) {
            self.counted = Some(now);
            self.ports_used = self.ports_used.max(Some(ports::most_taken(range, reuse)));
        }
    }

    /// What the machine did since the beginning; `opened` connections were opened meanwhile.
    pub(crate) fn end(mut self, opened: u64) -> Machine {
        self.look();
        let elapsed = self.begun.elapsed().as_secs_f64();
        let throttling = self.throttling.zip(cgroup::read()).map(|(before, now)| now.since(before));
        let segments = self.segments.zip(retransmits::read()).map(|(before, now)| now.since(before));
        Machine {
            run_queue_wait: self.waits.worst(),
            cpu_steal: self.cpu.zip(stat::read()).and_then(|(before, now)| now.stolen_since(before)),
            cpu_pressure: self.pressure.share(),
            throttled_periods: throttling.map(|one| one.periods),
            throttled_s: throttling.map(|one| one.time.as_secs_f64()),
            ports_used: self.ports_used,
            ports_available: self.ports.map(|(range, _)| range.count()),
            connections_per_s: (elapsed > 0.0).then(|| opened as f64 / elapsed),
            descriptors_used: self.descriptors_used,
            descriptors_limit: descriptors::limits().soft,
            segments_sent: segments.map(|one| one.sent),
            segments_sent_again: segments.map(|one| one.sent_again),
            connects: segments.map(|one| one.connects),
            connects_asked_again: segments.and_then(|one| one.asked_again),
            major_faults: self.faults.sum(),
            major_fault_seconds: self.faults.longest(),
            clock_source: proc::word(CLOCK_SOURCE),
        }
    }
}
