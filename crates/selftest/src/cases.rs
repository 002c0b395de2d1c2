//! All cases, in the order in which they are asked.

mod fixed;
mod path;
mod stall;

use crate::case::Case;

/// All cases.
pub(crate) static ALL: [Case; 3] = [fixed::CASE, path::CASE, stall::CASE];
