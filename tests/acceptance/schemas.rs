//! The schemas that editors and scripts rely on, and what must fit them.

use crate::support::{Answer, Server, command, job, one_task, run_job, yaml};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn schema(of: &str) -> Value {
    let done = command(["schema", of]).run();
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    serde_json::from_str(&done.stdout).unwrap()
}

fn assert_fits(what: &str, schema: &Value, value: &Value) {
    let validator = jsonschema::validator_for(schema).unwrap();
    let problems: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(problems.is_empty(), "{what}: {problems:#?}");
}

/// The job files of the examples, the original's aside.
pub(crate) fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut jobs: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ending| ending == "yaml")).collect();
    jobs.sort();
    jobs
}

#[test]
fn both_are_json_schemas_of_2020_12() {
    for of in ["job", "report"] {
        let schema = schema(of);
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema", "{of}");
        if let Err(error) = jsonschema::meta::validate(&schema) {
            panic!("{of}: {error}");
        }
    }
}

#[test]
fn the_examples_fit_the_schema_of_jobs() {
    let (schema, examples) = (schema("job"), examples());
    assert!(examples.len() >= 4, "{examples:?}");
    for example in examples {
        let text = std::fs::read_to_string(&example).unwrap();
        assert_fits(&example.display().to_string(), &schema, &yaml::to_json(&text));
    }
}

#[test]
fn what_the_command_refuses_does_not_fit() {
    let validator = jsonschema::validator_for(&schema("job")).unwrap();
    let good = one_task("http://am.example.com", 1, "{ url: /, threshold: 20ms }");
    assert!(validator.is_valid(&yaml::to_json(&good)), "{good}");
    for (right, wrong) in [
        ("loadgen: 1", "loadgen: one"),
        ("iterations: 1", "iterations: -1"),
        ("iterations", "iteratons"),
        ("20ms", "20 msec"),
        ("20ms", "20"),
        ("url: /", "uri: /"),
        ("task: t", "tsk: t"),
        ("threshold", "auth: { basic: { user: a } }, threshold"),
    ] {
        let bad = good.replace(right, wrong);
        assert_ne!(good, bad);
        assert!(!validator.is_valid(&yaml::to_json(&bad)), "{bad}");
        let done = crate::support::Folder::with_job(&bad).command(["check", "job.yaml"]).run();
        assert_eq!(done.code, 104, "{bad}: {done:?}");
    }
}

#[test]
fn reports_fit_their_schema() {
    let schema = schema("report");
    let server = Server::start(|request| match request.index % 3 {
        0 => Answer::status(503, &[], b""),
        _ => Answer::ok("{}"),
    });
    let text = "
load: { users: 2, iterations: 5, ramp: { group: 1, every: 10ms } }
setup: [{ workload: before }]
workloads:
  before: { steps: [{ task: fine }] }
  w: { steps: [{ task: t, threshold: 1s }, { sleep: 1ms }, { task: t }] }
tasks: { t: { url: /, headers: { A: \"1\" } }, fine: { url: /, check: [{ status: [200, 503] }] } }
slo: [{ task: t, p99: 1ms, errors: 1%, exceeded: 1% }, { total: rate, at_least: 1/s }]
";
    let outcome = run_job(&job(&server.url(), text));
    assert!(outcome.report.outcomes()[3] > 0, "{outcome:?}");
    assert_fits("a report with failures", &schema, &outcome.report.0);
    let nothing = run_job(&one_task(&server.url(), 1, "{ url: / }"));
    assert_fits("a small report", &schema, &nothing.report.0);
    let mut broken = nothing.report.0;
    broken["totals"]["requests"] = json!("many");
    assert!(!jsonschema::validator_for(&schema).unwrap().is_valid(&broken));
}
