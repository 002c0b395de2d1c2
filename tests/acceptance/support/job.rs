//! The jobs that many tests need.

use super::command::Folder;

/// A native job: what every one begins with, then the test's own part.
pub(crate) fn job(target: &str, rest: &str) -> String {
    format!("loadgen: 1\ntarget: {target}\n{rest}")
}

/// One user runs one task so many times.
pub(crate) fn one_task(target: &str, iterations: u64, task: &str) -> String {
    let load = format!("load: {{ users: 1, iterations: {iterations} }}\n");
    let rest = format!("{load}workloads: {{ w: {{ steps: [{{ task: t }}] }} }}\ntasks:\n  t: {task}\n");
    job(target, &rest)
}

/// A job of the original LoadGen in the files of a folder: one workload `work`, its tasks with their
/// thresholds in ms and their paths. A path that is a number is a sleep of so many ms.
pub(crate) fn original(target: &str, threads: u64, iterations: u64, tasks: &[(&str, u64, &str)]) -> Folder {
    let folder = Folder::new();
    let job = format!(
        r#"{{ "name": "original", "service-environment": "a test", "load-generator": "a test",
           "service-location-port": "{target}", "threads": {threads}, "threadgroupsize": 0,
           "threadinterval": 0, "upperbounds": 10, "workloads": [ {{"work": {iterations}}} ] }}"#
    );
    folder.write("jobs/job.json", job);
    let steps: Vec<String> =
        tasks.iter().map(|(name, limit, _)| format!(r#"{{"{name}": {limit}}}"#)).collect();
    let workload = format!(r#"{{ "name": "work", "tasks": [ {} ] }}"#, steps.join(", "));
    folder.write("workloads/work.json", workload);
    for (name, _, path) in tasks {
        let is_sleep = path.parse::<u64>().is_ok();
        let (endpoint, payload) = if is_sleep { ("$SLEEP", *path) } else { (*path, "") };
        let task = format!(
            r#"{{ "name": "{name}", "request": "GET", "url-endpoint": "{endpoint}", "url-payload": "{payload}" }}"#
        );
        folder.write(&format!("tasks/{name}.json"), task);
    }
    folder
}
