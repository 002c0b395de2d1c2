//! Whatever stands in a file, there is an answer.

use crate::memory::Memory;
use loadgen_model::format::{Options, duration};
use proptest::prelude::*;
use std::path::Path;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).unwrap()
}

fn mutated(text: &str, cuts: &[(prop::sample::Index, String)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, insert) in cuts {
        let at = place.index(text.len() + 1);
        let end = (at + insert.chars().count() * 2).min(text.len());
        text.splice(at..end, insert.chars());
    }
    text.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..200), json in any::<bool>()) {
        let name = if json { "job.json" } else { "job.yaml" };
        let _ = Memory::with(name, bytes).load(name, &Options::default());
    }

    #[test]
    fn any_text_that_looks_like_a_job_gets_an_answer(text in "loadgen: 1\n([a-z]{1,8}: ?[\\[\\]{}$&*!|>'\"a-z0-9:, \n-]{0,30}\n){0,8}") {
        let _ = Memory::with("job.yaml", text).load("job.yaml", &Options::default());
    }

    #[test]
    fn damaged_examples_get_an_answer(
        which in prop::sample::select(vec!["am-login.yaml", "opendj-mix.yaml", "whydah.yaml", "crowd-hammer.yaml"]),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}$:,'\" a-z0-9\n-]{0,4}"), 1..4),
    ) {
        if let Err(problems) = Memory::with("job.yaml", mutated(&example(which), &cuts)).load("job.yaml", &Options::default()) {
            prop_assert!(!problems.is_empty());
        }
    }

    #[test]
    fn a_damaged_original_gets_an_answer(cuts in prop::collection::vec((any::<prop::sample::Index>(), "[\\[\\]{}$:,'\" a-z0-9-]{0,4}"), 1..4)) {
        let task = mutated(&example("original/tasks/patch-opendj-user-object.json"), &cuts);
        let job = r#"{"service-location-port":"http://a","threads":1,"upperbounds":5,"workloads":[{"w":1}]}"#;
        let world = Memory::with("jobs/job.json", job)
            .and("workloads/w.json", r#"{"tasks":[{"t":100}]}"#)
            .and("tasks/t.json", task);
        let _ = world.load("jobs/job.json", &Options::default());
    }

    /// What `--explain` prints of a time can be typed again.
    #[test]
    fn a_length_of_time_that_is_shown_reads_back(nanos in prop_oneof![0..5_000_u64, 0..90_000_000_000_u64, 0..10_000_000_000_000_000_u64]) {
        let nanos = nanos.max(1);
        let job = format!("loadgen: 1\ntarget: http://a\nload: {{ iterations: 1 }}\n\
            workloads: {{ w: {{ steps: [{{ task: t }}] }} }}\ntasks: {{ t: {{ url: /, timeout: {nanos}ns }} }}\n");
        let loaded = Memory::with("job.yaml", job).load("job.yaml", &Options::default()).unwrap();
        let explained = loaded.explanation.to_string();
        let shown = explained.lines().find_map(|line| line.trim().strip_prefix("timeout")).unwrap();
        let shown = shown.trim().split_once(' ').unwrap().0;
        prop_assert_eq!(duration(shown).unwrap().as_nanos(), u128::from(nanos));
    }

    /// Text without a `$` stands in a JSON body as itself, whatever it holds; `$$` is a dollar.
    #[test]
    fn text_of_a_body_is_sent_as_it_is(text in "[^$]{0,30}") {
        let job = serde_json::json!({
            "loadgen": 1, "target": "http://a", "load": { "iterations": 1 },
            "workloads": { "w": { "steps": [{ "task": "t" }] } },
            "tasks": { "t": { "url": "/", "json": { "a": text, "b": "5$$" } } },
        });
        let loaded = Memory::with("job.json", job.to_string()).load("job.json", &Options::default()).unwrap();
        let body = loaded.plan.requests[0].body.as_ref().unwrap().constant().unwrap();
        let sent: serde_json::Value = serde_json::from_slice(body).unwrap();
        prop_assert_eq!(sent, serde_json::json!({ "a": text, "b": "5$" }));
    }

    #[test]
    fn a_length_of_time_is_the_sum_of_its_parts(hours in 0_u64..50, minutes in 0_u64..200, millis in 0_u64..100_000) {
        let text = format!("{hours}h{minutes}m{millis}ms");
        let total = std::time::Duration::from_millis((hours * 60 + minutes) * 60_000 + millis);
        prop_assert_eq!(duration(&text).unwrap(), total);
    }
}

#[test]
fn a_length_of_time_without_a_unit_is_none() {
    for text in ["", "10", "ms", "10 msec", "-1s", "1e3s", "10sm", "٣s"] {
        assert!(duration(text).is_err(), "{text}");
    }
}
