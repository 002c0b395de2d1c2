//! A generator thread: its own runtime, its share of the users, one snapshot a second.

use crate::client::resolver::{REFRESH, look_up};
use crate::client::{Client, Traffic};
use crate::control::Tempo;
use crate::crowd::Crowd;
use crate::local::{Local, Seed};
use crate::prepared::Prepared;
use crate::session::Session;
use loadgen_model::arrivals::Share;
use loadgen_model::capture::{Extract, Lifetime};
use loadgen_model::variable::{Endpoint, Slot, Source};
use loadgen_model::{Capture, Failure, FailureKind, Snapshot};
use rustix::thread::CpuSet;
use std::rc::Rc;
use std::time::Duration;
use tokio::runtime::LocalOptions;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// How often a thread hands over its counts.
pub(crate) const TICK: Duration = Duration::from_secs(1);
/// Connections that are opened before the run may take so long.
const EARLY: Duration = Duration::from_secs(10);
/// Snapshots that may wait to be merged; a thread that finds no place waits.
pub(crate) const SNAPSHOTS_WAITING: usize = 64;

/// What a generator thread is asked to do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Order {
    /// Go on, with so much of the load.
    Work(Tempo),
    /// End after the requests that are under way.
    Stop,
    /// Give up the requests that are under way.
    Abandon,
}

/// What a generator thread tells.
pub(crate) enum News {
    /// It can begin.
    Ready,
    /// A second is over.
    Tick(usize, Box<Snapshot>),
    /// All its users are done.
    Done(usize, Box<Snapshot>),
    /// It could not start.
    Broken(std::io::Error),
}

/// What a generator thread needs.
pub(crate) struct Worker {
    pub(crate) number: usize,
    pub(crate) seed: Seed,
    pub(crate) share: Share,
    /// When the run begins; known when all threads are ready.
    pub(crate) epoch: watch::Receiver<Option<Instant>>,
    /// What set-up captured.
    pub(crate) known: Vec<(Slot, Vec<u8>)>,
    /// The core to run on; any when none.
    pub(crate) core: Option<usize>,
    pub(crate) orders: watch::Receiver<Order>,
    pub(crate) news: mpsc::Sender<News>,
}

impl Worker {
    /// Runs until all users are done.
    pub(crate) fn run(self) {
        let mut builder = tokio::runtime::Builder::new_current_thread();
        let runtime = match builder.enable_all().build_local(LocalOptions::default()) {
            Ok(runtime) => runtime,
            Err(error) => {
                let _ = self.news.blocking_send(News::Broken(error));
                return;
            }
        };
        if let Some(core) = self.core {
            let mut cores = CpuSet::new();
            cores.set(core);
            // Where it is not allowed, the thread runs on any core.
            let _ = rustix::thread::sched_setaffinity(None, &cores);
        }
        runtime.block_on(self.work());
    }

    async fn work(self) {
        let mut local = match Local::new(self.seed.clone(), Instant::now(), self.share) {
            Ok(local) => local,
            Err(error) => {
                let _ = self.news.send(News::Broken(error)).await;
                return;
            }
        };
        // A server that hangs is met again by the first operations.
        let _ = tokio::time::timeout(EARLY, local.open_early()).await;
        let _ = self.news.send(News::Ready).await;
        let mut epoch = self.epoch.clone();
        // Nobody tells the time any more when the run was given up.
        let Ok(Some(epoch)) = epoch.wait_for(Option::is_some).await.map(|epoch| *epoch) else { return };
        local.epoch = epoch;
        let local = Rc::new(local);
        let mut aside = JoinSet::new();
        let driven = local.clone();
        aside.spawn_local(async move { driven.timer.drive().await });
        aside.spawn_local(refresh_names(local.clone()));
        aside.spawn_local(refresh_endpoints(local.clone()));
        let mut crowd = Crowd::new(&local, &self.known);
        let mut orders = self.orders.clone();
        let mut ticks = tokio::time::interval_at(epoch + TICK, TICK);
        let mut cpu = thread_cpu();
        let mut stopping = false;
        loop {
            tokio::select! {
                biased;
                // By the clock, not by when this thread came to it, so that the seconds of all threads match.
                second = ticks.tick() => {
                    crowd.count_due(local.since_start(second));
                    let counts = Box::new(counts(&local, second, &mut cpu));
                    let _ = self.news.send(News::Tick(self.number, counts)).await;
                }
                changed = orders.changed(), if !stopping => {
                    // An order from nobody: the run was given up.
                    stopping = changed.is_err();
                    let order = if stopping { Order::Abandon } else { *orders.borrow_and_update() };
                    obey(order, &local, &mut crowd);
                }
                () = crowd.ended() => break,
            }
        }
        crowd.count_the_rest();
        let counts = Box::new(counts(&local, Instant::now(), &mut cpu));
        let _ = self.news.send(News::Done(self.number, counts)).await;
    }
}

fn obey(order: Order, local: &Local, crowd: &mut Crowd) {
    match order {
        Order::Work(tempo) => crowd.retune(tempo),
        Order::Stop => {
            local.stop.request();
            local.timer.end();
            local.resumed.notify_waiters();
        }
        Order::Abandon => crowd.abandon(),
    }
}

/// The counts since the last call, with the CPU time that they took.
fn counts(local: &Local, now: Instant, last_cpu: &mut Duration) -> Snapshot {
    let mut counts = local.take_counts(local.since_start(now));
    let cpu = thread_cpu();
    counts.cpu = cpu.saturating_sub(*last_cpu);
    counts.busiest = counts.cpu;
    *last_cpu = cpu;
    counts
}

/// CPU time of the calling thread.
fn thread_cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

async fn refresh_names(local: Rc<Local>) {
    loop {
        tokio::time::sleep(REFRESH).await;
        let names = local.resolver.borrow().names();
        for (host, port) in names {
            // A name that does not resolve for a while keeps its addresses.
            if let Ok(addresses) = look_up(&host, port).await {
                local.resolver.borrow_mut().keep(&host, port, addresses);
            }
        }
    }
}

/// Fetches endpoint values again, each in its own rhythm.
async fn refresh_endpoints(local: Rc<Local>) {
    let mut fetches = JoinSet::new();
    for (slot, endpoint) in endpoints(&local) {
        let Some(every) = endpoint.refresh else { continue };
        let (local, endpoint) = (local.clone(), endpoint.clone());
        fetches.spawn_local(async move {
            loop {
                tokio::time::sleep(every).await;
                // A fetch that fails leaves the value that was there.
                if let Ok(value) = fetch(&local, slot, &endpoint).await {
                    local.endpoints.borrow_mut()[usize::from(slot.0)] = Some(Rc::from(value));
                }
            }
        });
    }
    fetches.join_all().await;
}

/// The plan's values that are fetched over HTTP.
pub(crate) fn endpoints(local: &Local) -> Vec<(Slot, Endpoint)> {
    let all = local.plan.variables.iter().enumerate();
    all.filter_map(|(index, variable)| match &variable.source {
        Source::Endpoint(endpoint) => Some((Slot(index as u16), (**endpoint).clone())),
        _ => None,
    })
    .collect()
}

/// Fetches a value: what the request's first capture finds, else the whole body.
pub(crate) async fn fetch(local: &Local, slot: Slot, endpoint: &Endpoint) -> Result<Vec<u8>, Failure> {
    let mut request = endpoint.request.clone();
    let from = request.captures.pop().map_or(Extract::Body, |capture| capture.from);
    request.captures = vec![Capture { slot, from, lifetime: Lifetime::User }];
    let timeout = request.timeout;
    let prepared = Prepared::new(request, &mut local.origins.borrow_mut());
    let mut session = Session::new(local, 0, &[]);
    let mut client = Client::default();
    let mut traffic = Traffic::default();
    let work = client.perform(local, &prepared, &mut session, Instant::now(), &mut traffic);
    match tokio::time::timeout(timeout, work).await {
        Ok(answer) => answer?,
        Err(_) => return Err(Failure::fixed(FailureKind::Timeout, "no complete answer within the timeout")),
    }
    let absent = Failure::fixed(FailureKind::Capture, "the answer does not hold the value");
    session.lasting().into_iter().find(|(kept, _)| *kept == slot).map(|(_, value)| value).ok_or(absent)
}
