//! What directories are asked, whichever server they are.

pub(crate) mod controls;
pub(crate) mod counters;
pub(crate) mod losses;
pub(crate) mod operations;
pub(crate) mod results;
pub(crate) mod security;
