//! What is said of wrong jobs: a golden text beside each. `BLESS=1` writes them anew.

use crate::memory::{Memory, lines};
use loadgen_model::format::Options;
use std::path::{Path, PathBuf};

/// The jobs are in this folder; what is said of `name.yaml` is in `name.txt`.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats/wrong")
}

/// What lies around the wrong jobs.
fn surroundings() -> Memory {
    Memory::default()
        .and("loop-a.yaml", "include: [loop-b.yaml]\n")
        .and("loop-b.yaml", "include: [loop-a.yaml]\n")
        .and("empty.csv", "")
        .and("empty.ldif", "version: 1\n")
        .and("people.ldif", "dn: cn=a\ncn: a\nsn: b\n")
        .and("broken.ldif", "dn: cn=a\ncn: a\nsn\n\ncn: b\n")
        .and("rows.csv", "uid,mail\nann,ann@example.com\n")
        .and("ragged.csv", "uid,mail\nann,ann@example.com\nbob\n")
        .and("tasks/good.json", r#"{"name":"good","request":"GET","url-endpoint":"/a","url-payload":"b"}"#)
        .and(
            "tasks/unknown-name.json",
            r#"{"name":"x","request":"GET","url-endpoint":"/$RANDMVALUE","url-payload":""}"#,
        )
        .and("quoted.csv", "uid,mail\nann,\"ann@example.com\nbob,bob@example.com\n")
        .and("keys.jks", store("keytool.jks"))
        .and("trust.p12", store("keytool-trust.p12"))
        .and("chain.pem", store("first.pem"))
        .and("own.key", store("first.key"))
        .and("picture.gif", "GIF89a")
        .and(
            "tasks/two-types.json",
            "{\"request\":\"POST\",\"url-endpoint\":\"/\",\n \"header\":{\"Content-Type\":\"a/b\",\n  \"Content-Type\":\"c/d\"}}",
        )
        .and("workloads/two-types.json", r#"{"tasks":[{"two-types": 200}]}"#)
        .and("workloads/good.json", r#"{"name":"good","tasks":[{"good": 200}]}"#)
        .and("workloads/late.json", r#"{"name":"late","tasks":[{"good": "200 msec"}]}"#)
        .and("workloads/lost-task.json", r#"{"name":"lost","tasks":[{"gone": 200}]}"#)
        .and("workloads/unknown-name.json", r#"{"name":"u","tasks":[{"unknown-name": 200}]}"#)
}

/// Of those that real tools wrote.
fn store(name: &str) -> Vec<u8> {
    std::fs::read(Path::new("tests/stores").join(name)).unwrap()
}

#[test]
fn each_wrong_job_is_told_what_is_wrong() {
    let bless = std::env::var_os("BLESS").is_some();
    let mut wrong = Vec::new();
    let mut jobs: Vec<PathBuf> =
        std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    jobs.retain(|path| path.extension().is_some_and(|ending| ending != "txt"));
    jobs.sort();
    assert!(jobs.len() >= 30, "the corpus is there");
    for job in jobs {
        let name = job.file_name().unwrap().to_str().unwrap();
        let world = surroundings().and(name, std::fs::read(&job).unwrap());
        // `set-…` jobs are right; what the command line sets is not.
        let set = name.starts_with("set-").then(|| "laod.users=5".to_owned());
        let options = Options { set: set.into_iter().collect(), ..Options::default() };
        let said = match world.load(name, &options) {
            Err(problems) => lines(&problems),
            Ok(loaded) => format!("accepted\n{}", lines(&loaded.warnings)),
        };
        let golden = job.with_extension("txt");
        if bless {
            std::fs::write(&golden, &said).unwrap();
        } else if std::fs::read_to_string(&golden).unwrap_or_default() != said {
            wrong.push(format!("{name}:\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "not as the golden text (BLESS=1 writes it anew):\n{}", wrong.join("\n"));
}
