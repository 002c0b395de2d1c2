//! The platform, seen from outside: bytes in, bytes out, over sockets.

#![allow(clippy::doc_markdown, reason = "OpenAM and OpenDJ are names, not code")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod behavior;
mod client;
mod connections;
mod crowd;
mod http2;
mod ldap;
mod log;
mod openam;
mod plain;
mod policy_agent;
mod resources;
mod whydah;

use loadgen_target::{Behavior, Config, Target};

/// A platform with these settings.
fn target(specs: &[&str]) -> Target {
    let specs: Vec<String> = specs.iter().map(ToString::to_string).collect();
    let behavior = Behavior::parse(&specs).unwrap();
    Target::start(Config { behavior, ..Config::default() }).unwrap()
}
