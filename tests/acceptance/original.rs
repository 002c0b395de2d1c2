//! Jobs of the original LoadGen, as they lie in the field.

use crate::support::platform::Platform;
use crate::support::{Answer, Folder, Report, Server, golden, original};

/// The head of the original's table, letter by letter.
pub(crate) const HEADER: &str = "Operation                          TxTotal  AccmTime  Thrshold    TxPass  PassTime   TxExced  \
                      ExcdTime    TxFail  Failtime    CbdPsOps     ThrdOps      Avrms/op   Success    Exceed      Fail";

/// A journey of three tasks and a sleep, in two threads with three iterations each.
fn journey(target: &str) -> Folder {
    let folder = original(
        target,
        2,
        3,
        &[
            ("authenticate", 5_000, "/unused"),
            ("think", 20, "10"),
            ("validate", 5_000, "/unused"),
            ("authenticate", 5_000, "/unused"),
        ],
    );
    folder.write(
        "tasks/authenticate.json",
        r#"{ "name": "log in", "request": "POST",
             "header": { "X-OpenAM-Username": "user.$RANDOMVALUE", "X-OpenAM-Password": "password",
                         "Content-Type": "application/json" },
             "url-endpoint": "/openam/json/", "url-payload": "authenticate", "data-payload": {} }"#,
    );
    folder.write(
        "tasks/validate.json",
        r#"{ "name": "validate", "request": "POST", "header": { "Content-Type": "application/json" },
             "url-endpoint": "/openam/json/sessions/", "url-payload": "$TOKENID?_action=validate", "data-payload": {} }"#,
    );
    folder
}

#[test]
fn config_runs_a_job_and_prints_the_originals_table() {
    for option in ["--config", "-c"] {
        let platform = Platform::start(&[]);
        let folder = journey(&platform.url());
        let done = folder.command([option, "jobs/job.json", "-o", "json=report.json"]).run();
        assert_eq!(done.code, 0, "{done:?}");
        assert!(done.stdout.lines().any(|line| line == HEADER), "{}", done.stdout);
        let loads = done.stdout.lines().find(|line| line.contains("Percent load")).unwrap();
        assert_eq!(loads.trim(), "Workload: work with 6 loops; Percent load = 100.00%");
        let used: Vec<&str> =
            done.stdout.lines().skip_while(|line| !line.contains("Tasks used:")).skip(1).take(4).collect();
        let used: Vec<&str> = used.into_iter().map(str::trim).collect();
        assert_eq!(used, ["authenticate", "sleep", "validate", "authenticate"]);
        let row = done.stdout.lines().find(|line| line.starts_with("authenticate ")).unwrap();
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!((cells[1], cells[3], cells[4]), ("12", "5000ms", "12"), "{row}");
        assert!(done.stdout.contains("Total sleep sec =       0.180"), "{}", done.stdout);
        let report = Report::parse(&folder.read("report.json"));
        assert_eq!(report.outcomes(), [18, 18, 0, 0, 0]);
        let counts = platform.counts();
        assert_eq!(counts.operation("authenticate").answered, 12);
        assert_eq!(counts.operation("validate").answered, 6);
    }
}

#[test]
fn the_variables_of_the_original() {
    let server = Server::start(|_| Answer::ok("{\"tokenId\":\"AQ.IC5*\"}"));
    let folder = original(
        &server.url(),
        1,
        2,
        &[("first", 5_000, "/$THREADID/$RANDOMVALUE"), ("second", 5_000, "/x")],
    );
    folder.write(
        "tasks/second.json",
        r#"{ "request": "PUT", "header": { "iPlanetDirectoryPro": "tokenId", "X-Same": "$RANDOMVALUE" },
             "url-endpoint": "/$INCREMENT/", "url-payload": "$TOKENID", "data-payload": "<a>$INCREMENT</a>" }"#,
    );
    let done = folder.command(["run", "jobs/job.json", "--quiet"]).run();
    assert_eq!(done.code, 0, "{done:?}");
    let requests = server.requests();
    for (iteration, pair) in requests.chunks(2).enumerate() {
        let [first, second] = pair else { panic!("{requests:?}") };
        let random = first.path().strip_prefix("/0/").unwrap();
        assert!((0..=10).contains(&random.parse::<u64>().unwrap()), "{random}");
        assert_eq!(second.header("X-Same"), Some(random), "drawn once an iteration");
        assert_eq!(second.header("iPlanetDirectoryPro"), Some("AQ.IC5*"));
        assert_eq!(second.path(), format!("/{iteration}/AQ.IC5*"));
        assert_eq!(second.body(), format!("<a>{iteration}</a>"));
    }
    assert_eq!(requests.len(), 4);
}

#[test]
fn workloads_with_no_iterations_need_no_files() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = original(&server.url(), 1, 2, &[("first", 5_000, "/a")]);
    let text = folder.read("jobs/job.json").replace(r#"{"work": 2}"#, r#"{"work": 2}, {"not-there": 0}"#);
    folder.write("jobs/job.json", text);
    assert_eq!(folder.command(["run", "jobs/job.json", "--quiet"]).run().code, 0);
    assert_eq!(server.paths(), ["/a"; 2]);
}

#[test]
fn the_folders_are_found_from_anywhere() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = original(&server.url(), 1, 1, &[("first", 5_000, "/a")]);
    let job = folder.path().join("jobs/job.json");
    let job = job.to_str().unwrap();
    let elsewhere = Folder::new();
    let home = folder.path().to_str().unwrap();
    assert_eq!(elsewhere.command(["run", job, "--quiet"]).run().code, 0, "the folder above the job's");
    elsewhere.write("job.json", folder.read("jobs/job.json"));
    assert_eq!(elsewhere.command(["run", "job.json", "--quiet"]).run().code, 104, "nowhere");
    assert_eq!(elsewhere.command(["run", "job.json", "--quiet", "--home", home]).run().code, 0, "--home");
    let done = elsewhere.command(["run", "job.json", "--quiet"]).env("LOADGEN_HOME", home).run();
    assert_eq!(done.code, 0, "LOADGEN_HOME: {done:?}");
    assert_eq!(server.paths(), ["/a"; 3]);
}

#[test]
fn an_unknown_variable_is_a_problem_and_not_sent() {
    let folder = original("http://am.example.com", 1, 1, &[("first", 5_000, "/users/$RANDOMVALU")]);
    let done = folder.command(["check", "jobs/job.json"]).run();
    golden::check(
        "original-unknown-variable",
        &done.golden(),
        &[(folder.path().to_str().unwrap(), "FOLDER")],
    );
}

#[test]
fn a_password_with_a_dollar_is_text() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = original(&server.url(), 1, 1, &[("first", 5_000, "/a")]);
    let task = r#"{ "request": "GET", "header": { "X-Password": "AbcD-0123$" }, "url-endpoint": "/a", "url-payload": "" }"#;
    folder.write("tasks/first.json", task);
    assert_eq!(folder.command(["run", "jobs/job.json", "--quiet"]).run().code, 0);
    assert_eq!(server.requests()[0].header("X-Password"), Some("AbcD-0123$"));
}

#[test]
fn the_remainder_of_an_interleaving_is_not_lost() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = original(&server.url(), 1, 5, &[("first", 5_000, "/a")]);
    let text = folder.read("jobs/job.json").replace(r#"{"work": 5}"#, r#"{"work": 5}, {"other": 2}"#);
    folder.write("jobs/job.json", text);
    folder.write("workloads/other.json", r#"{ "tasks": [ {"second": 5000} ] }"#);
    folder.write("tasks/second.json", r#"{ "request": "GET", "url-endpoint": "/b", "url-payload": "" }"#);
    assert_eq!(folder.command(["run", "jobs/job.json", "--quiet"]).run().code, 0);
    assert_eq!(server.paths().concat(), "/a/a/b/a/a/a/b");
}

#[test]
fn what_a_workload_persists_stays_until_a_response_replaces_it() {
    let platform = Platform::start(&[]);
    let folder = journey(&platform.url());
    folder.write(
        "workloads/work.json",
        r#"{ "name": "work", "persist": ["tokenId"],
             "tasks": [ {"authenticate": 5000}, {"validate": 5000}, {"validate": 5000}, {"validate": 5000} ] }"#,
    );
    let done = folder.command(["run", "jobs/job.json", "-q", "-o", "json=report.json"]).run();
    assert_eq!(Report::parse(&folder.read("report.json")).outcomes(), [24, 24, 0, 0, 0], "{done:?}");
    assert_eq!(platform.counts().operation("validate").answered, 18);
}
