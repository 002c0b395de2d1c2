//! Before the run: is every server there?

use super::RunError;
use crate::client::connect::{self, FOREIGN_SOURCE};
use crate::client::tls;
use crate::local::{Local, Seed};
use crate::worker::{endpoints, fetch};
use loadgen_model::arrivals::Share;
use loadgen_model::failure::Detail;
use loadgen_model::request::Origin;
use loadgen_model::{Failure, FailureKind};
use std::time::Duration;
use tokio::time::Instant;

/// The target must accept a connection within this before the run.
const PREFLIGHT: Duration = Duration::from_secs(10);

/// Resolves the names of all servers, connects to each once, and fetches what the job wants fetched.
pub(super) async fn reach(seed: &mut Seed) -> Result<(), RunError> {
    let local = Local::new(seed.clone(), Instant::now(), Share::WHOLE)?;
    for (transport, origin) in seed.origins.all() {
        let index = usize::from(transport.0);
        let connector = origin.tls.then(|| seed.shared.connectors[index].get(&seed.plan.transports[index]));
        let connector = connector.transpose().map_err(|text| RunError::Tls(text.clone()))?;
        let connector = connector.map(|connector| tls::speaking(connector, origin.protocol));
        let attempt = connect::connect(&local, transport, origin, connector);
        let attempt = tokio::time::timeout(PREFLIGHT, attempt).await;
        let (cause, kind) = match attempt {
            Ok(Ok(_)) => continue,
            Ok(Err(failure)) => (describe(&failure), failure.kind),
            Err(_) => (format!("no connection within {} s", PREFLIGHT.as_secs()), FailureKind::Connect),
        };
        return Err(unreachable(origin, cause, kind));
    }
    for (slot, endpoint) in endpoints(&local) {
        let value = fetch(&local, slot, &endpoint).await.map_err(|failure| RunError::NotFetched {
            name: seed.plan.variable(slot).name.clone(),
            cause: describe(&failure),
        })?;
        seed.endpoints[usize::from(slot.0)] = Some(value);
    }
    seed.resolver = local.resolver.into_inner();
    Ok(())
}

fn unreachable(origin: &Origin, cause: String, kind: FailureKind) -> RunError {
    let advice = match kind {
        _ if cause.starts_with(FOREIGN_SOURCE) => "give some of those that `ip address` lists",
        _ if cause.starts_with("the proxy") => "check `proxy` in the job, and its user and password",
        FailureKind::Tls => "check its certificate, the name in the URL, and `tls` in the job",
        _ => "is it running, and is the address right?",
    };
    RunError::Unreachable { target: origin.to_string(), cause, advice, kind }
}

/// A failure before the run, in words.
pub(crate) fn describe(failure: &Failure) -> String {
    match &failure.detail {
        Detail::Static(text) => (*text).to_owned(),
        Detail::Text(text) => text.to_string(),
        Detail::Status(status) => format!("status {status}"),
        Detail::Check(_) | Detail::Missing(..) => failure.kind.word().to_owned(),
    }
}
