//! Values that are made anew while a job runs: how they are drawn, how long they stay.

use crate::support::{Answer, Folder, Outcome, Server, job, one_task};
use std::collections::{BTreeMap, BTreeSet};

/// Runs a job of so many users and iterations whose only task has this URL; what the server saw of it.
fn paths(folder: &Folder, users: u64, iterations: u64, url: &str, rest: &str) -> (Outcome, Vec<String>) {
    let server = Server::start(|_| Answer::ok("{}"));
    let text = format!(
        "load: {{ users: {users}, iterations: {iterations} }}\n\
         workloads: {{ w: {{ steps: [{{ task: t }}] }} }}\ntasks: {{ t: {{ url: \"{url}\" }} }}\n{rest}"
    );
    folder.write("job.yaml", job(&server.url(), &text));
    let outcome = folder.run();
    outcome.assert_valid_or_noise();
    (outcome, server.paths())
}

fn numbers(paths: &[String]) -> Vec<u64> {
    paths.iter().map(|path| path.rsplit('/').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn random_numbers_include_both_ends() {
    let (_, paths) = paths(&Folder::new(), 2, 60, "/$N", "wildcards: { N: { random: [-1, 2] } }");
    let seen: BTreeSet<&str> = paths.iter().map(String::as_str).collect();
    assert_eq!(seen, BTreeSet::from(["/-1", "/0", "/1", "/2"]));
}

#[test]
fn increments_are_unique_over_all_users() {
    let (_, paths) = paths(&Folder::new(), 10, 20, "/$N", "wildcards: { N: { increment: 1000 } }");
    let mut seen = numbers(&paths);
    seen.sort_unstable();
    assert_eq!(seen, (1000..1200).collect::<Vec<_>>());
}

#[test]
fn a_value_stays_for_the_iteration_the_use_or_the_user() {
    let wildcards = "wildcards:
  I: { increment: 0 }
  E: { increment: 0, per: use }
  U: { increment: 0, per: user }
";
    let (_, paths) = paths(&Folder::new(), 1, 2, "/$I-$I/$E-$E/$U-$U", wildcards);
    assert_eq!(paths, ["/0-0/0-1/0-0", "/1-1/2-3/0-0"]);
}

#[test]
fn sequential_rows_begin_again() {
    let folder = Folder::new();
    folder.write("people.csv", "uid,mail\nuser.1,one@example.com\nuser.2,\"two, too@example.com\"\n");
    let wildcards = "wildcards: { P: { file: people.csv, order: sequential } }";
    let (_, paths) = paths(&folder, 1, 3, "/${P.uid}?mail=${P.mail | urlencode}", wildcards);
    let first = "/user.1?mail=one%40example.com";
    assert_eq!(paths, [first, "/user.2?mail=two%2C%20too%40example.com", first]);
}

#[test]
fn unique_rows_are_used_once_and_their_end_is_said() {
    let folder = Folder::new();
    let rows = (0..25).map(|row| row.to_string()).collect::<Vec<_>>().join("\n");
    folder.write("ids.csv", format!("id\n{rows}"));
    let wildcards = "wildcards: { P: { file: ids.csv, order: unique } }";
    let (outcome, paths) = paths(&folder, 4, 100, "/${P.id}", wildcards);
    let mut seen = numbers(&paths);
    seen.sort_unstable();
    assert_eq!(seen, (0..25).collect::<Vec<_>>());
    assert_eq!(outcome.report.outcomes(), [25, 25, 0, 0, 0], "to find no row is no failure");
    let note = "was used up: the users that needed more of it stopped";
    assert!(outcome.report.notes().contains(note), "{}", outcome.report.notes());
    assert!(outcome.done.stdout.contains("used up"), "{}", outcome.done.stdout);
}

#[test]
fn a_zipf_file_has_hot_rows_and_a_tail() {
    let folder = Folder::new();
    let rows = (1..=100).map(|row| row.to_string()).collect::<Vec<_>>().join("\n");
    folder.write("ids.txt", rows);
    let wildcards = "wildcards: { P: { file: ids.txt, order: zipf, per: use } }";
    let (_, paths) = paths(&folder, 2, 300, "/$P", wildcards);
    let mut counts = BTreeMap::<u64, usize>::new();
    for row in numbers(&paths) {
        *counts.entry(row).or_default() += 1;
    }
    let of = |row| counts.get(&row).copied().unwrap_or(0);
    // Of 600 draws the first row has 600 / H(100) = 116, the second 58, the tenth 12.
    assert!((80..=150).contains(&of(1)), "{counts:?}");
    assert!(of(1) > of(2) && of(2) > of(10), "{counts:?}");
    assert!(counts.len() > 40, "the tail is there as well: {counts:?}");
}

#[test]
fn a_file_of_lines_gives_whole_lines() {
    let folder = Folder::new();
    folder.write("names.txt", "plain\r\nwith, a comma\n\n\"quoted\"\n");
    let wildcards = "wildcards: { N: { file: names.txt, order: sequential } }";
    let (_, paths) = paths(&folder, 1, 3, "/x?n=${N | urlencode}", wildcards);
    assert_eq!(paths, ["/x?n=plain", "/x?n=with%2C%20a%20comma", "/x?n=%22quoted%22"]);
}

#[test]
fn choices_uuids_texts_and_the_time() {
    let wildcards = "wildcards:
  C: { choice: [red, green, blue] }
  ID: { uuid: true }
  S: { string: 12, chars: \"a-cX\" }
  NOW: { now: true }
";
    let (_, paths) = paths(&Folder::new(), 1, 40, "/$C/$ID/$S/$NOW", wildcards);
    let (mut choices, mut ids) = (BTreeSet::new(), BTreeSet::new());
    for path in &paths {
        let [_, choice, id, text, now] = path.split('/').collect::<Vec<_>>().try_into().unwrap();
        choices.insert(choice);
        // RFC 9562 section 5.4: version 4, variant 10.
        let parts: Vec<&str> = id.split('-').collect();
        assert_eq!(parts.iter().map(|part| part.len()).collect::<Vec<_>>(), [8, 4, 4, 4, 12], "{id}");
        assert!(parts[2].starts_with('4') && parts[3].starts_with(['8', '9', 'a', 'b']), "{id}");
        assert!(ids.insert(id), "{id} came twice");
        assert!(text.len() == 12 && text.bytes().all(|byte| b"abcX".contains(&byte)), "{text}");
        // Between 2020 and 2100.
        assert!((1_577_836_800_000..4_102_444_800_000).contains(&now.parse::<u64>().unwrap()), "{now}");
    }
    assert_eq!(choices, BTreeSet::from(["red", "green", "blue"]));
}

#[test]
fn a_value_from_an_endpoint_is_fetched_before_the_run() {
    let server = Server::start(|request| match request.path() {
        "/policy.json" => Answer::ok("{\"result\":[{\"_id\":\"policy-7\"}]}"),
        _ => Answer::ok("{}"),
    });
    let text = one_task(&server.url(), 3, "{ url: /use/$POLICY }")
        + "wildcards: { POLICY: { endpoint: /policy.json, json: \"$.result[0]._id\" } }\n";
    crate::support::run_job(&text).assert_code(0);
    assert_eq!(server.paths(), ["/policy.json", "/use/policy-7", "/use/policy-7", "/use/policy-7"]);
}

#[test]
fn the_same_seed_sends_the_same_and_another_one_does_not() {
    let sent = |seed: &str| {
        let server = Server::start(|_| Answer::ok("{}"));
        let text = one_task(&server.url(), 10, "{ method: POST, url: /$N/$ID, json: { s: $S } }")
            + "wildcards: { N: { random: [0, 1000000] }, ID: { uuid: true }, S: { string: 8 } }\n";
        let folder = Folder::with_job(&text);
        let outcome = folder.run_with(&["--seed", seed]);
        outcome.assert_code(0);
        assert_eq!(outcome.report.count("/run/seed").to_string(), seed);
        assert!(outcome.done.stdout.contains(seed), "the seed is printed: {}", outcome.done.stdout);
        server.requests().iter().map(|r| format!("{} {}", r.path(), r.body())).collect::<Vec<_>>()
    };
    let first = sent("4711");
    assert_eq!(first, sent("4711"));
    assert_ne!(first, sent("4712"));
}

#[test]
fn users_draw_numbers_of_their_own() {
    let (_, paths) = paths(&Folder::new(), 8, 1, "/$ID", "wildcards: { ID: { uuid: true } }");
    assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), 8);
}

#[test]
fn set_changes_values_of_the_job() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = Folder::with_job(&one_task(&server.url(), 1, "{ url: /a, headers: { X-A: one } }"));
    let set = ["--set", "load.iterations=3", "--set", "tasks.t.headers.X-A=two", "--set", "tasks.t.url=/b"];
    let outcome = folder.run_with(&set);
    outcome.assert_code(0);
    assert_eq!(server.paths(), ["/b"; 3]);
    assert_eq!(server.requests()[0].header("X-A"), Some("two"));
}

#[test]
fn target_changes_every_service_location() {
    let server = Server::start(|_| Answer::ok("{}"));
    let folder = Folder::with_job(&one_task("http://am.example.invalid", 2, "{ url: /a }"));
    folder.run_with(&["--target", &server.url()]).assert_code(0);
    assert_eq!(server.paths(), ["/a"; 2]);
}
