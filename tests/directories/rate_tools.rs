//! modrate, searchrate, authrate and addrate as they are typed, against real directories.

mod binds;
mod counts;
mod seed;
