//! modrate, searchrate, authrate and addrate as they are typed, against real directories.

mod binds;
mod changes;
mod churn;
mod counts;
mod secured;
mod seed;
