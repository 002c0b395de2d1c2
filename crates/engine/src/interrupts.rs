//! What reaches a run from outside: signals, and wishes of whoever watches it.

use crate::control::{Control, Wishes};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGINT, SIGTERM and wishes.
pub(crate) struct Interrupts {
    interrupt: Signal,
    terminate: Signal,
    /// None when nobody can wish for anything any more.
    wishes: Option<Wishes>,
}

/// What reached the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    /// It is to stop.
    Interrupt,
    /// The load is to change.
    Wish(Control),
}

impl Interrupts {
    pub(crate) fn new(wishes: Wishes) -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            wishes: Some(wishes),
        })
    }

    /// The next one of either kind.
    pub(crate) async fn next(&mut self) -> Event {
        loop {
            let wish = async {
                match &mut self.wishes {
                    Some(wishes) => wishes.0.recv().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = self.interrupt.recv() => return Event::Interrupt,
                _ = self.terminate.recv() => return Event::Interrupt,
                wish = wish => match wish {
                    Some(Control::Stop) => return Event::Interrupt,
                    Some(control) => return Event::Wish(control),
                    None => self.wishes = None,
                },
            }
        }
    }

    /// The next interrupt: there is no load yet, or none any more, that could be changed.
    pub(crate) async fn interrupt(&mut self) {
        while self.next().await != Event::Interrupt {}
    }
}
