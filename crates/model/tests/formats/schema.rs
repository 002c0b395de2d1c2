//! The published schema takes what the program takes, and refuses what a schema can refuse.

use crate::memory::Memory;
use jsonschema::Validator;
use loadgen_model::format::{Options, schema};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).unwrap()
}

fn native_examples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut yaml: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "yaml")).collect();
    yaml.sort();
    let read = |path: &Path| (path.display().to_string(), std::fs::read_to_string(path).unwrap());
    yaml.iter().map(|path| read(path)).collect()
}

#[test]
fn every_example_is_right_and_fits_the_schema() {
    let (validator, examples) = (validator(), native_examples());
    assert!(examples.len() >= 4, "the examples are there");
    for (name, text) in examples {
        let loaded = Memory::with("job.yaml", text.as_str()).load("job.yaml", &Options::default());
        assert!(loaded.is_ok_and(|loaded| loaded.warnings.is_empty()), "{name} has problems");
        let errors: Vec<_> =
            validator.iter_errors(&crate::yaml::value(&text)).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
    }
}

/// Jobs of the corpus whose mistake is one of structure: a schema knows neither files nor names nor syntax.
const STRUCTURAL: [&str; 22] = [
    "bad-status",
    "bad-steps",
    "bare-end",
    "bare-objective",
    "bare-sleep",
    "broken-wildcard",
    "misspelt-capture",
    "misspelt-end",
    "misspelt-load",
    "misspelt-steps",
    "misspelt-tasks",
    "misspelt-url",
    "negative-time",
    "negative-users",
    "negative-weight",
    "no-version",
    "open-load",
    "ramp-without-every",
    "threshold-msec",
    "weight-and-iterations",
    "wrong-key",
    "wrong-type",
];

#[test]
fn mistakes_of_structure_are_refused_by_the_schema_too() {
    let validator = validator();
    for name in STRUCTURAL {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/formats/wrong/{name}.yaml"));
        let job = crate::yaml::value(&std::fs::read_to_string(path).unwrap());
        assert!(!validator.is_valid(&job), "the schema takes {name}");
    }
}

#[test]
fn the_schema_says_what_keys_are_for() {
    let schema = schema();
    let described = |value: &Value| value["description"].as_str().is_some_and(|text| !text.is_empty());
    for (name, record) in schema["$defs"].as_object().unwrap() {
        assert!(described(record), "{name} has no description");
        for (key, property) in record["properties"].as_object().unwrap() {
            // `true` stands for any value and has no room for one.
            assert!(*property == json!(true) || described(property), "{name}.{key} has no description");
        }
    }
}
