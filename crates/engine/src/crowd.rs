//! The users of one thread: those of closed loads, which may become more or fewer, and the pacers of open ones.

use crate::control::Tempo;
use crate::local::Local;
use crate::pacer::Pacer;
use crate::user::User;
use loadgen_model::Load;
use loadgen_model::variable::Slot;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// The users of one thread.
pub(crate) struct Crowd {
    local: Rc<Local>,
    known: Vec<(Slot, Vec<u8>)>,
    tasks: JoinSet<()>,
    closed: Vec<Closed>,
    pacers: Vec<Rc<Pacer>>,
    /// Users that came later than planned, for indices of their own.
    late: u64,
}

/// The users of a closed load on this thread.
struct Closed {
    group: usize,
    /// Users of the group on all threads.
    planned: u64,
    /// Index of its first user in the run.
    first: u64,
    /// One for each user at work: set when it is to leave.
    leave: Vec<Rc<Cell<bool>>>,
}

impl Crowd {
    /// Starts every `of`-th user of each closed load, and the pacers.
    pub(crate) fn new(local: &Rc<Local>, known: &[(Slot, Vec<u8>)]) -> Self {
        let mut crowd = Self {
            local: local.clone(),
            known: known.to_vec(),
            tasks: JoinSet::new(),
            closed: Vec::new(),
            pacers: Vec::new(),
            late: 0,
        };
        let mut first = 0;
        for (number, group) in local.plan.groups.iter().enumerate() {
            let planned = group.load.users();
            if let Some(pacer) = Pacer::new(local, number) {
                crowd.tasks.spawn_local(pacer.clone().drive(first, crowd.known.clone()));
                crowd.pacers.push(pacer);
            } else if let Load::Closed(load) = &group.load {
                let mut closed = Closed { group: number, planned, first, leave: Vec::new() };
                for index in 0..planned {
                    if !closed.is_here(local, index) {
                        continue;
                    }
                    let due = local.epoch + load.ramp.start_of(index);
                    closed.leave.push(crowd.start(number, first + index, due));
                }
                crowd.closed.push(closed);
            }
            first += planned;
        }
        crowd
    }

    fn start(&mut self, group: usize, index: u64, due: Instant) -> Rc<Cell<bool>> {
        let user = User::new(self.local.clone(), index, &self.known);
        let leave = user.leave();
        self.tasks.spawn_local(user.run(group, due));
        leave
    }

    /// So much of the load from now on.
    pub(crate) fn retune(&mut self, tempo: Tempo) {
        self.local.tempo.set(tempo);
        self.local.resumed.notify_waiters();
        for pacer in &self.pacers {
            pacer.retune(tempo);
        }
        let mut all = std::mem::take(&mut self.closed);
        for closed in &mut all {
            let users = tempo.users(closed.planned);
            let wanted = (0..users).filter(|index| closed.is_here(&self.local, *index)).count();
            while closed.leave.len() > wanted {
                if let Some(leave) = closed.leave.pop() {
                    leave.set(true);
                }
            }
            while closed.leave.len() < wanted {
                let share = self.local.share;
                let index = self.local.plan.users() + self.late * share.of + share.index;
                self.late += 1;
                closed.leave.push(self.start(closed.group, index, Instant::now()));
            }
        }
        self.closed = all;
    }

    /// Counts the starts by the clock that were due until `now`.
    pub(crate) fn count_due(&self, now: Duration) {
        for pacer in &self.pacers {
            pacer.count_due(now);
        }
    }

    /// Counts what was due and never began; nothing begins any more.
    pub(crate) fn count_the_rest(&self) {
        for pacer in &self.pacers {
            pacer.end();
            pacer.count_due(Duration::MAX);
            pacer.count_never_begun();
        }
    }

    /// Returns when all users are done.
    pub(crate) async fn ended(&mut self) {
        while self.tasks.join_next().await.is_some() {}
    }

    /// Gives up what is under way.
    pub(crate) fn abandon(&mut self) {
        self.tasks.abort_all();
    }
}

impl Closed {
    /// Whether a user of the group is one of this thread.
    fn is_here(&self, local: &Local, index: u64) -> bool {
        (self.first + index) % local.share.of == local.share.index
    }
}
