//! Task over workload over job, for each attribute that several levels can have.

use crate::memory::{Memory, plan};
use loadgen_model::Request;
use loadgen_model::format::Options;
use loadgen_model::request::{Connection, Http, Sharing, Url};
use std::time::Duration;

/// Requests of `task-level`, `workload-level` and `job-level`, in this order.
const JOB: &str = "
loadgen: 1
target: http://job.example.com
threshold: 100ms
timeout: 11s
connection: close
cookies: off
redirects: 1
headers: { A: job, B: job, C: job }
variables: { WHO: job }
load: { users: 1, iterations: 1 }
workloads:
  outer:
    target: http://workload.example.com:81
    threshold: 200ms
    timeout: 12s
    redirects: 2
    connection: keep-alive
    headers: { A: workload, B: workload }
    variables: { WHO: workload }
    steps: [{ task: own }, { task: plain }]
  other:
    steps: [{ task: plain }]
tasks:
  own:
    url: /$WHO
    target: https://task.example.com
    threshold: 300ms
    timeout: 13s
    redirects: off
    connection: iteration
    cookies: on
    headers: { A: task }
    variables: { WHO: task }
  plain: { url: /$WHO }
";

fn text(request: &Request, header: &str) -> String {
    let found = request.headers.iter().find(|(name, _)| name == header).unwrap();
    String::from_utf8(found.1.constant().unwrap().to_vec()).unwrap()
}

fn place(request: &Request) -> String {
    let Url::Fixed(origin, path) = &request.url else { panic!("the server is known") };
    format!("{origin}{}", String::from_utf8_lossy(path.constant().unwrap()))
}

#[test]
fn the_innermost_level_wins() {
    let plan = plan(JOB);
    let [own, workload, job] = plan.requests.as_slice() else { panic!("three requests") };
    let places = [own, workload, job].map(place);
    let expected = [
        "https://task.example.com/task",
        "http://workload.example.com:81/workload",
        "http://job.example.com/job",
    ];
    assert_eq!(places, expected);
    assert_eq!([own, workload, job].map(|request| request.timeout.as_secs()), [13, 12, 11]);
    assert_eq!([own, workload, job].map(|request| request.redirects), [0, 2, 1]);
    assert_eq!([own, workload, job].map(|request| request.cookies), [true, false, false]);
    let connections = [Connection::Iteration, Connection::KeepAlive, Connection::Close];
    assert_eq!([own, workload, job].map(|request| request.connection), connections);
    let thresholds: Vec<u64> =
        plan.rows.iter().map(|row| row.threshold.unwrap().as_millis() as u64).collect();
    assert_eq!(thresholds, [300, 200, 100]);
}

#[test]
fn headers_of_all_levels_are_sent_together() {
    let plan = plan(JOB);
    let values = |index: usize| ["A", "B", "C"].map(|name| text(&plan.requests[index], name));
    assert_eq!(values(0), ["task", "workload", "job"]);
    assert_eq!(values(1), ["workload", "workload", "job"]);
    assert_eq!(values(2), ["job", "job", "job"]);
}

#[test]
fn a_step_and_the_command_line_come_before_all_files() {
    let options = Options { target: Some("http://[::1]:8080/am".to_owned()), ..Options::default() };
    let job = JOB.replace("{ task: plain }]\n  other", "{ task: plain, threshold: 7ms }]\n  other");
    let loaded = Memory::with("job.yaml", job).load("job.yaml", &options).unwrap();
    assert!(loaded.plan.requests.iter().all(|request| place(request).starts_with("http://[::1]:8080/am/")));
    assert_eq!(loaded.plan.rows[1].threshold, Some(Duration::from_millis(7)));
}

#[test]
fn a_timeout_that_nobody_sets_is_half_a_minute_or_four_thresholds() {
    let job = |threshold: &str| {
        format!(
            "loadgen: 1\ntarget: http://a\nload: {{ users: 1, iterations: 1 }}\n\
             workloads: {{ w: {{ steps: [{{ task: t, threshold: {threshold} }}] }} }}\ntasks: {{ t: {{ url: / }} }}\n"
        )
    };
    assert_eq!(plan(&job("200ms")).requests[0].timeout, Duration::from_secs(30));
    assert_eq!(plan(&job("20s")).requests[0].timeout, Duration::from_secs(80));
}

#[test]
fn credentials_and_tls_of_the_innermost_level_are_used() {
    let job = JOB
        .replace("cookies: off\n", "cookies: off\nauth: { bearer: job }\ntls: { insecure: true }\n")
        .replace("    redirects: 2\n", "    redirects: 2\n    auth: { basic: { user: w, password: w } }\n")
        .replace("    redirects: off\n", "    auth: { bearer: $WHO }\n    tls: { server_name: am }\n");
    let plan = plan(&job);
    let sent: Vec<_> = plan.requests.iter().map(|request| text(request, "Authorization")).collect();
    assert_eq!(sent, ["Bearer task", "Basic dzp3", "Bearer job"]);
    let tls = |index: usize| &plan.transports[usize::from(plan.requests[index].transport.0)].tls;
    let names: Vec<_> = (0..3).map(|index| tls(index).server_name.as_deref()).collect();
    assert_eq!(names, [Some("am"), None, None]);
    assert_eq!((0..3).map(|index| tls(index).insecure).collect::<Vec<_>>(), [false, true, true]);
}

#[test]
fn a_step_comes_before_its_task() {
    let step = "{ task: own, target: http://step.example.com, timeout: 14s, redirects: 4, headers: { A: step }, variables: { WHO: step } }";
    let plan = plan(&JOB.replace("{ task: own }", step));
    let own = &plan.requests[0];
    assert_eq!(place(own), "http://step.example.com/step");
    assert_eq!((own.timeout.as_secs(), own.redirects, text(own, "A").as_str()), (14, 4, "step"));
    assert_eq!(own.connection, Connection::Iteration, "what the step does not say is the task's");
}

#[test]
fn version_and_connections_are_those_of_the_innermost_level() {
    let job = JOB
        .replace("connection: close", "http: auto")
        .replace("connection: keep-alive", "http: 2\n    connections: { shared: 3 }")
        .replace("connection: iteration", "http: 1.1\n    connections: { shared: 7 }");
    let plan = plan(&job);
    let transports: Vec<_> =
        plan.requests.iter().map(|request| &plan.transports[usize::from(request.transport.0)]).collect();
    let versions: Vec<_> = transports.iter().map(|transport| transport.http).collect();
    assert_eq!(versions, [Http::One, Http::Two, Http::Auto]);
    let shared = |connections, streams| Some(Sharing { connections, streams });
    let sharing: Vec<_> = transports.iter().map(|transport| transport.sharing).collect();
    assert_eq!(sharing, [shared(7, 1), shared(3, 100), None]);
    assert_eq!(plan.most_threads(), Some(3), "each thread has a connection");
}
