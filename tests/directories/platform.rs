//! The built-in platform, so that what stands in for a directory does as directories do.

use crate::questions::{controls, operations, results};
use crate::support::directory::Directory;
use crate::support::platform::Platform;

fn directory(platform: &Platform) -> Directory {
    Directory {
        url: platform.directory(),
        secure_url: String::new(),
        authority: "".into(),
        server_name: "localhost",
        manager: "cn=Directory Manager",
        counters: Vec::new(),
    }
}

#[test]
fn every_operation_is_understood() {
    let platform = Platform::start(&[]);
    operations::every_operation(&directory(&platform), "");
    assert_eq!(platform.stop().len(), 30);
}

#[test]
fn controls_do_what_they_say() {
    let platform = Platform::start(&[]);
    let directory = directory(&platform);
    controls::assertion(&directory);
    controls::reads(&directory);
}

#[test]
fn refusals_are_counted_by_their_codes() {
    let platform = Platform::start(&[]);
    results::failed_assertion(&directory(&platform));
}
