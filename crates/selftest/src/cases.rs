//! All cases, in the order in which they are asked.

mod arrivals;
mod bodies;
mod clock;
mod closed;
mod errors;
mod fixed;
mod formula;
mod histogram;
mod mix;
mod noise;
mod overload;
mod path;
mod pool;
mod sessions;
mod skipped;
mod stall;
mod timeouts;

use crate::case::Case;

/// All cases.
pub(crate) static ALL: [Case; 17] = [
    fixed::CASE,
    path::CASE,
    formula::CASE,
    stall::CASE,
    arrivals::CASE,
    pool::CASE,
    timeouts::CASE,
    errors::CASE,
    bodies::CASE,
    overload::CASE,
    noise::CASE,
    clock::CASE,
    closed::CASE,
    sessions::CASE,
    histogram::CASE,
    mix::CASE,
    skipped::CASE,
];
