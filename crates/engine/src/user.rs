//! A virtual user: runs iterations of scenarios one after another, as a person or a device would.

mod churn;

use crate::client::{Client, Traffic};
use crate::deadline::Deadline;
use crate::local::Local;
use crate::pacer::{Pacer, Work};
use crate::program::{Next, Position};
use crate::session::Session;
use loadgen_model::failure::Detail;
use loadgen_model::mix::{Interleave, ScenarioId, weighted};
use loadgen_model::plan::{Group, RequestId, Semantics, Task};
use loadgen_model::request::Connection;
use loadgen_model::template::Missing;
use loadgen_model::variable::Slot;
use loadgen_model::{Failure, FailureKind, Load, Mix, Outcome, Sample, ThinkTime};
use std::cell::Cell;
use std::pin::pin;
use std::rc::Rc;
use tokio::time::Instant;

/// A virtual user.
pub(crate) struct User {
    local: Rc<Local>,
    client: Client,
    session: Session,
    deadline: Deadline,
    position: Position,
    /// When the next step is due: samples count from it.
    due: Instant,
    /// Whether it waited for that, and may have been woken late.
    waited: bool,
    /// When it was free for that step, if that was later.
    free: Option<Instant>,
    /// When the sample of the next task was ready and began, with the tasks before it.
    joined: Option<(Instant, Instant)>,
    /// When the run is over; never when none.
    end: Option<Instant>,
    /// Whether it is to leave after its iteration: the load became smaller.
    leave: Rc<Cell<bool>>,
    /// Whether it works on when the run is over: it deletes what the run added.
    outlasts: bool,
}

/// Whether a user goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// With its next step.
    On,
    /// With its next iteration: this one failed.
    NextIteration,
    /// Not at all: the run is over or its data is used up.
    Stop,
}

impl User {
    /// A user with what set-up captured.
    pub(crate) fn new(local: Rc<Local>, index: u64, known: &[(Slot, Vec<u8>)]) -> Self {
        Self {
            session: Session::new(&local, index, known),
            client: Client::default(),
            deadline: Deadline::default(),
            position: Position::default(),
            due: local.epoch,
            waited: true,
            free: None,
            joined: None,
            end: None,
            leave: Rc::default(),
            outlasts: false,
            local,
        }
    }

    /// What makes it leave after its iteration.
    pub(crate) fn leave(&self) -> Rc<Cell<bool>> {
        self.leave.clone()
    }

    /// Starts when it is due, and works until its iterations or the run are over.
    pub(crate) async fn run(mut self, group: usize, due: Instant) {
        let plan = self.local.plan.clone();
        let group = (group, &plan.groups[group]);
        let Load::Closed(closed) = &group.1.load else { return };
        self.due = due;
        self.end = closed.until.duration.map(|length| self.local.epoch + length);
        self.local.timer.sleep_until(self.due).await;
        if self.is_over(Instant::now()) {
            return;
        }
        self.local.counts.borrow_mut().users_started += 1;
        self.work(group, closed.until.iterations).await;
        self.local.counts.borrow_mut().users_finished += 1;
        if let Mix::Churn(churn) = &group.1.mix {
            self.purge(group.0, churn).await;
        }
    }

    /// Runs the iterations that the pacer has for it, each as somebody new, until there are no more.
    pub(crate) async fn serve(mut self, pacer: Rc<Pacer>, first: Work) {
        let local = self.local.clone();
        let group = &local.plan.groups[pacer.group()];
        self.end = group.load.length().map(|length| local.epoch + length);
        let seat = Rc::default();
        let mut next = Some(first);
        local.counts.borrow_mut().users_started += 1;
        while let Some(work) = next {
            self.due = local.epoch + work.arrival.at;
            self.free = work.free;
            self.waited = true;
            self.client.forget();
            self.count_begin(&work);
            let flow = match &group.mix {
                Mix::Weights(weights) => self.iterate(weighted(weights, work.arrival.index)).await,
                Mix::Churn(churn) => self.take_turn(pacer.group(), churn).await,
                Mix::Iterations(_) => Flow::Stop,
            };
            // What is late at the end of the schedule still begins, unless it waits for a user: that could last.
            if flow == Flow::Stop && (pacer.is_full() || !self.is_past_its_end()) {
                pacer.end();
            }
            next = pacer.next(&seat).await;
        }
        local.counts.borrow_mut().users_finished += 1;
        if let Mix::Churn(churn) = &group.mix {
            self.purge(pacer.group(), churn).await;
        }
    }

    fn count_begin(&self, work: &Work) {
        let now = self.local.since_start(Instant::now());
        let waited = work.free.map(|free| free.saturating_duration_since(self.due));
        let mut counts = self.local.counts.borrow_mut();
        let stretch = counts.from;
        counts.arrivals.begin(stretch, now, waited);
    }

    /// Runs scenarios once each: set-up and tear-down. What it then knows goes to the others.
    pub(crate) async fn run_once(mut self, scenarios: &[ScenarioId]) -> Vec<(Slot, Vec<u8>)> {
        self.due = Instant::now();
        for id in scenarios {
            self.iterate(*id).await;
        }
        self.session.lasting()
    }

    async fn work(&mut self, (number, group): (usize, &Group), limit: Option<u64>) {
        match &group.mix {
            Mix::Iterations(counts) => {
                for id in Interleave::new(counts) {
                    if self.hold().await == Flow::Stop || self.iterate(id).await == Flow::Stop {
                        return;
                    }
                }
            }
            Mix::Weights(weights) => {
                let mut done = 0;
                while limit.is_none_or(|limit| done < limit) && self.hold().await == Flow::On {
                    let begun = self.local.begun[number].replace(self.local.begun[number].get() + 1);
                    let share = self.local.share;
                    let id = weighted(weights, begun * share.of + share.index);
                    if self.iterate(id).await == Flow::Stop {
                        return;
                    }
                    done += 1;
                }
            }
            Mix::Churn(churn) => {
                while self.hold().await == Flow::On && self.take_turn(number, churn).await != Flow::Stop {}
            }
        }
    }

    /// Waits between two iterations while the load is paused.
    async fn hold(&mut self) -> Flow {
        while self.local.tempo.get().is_paused() && !self.is_over(Instant::now()) {
            let local = self.local.clone();
            let resumed = local.resumed.notified();
            match self.end {
                Some(end) => tokio::select! {
                    () = resumed => {}
                    () = local.timer.sleep_until(end) => {}
                },
                None => resumed.await,
            }
            self.due = Instant::now();
            self.waited = true;
        }
        if self.leave.get() || self.is_over(self.due) { Flow::Stop } else { Flow::On }
    }

    /// One iteration of a scenario.
    async fn iterate(&mut self, id: ScenarioId) -> Flow {
        let local = self.local.clone();
        let program = &local.shared.programs[usize::from(id.0)];
        self.session.begin_iteration();
        local.counts.borrow_mut().begin(id);
        self.position.rewind();
        let mut closes = false;
        while let Some(next) = program.next(&mut self.position) {
            let flow = match next {
                Next::Sleep(time) => self.think(time).await,
                Next::Task(task) => {
                    closes |= local.shared.limits(task.request).0 == Connection::Iteration;
                    self.perform(&local, task).await
                }
            };
            match flow {
                Flow::On => {}
                Flow::Stop => return Flow::Stop,
                Flow::NextIteration => {
                    self.skip_rest(&local, id);
                    break;
                }
            }
        }
        if closes {
            self.client.close();
        }
        if self.is_over(self.due) { Flow::Stop } else { Flow::On }
    }

    async fn think(&mut self, time: ThinkTime) -> Flow {
        let begun = self.due;
        let wake = begun + time.draw(&mut self.session.random);
        let cut = self.end.map_or(wake, |end| wake.min(end));
        self.local.timer.sleep_until(cut).await;
        let now = Instant::now();
        // A stop wakes everyone early: what was slept counts, and nothing is due any more.
        let slept = cut.min(now).saturating_duration_since(begun);
        let mut counts = self.local.counts.borrow_mut();
        counts.sleeps.done += 1;
        counts.sleeps.time += slept;
        self.due = wake;
        self.waited = true;
        if self.is_over(now) { Flow::Stop } else { Flow::On }
    }

    /// Sends a request and counts what became of it.
    async fn perform(&mut self, local: &Local, task: Task) -> Flow {
        let (_, timeout) = local.shared.limits(task.request);
        let mut traffic = Traffic::default();
        self.session.begin_task();
        let intended = self.due;
        // A step that follows the last answer at once is due and begun at the moment of that answer.
        let begun = if self.waited { Instant::now() } else { intended };
        let (ready, started) = self.joined.take().unwrap_or_else(|| {
            local.flight.begin(local.since_start(begun));
            (self.free.take().map_or(intended, |free| free.max(intended)), begun)
        });
        local.counts.borrow_mut().start(task.row);
        let (client, session) = (&mut self.client, &mut self.session);
        let until = begun + timeout;
        // Pinned where it is made, so that it is not moved: it is as large as all that it may wait for.
        let answer = match task.request {
            RequestId::Http(index) => {
                let prepared = &local.shared.requests[usize::from(index)];
                let work = pin!(client.perform(local, prepared, session, started, &mut traffic));
                self.deadline.limit(until, work).await
            }
            RequestId::Ldap(index) => {
                let prepared = &local.shared.operations[usize::from(index)];
                let work = pin!(client.operate(local, prepared, session, started, &mut traffic));
                self.deadline.limit(until, work).await
            }
        };
        let finished = Instant::now();
        if answer.is_none() {
            self.client.give_up();
        }
        if task.joined && matches!(answer, Some(Ok(()))) {
            // The sample goes on with the next task.
            local.counts.borrow_mut().withdraw(task.row);
            (self.joined, self.waited) = (Some((ready, started)), true);
            return Flow::On;
        }
        local.flight.end(local.since_start(finished));
        self.due = finished;
        self.waited = false;
        if let Some(Err(Failure { detail: Detail::Missing(Missing::Exhausted(slot), _), .. })) = answer {
            local.counts.borrow_mut().take_back(task.row, slot);
            return Flow::Stop;
        }
        let censored = answer.is_none();
        let is_late = task.threshold.is_some_and(|limit| finished - intended > limit);
        let outcome = outcome(answer, is_late, local.plan.semantics);
        let ends_iteration = match outcome {
            Outcome::Passed => false,
            Outcome::Exceeded => local.plan.semantics == Semantics::Original,
            Outcome::Failed(_) => true,
        };
        local.counts.borrow_mut().record(Sample {
            row: task.row,
            intended: local.since_start(intended),
            ready: local.since_start(ready),
            started: local.since_start(started),
            finished: local.since_start(finished),
            outcome,
            censored,
            bytes_sent: traffic.sent,
            bytes_received: traffic.received,
            entries: traffic.entries,
        });
        match ends_iteration {
            _ if self.is_over(finished) => Flow::Stop,
            true => Flow::NextIteration,
            false => Flow::On,
        }
    }

    /// Counts the steps that an iteration does not come to.
    fn skip_rest(&mut self, local: &Local, id: ScenarioId) {
        let program = &local.shared.programs[usize::from(id.0)];
        let mut counts = local.counts.borrow_mut();
        while let Some(next) = program.next(&mut self.position) {
            match next {
                Next::Task(task) => counts.skip(task.row),
                Next::Sleep(_) => counts.sleeps.skipped += 1,
            }
        }
    }

    fn is_past_its_end(&self) -> bool {
        !self.local.stop.is_requested() && self.end.is_some_and(|end| self.due >= end)
    }

    fn is_over(&self, now: Instant) -> bool {
        !self.outlasts && self.local.stop.is_due(self.end, now)
    }
}

/// What became of a request; no answer is one that took too long.
fn outcome(answer: Option<Result<(), Failure>>, is_late: bool, semantics: Semantics) -> Outcome {
    match answer {
        Some(Err(failure)) => Outcome::Failed(failure),
        Some(Ok(())) if is_late => Outcome::Exceeded,
        Some(Ok(())) => Outcome::Passed,
        None if semantics == Semantics::Original => Outcome::Exceeded,
        None => {
            Outcome::Failed(Failure::fixed(FailureKind::Timeout, "no complete answer within the timeout"))
        }
    }
}
