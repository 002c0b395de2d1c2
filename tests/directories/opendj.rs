//! OpenDJ: knows all controls.

use crate::questions::{controls, counters, losses, operations, results, security};
use crate::support::opendj::OPENDJ;
use std::time::Duration;

#[test]
fn every_operation_is_understood() {
    operations::every_operation(&OPENDJ.with_others().directory, "");
}

#[test]
fn controls_do_what_they_say() {
    let opendj = OPENDJ.with_others();
    controls::assertion(&opendj.directory);
    controls::reads(&opendj.directory);
    controls::pages(&opendj.directory);
    controls::sort(&opendj.directory, "");
    controls::proxied_authorization(&opendj.directory);
    controls::authorization_identity(&opendj.directory);
    controls::password_policy(&opendj.directory);
    controls::manage_dsa_it(&opendj.directory);
}

#[test]
fn connections_are_secured() {
    let opendj = OPENDJ.with_others();
    security::tls(&opendj.directory);
    security::unknown_certificate(&opendj.directory);
    security::plain(&opendj.directory);
}

#[test]
fn refusals_are_counted_by_their_codes() {
    let opendj = OPENDJ.with_others();
    results::common_refusals(&opendj.directory);
    results::failed_assertion(&opendj.directory);
    results::unwilling(&opendj.directory);
}

#[test]
fn its_counters_agree_with_the_report() {
    counters::agree(&OPENDJ.alone().directory);
}

#[test]
fn users_come_back_after_a_restart() {
    losses::restart(&mut *OPENDJ.alone(), Duration::from_secs(20));
}
