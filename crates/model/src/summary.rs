//! From what was counted to the report.

use crate::connections::Connections;
use crate::histogram::Histogram;
use crate::load::{Load, Open};
use crate::mix::{Mix, ScenarioId};
use crate::objective::{self, Watches};
use crate::plan::{Group, Phase, Plan, Step};
use crate::report::{self, Report, Run, Workload};
use crate::sample::RowId;
use crate::snapshot::{RowStats, Snapshot};
use crate::timeline::{Timeline, per_second};

/// Steps of a workload that the report lists one by one.
const STEPS_LISTED: usize = 1_000;

/// What is known of a run besides its counts.
#[derive(Clone)]
pub struct Facts {
    /// Which run this was.
    pub run: Run,
    /// Whether the generator was the bottleneck.
    pub health: report::Health,
    /// How the run ended, when not as planned.
    pub end: End,
    /// The objectives while it went.
    pub watches: Watches,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// As planned.
    Complete,
    /// By hand.
    Interrupted,
    /// By an objective that was missed and says so.
    Stopped(String),
    /// Set-up failed, for this reason; no user started.
    SetUpFailed(String),
    /// Tear-down failed, for this reason.
    TearDownFailed(String),
}

/// The report of a run.
pub fn report(plan: &Plan, timeline: &Timeline, facts: Facts) -> Report {
    let tasks = tasks(plan, timeline);
    let totals = totals(plan, timeline);
    let mut report = Report {
        loadgen_report: report::VERSION,
        run: facts.run,
        verdict: report::Verdict { status: report::Status::Passed, reasons: Vec::new(), exit_code: 0 },
        load: load(plan, timeline, &totals),
        totals,
        connections: connections(&timeline.whole().connections),
        tasks,
        workloads: workloads(plan, timeline.whole()),
        slo: Vec::new(),
        health: facts.health,
        intervals: timeline.intervals(),
    };
    report.health.findings.extend(report.load.little.iter().filter(|law| !law.holds).map(broken_law));
    report.slo = objective::judge(plan, timeline, &facts.watches);
    report.verdict = crate::verdict::verdict(&report, &facts.end);
    report
}

fn seconds(stretch: &Snapshot) -> f64 {
    stretch.to.saturating_sub(stretch.from).as_secs_f64()
}

/// The rows of the phase that the load drives.
fn main_rows<'a>(plan: &'a Plan, stretch: &'a Snapshot) -> impl Iterator<Item = &'a RowStats> {
    plan.rows.iter().zip(&stretch.rows).filter(|(row, _)| row.phase == Phase::Main).map(|(_, stats)| stats)
}

fn totals(plan: &Plan, timeline: &Timeline) -> report::Totals {
    let whole = timeline.whole();
    let sum = |count: fn(&RowStats) -> u64| main_rows(plan, whole).map(count).sum();
    let steady = timeline.steady();
    let steady_sum = |count: fn(&RowStats) -> u64| main_rows(plan, steady).map(count).sum();
    report::Totals {
        requests: sum(RowStats::requests),
        passed: sum(|row| row.passed),
        exceeded: sum(|row| row.exceeded),
        failed: sum(|row| row.failed),
        skipped: sum(|row| row.skipped),
        timed_out: sum(|row| row.censored),
        rate_per_s: per_second(steady_sum(RowStats::requests), seconds(steady)),
        passed_per_s: per_second(steady_sum(|row| row.passed), seconds(steady)),
        bytes_sent: sum(|row| row.bytes_sent),
        bytes_received: sum(|row| row.bytes_received),
        sleeps: whole.sleeps.done,
        sleeps_skipped: whole.sleeps.skipped,
        sleep_s: whole.sleeps.time.as_secs_f64(),
    }
}

fn tasks(plan: &Plan, timeline: &Timeline) -> Vec<report::Task> {
    let steady_seconds = seconds(timeline.steady());
    let rows = plan.rows.iter().zip(&timeline.whole().rows).zip(&timeline.steady().rows).enumerate();
    rows.map(|(index, ((row, stats), steady))| {
        // Set-up and tear-down have no steady window.
        let due = match row.phase {
            Phase::Main => timeline.due_in_steady(index),
            Phase::SetUp | Phase::TearDown => stats.clone(),
        };
        let failed = due.failed_response.as_deref().map(|times| times.quantiles(0)).unwrap_or_default();
        report::Task {
            name: row.task.clone(),
            workload: row.workload.clone(),
            phase: phase(row.phase).to_owned(),
            threshold_ms: row.threshold.map(|limit| limit.as_secs_f64() * 1e3),
            requests: stats.requests(),
            passed: stats.passed,
            exceeded: stats.exceeded,
            failed: stats.failed,
            skipped: stats.skipped,
            never_started: stats.never_started,
            timed_out: stats.censored,
            passed_s: stats.passed_time.as_secs_f64(),
            exceeded_s: stats.exceeded_time.as_secs_f64(),
            failed_s: stats.failed_time.as_secs_f64(),
            rate_per_s: match row.phase {
                Phase::Main => per_second(steady.requests(), steady_seconds),
                Phase::SetUp | Phase::TearDown => 0.0,
            },
            response_ms: due.response.quantiles(due.censored + due.never_started),
            service_ms: due.service.quantiles(due.censored),
            failed_ms: failed,
            bytes_sent: stats.bytes_sent,
            bytes_received: stats.bytes_received,
            entries: stats.entries,
            failures: failures(plan, timeline.whole(), RowId(index as u16)),
        }
    })
    .collect()
}

fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::SetUp => "setup",
        Phase::Main => "main",
        Phase::TearDown => "teardown",
    }
}

fn failures(plan: &Plan, whole: &Snapshot, row: RowId) -> Vec<report::Failure> {
    let mut failures: Vec<report::Failure> = whole
        .failures
        .iter()
        .filter(|((of, _), _)| *of == row)
        .map(|((_, failure), count)| report::Failure {
            kind: failure.kind.word().to_owned(),
            detail: plan.describe(row, failure),
            count: *count,
        })
        .collect();
    failures.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.detail.cmp(&b.detail)));
    failures
}

fn load(plan: &Plan, timeline: &Timeline, totals: &report::Totals) -> report::Load {
    let whole = timeline.whole();
    let steady = timeline.steady();
    // Users of several groups ramp in their own ways; the report states that of the first.
    let ramp = match plan.groups.first().map(|group| &group.load) {
        Some(Load::Closed(closed)) => closed.ramp,
        _ => crate::load::Ramp::default(),
    };
    let main = plan.groups.iter().flat_map(|group| group.mix.scenarios());
    report::Load {
        model: model(plan).to_owned(),
        users: plan.users(),
        ramp_group: ramp.group,
        ramp_every_ms: ramp.every.as_secs_f64() * 1e3,
        offered: main_rows(plan, whole)
            .map(|row| row.started.saturating_sub(row.withdrawn) + row.never_started)
            .sum(),
        started_late: whole.late,
        never_started: main_rows(plan, whole).map(|row| row.never_started).sum(),
        completed: totals.requests,
        iterations: main.map(|id| whole.iterations[usize::from(id.0)]).sum(),
        steady_from_s: steady.from.as_secs_f64(),
        steady_to_s: steady.to.as_secs_f64(),
        connections_opened: whole.connections.opened,
        connections_closed_by_peer: whole.connections.closed_by_peer,
        requests_resent: whole.connections.resent,
        redirects: whole.connections.redirects,
        little: crate::audit::little(plan, timeline),
        arrivals: arrivals(plan, timeline),
    }
}

/// A run whose figures do not fit together measured something else than it says.
fn broken_law(law: &report::Little) -> report::Finding {
    let message = format!(
        "Little's law does not hold: {:.3} {}, but rate × time makes {:.3} of them (tolerance {:.1} %); look for a \
         load that was not steady, or report this",
        law.counted,
        law.of,
        law.accounted,
        law.tolerance * 100.0
    );
    report::Finding { severity: report::Severity::Warning, message }
}

fn model(plan: &Plan) -> &'static str {
    let open = plan.groups.iter().filter(|group| matches!(group.load, Load::Open(_))).count();
    match open {
        0 => "closed",
        open if open == plan.groups.len() => "open",
        _ => "mixed",
    }
}

/// Starts by the clock: what was asked for, and what process they really were.
fn arrivals(plan: &Plan, timeline: &Timeline) -> Option<report::Arrivals> {
    let opens: Vec<_> = plan
        .groups
        .iter()
        .filter_map(|group| match &group.load {
            Load::Open(open) => Some((group, open)),
            _ => None,
        })
        .collect();
    if opens.is_empty() {
        return None;
    }
    let (whole, steady) = (&timeline.whole().arrivals, timeline.steady());
    let constant = opens.iter().all(|(_, open)| open.profile.constant_rate().is_some());
    let waits = whole.waits.as_deref();
    let wait = |quantile: f64| waits.map_or(0.0, |waits| waits.quantile_ms(quantile));
    Some(report::Arrivals {
        asked: opens.iter().map(|(group, open)| asked(group, open, opens.len() > 1)).collect(),
        max_users: opens.iter().map(|(_, open)| open.max_users).sum(),
        due: whole.due,
        begun: whole.begun,
        waited: whole.waited,
        never_begun: whole.never_begun,
        begun_per_s: per_second(steady.arrivals.begun, seconds(steady)),
        dispersion: steady.arrivals.spread.dispersion().filter(|_| constant),
        wait_ms: report::Wait {
            p50: wait(0.5),
            p99: wait(0.99),
            max: waits.map_or(0.0, |waits| waits.max().as_secs_f64() * 1e3),
        },
    })
}

fn asked(group: &Group, open: &Open, named: bool) -> String {
    let name = if named { format!("{}: ", group.name) } else { String::new() };
    format!("{name}{open}")
}

fn connections(counts: &Connections) -> report::Connections {
    let quantiles = |times: &Option<Box<Histogram>>| times.as_deref().map(|times| times.quantiles(0));
    report::Connections {
        opened: counts.opened,
        reused: counts.reused,
        closed_by_peer: counts.closed_by_peer,
        connect_ms: quantiles(&counts.connect).unwrap_or_default(),
        handshakes_full: counts.handshakes_full,
        handshakes_resumed: counts.handshakes_resumed,
        handshake_ms: quantiles(&counts.handshake).unwrap_or_default(),
    }
}

fn workloads(plan: &Plan, whole: &Snapshot) -> Vec<Workload> {
    let one = |id: ScenarioId, iterations_per_user: Option<u64>, weight: Option<f64>| {
        let scenario = plan.scenario(id);
        let mut steps = Vec::new();
        list_steps(plan, &scenario.steps, &mut steps);
        Workload {
            name: scenario.name.clone(),
            iterations_per_user,
            weight,
            iterations: whole.iterations[usize::from(id.0)],
            steps,
            steps_per_iteration: scenario.length(),
        }
    };
    plan.groups
        .iter()
        .flat_map(|group| match &group.mix {
            Mix::Iterations(counts) => {
                counts.iter().map(|(id, count)| one(*id, Some(*count), None)).collect::<Vec<_>>()
            }
            Mix::Weights(weights) => {
                let alone = match &group.load {
                    Load::Closed(closed) if weights.len() == 1 => closed.until.iterations,
                    _ => None,
                };
                weights.iter().map(|(id, weight)| one(*id, alone, Some(*weight))).collect()
            }
            Mix::Churn(churn) => vec![one(churn.add, None, None), one(churn.delete, None, None)],
        })
        .collect()
}

fn list_steps(plan: &Plan, steps: &[Step], out: &mut Vec<String>) {
    for step in steps {
        if out.len() >= STEPS_LISTED {
            return;
        }
        match step {
            Step::Task(task) => out.push(plan.rows[usize::from(task.row.0)].task.clone()),
            Step::Sleep(_) => out.push("sleep".to_owned()),
            Step::Repeat { times, steps } => {
                for _ in 0..*times {
                    if out.len() >= STEPS_LISTED {
                        return;
                    }
                    list_steps(plan, steps, out);
                }
            }
        }
    }
}
