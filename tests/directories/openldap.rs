//! OpenLDAP's slapd: knows the control of RFC 4528 and no authorization identities, has a local socket.

use crate::questions::{controls, counters, losses, operations, results, security};
use crate::support::directory::Server;
use crate::support::job::{assert_passed, tasks};
use crate::support::openldap::{CERTIFIED, OpenLdap};
use std::time::Duration;

#[test]
fn every_operation_is_understood() {
    operations::every_operation(&OpenLdap::start().directory, "");
}

#[test]
fn controls_do_what_they_say() {
    let slapd = OpenLdap::start();
    controls::assertion(&slapd.directory);
    controls::reads(&slapd.directory);
    controls::pages(&slapd.directory);
    controls::sort(&slapd.directory, ":caseIgnoreOrderingMatch");
    controls::proxied_authorization(&slapd.directory);
    controls::password_policy(&slapd.directory);
    controls::manage_dsa_it(&slapd.directory);
}

#[test]
fn connections_are_secured() {
    let slapd = OpenLdap::start();
    security::tls(&slapd.directory);
    security::unknown_certificate(&slapd.directory);
    security::plain(&slapd.directory);
}

#[test]
fn a_certificate_says_who_the_user_is() {
    let slapd = OpenLdap::start();
    let (url, tls) = (&slapd.directory.secure_url, slapd.certified_tls());
    security::changes_itself(url, &tls, "sasl: { mechanism: EXTERNAL }", CERTIFIED);
}

#[test]
fn the_local_socket_knows_its_peer() {
    let slapd = OpenLdap::start();
    let rest = format!(
        r#"
  bind: {{ ldap: bind, sasl: {{ mechanism: EXTERNAL }} }}
  whoami: {{ ldap: extended, whoami: on, capture: {{ ME: {{ value: true }} }} }}
  change: {{ ldap: modify, dn: "uid=user.2,$PEOPLE", changes: [{{ replace: description, value: $ME }}] }}
  changed: {{ ldap: compare, dn: "uid=user.2,$PEOPLE", attribute: description, value: "dn:{}", check: [{{ result: compareTrue }}] }}
"#,
        slapd.directory.manager
    );
    let names = ["bind", "whoami", "change", "changed"];
    assert_passed(&tasks(&slapd.local_url(), 2, &names, &rest));
}

#[test]
fn refusals_are_counted_by_their_codes() {
    let slapd = OpenLdap::start();
    results::common_refusals(&slapd.directory);
    results::failed_assertion(&slapd.directory);
    results::unwilling(&slapd.directory);
}

#[test]
fn its_counters_agree_with_the_report() {
    counters::agree(&OpenLdap::start().directory);
}

#[test]
fn users_come_back_after_a_restart() {
    losses::restart(&mut OpenLdap::start(), Duration::from_secs(4));
}

#[test]
fn users_come_back_after_a_reset() {
    losses::reset(OpenLdap::start().directory());
}

#[test]
fn a_run_ends_though_nothing_is_answered() {
    losses::hang(OpenLdap::start().directory());
}

#[test]
fn a_silence_costs_what_was_asked_in_it() {
    losses::silence(OpenLdap::start().directory());
}
