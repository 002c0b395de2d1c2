//! The command as its users meet it: a job goes in; exit codes, messages, reports and bytes on the wire
//! come out. Servers are scripted, simulated or real; nothing here knows how the generator works.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::doc_markdown, reason = "OpenAM and OpenDJ are names, not code")]

mod support;

mod bodies;
mod churn;
mod connections;
mod cookies;
mod data;
mod doctor;
mod escapes;
mod examples;
mod failures;
mod http2;
mod http2_ends;
mod interrupts;
mod keys;
mod ldap_target;
mod live;
mod messages;
mod open;
mod order;
mod original;
mod proxy;
mod rate_tools;
mod redirects;
mod schemas;
mod secrets;
mod set_up;
mod tls;
mod truth;
mod unreachable;
