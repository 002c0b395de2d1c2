//! Secrets go to the target and nowhere else.

use crate::support::command::Done;
use crate::support::{Answer, Folder, Server, job};

const SECRET: &str = "S3cr3t-Pa55+w0rd";

/// The secret in every place where one can stand.
const JOB: &str = "
load: { users: 1, iterations: 2 }
variables: { ADMIN: { env: AM_ADMIN }, FROM_FILE: { file: secret.txt } }
auth: { basic: { user: amadmin, password: $ADMIN } }
workloads: { w: { steps: [{ task: login }, { task: find }] } }
tasks:
  login:
    method: POST
    url: /login
    headers: { X-Password: $ADMIN }
    json: { password: $FROM_FILE }
    capture: { TOKEN: { json: $.nothing } }
  find:
    url: /find?key=${ADMIN}
    headers: { X-Token: $TOKEN }
    check: [{ body: { contains: $ADMIN } }]
";

fn folder(target: &str) -> Folder {
    let folder = Folder::with_job(&job(target, JOB));
    folder.write("secret.txt", format!("{SECRET}\n"));
    folder
}

/// The secret as it is, and in the codings that it may have on its way.
fn assert_hidden(what: &str, text: &str) {
    let base64 = "YW1hZG1pbjpTM2NyM3QtUGE1NSt3MHJk";
    for form in [SECRET, "S3cr3t-Pa55%2Bw0rd", base64] {
        assert!(!text.contains(form), "{what} tells the secret: {text}");
    }
}

fn assert_done_hides(done: &Done) {
    assert_hidden("standard output", &done.stdout);
    assert_hidden("standard error", &done.stderr);
}

fn run(folder: &Folder) -> Done {
    let arguments = ["run", "job.yaml", "-o", "json=report.json", "-o", "csv=csv"];
    folder.command(arguments).env("AM_ADMIN", SECRET).run()
}

#[test]
fn a_secret_is_sent_and_not_shown() {
    let server = Server::start(|_| Answer::ok(&format!("{{\"nothing\":\"{SECRET}\"}}")));
    let folder = folder(&server.url());
    let done = run(&folder);
    assert_eq!(done.code, 0, "{done:?}");
    let login = &server.requests()[0];
    assert_eq!(login.header("X-Password"), Some(SECRET));
    assert_eq!(login.body(), format!("{{\"password\":\"{SECRET}\"}}"));
    assert_eq!(login.header("Authorization"), Some("Basic YW1hZG1pbjpTM2NyM3QtUGE1NSt3MHJk"));
    assert_done_hides(&done);
    assert_reports_hide(&folder);
}

#[test]
fn failures_do_not_show_it() {
    let server = Server::start(|request| match request.path() {
        "/login" => Answer::ok("{}"),
        _ => Answer::status(500, &[], SECRET.as_bytes()),
    });
    let folder = folder(&server.url());
    let done = run(&folder);
    assert!(done.stdout.contains("TOKEN"), "the failure is told: {}", done.stdout);
    assert_done_hides(&done);
    assert_reports_hide(&folder);
}

fn assert_reports_hide(folder: &Folder) {
    assert_hidden("the JSON report", &folder.read("report.json"));
    let tables: Vec<_> = std::fs::read_dir(folder.path().join("csv")).unwrap().map(Result::unwrap).collect();
    assert!(!tables.is_empty());
    for table in tables {
        assert_hidden("a CSV report", &std::fs::read_to_string(table.path()).unwrap());
    }
}

#[test]
fn the_explanation_does_not_show_it() {
    let folder = folder("http://am.example.com");
    let done = folder.command(["check", "job.yaml", "--explain"]).env("AM_ADMIN", SECRET).run();
    assert_eq!(done.code, 0, "{done:?}");
    assert!(done.stdout.contains("ADMIN"), "{}", done.stdout);
    assert_done_hides(&done);
}

#[test]
fn problems_of_the_job_do_not_show_it() {
    let folder = Folder::with_job(&job("$ADMIN", JOB));
    folder.write("secret.txt", SECRET);
    let done = folder.command(["check", "job.yaml"]).env("AM_ADMIN", SECRET).run();
    assert_eq!(done.code, 104, "{done:?}");
    assert_done_hides(&done);
}

#[test]
fn a_secret_that_is_not_set_is_a_problem_of_the_job() {
    let folder = folder("http://am.example.com");
    let done = folder.command(["check", "job.yaml"]).run();
    assert_eq!(done.code, 104, "{done:?}");
    assert!(done.stderr.contains("the environment variable `AM_ADMIN` is not set"), "{}", done.stderr);
}
