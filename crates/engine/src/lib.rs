//! Runs a plan against a real target and tells what became of each request.
//!
//! One single-threaded runtime for each core, nothing shared on the hot path: a virtual user is one task on
//! one thread, and so are its connections. Only this crate times: users their requests, and connections
//! how long they took to open. Beyond that the client performs, and does not measure, log or print.

mod client;
mod collector;
mod control;
mod crowd;
mod deadline;
pub mod doctor;
mod flight;
mod health;
mod interrupts;
mod limits;
mod local;
mod origins;
mod pacer;
mod prepared;
mod program;
mod run;
mod session;
mod stop;
mod timer;
mod user;
mod worker;

pub use control::{Control, Controls, Wishes, controls};
pub use limits::raise_descriptor_limit;
pub use run::{Options, RunError, run, run_with};
