//! What a plan will take, before it is run: transactions, iterations, sockets, memory, time.

use crate::format::time::show;
use crate::load::{Closed, Load};
use crate::mix::Mix;
use crate::plan::{Group, Phase, Plan, Step};
use crate::request::{Origin, TransportId, Url};
use std::fmt;
use std::time::Duration;

/// What a plan will take.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// One entry a task of a workload of the mix, in the plan's order.
    pub tasks: Vec<TaskExpectation>,
    /// Transactions of all tasks; none when a duration decides.
    pub transactions: Option<u64>,
    /// Iterations of all users; none when a duration decides.
    pub iterations: Option<u64>,
    /// Virtual users.
    pub users: u64,
    /// Sockets that are open at the same time, at most.
    pub sockets: u64,
    /// Memory that users, data and figures take, bytes; an estimate.
    pub memory_bytes: u64,
    /// Shortest possible length: ramp and think times alone, if all requests took no time.
    pub shortest: Duration,
    /// Longest possible length; none when no duration ends the run.
    pub longest: Option<Duration>,
}

/// What a task of a workload will take.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskExpectation {
    /// The task's name.
    pub task: String,
    /// The workload's name.
    pub workload: String,
    /// Its transactions; none when a duration decides.
    pub transactions: Option<u64>,
    /// Its share of all requests, 0–1.
    pub share: f64,
}

/// Memory of a virtual user with an idle connection: its future, its session, its connection (docs/performance.md).
const USER_BYTES: u64 = 5 * 1024;
/// What TLS adds to that: keys and the buffers of a session.
const TLS_BYTES: u64 = 30 * 1024;
/// Memory of the figures of a row: histograms of one core and their sum.
const ROW_BYTES: u64 = 2 * 184 * 1024;

impl Expectation {
    /// What `plan` will take.
    pub fn of(plan: &Plan) -> Self {
        let mut counts = vec![Some(0_u64); plan.rows.len()];
        let mut parts = vec![0.0_f64; plan.rows.len()];
        let mut iterations = Some(0_u64);
        let (mut shortest, mut longest) = (Duration::ZERO, Some(Duration::ZERO));
        for group in &plan.groups {
            let of_group = iterations_of(group);
            iterations = iterations.zip(of_group).map(|(sum, more)| sum.saturating_add(more));
            for (index, each) in per_iteration(plan, group).into_iter().enumerate() {
                parts[index] += each * weight_of(&group.load);
                let uses = exact(plan, group, index);
                counts[index] = counts[index].zip(uses).map(|(sum, more)| sum.saturating_add(more));
            }
            shortest = shortest.max(match &group.load {
                Load::Closed(load) => shortest_of(plan, group, load),
                Load::Open(open) => open.profile.length().unwrap_or_default(),
            });
            longest = longest.zip(group.load.length()).map(|(known, more)| known.max(more));
        }
        let total: f64 = parts.iter().sum();
        let main = plan.rows.iter().enumerate().filter(|(_, row)| row.phase == Phase::Main);
        let tasks: Vec<_> = main
            .map(|(index, row)| TaskExpectation {
                task: row.task.clone(),
                workload: row.workload.clone(),
                transactions: counts[index],
                share: if total > 0.0 { parts[index] / total } else { 0.0 },
            })
            .collect();
        let transactions = tasks
            .iter()
            .map(|task| task.transactions)
            .try_fold(0_u64, |sum, count| Some(sum.saturating_add(count?)));
        let users = plan.users();
        let data: u64 = plan.data.iter().map(crate::variable::Data::size).sum();
        let tls = servers(plan).any(|(origin, _)| origin.tls);
        let each = USER_BYTES + if tls { TLS_BYTES } else { 0 };
        let memory_bytes = users * each + plan.rows.len() as u64 * ROW_BYTES + data;
        Self {
            tasks,
            transactions,
            iterations,
            users,
            sockets: users.saturating_mul(origins(plan)),
            memory_bytes,
            shortest,
            longest,
        }
    }
}

/// Iterations of all users of a group; of an open load, as many as its rate makes in the mean.
fn iterations_of(group: &Group) -> Option<u64> {
    match &group.load {
        Load::Closed(load) if load.until.duration.is_some() => None,
        Load::Closed(load) => {
            let each = group.mix.iterations().or(load.until.iterations)?;
            Some(each.saturating_mul(load.users))
        }
        Load::Open(open) => {
            let starts = Some(open.profile.starts()).filter(|starts| starts.is_finite());
            starts.map(|starts| starts.round() as u64).into_iter().chain(open.most).min()
        }
    }
}

/// What a group's iterations count for among those of the others.
fn weight_of(load: &Load) -> f64 {
    match load {
        Load::Closed(closed) => closed.users as f64,
        Load::Open(open) => open.profile.peak(),
    }
}

/// Requests of a row in a mean iteration of a group.
fn per_iteration(plan: &Plan, group: &Group) -> Vec<f64> {
    let weights = group.mix.shares();
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    let mut each = vec![0.0; plan.rows.len()];
    for (id, weight) in weights {
        for (row, count) in uses(&plan.scenario(id).steps, 1) {
            each[row] += count as f64 * weight / total;
        }
    }
    each
}

/// Transactions of a row in a group when counts decide. With weights each scenario's share of the iterations
/// is only known as closely as the mix is drawn; a group of a single workload is exact.
fn exact(plan: &Plan, group: &Group, row: usize) -> Option<u64> {
    let all = iterations_of(group)?;
    let counts: Vec<_> = match &group.mix {
        Mix::Iterations(counts) => {
            counts.iter().map(|(id, count)| (*id, count.saturating_mul(group.load.users()))).collect()
        }
        Mix::Weights(weights) => {
            let mut counts: Vec<_> = weights.iter().map(|(id, _)| (*id, 0_u64)).collect();
            for (id, count) in weighted_counts(weights, all) {
                counts
                    .iter_mut()
                    .filter(|(known, _)| *known == id)
                    .for_each(|(_, sum)| *sum = sum.saturating_add(count));
            }
            counts
        }
        Mix::Churn(_) => return None,
    };
    let uses_of = |id| -> u64 {
        uses(&plan.scenario(id).steps, 1)
            .into_iter()
            .filter(|(index, _)| *index == row)
            .fold(0, |sum, (_, count)| sum.saturating_add(count))
    };
    let products = counts.into_iter().map(|(id, count)| uses_of(id).saturating_mul(count));
    Some(products.fold(0, u64::saturating_add))
}

fn weighted_counts(
    weights: &[(crate::mix::ScenarioId, f64)],
    iterations: u64,
) -> Vec<(crate::mix::ScenarioId, u64)> {
    let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
    weights.iter().map(|(id, weight)| (*id, (iterations as f64 * weight / total).round() as u64)).collect()
}

/// Row and count of every task in some steps.
fn uses(steps: &[Step], times: u64) -> Vec<(usize, u64)> {
    let mut found = Vec::new();
    for step in steps {
        match step {
            Step::Task(task) => found.push((usize::from(task.row.0), times)),
            Step::Sleep(_) => {}
            Step::Repeat { times: inner, steps } => found.extend(uses(steps, times.saturating_mul(*inner))),
        }
    }
    found
}

fn shortest_of(plan: &Plan, group: &Group, load: &Closed) -> Duration {
    let thinking = |id| think_time(&plan.scenario(id).steps);
    let each = match &group.mix {
        Mix::Iterations(counts) => counts
            .iter()
            .fold(Duration::ZERO, |sum, (id, count)| sum.saturating_add(times(thinking(*id), *count))),
        Mix::Weights(_) | Mix::Churn(_) => {
            let weights = group.mix.shares();
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let mean =
                weights.iter().map(|(id, weight)| thinking(*id).as_secs_f64() * weight / total).sum::<f64>();
            let count = load.until.iterations.unwrap_or(0) as f64;
            Duration::try_from_secs_f64(mean * count).unwrap_or(Duration::MAX)
        }
    };
    let last = load.ramp.start_of(load.users.saturating_sub(1));
    let counted = group.mix.iterations().or(load.until.iterations).map(|_| last.saturating_add(each));
    match (counted, load.until.duration) {
        (Some(counted), Some(duration)) => counted.min(duration),
        (Some(time), None) | (None, Some(time)) => time,
        (None, None) => Duration::ZERO,
    }
}

fn think_time(steps: &[Step]) -> Duration {
    steps.iter().fold(Duration::ZERO, |sum, step| {
        sum.saturating_add(match step {
            Step::Task(_) => Duration::ZERO,
            Step::Sleep(time) => time.mean(),
            Step::Repeat { times: count, steps } => times(think_time(steps), *count),
        })
    })
}

fn times(time: Duration, count: u64) -> Duration {
    time.saturating_mul(u32::try_from(count).unwrap_or(u32::MAX))
}

/// Servers that a user keeps a connection to.
fn origins(plan: &Plan) -> u64 {
    let mut known: Vec<_> = servers(plan).collect();
    known.sort();
    known.dedup();
    known.len().max(1) as u64
}

/// The servers of all requests that are known before the run.
fn servers(plan: &Plan) -> impl Iterator<Item = (&Origin, TransportId)> {
    let http = plan.requests.iter().filter_map(|request| match &request.url {
        Url::Fixed(origin, _) => Some((origin, request.transport)),
        Url::Variable(_) => None,
    });
    http.chain(plan.operations.iter().map(|operation| (&operation.server, operation.transport)))
}

impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |task: &TaskExpectation| format!("{}, {}", task.workload, task.task);
        let width = self.tasks.iter().map(|task| name(task).chars().count()).max().unwrap_or(0);
        for task in &self.tasks {
            let share = 100.0 * task.share;
            let count = task.transactions.map_or_else(String::new, |count| format!("  {count} transactions"));
            writeln!(f, "  {:<width$}  {share:6.2}% of the requests{count}", name(task))?;
        }
        let count =
            |count: Option<u64>| count.map_or_else(|| "as many as fit".to_owned(), |count| count.to_string());
        writeln!(f, "  transactions  {}", count(self.transactions))?;
        writeln!(f, "  iterations    {}", count(self.iterations))?;
        writeln!(f, "  sockets       {} at most", self.sockets)?;
        writeln!(f, "  memory        about {} MiB", self.memory_bytes.div_ceil(1 << 20))?;
        let longest = self.longest.map_or_else(String::new, |longest| format!(", {} at most", show(longest)));
        writeln!(f, "  length        at least {}{longest}", show(self.shortest))
    }
}
