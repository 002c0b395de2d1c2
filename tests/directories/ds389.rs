//! 389 Directory Server: does not know the control of RFC 4528, and changes passwords under TLS only.

use crate::questions::{controls, counters, losses, operations, results, security};
use crate::support::ds389::DS389;
use std::time::Duration;

#[test]
fn every_operation_is_understood() {
    let server = DS389.with_others();
    operations::every_operation(&server.directory, &server.directory.tls(", start_tls: on"));
}

#[test]
fn controls_do_what_they_say() {
    let server = DS389.with_others();
    controls::reads(&server.directory);
    controls::pages(&server.directory);
    controls::sort(&server.directory, "");
    controls::proxied_authorization(&server.directory);
    controls::authorization_identity(&server.directory);
    controls::password_policy(&server.directory);
    controls::manage_dsa_it(&server.directory);
}

#[test]
fn connections_are_secured() {
    let server = DS389.with_others();
    security::tls(&server.directory);
    security::unknown_certificate(&server.directory);
    security::plain(&server.directory);
}

#[test]
fn refusals_are_counted_by_their_codes() {
    let server = DS389.with_others();
    results::common_refusals(&server.directory);
    results::unwilling(&server.directory);
}

#[test]
fn its_counters_agree_with_the_report() {
    counters::agree(&DS389.alone().directory);
}

#[test]
fn users_come_back_after_a_restart() {
    losses::restart(&mut *DS389.alone(), Duration::from_secs(12));
}
