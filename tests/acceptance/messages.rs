//! What the command says when it is used wrongly, letter by letter.

use crate::support::{Folder, Server, command, golden, one_task};

/// Runs it in an empty folder and compares what it says.
fn says(name: &str, arguments: &[&str]) {
    golden::check(name, &Folder::new().command(arguments).run().golden(), &[]);
}

/// Runs a job and compares what it says; `files` lie beside it.
fn says_of_job(name: &str, job: &str, files: &[(&str, &str)]) {
    let folder = Folder::with_job(job);
    for (file, content) in files {
        folder.write(file, content);
    }
    let run = folder.command(["run", "job.yaml"]).run();
    golden::check(name, &run.golden(), &[]);
    let check = folder.command(["check", "job.yaml"]).run();
    assert_eq!(check.golden(), run.golden(), "`check` finds what `run` finds");
}

#[test]
fn no_arguments() {
    says("usage-none", &[]);
}

#[test]
fn an_unknown_command() {
    says("usage-command", &["rnu", "job.yaml"]);
}

#[test]
fn an_unknown_option() {
    says("usage-option", &["run", "job.yaml", "--thraeds", "2"]);
}

#[test]
fn a_missing_job() {
    says("usage-job", &["run"]);
}

#[test]
fn options_that_exclude_each_other() {
    says("usage-conflict", &["run", "job.yaml", "--simulate", "--target", "http://am.example.com"]);
}

#[test]
fn a_bad_behaviour_of_the_platform() {
    says("usage-behavior", &["run", "job.yaml", "--simulate", "--behavior", "authenticate=quick"]);
}

#[test]
fn help() {
    says("help", &["help"]);
    says("help-run", &["help", "run"]);
    says("help-exit-codes", &["help", "exit-codes"]);
    says("help-unknown", &["help", "exitcodes"]);
    let version = command(["--version"]).run();
    assert_eq!(
        (version.code, version.stdout.as_str()),
        (0, concat!("loadgen ", env!("CARGO_PKG_VERSION"), "\n"))
    );
    let long = |arguments: &[&str]| command(arguments).run().stdout;
    assert_eq!(long(&["help", "run"]), long(&["run", "--help"]));
}

#[test]
fn a_job_that_is_not_there() {
    says("job-missing", &["run", "missing.yaml"]);
}

#[test]
fn a_job_that_is_not_yaml() {
    says_of_job("job-yaml", "loadgen: 1\nload: { users: 1, iterations: 1\nworkloads:\n", &[]);
}

#[test]
fn a_job_that_is_empty() {
    says_of_job("job-empty", "\n", &[]);
}

#[test]
fn a_job_without_its_version() {
    says_of_job("job-version", "target: http://am.example.com\n", &[]);
}

#[test]
fn a_key_that_is_not_known() {
    let job = one_task("http://am.example.com", 1, "{ url: /, haeders: { A: b } }");
    says_of_job("job-key", &job, &[]);
}

#[test]
fn a_length_of_time_with_a_wrong_unit() {
    let job = one_task("http://am.example.com", 1, "{ url: /, threshold: 200 msec }");
    says_of_job("job-time", &job, &[]);
}

#[test]
fn nothing_to_do() {
    says_of_job("job-zero", &one_task("http://am.example.com", 0, "{ url: / }"), &[]);
}

#[test]
fn includes_in_a_circle() {
    let job = one_task("http://am.example.com", 1, "{ url: / }") + "include: [a.yaml]\n";
    says_of_job("job-circle", &job, &[("a.yaml", "include: [b.yaml]\n"), ("b.yaml", "include: [a.yaml]\n")]);
}

#[test]
fn all_problems_at_once() {
    let job = "loadgen: 1
target: http://am.example.com
timeout: soon
load: { users: 0, iterations: 1 }
workloads: { login: { steps: [{ task: autenticate }, { task: find }] } }
tasks:
  authenticate: { method: POST, url: /login }
  find: { url: \"/users/$USR\", threshold: 0.2 }
wildcards: { USER: { random: [9, 0] } }
";
    says_of_job("job-many", job, &[]);
}

#[test]
fn a_problem_in_an_included_file_names_that_file() {
    let job = "loadgen: 1
target: http://am.example.com
include: [tasks.yaml]
load: { users: 1, iterations: 1 }
workloads: { w: { steps: [{ task: t }] } }
";
    says_of_job("job-included", job, &[("tasks.yaml", "tasks:\n  t:\n    url: /a\n    chekc: []\n")]);
}

#[test]
fn a_load_by_users_and_by_the_clock() {
    let job =
        one_task("http://am.example.com", 1, "{ url: / }").replace("users: 1, ", "users: 1, rate: 250/s, ");
    says_of_job("job-rate", &job, &[]);
}

#[test]
fn the_effective_plan_of_a_load_by_the_clock() {
    let load = "stages: [{ to: 500/s, over: 1m }, { hold: 10m }, { to: 0/s, over: 30s }], warm_up: 30s";
    let job = one_task("http://am.example.com", 1, "{ url: / }").replace("users: 1, iterations: 1", load);
    assert!(job.contains("stages"), "{job}");
    let folder = Folder::with_job(&job);
    golden::check("explain-open", &folder.command(["check", "job.yaml", "--explain"]).run().golden(), &[]);
}

#[test]
fn a_value_set_from_outside_that_is_wrong() {
    let folder = Folder::with_job(&one_task("http://am.example.com", 1, "{ url: / }"));
    let done = folder.command(["check", "job.yaml", "--set", "load.users=many", "--set", "timeout"]).run();
    golden::check("job-set", &done.golden(), &[]);
}

#[test]
fn outputs_of_an_unknown_kind() {
    says("output-kind", &["run", "job.yaml", "-o", "jsno=report.json", "-o", "html=page", "-o", "json"]);
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_run() {
    // `/proc` takes no files, whoever asks.
    let server = Server::start(|_| crate::support::Answer::ok("{}"));
    let folder = Folder::with_job(&one_task(&server.url(), 1, "{ url: / }"));
    for place in ["json=/proc/report.json", "json=no/such/folder/report.json", "json=.", "csv=job.yaml"] {
        let done = folder.command(["run", "job.yaml", "-o", place]).run();
        assert_eq!(done.code, 2, "{place}: {done:?}");
        assert_eq!(done.stdout, "", "{place}");
        let (_, path) = place.split_once('=').unwrap();
        assert!(done.stderr.starts_with(&format!("error: cannot write {path}")), "{place}: {}", done.stderr);
        assert_eq!(done.stderr.lines().count(), 1, "{place}: {}", done.stderr);
    }
    assert_eq!(server.requests().len(), 0);
}

#[test]
fn a_report_that_cannot_be_written_does_not_take_the_results_away() {
    let server = Server::start(|_| crate::support::Answer::ok("{}"));
    let folder = Folder::with_job(&one_task(&server.url(), 2, "{ url: / }"));
    let done = folder.command(["run", "job.yaml", "--quiet", "-o", "json=/dev/full"]).run();
    assert_eq!(done.code, 1, "{done:?}");
    assert!(done.stdout.starts_with("VERDICT"), "{}", done.stdout);
    assert!(done.stderr.contains("/dev/full") && done.stderr.contains("No space left"), "{}", done.stderr);
}

#[test]
fn a_missed_objective_counts_more_than_a_report_that_cannot_be_written() {
    let server = Server::start(|_| crate::support::Answer::status(500, &[], b""));
    let folder = Folder::with_job(&one_task(&server.url(), 2, "{ url: / }"));
    let done = folder.command(["run", "job.yaml", "--quiet", "-o", "json=/dev/full"]).run();
    assert_eq!(done.code, 99, "{done:?}");
}

#[test]
fn the_effective_plan() {
    let job = "loadgen: 1
name: login and verify
environment: { target: 4 cores, generator: same host }
target: http://am.example.com:8080
seed: 42
wildcards: { USER: { random: [0, 9999] } }
variables: { REALM: /json/realms/root, ADMIN_PASSWORD: hunter2 }
headers: { Accept-API-Version: resource=2.0 }
load: { users: 32, ramp: { group: 8, every: 5s }, iterations: 100 }
workloads:
  login:
    weight: 3
    timeout: 10s
    steps:
      - { task: authenticate, threshold: 200ms }
      - sleep: { uniform: [5s, 15s] }
      - repeat: 10
        steps: [{ task: verify }]
  browse: { weight: 1, steps: [{ task: verify }] }
tasks:
  authenticate:
    method: POST
    url: $REALM/authenticate
    headers: { X-OpenAM-Username: user.$USER, X-OpenAM-Password: $ADMIN_PASSWORD }
    json: {}
    capture: { TOKEN: { json: $.tokenId, scope: user } }
    check: [{ status: 200 }, { json: $.tokenId }]
  verify: { method: POST, url: \"/json/sessions/${TOKEN}?_action=validate\", threshold: 50ms }
slo:
  - { task: authenticate, p99: 200ms, errors: 0.1% }
  - { total: rate, at_least: 250/s }
";
    let folder = Folder::with_job(job);
    golden::check("explain", &folder.command(["check", "job.yaml", "--explain"]).run().golden(), &[]);
    let more =
        ["check", "job.yaml", "--explain", "--target", "http://other.example.com", "--set", "load.users=2"];
    let changed = folder.command(more).run();
    assert!(
        changed.stdout.contains("target      http://other.example.com  [command line]"),
        "{}",
        changed.stdout
    );
    assert!(changed.stdout.contains("  2 users"), "{}", changed.stdout);
}
