//! Objectives while the run goes: windows that roll over it, and those that stop it.

use crate::objective::Objective;
use crate::objective::evidence::{Evidence, Measured};
use crate::plan::Plan;
use crate::snapshot::Snapshot;
use crate::timeline::Timeline;
use std::collections::VecDeque;
use std::time::Duration;

/// Stretches of a window that are kept apart; more become coarser, so that a long window stays small.
const STRETCHES_KEPT: u32 = 120;

/// The objectives of a plan while the run goes.
#[derive(Clone, Default)]
pub struct Watches(Vec<Watch>);

#[derive(Clone, Default)]
struct Watch {
    /// Stretches of the window, each with its end.
    stretches: VecDeque<(Duration, Evidence)>,
    worst: Option<(Duration, Measured)>,
}

impl Watches {
    /// Nothing was seen yet.
    pub fn new(plan: &Plan) -> Self {
        Self(vec![Watch::default(); plan.objectives.len()])
    }

    /// Takes the stretch that was added to the timeline last. Some reason when the run is to stop.
    pub fn add(&mut self, plan: &Plan, stretch: &Snapshot, timeline: &Timeline) -> Option<String> {
        if !timeline.is_steady() {
            return None;
        }
        let mut reason = None;
        for (watch, objective) in self.0.iter_mut().zip(&plan.objectives) {
            let Some(measured) = watch.add(objective, plan, stretch, timeline) else { continue };
            let ripe = stretch.to >= timeline.window().begins() + objective.after;
            if objective.stop && ripe && !objective.is_met_by(measured) && reason.is_none() {
                let value = objective.shown(measured.value);
                reason = Some(format!("{}: {value:.3}{}", objective.clause(), objective.unit()));
            }
        }
        reason
    }

    /// The worst window of an objective, by its end.
    pub(super) fn worst(&self, index: usize) -> Option<(Duration, Measured)> {
        self.0.get(index).and_then(|watch| watch.worst)
    }
}

impl Watch {
    /// The figure as of now; none when there is none yet, or none is asked for.
    fn add(
        &mut self,
        objective: &Objective,
        plan: &Plan,
        stretch: &Snapshot,
        timeline: &Timeline,
    ) -> Option<Measured> {
        let Some(window) = objective.window else {
            let wanted = objective.stop;
            return wanted
                .then(|| Evidence::of(objective, plan, timeline.steady()))
                .and_then(|evidence| evidence.measure(objective.measure));
        };
        self.keep(stretch.to, Evidence::of(objective, plan, stretch), window);
        let mut sum = Evidence::default();
        self.stretches.iter().for_each(|(_, evidence)| sum.merge(evidence));
        // Stretches end a little after the second.
        if sum.length() + Duration::from_millis(1) < window {
            return None;
        }
        let measured = sum.measure(objective.measure)?;
        if self.worst.is_none_or(|(_, worst)| objective.is_worse(measured, worst)) {
            self.worst = Some((stretch.to, measured));
        }
        Some(measured)
    }

    /// Adds a stretch, and lets those go that are older than the window.
    fn keep(&mut self, end: Duration, evidence: Evidence, window: Duration) {
        let coarse = window / STRETCHES_KEPT;
        match self.stretches.back_mut() {
            Some((last, sum)) if sum.length() + evidence.length() <= coarse => {
                sum.merge(&evidence);
                *last = end;
            }
            _ => self.stretches.push_back((end, evidence)),
        }
        while self.stretches.front().is_some_and(|(first, _)| *first + window <= end) {
            self.stretches.pop_front();
        }
    }
}
