//! A user's turns in the life of a directory's entries: it adds the next one or deletes one, and at the end of the run
//! deletes what is left.

use super::{Flow, User};
use crate::client::ldap::record;
use crate::local::Local;
use loadgen_model::churn::{Population, Settled, Turn};
use loadgen_model::{Churn, Load};
use std::sync::{MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// A user that has no turn, because the adds under way may be the last, asks again after this.
const ASK_AGAIN: Duration = Duration::from_millis(1);

impl User {
    /// One iteration: waits for a turn, and carries it out.
    pub(super) async fn take_turn(&mut self, group: usize, churn: &Churn) -> Flow {
        let local = self.local.clone();
        let turn = loop {
            let turn = population(&local, group).next(local.since_start(Instant::now()));
            match turn {
                Turn::Add(_) | Turn::Delete(_) => break turn,
                Turn::Done => return Flow::Stop,
                Turn::Wait => self.wait_for_turn(&local, group).await,
            }
            if self.is_over(Instant::now()) {
                return Flow::Stop;
            }
        };
        let flow = self.carry_out(churn, turn).await;
        let settled = self.session.turn_settled;
        population(&local, group).settle(turn, settled, local.since_start(Instant::now()));
        flow
    }

    async fn wait_for_turn(&mut self, local: &Local, group: usize) {
        local.timer.sleep_until(Instant::now() + ASK_AGAIN).await;
        self.waited = true;
        // By the clock it was due before; a closed user has nothing to do until now.
        if matches!(local.plan.groups[group].load, Load::Closed(_)) {
            self.due = Instant::now();
        }
    }

    async fn carry_out(&mut self, churn: &Churn, turn: Turn) -> Flow {
        let (scenario, number) = match turn {
            Turn::Add(number) => (churn.add, number),
            Turn::Delete(number) => (churn.delete, number),
            Turn::Wait | Turn::Done => return Flow::On,
        };
        let entry = churn.entries.entry(number, self.local.plan.seed);
        let entry = entry.expect("a population hands out numbers of entries that there are");
        let session = &mut self.session;
        // Until it is sent; what is before it in its scenario may fail.
        session.turn_settled = Settled::Refused;
        session.turn.clear();
        match turn {
            Turn::Add(_) => {
                let attributes = entry.attributes.iter();
                let attributes = attributes.map(|(name, values)| (name.as_str(), values.as_slice()));
                record::add(&entry.name, attributes, &mut session.turn);
            }
            _ => record::delete(&entry.name, &mut session.turn),
        }
        self.iterate(scenario).await
    }

    /// Deletes what the run added, together with all other users that are done. Goes on when the run is over.
    pub(super) async fn purge(&mut self, group: usize, churn: &Churn) {
        if !churn.purge || self.leave.get() {
            return;
        }
        let local = self.local.clone();
        self.outlasts = true;
        self.due = Instant::now();
        self.waited = true;
        loop {
            let Some(purging) = population(&local, group).next_purging() else { return };
            self.carry_out(churn, Turn::Delete(purging.number)).await;
            population(&local, group).settle_purging(purging, self.session.turn_settled == Settled::Done);
        }
    }
}

/// The entries of a group: held for the moment in which the next turn is chosen or one is settled.
fn population(local: &Local, group: usize) -> MutexGuard<'_, Population> {
    let population = local.shared.populations[group].as_ref().expect("the group's mix is a churn");
    // Whoever panics ends the run; what it left of the numbers does no harm until then.
    population.lock().unwrap_or_else(PoisonError::into_inner)
}
