//! A simulated identity platform of known behaviour and capacity.
//!
//! An HTTP server that answers as OpenAM, OpenDJ, OpenIDM, Whydah and Crowd do, and an LDAP server of the same
//! users. It takes exactly the time it is told to take, and knows what was true of every request: what a load
//! generator is checked against. It shares no code with the load generator.
//!
//! ```
//! use loadgen_target::{Behavior, Config, Target};
//!
//! let behavior = Behavior::parse(&["validate=fixed:2ms".to_owned(), "servers=4".to_owned()])?;
//! let target = Target::start(Config { behavior, ..Config::default() })?;
//! println!("{}", target.url());
//! target.stop();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::doc_markdown, reason = "OpenAM and OpenDJ are names, not code")]

mod behavior;
mod counts;
mod directory;
mod error;
mod http;
mod ldap;
mod log;
mod operation;
mod server;
mod timer;
mod tokens;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

pub use self::behavior::{Behavior, BehaviorError};
use self::counts::Counters;
pub use self::counts::{Counts, OperationCounts};
pub use self::error::Error;
use self::server::Addresses;

/// What a platform is started with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where to listen; port 0 for a free one.
    pub listen: SocketAddr,
    /// Where to listen for LDAP; port 0 for a free one, nothing for no LDAP. With `tls` it offers StartTLS.
    pub ldap: Option<SocketAddr>,
    /// The same for LDAP over TLS from the first byte, which needs `tls`.
    pub ldaps: Option<SocketAddr>,
    /// With these, HTTP is served over TLS only.
    pub tls: Option<TlsFiles>,
    /// How many generated users there are: `user.0` and so on, each with the password `password`. Takes no
    /// memory.
    pub population: u64,
    /// Service times, servers, stalls and faults.
    pub behavior: Behavior,
    /// Where to write what was true of each request, one JSON object a line.
    pub log: Option<PathBuf>,
    /// The same seed and the same order of requests of an operation give the same service times and faults.
    pub seed: u64,
}

/// What a TLS server needs.
#[derive(Clone)]
pub struct TlsFiles {
    /// The certificate, and after it those that lead to its issuer, in PEM.
    pub certificate_pem: Vec<u8>,
    /// The private key, in PEM.
    pub key_pem: Vec<u8>,
}

impl std::fmt::Debug for TlsFiles {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("TlsFiles").finish_non_exhaustive()
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            ldap: None,
            ldaps: None,
            tls: None,
            population: 10_000,
            behavior: Behavior::default(),
            log: None,
            seed: 1,
        }
    }
}

/// A running platform, on a thread of its own. Dropping it stops it.
pub struct Target {
    addresses: Addresses,
    scheme: &'static str,
    counters: Arc<Counters>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Target {
    /// Starts a platform; it accepts connections when this returns.
    pub fn start(config: Config) -> Result<Self, Error> {
        let scheme = if config.tls.is_some() { "https" } else { "http" };
        let counters = Arc::new(Counters::default());
        let (stop, stopped) = oneshot::channel();
        let (addresses, thread) = server::spawn(config, Arc::clone(&counters), stopped)?;
        Ok(Self { addresses, scheme, counters, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens for HTTP.
    pub fn address(&self) -> SocketAddr {
        self.addresses.http
    }

    /// Where it listens for LDAP.
    pub fn ldap_address(&self) -> Option<SocketAddr> {
        self.addresses.ldap
    }

    /// Where it listens for LDAP over TLS.
    pub fn ldaps_address(&self) -> Option<SocketAddr> {
        self.addresses.ldaps
    }

    /// `http://127.0.0.1:8080`, without a slash at the end.
    pub fn url(&self) -> String {
        format!("{}://{}", self.scheme, self.addresses.http)
    }

    /// What was counted up to now.
    pub fn counts(&self) -> Counts {
        self.counters.read()
    }

    /// Stops it: requests in progress have a second to end, connections are closed, the log is written out.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        self.end();
    }
}
