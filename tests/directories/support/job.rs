//! Jobs of one directory.

use super::command::{Outcome, run_job};
use super::directory::Directory;

/// One user runs these tasks, in the order of the names, so many times.
pub(crate) fn tasks(directory: &str, iterations: u64, names: &[&str], rest: &str) -> Outcome {
    run_job(&job(directory, &format!("users: 1, iterations: {iterations}"), names, rest))
}

/// The job of these tasks under a load.
pub(crate) fn job(directory: &str, load: &str, names: &[&str], rest: &str) -> String {
    let steps: Vec<String> = names.iter().map(|name| format!("{{ task: {name} }}")).collect();
    format!(
        "loadgen: 1\ndirectory: {directory}\nload: {{ {load} }}\n\
         variables: {{ PEOPLE: \"ou=people,dc=example,dc=com\" }}\n\
         workloads: {{ w: {{ steps: [{}] }} }}\ntasks:\n{rest}",
        steps.join(", ")
    )
}

/// The task in which the manager binds.
pub(crate) fn bind(directory: &Directory) -> String {
    format!("  bind: {{ ldap: bind, dn: \"{}\", password: password }}\n", directory.manager)
}

/// Everything that was asked was answered as it should be.
#[track_caller]
pub(crate) fn assert_passed(outcome: &Outcome) {
    let [requests, passed, ..] = outcome.report.outcomes();
    let said = &outcome.done;
    assert!(requests > 0 && requests == passed, "{}{}", said.stdout, said.stderr);
}
