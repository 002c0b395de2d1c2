//! Names to addresses, outside of the timed path: known before the run, refreshed once a minute.

use std::collections::BTreeMap;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// How often names are resolved again.
pub(crate) const REFRESH: Duration = Duration::from_secs(60);

/// Addresses of the names of a run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Resolver {
    names: BTreeMap<(String, u16), Addresses>,
}

#[derive(Debug, Clone)]
struct Addresses {
    all: Vec<SocketAddr>,
    /// Connections take turns over all addresses of a name.
    next: usize,
}

impl Resolver {
    /// The addresses of a name, the one whose turn it is first; none when the name is not known yet.
    pub(crate) fn take_turn(&mut self, host: &str, port: u16) -> Option<Vec<SocketAddr>> {
        if let Ok(address) = host.parse::<IpAddr>() {
            return Some(vec![SocketAddr::new(address, port)]);
        }
        let addresses = self.names.get_mut(&(host.to_owned(), port))?;
        let mut turn = addresses.all.clone();
        let count = turn.len();
        turn.rotate_left(addresses.next % count);
        addresses.next = (addresses.next + 1) % count;
        Some(turn)
    }

    /// Keeps what a name resolved to; an empty answer leaves what was known.
    pub(crate) fn keep(&mut self, host: &str, port: u16, all: Vec<SocketAddr>) {
        if !all.is_empty() {
            let next = self.names.get(&(host.to_owned(), port)).map_or(0, |known| known.next);
            self.names.insert((host.to_owned(), port), Addresses { all, next });
        }
    }

    /// All names that are known.
    pub(crate) fn names(&self) -> Vec<(String, u16)> {
        self.names.keys().cloned().collect()
    }
}

/// Asks the system for the addresses of a name.
pub(crate) async fn look_up(host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    Ok(tokio::net::lookup_host((host, port)).await?.collect())
}
