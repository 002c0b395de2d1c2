//! The generator threads: started, ready, and told when to begin.

use super::{Conductor, RunError};
use crate::control::Tempo;
use crate::health::schedstat;
use crate::local::Seed;
use crate::worker::{News, Order, SNAPSHOTS_WAITING, Worker};
use loadgen_model::arrivals::Share;
use loadgen_model::variable::Slot;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

/// The run begins so long after all threads were ready, so that all of them know when.
pub(super) const LEAD: Duration = Duration::from_millis(20);

/// The generator threads.
pub(super) struct Threads {
    pub(super) orders: watch::Sender<Order>,
    pub(super) told: mpsc::Receiver<News>,
    pub(super) handles: Vec<JoinHandle<()>>,
    /// When the run begins.
    pub(super) epoch: Instant,
}

impl Conductor<'_> {
    /// Starts the threads, and tells them when the run begins once all of them are ready.
    pub(super) async fn begin(
        &mut self,
        seed: &Seed,
        threads: usize,
        known: &[(Slot, Vec<u8>)],
    ) -> Result<Threads, RunError> {
        let (orders, obeyed) = watch::channel(Order::Work(Tempo::default()));
        let (news, mut told) = mpsc::channel(SNAPSHOTS_WAITING);
        let (starter, epoch) = watch::channel(None);
        let handles = start(threads, |number| Worker {
            number,
            seed: seed.clone(),
            share: Share { index: number as u64, of: threads as u64 },
            epoch: epoch.clone(),
            known: known.to_vec(),
            core: core_of(number, threads),
            orders: obeyed.clone(),
            news: news.clone(),
        })?;
        for _ in 0..threads {
            tokio::select! {
                message = told.recv() => if let Some(News::Broken(error)) = message {
                    return Err(error.into());
                },
                () = self.interrupts.interrupt() => return Err(RunError::Interrupted),
            }
        }
        let epoch = Instant::now() + LEAD;
        starter.send_replace(Some(epoch));
        Ok(Threads { orders, told, handles, epoch })
    }
}

fn start(threads: usize, worker: impl Fn(usize) -> Worker) -> Result<Vec<JoinHandle<()>>, RunError> {
    (0..threads)
        .map(|number| {
            let worker = worker(number);
            let named = std::thread::Builder::new().name(format!("{}{number}", schedstat::THREAD_NAME));
            Ok(named.spawn(move || worker.run())?)
        })
        .collect()
}

/// The core of a thread, when there is one for each: a thread that moves loses its caches.
fn core_of(number: usize, threads: usize) -> Option<usize> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let cores: Vec<usize> =
        (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core)).collect();
    (threads == cores.len()).then(|| cores[number])
}
