//! All cases, in the order in which they are asked.

mod path;

use crate::case::Case;

/// All cases.
pub(crate) static ALL: [Case; 1] = [path::CASE];
