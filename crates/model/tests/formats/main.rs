//! Job files: what they mean, and what is said of those that are wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod command_line;
mod diagnostics;
mod levels;
mod memory;
mod operations;
mod originals;
mod robustness;
mod schema;
mod secrets;
mod yaml;
