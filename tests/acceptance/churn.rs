//! The life of addrate's entries on the built-in platform, whose log knows which are there.

use crate::support::Folder;
use crate::support::platform::{Line, Platform};
use loadgen_engine::{Control, Options, RunError, controls, run_with};
use loadgen_model::churn::Purge;
use loadgen_model::format::rate_tool::{Command, Operation, Tool, parse};
use loadgen_model::format::{self, Outside};
use loadgen_model::ldap::{Ask, RecordSource};
use loadgen_model::mix::ScenarioId;
use loadgen_model::{Churn, Mix, Plan, Progress, Report, Sink};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const TEMPLATE: &str = "branch: ou=people,dc=example,dc=com\nsubordinateTemplate: person\n\ntemplate: person\n\
                        rdnAttr: uid\nobjectClass: inetOrgPerson\nuid: churn.<sequential>\ncn: <first>\nsn: <last>\n";

/// The files of a folder.
struct Disk<'a>(&'a Folder);

impl Outside for Disk<'_> {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn glob(&self, _: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn environment(&self, _: &str) -> Option<String> {
        None
    }

    fn prompt(&self, _: &str) -> Option<String> {
        None
    }

    fn current_folder(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}

/// What addrate does with these options under this load: both workloads bind, then take their turn.
fn plan(directory: &str, load: &str, options: &str, most: Option<u64>) -> Plan {
    let folder = Folder::new();
    folder.write("t", TEMPLATE);
    folder.write(
        "job.yaml",
        format!(
            "loadgen: 1\ndirectory: {directory}\nload: {load}\nworkloads:\n  \
             add: {{ steps: [{{ task: bind }}, {{ task: add }}] }}\n  \
             delete: {{ steps: [{{ task: bind }}, {{ task: delete }}] }}\ntasks:\n  \
             bind: {{ ldap: bind, dn: cn=Directory Manager, password: password }}\n  \
             add: {{ ldap: delete, dn: dc=x }}\n  delete: {{ ldap: delete, dn: dc=x }}\n"
        ),
    );
    let disk = Disk(&folder);
    let job = folder.path().join("job.yaml");
    let mut plan = format::load(&job, &format::Options::default(), &disk).unwrap().plan;
    for operation in &mut plan.operations {
        if matches!(operation.ask, Ask::Delete { .. }) {
            operation.ask = Ask::Record(RecordSource::Turn);
        }
    }
    let words: Vec<String> = options.split_whitespace().chain(["t"]).map(str::to_owned).collect();
    let Ok(Command::Run { run, .. }) = parse(Tool::AddRate, &words, &disk) else { panic!("{options}") };
    let Operation::Add(add) = &run.operation else { panic!("{options}") };
    plan.groups[0].mix = Mix::Churn(Box::new(Churn::of(add, most, ScenarioId(0), ScenarioId(1))));
    plan
}

/// What was shown while a run lasted: its phase each second, and how far its purge was.
#[derive(Clone, Default)]
struct Shown(Arc<Mutex<Vec<Second>>>);

type Second = (&'static str, Option<Purge>);

impl Sink for Shown {
    fn progress(&mut self, progress: &Progress) {
        self.0.lock().unwrap().push((progress.phase, progress.purge));
    }
}

/// Runs a plan on two threads; `asks` are sent after so long each.
fn run(plan: Plan, asks: &[Duration]) -> (Result<Report, RunError>, Shown) {
    let shown = Shown::default();
    let mut sinks: Vec<Box<dyn Sink>> = vec![Box::new(shown.clone())];
    let (hand, wishes) = controls();
    let asks = asks.to_vec();
    let by_hand = std::thread::spawn(move || {
        for wait in asks {
            std::thread::sleep(wait);
            hand.ask(Control::Stop);
        }
    });
    let report = run_with(plan, &Options { threads: Some(2), notes: Vec::new() }, &mut sinks, wishes);
    by_hand.join().unwrap();
    (report, shown)
}

/// Names that were added and not deleted, and how many adds succeeded.
fn there(lines: &[Line]) -> (BTreeSet<String>, usize) {
    let of = |operation: &str| -> BTreeSet<String> {
        let fits = |line: &&Line| line.operation == operation && line.status == Some(0);
        lines.iter().filter(fits).map(|line| line.path.clone()).collect()
    };
    let (added, deleted) = (of("ldap-add"), of("ldap-delete"));
    assert!(deleted.is_subset(&added), "only what was added is deleted");
    (added.difference(&deleted).cloned().collect(), added.len())
}

fn passed(report: &Report, task: &str) -> u64 {
    report.tasks.iter().filter(|row| row.name == task).map(|row| row.passed).sum()
}

#[test]
fn after_a_purge_the_directory_holds_what_it_held_before() {
    let platform = Platform::start(&["ldap-add.errors=0.05", "ldap-add.drops=0.02"]);
    let plan = plan(&platform.directory(), "{ users: 4, duration: 10m }", "-s 20", Some(500));
    let (report, _) = run(plan, &[]);
    let report = report.unwrap();
    let lines = platform.stop();
    assert_eq!(there(&lines), (BTreeSet::new(), 500), "exactly so many adds succeed");
    assert_eq!(passed(&report, "add"), 500);
    assert_eq!(passed(&report, "delete"), 500);
    assert!(report.run.notes.iter().any(|note| note.starts_with("purge: ")), "{:?}", report.run.notes);
}

#[test]
fn without_a_purge_it_holds_what_was_added() {
    let platform = Platform::start(&[]);
    let plan = plan(&platform.directory(), "{ users: 4, duration: 10s }", "-C off -n", Some(300));
    let (report, _) = run(plan, &[]);
    assert_eq!(passed(&report.unwrap(), "add"), 300);
    let (there, added) = there(&platform.stop());
    assert_eq!((there.len(), added), (300, 300));
    let expected = |number: usize| format!("uid=churn.{number},ou=people,dc=example,dc=com");
    assert_eq!(there, (0..300).map(expected).collect());
}

#[test]
fn an_open_load_takes_turns_by_the_clock() {
    let platform = Platform::start(&[]);
    let load = "{ rate: 400/s, arrivals: even, duration: 1s, max_users: 4 }";
    let (report, _) = run(plan(&platform.directory(), load, "-s 50", None), &[]);
    let report = report.unwrap();
    let lines = platform.stop();
    let (there, added) = there(&lines);
    assert!(there.is_empty(), "{there:?}");
    assert!((150..=300).contains(&added), "{added} of 400 turns add: the first 50, then every other one");
    assert_eq!(passed(&report, "delete"), added as u64);
}

#[test]
fn a_size_is_kept_while_the_run_lasts() {
    let platform = Platform::start(&[]);
    run(plan(&platform.directory(), "{ users: 4, duration: 1s }", "-s 20 -n", None), &[]).0.unwrap();
    let (there, added) = there(&platform.stop());
    assert!(added > 100, "{added} adds");
    assert!((17..=24).contains(&there.len()), "{} are there", there.len());
}

#[test]
fn a_stop_by_hand_purges_and_shows_how_far_it_is() {
    let platform =
        Platform::start(&["ldap-add=fixed:5ms", "ldap-delete=fixed:20ms", "ldap-delete.servers=1"]);
    let plan = plan(&platform.directory(), "{ users: 2, duration: 10m }", "-C off", None);
    let (report, shown) = run(plan, &[Duration::from_millis(500)]);
    let report = report.unwrap();
    let (there, added) = there(&platform.stop());
    assert_eq!((report.run.interrupted, there), (true, BTreeSet::new()));
    let shown = shown.0.lock().unwrap();
    let purges: Vec<Purge> = shown.iter().filter_map(|(_, purge)| *purge).collect();
    let last = purges.last().expect("a purge takes more than a second");
    assert_eq!((last.deleted, last.of, last.failed), (added as u64, added as u64, 0));
    assert!(purges.len() >= 2 && purges[0].deleted < last.deleted, "{purges:?}");
    assert!(shown.iter().any(|(phase, _)| *phase == "purge"));
}

#[test]
fn a_second_stop_leaves_what_is_there() {
    let platform = Platform::start(&["ldap-delete=fixed:50ms"]);
    let plan = plan(&platform.directory(), "{ users: 2, duration: 10m }", "-C off", None);
    let (report, _) = run(plan, &[Duration::from_millis(700), Duration::from_millis(300)]);
    assert!(matches!(report, Err(RunError::StoppedAtOnce)), "{report:?}");
    assert!(!there(&platform.stop()).0.is_empty());
}
