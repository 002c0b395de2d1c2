//! All cases, in the order in which they are asked.

mod arrivals;
mod bodies;
mod errors;
mod fixed;
mod path;
mod pool;
mod stall;
mod timeouts;

use crate::case::Case;

/// All cases.
pub(crate) static ALL: [Case; 8] = [
    fixed::CASE,
    path::CASE,
    stall::CASE,
    arrivals::CASE,
    pool::CASE,
    timeouts::CASE,
    errors::CASE,
    bodies::CASE,
];
