//! The crate through its boundary: reports and progress in, text and files out.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

mod classic;
mod csv;
mod doctor;
mod golden;
mod json;
mod live;
mod open;
mod rate_tool;
mod sample;
mod seed;
mod style;
mod terminal;
