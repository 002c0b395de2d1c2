//! Opens connections to a directory, each bound as its users are to be, and waits longer and longer while that fails.

use crate::client::ldap::bind::Bound;
use crate::client::ldap::line::Line;
use crate::client::ldap::prepared::Prepared;
use crate::client::{Traffic, open};
use crate::local::Local;
use loadgen_model::template::{Missing, Values};
use loadgen_model::variable::Slot;
use loadgen_model::{Failure, FailureKind};
use std::time::Duration;
use tokio_rustls::TlsConnector;

/// After a connection that could not be opened, its user waits: so long, then twice as long, and so on.
const SHORTEST_WAIT: Duration = Duration::from_millis(10);
/// But not longer than this, nor longer than a quarter of its timeout.
const LONGEST_WAIT: Duration = Duration::from_secs(1);

/// What came of opening the same connection again and again.
#[derive(Default)]
pub(crate) struct Opening {
    /// Attempts in a row that failed.
    refused: u32,
}

impl Opening {
    /// Opens a connection. It begins with the bind that its user made on the last one, else with the one that the
    /// transport has for all.
    pub(crate) async fn open(
        &mut self,
        local: &Local,
        connector: Option<TlsConnector>,
        prepared: &Prepared,
        bound: Option<&Bound>,
        traffic: &mut Traffic,
    ) -> Result<Line, Failure> {
        match begin(local, connector, prepared, bound, traffic).await {
            Ok(line) => {
                self.refused = 0;
                Ok(line)
            }
            Err(failure) => {
                let wait = SHORTEST_WAIT.saturating_mul(1 << self.refused.min(16)).min(LONGEST_WAIT);
                self.refused = self.refused.saturating_add(1);
                tokio::time::sleep(wait.min(prepared.operation.timeout / 4)).await;
                Err(failure)
            }
        }
    }
}

async fn begin(
    local: &Local,
    connector: Option<TlsConnector>,
    prepared: &Prepared,
    bound: Option<&Bound>,
    traffic: &mut Traffic,
) -> Result<Line, Failure> {
    let mut line = Line::new(open(local, prepared.origin, connector).await?);
    if let Some(bound) = bound {
        bound.repeat(&mut line, prepared, local, traffic).await?;
    } else if let Some(index) = local.transport(prepared.origin).bind {
        let bind = &local.shared.operations[usize::from(index)];
        rendered(bind)?.repeat(&mut line, bind, local, traffic).await?;
    }
    Ok(line)
}

/// The bind that all connections begin with.
fn rendered(prepared: &Prepared) -> Result<Bound, Failure> {
    let (mut operation, mut controls) = (Vec::new(), Vec::new());
    let written = prepared.ask.write(&mut Nothing, &mut operation);
    let written = written.and_then(|()| prepared.controls.write(&mut Nothing, &mut controls));
    let unwritten = |_| Failure::fixed(FailureKind::Capture, "the bind of a new connection holds a variable");
    written.map_err(unwritten)?;
    let mut bound = Bound::default();
    bound.remember(prepared, &operation, &controls);
    Ok(bound)
}

/// No variable has a value.
struct Nothing;

impl Values for Nothing {
    fn write(&mut self, slot: Slot, _: &mut Vec<u8>) -> Result<(), Missing> {
        Err(Missing::NotCaptured(slot))
    }
}
