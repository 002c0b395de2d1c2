//! What tests are made of: the command, folders with jobs, servers, reports, golden files.

pub(crate) mod certificates;
pub(crate) mod command;
pub(crate) mod frames;
pub(crate) mod golden;
pub(crate) mod job;
pub(crate) mod nginx;
pub(crate) mod platform;
pub(crate) mod report;
pub(crate) mod server;
pub(crate) mod yaml;

pub(crate) use command::{Done, Folder, Outcome, command, run_job};
pub(crate) use job::{job, one_task, original};
pub(crate) use report::Report;
pub(crate) use server::{Answer, Server};
