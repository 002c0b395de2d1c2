//! What tests of directories are made of. What they share with the acceptance tests lies there.

#[path = "../acceptance/support/certificates.rs"]
#[allow(dead_code, reason = "the acceptance tests use the rest")]
mod certificates;
#[path = "../acceptance/support/command.rs"]
#[allow(dead_code, reason = "the acceptance tests use the rest")]
pub(crate) mod command;
pub(crate) mod directory;
pub(crate) mod ds389;
pub(crate) mod job;
pub(crate) mod keeper;
pub(crate) mod opendj;
pub(crate) mod openldap;
#[path = "../acceptance/support/platform.rs"]
#[allow(dead_code, reason = "the acceptance tests use the rest")]
pub(crate) mod platform;
pub(crate) mod rate_tool;
pub(crate) mod relay;
#[path = "../acceptance/support/report.rs"]
#[allow(dead_code, reason = "the acceptance tests use the rest")]
pub(crate) mod report;
pub(crate) mod stores;
