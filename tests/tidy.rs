//! The house rules that a machine can check: the map of ARCHITECTURE.md is true, crates depend as it says,
//! files stay small and open with what they are, links lead somewhere, nothing is left lying about.
//!
//! Each rule is a function from files to complaints, so that the last part can show that it does complain.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// No source file is longer …
const LONGEST: usize = 800;
/// … and nine of ten are not longer than this.
const LONG: usize = 400;
/// The bird's-eye view fits on a few screens.
const ARCHITECTURE: usize = 280;

/// Paths from the root of the project, with what the files hold; nothing for what is not text.
type Files = BTreeMap<String, String>;

#[test]
fn the_code_map_is_true() {
    complain(&code_map(&project()));
}

#[test]
fn crates_depend_as_the_architecture_says() {
    complain(&dependencies(&project()));
}

#[test]
fn the_model_touches_nothing_outside() {
    complain(&model_purity(&project()));
}

#[test]
fn source_files_are_small() {
    complain(&sizes(&project()));
}

#[test]
fn modules_say_what_they_are() {
    complain(&modules(&project()));
}

#[test]
fn links_lead_somewhere() {
    complain(&links(&project()));
}

#[test]
fn decisions_have_their_parts() {
    complain(&decisions(&project()));
}

#[test]
fn dependencies_are_explained() {
    complain(&explained_dependencies(&project()));
}

#[test]
fn dependencies_are_used() {
    complain(&unused_dependencies(&project()));
}

#[test]
fn terms_have_one_definition() {
    complain(&terms(&project()));
}

#[test]
fn nothing_is_left_lying_about() {
    complain(&leftovers(&project()));
}

#[test]
fn the_house_is_complete() {
    complain(&house(&project()));
}

fn complain(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
}

// --- what is checked ---

/// The project's files; cargo runs tests in the root of their package.
fn project() -> Files {
    let mut files = Files::new();
    collect(Path::new("."), "", &mut files);
    assert!(files.contains_key("Cargo.toml"), "tidy runs in the root of the project");
    files
}

fn collect(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).expect("the folder was just listed") {
        let entry = entry.expect("the folder can be read");
        let name = entry.file_name().to_string_lossy().into_owned();
        if prefix.is_empty() && matches!(name.as_str(), ".git" | "target" | "out") {
            continue;
        }
        let kind = entry.file_type().expect("the entry was just listed");
        let path = format!("{prefix}{name}");
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else if kind.is_file() {
            let bytes = fs::read(entry.path()).unwrap_or_default();
            files.insert(path, String::from_utf8(bytes).unwrap_or_default());
        }
    }
}

fn text<'a>(files: &'a Files, path: &str) -> &'a str {
    files.get(path).map_or("", String::as_str)
}

/// Source files: not tests, not benchmarks.
fn sources(files: &Files) -> impl Iterator<Item = (&String, &String)> {
    files.iter().filter(|(path, _)| is_rust(path) && source_root(path).is_some())
}

fn is_rust(path: &str) -> bool {
    has_extension(path, "rs")
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// `src/` or `crates/NAME/src/`, when the path is below it.
fn source_root(path: &str) -> Option<String> {
    if path.starts_with("src/") {
        return Some("src/".to_owned());
    }
    let (name, rest) = path.strip_prefix("crates/")?.split_once('/')?;
    rest.starts_with("src/").then(|| format!("crates/{name}/src/"))
}

fn folder_of(path: &str) -> &str {
    path.rfind('/').map_or("", |end| &path[..=end])
}

// --- the code map ---

/// The map lists each file directly below a `src/` and each folder further down, with a clause; what it
/// lists is there.
fn code_map(files: &Files) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut listed = BTreeSet::new();
    for (path, clause) in map_entries(section(text(files, "ARCHITECTURE.md"), "## Code map")) {
        if clause.is_empty() {
            complaints.push(format!("the code map says nothing about {path}"));
        }
        let there = if path.ends_with('/') {
            files.keys().any(|file| file.starts_with(&path))
        } else {
            files.contains_key(&path)
        };
        if !there {
            complaints.push(format!("the code map lists {path}, which is not there"));
        }
        if !listed.insert(path.clone()) {
            complaints.push(format!("the code map lists {path} twice"));
        }
    }
    for (path, _) in sources(files) {
        let root = source_root(path).unwrap_or_default();
        let due = if folder_of(path) == root { path.as_str() } else { folder_of(path) };
        if listed.insert(due.to_owned()) {
            complaints.push(format!("the code map does not list {due}"));
        }
    }
    complaints
}

/// The part of a document from a heading to the next one of the same level.
fn section<'a>(document: &'a str, heading: &str) -> &'a str {
    let Some(start) = document.find(&format!("{heading}\n")) else { return "" };
    let body = &document[start + heading.len()..];
    body.find("\n## ").map_or(body, |end| &body[..end])
}

/// Paths and clauses: in fenced blocks below headings such as ``### `crates/model/src/` ``, a line is a path
/// below that folder and a clause. `a/{b,c}.rs` stands for two paths; an indented line goes on with a clause.
fn map_entries(map: &str) -> Vec<(String, String)> {
    let (mut entries, mut root, mut fenced) = (Vec::new(), String::new(), false);
    for line in map.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            heading.split('`').nth(1).unwrap_or_default().clone_into(&mut root);
        } else if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced && !line.starts_with(' ') && !line.is_empty() {
            let (path, clause) = line.split_once(' ').unwrap_or((line, ""));
            for path in expand(path) {
                entries.push((format!("{root}{path}"), clause.trim().to_owned()));
            }
        }
    }
    entries
}

fn expand(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((names, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    names.split(',').map(|name| format!("{before}{name}{after}")).collect()
}

// --- crates ---

/// The table of crates in ARCHITECTURE.md is what the manifests say; the target is on its own even in tests.
fn dependencies(files: &Files) -> Vec<String> {
    let said = crate_table(section(text(files, "ARCHITECTURE.md"), "## Crates"));
    let mut complaints = Vec::new();
    let mut found = BTreeMap::new();
    for (path, manifest) in files.iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        let name = match path.strip_prefix("crates/") {
            Some(rest) => rest.trim_end_matches("/Cargo.toml").to_owned(),
            None if path == "Cargo.toml" => "loadgen".to_owned(),
            None => continue,
        };
        found.insert(name, ours(table(manifest, "[dependencies]")));
    }
    for (name, uses) in &found {
        match said.get(name) {
            None => complaints.push(format!("ARCHITECTURE.md does not list the crate {name}")),
            Some(said) if said != uses => {
                complaints.push(format!("{name} depends on {uses:?}, but ARCHITECTURE.md says {said:?}"));
            }
            Some(_) => {}
        }
    }
    for name in said.keys().filter(|name| !found.contains_key(*name)) {
        complaints.push(format!("ARCHITECTURE.md lists the crate {name}, which is not there"));
    }
    let target = text(files, "crates/target/Cargo.toml");
    if !ours(target.replace("name = \"loadgen-target\"", "").as_str()).is_empty() {
        complaints.push("the target shares code with what it checks".to_owned());
    }
    complaints
}

/// Rows of `| crate | what | uses | must not |`.
fn crate_table(section: &str) -> BTreeMap<String, BTreeSet<String>> {
    let quoted = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.filter_map(|row| {
        let cells: Vec<&str> = row.split('|').collect();
        let name = quoted(cells.get(1)?).pop()?;
        Some((name, quoted(cells.get(3)?).into_iter().collect()))
    })
    .collect()
}

/// A table of a manifest, up to the next one.
fn table<'a>(manifest: &'a str, head: &str) -> &'a str {
    let Some(start) = manifest.find(&format!("{head}\n")) else { return "" };
    let body = &manifest[start + head.len()..];
    body.find("\n[").map_or(body, |end| &body[..end])
}

/// Our crates that lines of a manifest name, without their prefix.
fn ours(lines: &str) -> BTreeSet<String> {
    let name =
        |rest: &str| rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next().map(str::to_owned);
    lines.split("loadgen-").skip(1).filter_map(name).collect()
}

/// What a manifest names, the crate's code uses.
fn unused_dependencies(files: &Files) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, manifest) in files.iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        let folder = folder_of(path);
        let places = ["src/", "tests/"].map(|place| format!("{folder}{place}"));
        let code: Vec<&String> = files
            .iter()
            .filter(|(path, _)| is_rust(path) && places.iter().any(|place| path.starts_with(place)))
            .map(|(_, source)| source)
            .collect();
        for head in ["[dependencies]", "[dev-dependencies]"] {
            for line in table(manifest, head).lines() {
                let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
                if name.is_empty() || name.starts_with('#') {
                    continue;
                }
                let name = name.replace('-', "_");
                if !code.iter().any(|source| code_lines(source).any(|(_, line)| has_word(line, &name))) {
                    complaints.push(format!("{path}: {name} is not used"));
                }
            }
        }
    }
    complaints
}

/// No clock, file, socket, runtime or task in the model, in code or in its manifest.
fn model_purity(files: &Files) -> Vec<String> {
    let refused = [
        "tokio",
        "async ",
        "std::fs",
        "std::net",
        "std::env",
        "std::thread",
        "std::process",
        "SystemTime",
        "Instant::now",
        "static mut",
        "thread_rng",
    ];
    let mut complaints = Vec::new();
    for (path, source) in files.iter().filter(|(path, _)| path.starts_with("crates/model/src/")) {
        for (line, code) in code_lines(source) {
            for word in refused.iter().filter(|word| code.contains(**word)) {
                complaints.push(format!("{path}:{line}: the model must not touch `{}`", word.trim()));
            }
        }
    }
    if text(files, "crates/model/Cargo.toml").contains("tokio") {
        complaints.push("the model must not depend on a runtime".to_owned());
    }
    complaints
}

/// Lines by number, without comments.
fn code_lines(source: &str) -> impl Iterator<Item = (usize, &str)> {
    source.lines().enumerate().map(|(index, line)| {
        let comment = line.trim_start().starts_with("//");
        (index + 1, if comment { "" } else { line.split(" // ").next().unwrap_or(line) })
    })
}

// --- sizes and shapes ---

fn sizes(files: &Files) -> Vec<String> {
    let lengths: Vec<_> = sources(files).map(|(path, source)| (path, source.lines().count())).collect();
    let mut complaints: Vec<String> = lengths
        .iter()
        .filter(|(_, length)| *length > LONGEST)
        .map(|(path, length)| format!("{path} has {length} lines, more than {LONGEST}"))
        .collect();
    let long: Vec<_> = lengths.iter().filter(|(_, length)| *length > LONG).collect();
    if long.len() * 10 > lengths.len() {
        complaints.push(format!("more than a tenth of the files have over {LONG} lines: {long:?}"));
    }
    let architecture = text(files, "ARCHITECTURE.md").lines().count();
    if architecture > ARCHITECTURE {
        complaints.push(format!("ARCHITECTURE.md has {architecture} lines, more than {ARCHITECTURE}"));
    }
    complaints
}

/// Every file of code opens with what it is, and a module is `foo.rs` beside `foo/`.
fn modules(files: &Files) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, source) in files.iter().filter(|(path, _)| is_rust(path)) {
        if !source.starts_with("//! ") {
            complaints.push(format!("{path} does not open with `//!` and what it is"));
        }
        if path.ends_with("/mod.rs") {
            complaints.push(format!("{path}: a module is NAME.rs beside NAME/"));
        }
    }
    complaints
}

// --- documents ---

/// Relative links of all documents, with their anchors.
fn links(files: &Files) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, document) in files.iter().filter(|(path, _)| has_extension(path, "md")) {
        for link in link_targets(document) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = if file.is_empty() { Some(path.clone()) } else { resolve(folder_of(path), file) };
            let Some(target) = target else {
                complaints.push(format!("{path}: {link} leads out of the project"));
                continue;
            };
            let folder = format!("{}/", target.trim_end_matches('/'));
            if !files.contains_key(&target) && !files.keys().any(|file| file.starts_with(&folder)) {
                complaints.push(format!("{path}: {link} leads nowhere"));
            } else if !anchor.is_empty()
                && has_extension(&target, "md")
                && !anchors(text(files, &target)).contains(anchor)
            {
                complaints.push(format!("{path}: {link} names no heading of {target}"));
            }
        }
    }
    complaints
}

/// `[text](target)` outside of code.
fn link_targets(document: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose_lines(document) {
        let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join("`");
        for part in prose.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            found.push(target.trim_matches(['<', '>']).to_owned());
        }
    }
    found
}

/// Lines outside of fenced blocks.
fn prose_lines(document: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    document.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// A relative path from a folder; none when it leads above the root.
fn resolve(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Anchors of the headings, as the usual renderers make them.
fn anchors(document: &str) -> BTreeSet<String> {
    let heading = |line: &str| line.starts_with('#').then(|| line.trim_start_matches('#').trim().to_owned());
    let slug = |heading: String| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    };
    prose_lines(document).filter_map(heading).map(slug).collect()
}

/// Numbered without gaps, one page each, with the four parts.
fn decisions(files: &Files) -> Vec<String> {
    let mut complaints = Vec::new();
    let all = files.iter().filter(|(path, _)| path.starts_with("docs/decisions/"));
    for (index, (path, page)) in all.enumerate() {
        let number = format!("docs/decisions/{:04}-", index + 1);
        if !path.starts_with(&number) {
            complaints.push(format!("{path} should start with {number}"));
        }
        for part in ["# ", "\n## Context\n", "\n## Decision\n", "\n## Consequences\n", "\n## Rejected\n"] {
            if !page.contains(part) {
                complaints.push(format!("{path} has no `{}`", part.trim()));
            }
        }
        if page.lines().count() > 80 {
            complaints.push(format!("{path} is longer than a page"));
        }
    }
    complaints
}

/// Each third-party crate of the version table has its reason in the decision on dependencies.
fn explained_dependencies(files: &Files) -> Vec<String> {
    let page = text(files, "docs/decisions/0007-dependencies.md");
    let manifest = table(text(files, "Cargo.toml"), "[workspace.dependencies]");
    let names = manifest.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let in_table: BTreeSet<&str> =
        names.filter(|name| !name.starts_with("loadgen-") && !name.starts_with('#')).collect();
    let explained: BTreeSet<&str> =
        page.lines().filter(|line| line.starts_with("| `")).flat_map(first_cell).collect();
    let missing =
        in_table.difference(&explained).map(|name| format!("0007-dependencies.md does not explain {name}"));
    let stale = explained
        .difference(&in_table)
        .map(|name| format!("0007-dependencies.md explains {name}, which is gone"));
    missing.chain(stale).collect()
}

/// The quoted names in the first cell of a row.
fn first_cell(row: &str) -> impl Iterator<Item = &str> {
    row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2)
}

/// `**term**` at the start of a line defines; once for each term.
fn terms(files: &Files) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut complaints = Vec::new();
    for line in text(files, "docs/terms.md").lines() {
        let Some((head, _)) = line.strip_prefix("**").and_then(|rest| rest.split_once("**")) else {
            continue;
        };
        for term in head.split(", ") {
            if !seen.insert(term.to_lowercase()) {
                complaints.push(format!("docs/terms.md defines `{term}` twice"));
            }
        }
    }
    if seen.is_empty() {
        complaints.push("docs/terms.md defines nothing".to_owned());
    }
    complaints
}

// --- the rest ---

/// Markers of unfinished work, paths of somebody's machine, hosts of registries. Written in pieces, so that
/// this file holds none of them.
fn leftovers(files: &Files) -> Vec<String> {
    let markers = [["TO", "DO"], ["FIX", "ME"], ["XX", "X"], ["HA", "CK"]].map(|parts| parts.concat());
    let macros = [["todo", "!("], ["unimplemented", "!("], ["dbg", "!("]].map(|parts| parts.concat());
    let places = [["/wo", "rk/"], ["/ro", "ot/"], ["/fa", "rm/"]].map(|parts| parts.concat());
    let hosts = [
        ["index.crates", ".io"],
        ["static.crates", ".io"],
        ["pypi", ".org"],
        ["pythonhosted", ".org"],
        ["deb.debian", ".org"],
        ["static.rust-lang", ".org"],
        ["arti", "factory"],
    ]
    .map(|parts| parts.concat());
    let mut complaints = Vec::new();
    for (path, content) in files.iter().filter(|(path, _)| *path != "Cargo.lock") {
        for (index, line) in content.lines().enumerate() {
            let mut found: Vec<&String> = markers.iter().filter(|marker| has_word(line, marker)).collect();
            found.extend(places.iter().filter(|place| has_path(line, place)));
            found.extend(hosts.iter().filter(|host| line.contains(host.as_str())));
            if is_rust(path) {
                found.extend(macros.iter().filter(|name| line.contains(name.as_str())));
            }
            complaints.extend(
                found.iter().map(|what| format!("{path}:{}: `{what}` does not belong here", index + 1)),
            );
        }
    }
    complaints
}

fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let joined = |c: char| c.is_alphanumeric() || c == '_';
        !line[..at].ends_with(joined) && !line[at + word.len()..].starts_with(joined)
    })
}

/// Whether an absolute path starts so; the same letters inside of a longer path or address do not count.
fn has_path(line: &str, path: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '}' | '$');
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(inside))
}

/// What every checkout has.
fn house(files: &Files) -> Vec<String> {
    let due = [
        ".ci/run",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "README.md",
        "STYLE.md",
        "deny.toml",
        "docs/terms.md",
        "justfile",
        "rust-toolchain.toml",
        "scripts/install",
        "scripts/test",
        "typos.toml",
    ];
    let missing = due.iter().filter(|path| text(files, path).is_empty());
    let mut complaints: Vec<String> = missing.map(|path| format!("{path} is missing or empty")).collect();
    for recipe in ["check:", "test ", "run ", "bless:", "bench ", "doc:"] {
        if !text(files, "justfile").lines().any(|line| line.starts_with(recipe)) {
            complaints.push(format!("the justfile has no recipe `{}`", recipe.trim_end_matches([':', ' '])));
        }
    }
    let lock = text(files, "Cargo.lock").lines().filter(|line| line.starts_with("source = "));
    if lock.collect::<BTreeSet<_>>().iter().any(|source| !source.contains("\"registry+")) {
        complaints.push("Cargo.lock takes a crate from elsewhere than a registry".to_owned());
    }
    for (path, manifest) in
        files.iter().filter(|(path, _)| path.starts_with("crates/") && path.ends_with("Cargo.toml"))
    {
        for head in ["[dependencies]", "[dev-dependencies]"] {
            let lines =
                table(manifest, head).lines().filter(|line| line.contains(" = ") && !line.starts_with('#'));
            complaints.extend(
                lines
                    .filter(|line| !line.contains("workspace = true"))
                    .map(|line| format!("{path}: `{line}` names a version; the workspace's table does that")),
            );
        }
    }
    complaints
}

/// Each rule complains about what it is there for.
mod broken {
    use super::*;

    fn files(entries: &[(&str, &str)]) -> Files {
        entries.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
    }

    #[track_caller]
    fn check(complaints: &[String], expected: &[&str]) {
        assert_eq!(complaints.len(), expected.len(), "{complaints:#?}");
        for (complaint, part) in complaints.iter().zip(expected) {
            assert!(complaint.contains(part), "{complaint} does not say {part}");
        }
    }

    const MAP: &str = "## Code map\n\n### `src/`\n\n```text\nmain.rs  wiring\n         and more of it\ngone/{a,b}.rs  old\n\
                       mute.rs\n```\n\n## Next\n";

    #[test]
    fn a_map_that_is_not_true() {
        let tree = files(&[
            ("ARCHITECTURE.md", MAP),
            ("src/main.rs", ""),
            ("src/mute.rs", ""),
            ("src/new.rs", ""),
            ("src/deep/er/one.rs", ""),
            ("src/deep/er/two.rs", ""),
            ("crates/model/src/plan.rs", ""),
            ("crates/model/tests/it.rs", ""),
        ]);
        let expected = [
            "gone/a.rs, which is not there",
            "gone/b.rs, which is not there",
            "nothing about src/mute.rs",
            "not list crates/model/src/plan.rs",
            "not list src/deep/er/",
            "not list src/new.rs",
        ];
        check(&code_map(&tree), &expected);
        check(&code_map(&files(&[("src/main.rs", "")])), &["not list src/main.rs"]);
    }

    #[test]
    fn an_arrow_too_many() {
        let table = "## Crates\n\n| crate | what | uses | must not |\n|---|---|---|---|\n| `engine` | x | `model` | y |\n\
                     | `target` | x | nothing | y |\n| `old` | x | nothing | y |\n";
        let tree = files(&[
            ("ARCHITECTURE.md", table),
            (
                "crates/engine/Cargo.toml",
                "[dependencies]\nloadgen-model.workspace = true\nloadgen-report.workspace = true\n",
            ),
            ("crates/extra/Cargo.toml", "[package]\n"),
            (
                "crates/target/Cargo.toml",
                "name = \"loadgen-target\"\n[dev-dependencies]\nloadgen-engine.workspace = true\n",
            ),
        ]);
        let expected =
            ["engine depends on", "not list the crate extra", "the crate old", "the target shares"];
        check(&dependencies(&tree), &expected);
    }

    #[test]
    fn a_model_that_looks_at_the_clock() {
        let source = "//! Not tokio.\nfn now() { Instant::now() } // not std::fs\nuse std::net::IpAddr;\n";
        let tree = files(&[
            ("crates/model/src/plan.rs", source),
            ("crates/model/Cargo.toml", "tokio.workspace = true"),
        ]);
        check(
            &model_purity(&tree),
            &["plan.rs:2: the model must not touch `Instant::now`", "plan.rs:3", "runtime"],
        );
    }

    #[test]
    fn files_that_grew() {
        let tree = files(&[
            ("src/a.rs", &"\n".repeat(801)),
            ("src/b.rs", ""),
            ("ARCHITECTURE.md", &"\n".repeat(281)),
        ]);
        check(&sizes(&tree), &["src/a.rs has 801", "more than a tenth", "ARCHITECTURE.md has 281"]);
    }

    #[test]
    fn modules_without_a_word() {
        let tree = files(&[("src/a.rs", "use b;"), ("crates/x/src/b/mod.rs", "//! B.")]);
        check(&modules(&tree), &["NAME.rs beside NAME/", "src/a.rs does not open"]);
    }

    #[test]
    fn links_to_nowhere() {
        let page = "# A page\n[a](gone.md) [b](../README.md) [c](#a-page) [d](#b) [e](https://example.com) `[f](x)`\n\
                    ```\n[g](y)\n```\n[h](../../up.md) [i](deeper/)\n";
        let tree = files(&[("docs/a.md", page), ("README.md", ""), ("docs/deeper/x.md", "")]);
        let expected = ["gone.md leads nowhere", "#b names no heading", "up.md leads out"];
        check(&links(&tree), &expected);
    }

    #[test]
    fn decisions_without_reasons() {
        let page = "# A\n\n## Context\n\n## Decision\n\n## Consequences\n";
        check(&decisions(&files(&[("docs/decisions/0002-a.md", page)])), &["0001-", "## Rejected"]);
    }

    #[test]
    fn dependencies_without_reasons() {
        let tree = files(&[
            ("Cargo.toml", "[workspace.dependencies]\nloadgen-model = { path = \"x\" }\nserde = \"1\"\n"),
            ("docs/decisions/0007-dependencies.md", "| `tokio`, `old` | runs |\n"),
        ]);
        check(
            &explained_dependencies(&tree),
            &["explain serde", "old, which is gone", "tokio, which is gone"],
        );
    }

    #[test]
    fn dependencies_that_nobody_uses() {
        let manifest = "[dependencies]\nserde-json.workspace = true\nregex = { workspace = true }\n# a remark\n\n\
                        [dev-dependencies]\ntempfile.workspace = true\n";
        let tree = files(&[
            ("crates/a/Cargo.toml", manifest),
            ("crates/a/src/lib.rs", "// regex\nuse serde_json::Value;\n"),
            ("crates/b/src/lib.rs", "use tempfile::TempDir;\n"),
        ]);
        check(&unused_dependencies(&tree), &["regex is not used", "tempfile is not used"]);
    }

    #[test]
    fn a_term_with_two_meanings() {
        let tree = files(&[("docs/terms.md", "**Lag**: late.\n**lag, delay**: later.\n")]);
        check(&terms(&tree), &["`lag` twice"]);
        check(&terms(&files(&[])), &["defines nothing"]);
    }

    #[test]
    fn things_left_lying_about() {
        let marker = ["// TO", "DO: later\nlet TO", "DOS = 1;\n"].concat();
        let place = ["cd /wo", "rk/main; curl https://x/wo", "rk/\n"].concat();
        let tree = files(&[
            ("src/a.rs", &marker),
            ("docs/a.md", &place),
            ("scripts/a", &["get pypi", ".org\n"].concat()),
            ("Cargo.lock", &["index.crates", ".io\n"].concat()),
        ]);
        check(&leftovers(&tree), &["docs/a.md:1", "scripts/a:1", "src/a.rs:1"]);
    }

    #[test]
    fn a_house_without_doors() {
        let complaints = house(&files(&[
            ("Cargo.lock", "source = \"git+https://example.com/x\"\n"),
            ("crates/a/Cargo.toml", "[dependencies]\nserde = \"1\"\n"),
        ]));
        assert_eq!(complaints.len(), 13 + 6 + 1 + 1, "{complaints:#?}");
    }
}
