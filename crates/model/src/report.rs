//! The one versioned record of a run: what scripts, pages and people read.
//!
//! Field names are fixed within version 1: more may be added, none is renamed or removed. Times carry
//! their unit in the name. `response_ms` counts from the intended start, `service_ms` from the send.

mod examination;
mod machine;

pub use examination::{Calibration, Check, Examination, Grade};
pub use machine::Machine;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version that `loadgen_report` carries.
pub const VERSION: u32 = 1;

/// A whole run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "LoadGen report, version 1")]
pub struct Report {
    /// Version of this format: 1.
    pub loadgen_report: u32,
    /// Which run this was.
    pub run: Run,
    /// Whether it passed, and why not.
    pub verdict: Verdict,
    /// The load that was asked for and what of it was delivered.
    pub load: Load,
    /// Sums over all tasks.
    pub totals: Totals,
    /// How connections were opened and used again.
    pub connections: Connections,
    /// One entry for each task of each workload, in the job's order.
    pub tasks: Vec<Task>,
    /// The workloads as the job wrote them.
    pub workloads: Vec<Workload>,
    /// The objectives of the job and whether they were met.
    pub slo: Vec<Objective>,
    /// Whether the generator itself was the bottleneck.
    pub health: Health,
    /// The run over time; long runs are coarsened to a bounded number of intervals.
    pub intervals: Vec<Interval>,
}

/// Which run this was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// Unique name of the run: its start in UTC and its seed.
    pub id: String,
    /// The job's name.
    pub name: String,
    /// Start, RFC 3339, UTC.
    pub started: String,
    /// End, RFC 3339, UTC.
    pub finished: String,
    /// Length in seconds from the first user's start to the last user's end.
    pub elapsed_s: f64,
    /// The seed of all random draws.
    pub seed: u64,
    /// The version of LoadGen.
    pub version: String,
    /// Whether the run was stopped before its plan was carried out; the figures are then partial.
    pub interrupted: bool,
    /// Free facts on the target, as the job states them.
    pub target_environment: String,
    /// Free facts on the generator's machine, as the job states them.
    pub generator_environment: String,
    /// Changes of the load by hand while it ran. Stretches right after them are not in the steady window.
    #[serde(default)]
    pub changes: Vec<Change>,
    /// Things the reader must know: insecure TLS, exhausted data, what was left out.
    pub notes: Vec<String>,
}

/// A change of the load by hand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// When, seconds from the start.
    pub at_s: f64,
    /// The load from then on ÷ what was planned; 0 for a pause.
    pub factor: f64,
}

/// Whether the run passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verdict {
    /// The verdict itself.
    pub status: Status,
    /// One sentence for each reason.
    pub reasons: Vec<String>,
    /// The exit code of the command (`loadgen help exit-codes`).
    pub exit_code: u8,
}

/// The verdict itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All objectives met, and the measurement is valid.
    Passed,
    /// An objective was missed, or set-up, tear-down or the target failed.
    Failed,
    /// The generator was the bottleneck: its figures are no statement on the target.
    Invalid,
    /// Stopped by hand; the figures are partial.
    Interrupted,
}

/// The load that was asked for and what of it was delivered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Load {
    /// `closed`: a fixed number of users; `open`: starts by the clock.
    pub model: String,
    /// Virtual users.
    pub users: u64,
    /// Users that start together; 0 when all start at once.
    pub ramp_group: u64,
    /// Milliseconds between two groups.
    pub ramp_every_ms: f64,
    /// Requests that were due.
    pub offered: u64,
    /// Requests that started more than 1 ms after they were due.
    pub started_late: u64,
    /// Requests that were due and never started.
    pub never_started: u64,
    /// Requests that ended, in whatever outcome.
    pub completed: u64,
    /// Iterations begun.
    pub iterations: u64,
    /// Where the steady window begins, seconds from the start: ramp and warm-up are over.
    pub steady_from_s: f64,
    /// Where the steady window ends, seconds from the start: the first user is done.
    pub steady_to_s: f64,
    /// Connections opened.
    pub connections_opened: u64,
    /// Connections that the target closed while they were idle; each was replaced.
    pub connections_closed_by_peer: u64,
    /// Requests sent a second time because the target closed an idle connection under the first.
    pub requests_resent: u64,
    /// Redirects followed.
    pub redirects: u64,
    /// Whether the figures fit together by Little's law, over the steady window.
    #[serde(default)]
    pub little: Vec<Little>,
    /// Starts by the clock; none when all users are closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arrivals: Option<Arrivals>,
}

/// Figures that must fit together, whatever the target does (Little 1961).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Little {
    /// `users`: users against rate × (response time + think time). `in flight`: requests under way against rate ×
    /// service time.
    pub of: String,
    /// What there was, on average.
    pub counted: f64,
    /// What there must have been.
    pub accounted: f64,
    /// How far the ratio of both may be from 1.
    pub tolerance: f64,
    /// Whether it is within the tolerance.
    pub holds: bool,
}

/// Starts by the clock: iterations of open loads.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arrivals {
    /// What was asked for, one text an open load: `poisson 250/s for 1m`.
    pub asked: Vec<String>,
    /// Users at a time, at most.
    pub max_users: u64,
    /// Iterations that were due.
    pub due: u64,
    /// Iterations that began.
    pub begun: u64,
    /// Of those, the ones that had to wait for a user to be free.
    pub waited: u64,
    /// Iterations that were due and had not begun when the run ended.
    pub never_begun: u64,
    /// Iterations that began a second, over the steady window.
    pub begun_per_s: f64,
    /// Variance ÷ mean of the starts in stretches of 100 ms of the steady window: 1 for a Poisson process, 0 for
    /// an even one. None when the rate was not constant.
    pub dispersion: Option<f64>,
    /// How long those that waited did so, ms.
    pub wait_ms: Wait,
}

/// How long iterations waited for a user, ms.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// Median.
    pub p50: f64,
    /// 99 % are at or below.
    pub p99: f64,
    /// Longest.
    pub max: f64,
}

/// Sums over all tasks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Totals {
    /// passed + exceeded + failed.
    pub requests: u64,
    /// Answered correctly within the threshold.
    pub passed: u64,
    /// Answered correctly, but after the threshold.
    pub exceeded: u64,
    /// Not answered, or not correctly.
    pub failed: u64,
    /// Never sent, because an earlier task of the iteration failed.
    pub skipped: u64,
    /// Of all requests, those that ran into their timeout: their true latency is unknown but longer.
    pub timed_out: u64,
    /// Requests a second over the steady window.
    pub rate_per_s: f64,
    /// Passed requests a second over the steady window.
    pub passed_per_s: f64,
    /// Bytes sent, heads and bodies.
    pub bytes_sent: u64,
    /// Bytes received, heads and bodies.
    pub bytes_received: u64,
    /// Sleeps carried out.
    pub sleeps: u64,
    /// Sleeps left out, because an earlier task of the iteration failed.
    pub sleeps_skipped: u64,
    /// Seconds that all users slept together.
    pub sleep_s: f64,
}

/// How connections were opened and used again, set-up and tear-down included.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Connections {
    /// Connections opened.
    pub opened: u64,
    /// Requests, redirects included, that went over a connection that was open already.
    pub reused: u64,
    /// Connections that the target closed while they were idle; each was replaced.
    pub closed_by_peer: u64,
    /// How long opening one took up to TLS, ms: name, TCP, proxy. Of those that succeeded.
    pub connect_ms: Quantiles,
    /// TLS handshakes with key exchange and certificate.
    pub handshakes_full: u64,
    /// TLS handshakes that resumed an earlier session.
    pub handshakes_resumed: u64,
    /// How long the TLS handshakes took, ms. Of those that succeeded.
    pub handshake_ms: Quantiles,
}

/// One task of one workload.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Task {
    /// The task's name: its key in the job or its file's name.
    pub name: String,
    /// The workload it stands in.
    pub workload: String,
    /// `main`, `setup` or `teardown`.
    pub phase: String,
    /// The threshold in ms; none when the job sets none.
    pub threshold_ms: Option<f64>,
    /// passed + exceeded + failed.
    pub requests: u64,
    /// Answered correctly within the threshold.
    pub passed: u64,
    /// Answered correctly, but after the threshold.
    pub exceeded: u64,
    /// Not answered, or not correctly.
    pub failed: u64,
    /// Never sent, because an earlier task of the iteration failed.
    pub skipped: u64,
    /// Due by the clock, and never sent because no user was free for it before the run ended.
    #[serde(default)]
    pub never_started: u64,
    /// Of all requests, those that ran into their timeout.
    pub timed_out: u64,
    /// Summed response times of the passed requests, seconds.
    pub passed_s: f64,
    /// Summed response times of the exceeded requests, seconds.
    pub exceeded_s: f64,
    /// Summed response times of the failed requests, seconds.
    pub failed_s: f64,
    /// Requests a second over the steady window.
    pub rate_per_s: f64,
    /// Response time in ms, from the intended start, over the steady window; of all requests that were answered or
    /// timed out, or never started.
    pub response_ms: Quantiles,
    /// Service time in ms, from the send, over the steady window; of all requests that were answered or timed out.
    pub service_ms: Quantiles,
    /// Response time in ms of the failed requests, over the steady window.
    pub failed_ms: Quantiles,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
    /// Entries that searches found.
    #[serde(default)]
    pub entries: u64,
    /// Why requests failed, most frequent first.
    pub failures: Vec<Failure>,
}

/// Quantiles of a time in ms, without averaging: from one merged histogram.
///
/// A quantile with fewer than ten samples beyond it is no estimate; readers see it as `≥ max`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Quantiles {
    /// Number of samples.
    pub count: u64,
    /// Smallest.
    pub min: f64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Half of the samples are at or below.
    pub p50: f64,
    /// 90 % are at or below.
    pub p90: f64,
    /// 95 % are at or below.
    pub p95: f64,
    /// 99 % are at or below.
    pub p99: f64,
    /// 99.9 % are at or below.
    pub p99_9: f64,
    /// Largest.
    pub max: f64,
    /// Samples that are only known to be longer than recorded (timed out, or never started).
    pub censored: u64,
}

/// One reason for failures.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failure {
    /// connect, tls, timeout, reset, protocol, status, check or capture.
    pub kind: String,
    /// What exactly: a status, an error, the check that did not hold.
    pub detail: String,
    /// How often.
    pub count: u64,
}

/// A workload as the job wrote it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Workload {
    /// The workload's name.
    pub name: String,
    /// Iterations that each user was asked to run; none when a weight or a duration decides.
    pub iterations_per_user: Option<u64>,
    /// Its share of the mix, when it has a weight.
    pub weight: Option<f64>,
    /// Iterations begun, all users together.
    pub iterations: u64,
    /// Its steps in order; `sleep` for a think time; a repeated step once for each time, up to a bound.
    pub steps: Vec<String>,
    /// Steps of one iteration, sleeps and repeats included.
    pub steps_per_iteration: u64,
}

/// An objective of the job and whether it was met.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Objective {
    /// The task, when the clause is on one.
    pub task: Option<String>,
    /// The workload, when the clause is on one.
    pub workload: Option<String>,
    /// The clause, as `p99 <= 200ms`.
    pub clause: String,
    /// Its limit, in its unit.
    #[serde(default)]
    pub limit: f64,
    /// The measured figure: over the steady window, or in the worst window of the clause's length.
    pub measured: Option<f64>,
    /// Whether the true figure is only known to be at least the measured one: requests timed out or never started.
    #[serde(default)]
    pub at_least: bool,
    /// Its unit.
    pub unit: String,
    /// Lower end of the 95 % interval, when one is known.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval, when one is known.
    pub high: Option<f64>,
    /// Samples that the percentile needs to have ten beyond it, when it has fewer: it is then no estimate.
    #[serde(default)]
    pub needs: Option<u64>,
    /// When the worst window ended, seconds from the start; none for a clause on the whole steady window.
    #[serde(default)]
    pub worst_at_s: Option<f64>,
    /// Whether it was met.
    pub met: bool,
}

impl Objective {
    /// What the clause is on, in words.
    pub fn subject(&self) -> String {
        match (&self.workload, &self.task) {
            (Some(workload), Some(task)) => format!("{workload}/{task}"),
            (Some(one), None) | (None, Some(one)) => one.clone(),
            (None, None) => "all tasks".to_owned(),
        }
    }
}

/// Whether the generator itself was the bottleneck.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Health {
    /// Generator threads.
    pub threads: u64,
    /// CPU time of the busiest generator thread ÷ elapsed time, 0–1.
    pub cpu_share: f64,
    /// CPU time of the whole process, µs, per request.
    pub cpu_us_per_request: f64,
    /// Largest resident memory of the process, bytes.
    pub rss_bytes: u64,
    /// How late requests started, ms.
    pub lag_ms: Lag,
    /// What the machine did meanwhile.
    #[serde(default)]
    pub machine: Machine,
    /// What was found, worst first.
    pub findings: Vec<Finding>,
}

/// How late requests started: actual − intended start, ms.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Lag {
    /// Median.
    pub p50: f64,
    /// 99 % are at or below.
    pub p99: f64,
    /// 99.9 % are at or below.
    #[serde(default)]
    pub p99_9: f64,
    /// Largest.
    pub max: f64,
}

/// One finding on the generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// Whether it voids the measurement.
    pub severity: Severity,
    /// What was found, with the figure, the limit and what to do.
    pub message: String,
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The measurement is void.
    Invalid,
    /// The measurement stands, with a grain of salt.
    Warning,
}

/// One interval of the run, all tasks together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Interval {
    /// End of the interval, seconds from the start.
    pub t_s: f64,
    /// Its length in seconds.
    pub length_s: f64,
    /// Users at work at its end.
    pub users: u64,
    /// passed + exceeded + failed.
    pub requests: u64,
    /// Answered correctly within the threshold.
    pub passed: u64,
    /// Answered correctly, but after the threshold.
    pub exceeded: u64,
    /// Not answered, or not correctly.
    pub failed: u64,
    /// Never sent, because an earlier task of the iteration failed.
    pub skipped: u64,
    /// Requests a second.
    pub rate_per_s: f64,
    /// Median response time, ms.
    pub p50_ms: f64,
    /// 99th percentile of the response time, ms.
    pub p99_ms: f64,
    /// Longest response time, ms.
    pub max_ms: f64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Bytes received.
    pub bytes_received: u64,
}
