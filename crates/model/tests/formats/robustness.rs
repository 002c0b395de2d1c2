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
