//! Changes of the load by hand while a run goes.

use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Steps up or down are by this factor.
const STEP: f64 = 1.1;
/// The load is changed to between so much of what was planned …
const LEAST: f64 = 0.1;
/// … and so much.
const MOST: f64 = 10.0;

/// A wish while a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// No more iterations begin, or they begin again.
    PauseOrResume,
    /// A tenth more users or starts.
    More,
    /// A tenth less of them.
    Less,
    /// The run ends as it does after an interrupt.
    Stop,
}

/// Takes wishes while a run goes.
#[derive(Debug, Clone)]
pub struct Controls(UnboundedSender<Control>);

/// Where a run gets its wishes from.
#[derive(Debug)]
pub struct Wishes(pub(crate) UnboundedReceiver<Control>);

/// Both ends; a run whose controls are dropped goes on.
pub fn controls() -> (Controls, Wishes) {
    let (sender, receiver) = unbounded_channel();
    (Controls(sender), Wishes(receiver))
}

impl Controls {
    /// Asks for a change; false when the run is over.
    pub fn ask(&self, control: Control) -> bool {
        self.0.send(control).is_ok()
    }
}

/// How much of the planned load there is, and since when.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tempo {
    /// 1 as planned.
    wanted: f64,
    paused: bool,
    /// When it took effect, from the start of the run.
    pub(crate) since: Duration,
}

impl Default for Tempo {
    fn default() -> Self {
        Self { wanted: 1.0, paused: false, since: Duration::ZERO }
    }
}

impl Tempo {
    /// Whether nothing begins.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused
    }

    /// The load ÷ what was planned.
    pub(crate) fn factor(&self) -> f64 {
        if self.paused { 0.0 } else { self.wanted }
    }

    /// After a wish, from `since` on.
    pub(crate) fn after(self, control: Control, since: Duration) -> Self {
        match control {
            Control::PauseOrResume => Self { paused: !self.paused, since, ..self },
            Control::More => Self { wanted: (self.wanted * STEP).min(MOST), since, ..self },
            Control::Less => Self { wanted: (self.wanted / STEP).max(LEAST), since, ..self },
            Control::Stop => self,
        }
    }

    /// Users of a closed load of so many.
    pub(crate) fn users(&self, planned: u64) -> u64 {
        ((planned as f64 * self.wanted).round() as u64).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_up_and_down_meet_again_and_a_pause_keeps_them() {
        let second = Duration::from_secs(1);
        let up = Tempo::default().after(Control::More, second);
        assert_eq!(up.users(100), 110);
        let paused = up.after(Control::PauseOrResume, second);
        assert!(paused.factor() == 0.0 && paused.after(Control::PauseOrResume, second) == up);
        assert!((up.after(Control::Less, second).factor() - 1.0).abs() < 1e-12);
        let most = (0..100).fold(up, |tempo, _| tempo.after(Control::More, second));
        assert!((most.factor() - MOST).abs() < 1e-9);
    }
}
