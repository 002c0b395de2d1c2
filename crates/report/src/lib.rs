//! Turns progress and reports into what people and systems read.
//!
//! People: [`terminal`] (the end summary), [`classic`] (the original table), [`rate_tool`] (the tables of
//! modrate and its kin) and [`live`] (while a run lasts). Systems: [`json`] and [`csv`], opened by name with
//! [`open()`]. Nothing here measures or judges: every figure stands in the report, and this crate only decides
//! how honestly it can be shown.

pub mod classic;
pub mod csv;
pub mod doctor;
mod grid;
pub mod json;
pub mod live;
mod name;
mod number;
mod open;
mod prose;
mod quantile;
pub mod rate_tool;
mod replace;
pub mod style;
pub mod terminal;

pub use live::{LiveBlock, LiveLines};
pub use open::{OpenError, open};
pub use style::{ColorChoice, Size, Style};
