//! The LDAP side: BER in, BER out, by a client of the tests' own.

mod ber;
mod bind;
mod client;
mod connections;
mod controls;
mod cost;
mod extended;
mod hostile;
mod search;
mod shared;
mod timing;
mod update;

use std::net::SocketAddr;
use std::path::PathBuf;

use loadgen_target::{Behavior, Config, Target};

/// A platform with these settings that serves LDAP.
fn target(specs: &[&str]) -> Target {
    logged(specs, None)
}

/// The same, with a log.
fn logged(specs: &[&str], log: Option<PathBuf>) -> Target {
    let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let behavior = Behavior::parse(&specs).unwrap();
    let ldap = Some(SocketAddr::from(([127, 0, 0, 1], 0)));
    Target::start(Config { behavior, ldap, log, ..Config::default() }).unwrap()
}
