//! A run from set-up to tear-down: starts the threads, merges what they count, stops when asked.

mod notes;
mod reach;
mod threads;

use crate::client::ldap;
use crate::client::resolver::Resolver;
use crate::client::tls::Connector;
use crate::collector::{Collector, Standing};
use crate::control::{self, Tempo, Wishes};
use crate::health::{self, Evidence, Monitor};
use crate::interrupts::{Event, Interrupts};
use crate::limits;
use crate::local::{Counter, Local, Seed, Shared};
use crate::origins::Origins;
use crate::prepared::Prepared;
use crate::program::Program;
use crate::user::User;
use crate::worker::{News, Order};
use loadgen_model::arrivals::Share;
use loadgen_model::churn::Population;
use loadgen_model::mix::ScenarioId;
use loadgen_model::plan::{Group, Phase};
use loadgen_model::report::{Change, Machine, Report, Run};
use loadgen_model::summary::{self, End, Facts};
use loadgen_model::variable::Slot;
use loadgen_model::{FailureKind, Mix, Plan, Sink, Snapshot};
pub(crate) use reach::describe;
use reach::reach;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use threads::{LEAD, Threads};
use tokio::runtime::LocalOptions;
use tokio::time::Instant;

/// After a stop by hand, requests that are under way may take so long.
const DRAIN: Duration = Duration::from_secs(10);
/// Said after the first interrupt.
const STOPPING: &str = "stopping: requests under way may end; press Ctrl-C again to stop at once";
/// The same when the run deletes what it added.
const STOPPING_WITH_PURGE: &str =
    "stopping: what was added is deleted; press Ctrl-C again to stop at once, and leave it";

/// How to run.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Generator threads; as many as cores when none.
    pub threads: Option<usize>,
    /// Facts for the report that only the caller knows.
    pub notes: Vec<String>,
}

/// Why a run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The target does not accept connections.
    #[error("cannot reach {target}: {cause}; {advice}")]
    Unreachable {
        /// The server.
        target: String,
        /// What went wrong.
        cause: String,
        /// What to do.
        advice: &'static str,
        /// What kind of failure it was.
        kind: FailureKind,
    },
    /// A value that the job fetches before the run could not be had.
    #[error("cannot fetch `{name}`: {cause}")]
    NotFetched {
        /// The variable.
        name: String,
        /// What went wrong.
        cause: String,
    },
    /// The TLS settings cannot be used.
    #[error("TLS settings: {0}")]
    Tls(String),
    /// The system did not give what the generator needs.
    #[error("cannot start the generator: {0}")]
    System(#[from] std::io::Error),
    /// An interrupt before the first request.
    #[error("stopped before the run began")]
    Interrupted,
    /// A second interrupt: nothing is reported.
    #[error("stopped at once: nothing was reported")]
    StoppedAtOnce,
}

/// Runs a plan and reports. Blocks the calling thread; handles SIGINT and SIGTERM while it lasts.
pub fn run(plan: Plan, options: &Options, sinks: &mut [Box<dyn Sink>]) -> Result<Report, RunError> {
    let (_, wishes) = control::controls();
    run_with(plan, options, sinks, wishes)
}

/// The same, with a load that can be changed while it goes.
pub fn run_with(
    plan: Plan,
    options: &Options,
    sinks: &mut [Box<dyn Sink>],
    wishes: Wishes,
) -> Result<Report, RunError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build_local(LocalOptions::default())?;
    runtime.block_on(async {
        let interrupts = Interrupts::new(wishes)?;
        let (plan, changes) = (Arc::new(plan), Vec::new());
        Conductor { plan, options, sinks, interrupts, changes }.run().await
    })
}

struct Conductor<'a> {
    plan: Arc<Plan>,
    options: &'a Options,
    sinks: &'a mut [Box<dyn Sink>],
    interrupts: Interrupts,
    /// What was changed of the load by hand.
    changes: Vec<Change>,
}

impl Conductor<'_> {
    async fn run(mut self) -> Result<Report, RunError> {
        let started = jiff::Timestamp::now();
        let mut seed = prepare(&self.plan);
        let reached = tokio::select! {
            reached = reach(&mut seed) => reached,
            () = self.interrupts.interrupt() => return Err(RunError::Interrupted),
        };
        reached?;
        let threads = self.threads();
        if let Some(warning) = limits::shortage(&self.plan, threads) {
            self.notice(&warning);
        }
        let mut collector = Collector::new(&self.plan, threads);
        let (end, known) = self.set_up(&seed, &mut collector).await?;
        let (end, machine) = match end {
            End::Complete => {
                let (end, machine) = self.drive(&seed, &mut collector, threads, &known).await?;
                (end, Some(machine))
            }
            other => (other, None),
        };
        let end = self.tear_down(&seed, &mut collector, &known, end).await?;
        let (timeline, origins) = (&collector.timeline, &seed.origins);
        let evidence = Evidence { plan: &self.plan, timeline, threads, origins, machine };
        let facts = Facts {
            run: self.facts(started, &collector, &end, &seed.shared),
            health: health::judge(&evidence),
            end,
            watches: collector.watches.clone(),
        };
        Ok(summary::report(&self.plan, &collector.timeline, facts))
    }

    fn threads(&self) -> usize {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let users = usize::try_from(self.plan.users()).unwrap_or(usize::MAX);
        let most = self.plan.most_threads().map_or(usize::MAX, |most| most as usize);
        self.options.threads.unwrap_or(cores).min(users).min(most).max(1)
    }

    /// Runs set-up; what it captured goes to every user.
    async fn set_up(
        &mut self,
        seed: &Seed,
        collector: &mut Collector,
    ) -> Result<(End, Vec<(Slot, Vec<u8>)>), RunError> {
        if self.plan.setup.is_empty() {
            return Ok((End::Complete, Vec::new()));
        }
        tokio::select! {
            done = once(seed, &self.plan.setup, &[]) => {
                let (counts, known) = done?;
                let end = failure(&self.plan, &counts).map_or(End::Complete, End::SetUpFailed);
                collector.timeline.add_aside(counts);
                Ok((end, known))
            }
            () = self.interrupts.interrupt() => Ok((End::Interrupted, Vec::new())),
        }
    }

    /// Runs tear-down, whatever came before it.
    async fn tear_down(
        &mut self,
        seed: &Seed,
        collector: &mut Collector,
        known: &[(Slot, Vec<u8>)],
        end: End,
    ) -> Result<End, RunError> {
        if self.plan.teardown.is_empty() {
            return Ok(end);
        }
        tokio::select! {
            done = once(seed, &self.plan.teardown, known) => {
                let (counts, _) = done?;
                let failed = failure(&self.plan, &counts);
                collector.timeline.add_aside(counts);
                Ok(match (end, failed) {
                    (End::Complete, Some(reason)) => End::TearDownFailed(reason),
                    (end, _) => end,
                })
            }
            () = self.interrupts.interrupt() => Err(RunError::StoppedAtOnce),
        }
    }

    /// Starts the threads and follows them to their end; what the machine did meanwhile.
    async fn drive(
        &mut self,
        seed: &Seed,
        collector: &mut Collector,
        threads: usize,
        known: &[(Slot, Vec<u8>)],
    ) -> Result<(End, Machine), RunError> {
        let Threads { orders, mut told, handles, epoch } = self.begin(seed, threads, known).await?;
        let mut tempo = Tempo::default();
        let mut monitor = Monitor::begin();
        let mut looks = tokio::time::interval_at(Instant::now() + health::EVERY, health::EVERY);
        let mut end = End::Complete;
        let latest = self.plan.latest_end().filter(|_| !self.purges());
        let mut give_up = latest.map(|latest| epoch + latest);
        while !collector.is_done() {
            let abandon = async {
                match give_up {
                    Some(at) => tokio::time::sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                message = told.recv() => match message {
                    Some(News::Tick(thread, counts)) => collector.take(thread, *counts, false),
                    Some(News::Done(thread, counts)) => collector.take(thread, *counts, true),
                    Some(News::Broken(error)) => return Err(error.into()),
                    Some(News::Ready) => {}
                    None => break,
                },
                event = self.interrupts.next() => match event {
                    Event::Interrupt if end != End::Complete => return Err(RunError::StoppedAtOnce),
                    Event::Interrupt => {
                        end = End::Interrupted;
                        give_up = self.give_up();
                        orders.send_replace(Order::Stop);
                        self.notice(if self.purges() { STOPPING_WITH_PURGE } else { STOPPING });
                    }
                    Event::Wish(control) if end == End::Complete => {
                        tempo = tempo.after(control, Instant::now().saturating_duration_since(epoch) + LEAD);
                        orders.send_replace(Order::Work(tempo));
                        self.change(tempo, collector);
                    }
                    Event::Wish(_) => {}
                },
                _ = looks.tick() => monitor.look(),
                () = abandon => {
                    give_up = None;
                    orders.send_replace(Order::Abandon);
                }
            }
            if let Some(reason) = self.merge(collector, &end, &seed.shared) {
                self.notice(&format!("stopping: an objective was missed: {reason}"));
                end = End::Stopped(reason);
                give_up = self.give_up();
                orders.send_replace(Order::Stop);
            }
        }
        for handle in handles {
            let _ = handle.join();
        }
        Ok((end, monitor.end(collector.timeline.whole().connections.opened)))
    }

    /// Takes the seconds that all threads have told of, and shows them. Some reason when an objective stops the run.
    fn merge(&mut self, collector: &mut Collector, end: &End, shared: &Shared) -> Option<String> {
        let mut reason = None;
        while let Some(second) = collector.merge() {
            let missed = collector.watch(&self.plan, &second);
            reason = reason.or(missed.filter(|_| *end == End::Complete));
            let standing = Standing { stopping: *end != End::Complete, purge: shared.purge() };
            let progress = collector.progress(&self.plan, &second, &standing);
            for sink in self.sinks.iter_mut() {
                sink.second(&second);
                sink.progress(&progress);
            }
        }
        reason
    }

    /// When requests that are under way are given up after a stop; a purge is waited for.
    fn give_up(&self) -> Option<Instant> {
        (!self.purges()).then(|| Instant::now() + DRAIN)
    }

    /// Whether what the run adds is deleted at its end.
    fn purges(&self) -> bool {
        self.plan.groups.iter().any(|group| matches!(&group.mix, Mix::Churn(churn) if churn.purge))
    }

    /// Notes a change of the load by hand, which begins a new stretch.
    fn change(&mut self, tempo: Tempo, collector: &mut Collector) {
        let factor = tempo.factor();
        collector.timeline.change(tempo.since, factor == 0.0);
        self.changes.push(Change { at_s: tempo.since.as_secs_f64(), factor });
        let text =
            if factor == 0.0 { "paused".to_owned() } else { format!("{:.0} % of the load", factor * 100.0) };
        self.notice(&format!("{text} from {:.1} s on", tempo.since.as_secs_f64()));
    }

    fn notice(&mut self, message: &str) {
        for sink in self.sinks.iter_mut() {
            sink.notice(message);
        }
    }

    fn facts(&self, started: jiff::Timestamp, collector: &Collector, end: &End, shared: &Shared) -> Run {
        let whole = collector.timeline.whole();
        let plan = &self.plan;
        Run {
            id: format!("{}-{}", started.strftime("%Y%m%dT%H%M%S%.3fZ"), plan.seed),
            name: plan.name.clone(),
            started: rfc3339(started),
            finished: rfc3339(jiff::Timestamp::now()),
            elapsed_s: whole.to.saturating_sub(whole.from).as_secs_f64(),
            seed: plan.seed,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            interrupted: matches!(end, End::Interrupted | End::Stopped(_)),
            target_environment: plan.target_environment.clone(),
            generator_environment: plan.generator_environment.clone(),
            changes: self.changes.clone(),
            notes: self.notes(&collector.timeline, shared),
        }
    }
}

fn rfc3339(time: jiff::Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

/// Compiles what all threads share.
pub(crate) fn prepare(plan: &Arc<Plan>) -> Seed {
    let mut origins = Origins::default();
    let requests = plan.requests.iter().map(|request| Prepared::new(request.clone(), &mut origins)).collect();
    let operations = plan.operations.iter();
    let operations = operations.map(|one| ldap::prepared::Prepared::new(one.clone(), &mut origins)).collect();
    let shared = Shared {
        requests,
        operations,
        programs: plan.scenarios.iter().map(Program::of).collect(),
        connectors: plan.transports.iter().map(|_| Connector::default()).collect(),
        data: plan.data.iter().map(|_| Counter::default()).collect(),
        records: ldap::record::Records::of(plan),
        populations: populations(plan),
        increments: plan.variables.iter().map(|_| Counter::default()).collect(),
    };
    Seed {
        plan: plan.clone(),
        shared: Arc::new(shared),
        origins,
        resolver: Resolver::default(),
        endpoints: vec![None; plan.variables.len()],
    }
}

/// The entries of each group whose mix is a churn: none yet.
fn populations(plan: &Plan) -> Vec<Option<Mutex<Population>>> {
    let of = |(number, group): (usize, &Group)| match &group.mix {
        Mix::Churn(churn) => Some(Mutex::new(Population::new(churn, plan.seed.wrapping_add(number as u64)))),
        Mix::Iterations(_) | Mix::Weights(_) => None,
    };
    plan.groups.iter().enumerate().map(of).collect()
}

/// Runs scenarios once each, by one user on this thread.
async fn once(
    seed: &Seed,
    scenarios: &[ScenarioId],
    known: &[(Slot, Vec<u8>)],
) -> Result<(Snapshot, Vec<(Slot, Vec<u8>)>), RunError> {
    let local = Rc::new(Local::new(seed.clone(), Instant::now(), Share::WHOLE)?);
    let user = User::new(local.clone(), 0, known);
    let known = tokio::select! {
        known = user.run_once(scenarios) => known,
        () = local.timer.drive() => Vec::new(),
    };
    Ok((local.take_counts(Duration::ZERO), known))
}

/// The first failure of set-up or tear-down in words.
fn failure(plan: &Plan, counts: &Snapshot) -> Option<String> {
    let (row, failure) = counts.failures.keys().next()?;
    let place = &plan.rows[usize::from(row.0)];
    debug_assert_ne!(place.phase, Phase::Main, "only set-up and tear-down run once");
    let what = failure.kind.word();
    Some(format!("task `{}` of `{}`: {what}: {}", place.task, place.workload, plan.describe(*row, failure)))
}
