//! modrate, searchrate, authrate and addrate as they are typed, against real directories.

mod binds;
mod changes;
mod churn;
mod counts;
mod given;
mod losses;
mod pace;
mod secured;
mod seed;
