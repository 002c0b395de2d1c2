//! `loadgen target`: the built-in identity platform.

use super::{Failed, print, say};
use crate::arguments::Target;
use loadgen_model::verdict::{UNEXPECTED, USAGE};
use loadgen_target::{Behavior, Config, TlsFiles};
use std::net::SocketAddr;
use std::path::Path;

/// Runs the platform until it is stopped.
pub(crate) fn target(target: &Target) -> Result<u8, Failed> {
    let behavior = Behavior::parse(&target.behavior).map_err(|error| Failed::new(USAGE, error))?;
    let tls = match (&target.tls_certificate, &target.tls_key) {
        (Some(certificate), Some(key)) => {
            Some(TlsFiles { certificate_pem: read(certificate)?, key_pem: read(key)? })
        }
        _ => None,
    };
    let at = |port| SocketAddr::new(target.listen.ip(), port);
    let config = Config {
        listen: target.listen,
        ldap: target.ldap_port.map(at),
        ldaps: target.ldaps_port.map(at),
        tls,
        population: target.population,
        behavior,
        log: target.log.clone(),
        seed: target.seed,
    };
    loadgen_engine::raise_descriptor_limit();
    let stop = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let running = loadgen_target::Target::start(config).map_err(|error| Failed::new(UNEXPECTED, error))?;
    print(&format!("{}\n", running.url()))?;
    for (scheme, address) in [("ldap", running.ldap_address()), ("ldaps", running.ldaps_address())] {
        if let Some(address) = address {
            print(&format!("{scheme}://{address}\n"))?;
        }
    }
    say(&format!("{} users; stop with Ctrl-C", target.population));
    stop.block_on(wait())?;
    running.stop();
    Ok(0)
}

/// Returns at SIGINT or SIGTERM.
async fn wait() -> std::io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failed> {
    std::fs::read(path)
        .map_err(|error| Failed::new(UNEXPECTED, format!("cannot read {}: {error}", path.display())))
}
