//! The help texts, letter by letter. `BLESS=1` writes them anew.

use crate::{World, read};
use loadgen_model::format::rate_tool::{Command, Tool, help};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn help_is_as_it_was() {
    for tool in Tool::ALL {
        let text = help(tool);
        assert!(text.lines().all(|line| line.chars().count() <= 79), "{text}");
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/rate_tool/golden")
            .join(format!("{}.txt", tool.name()));
        if std::env::var_os("BLESS").is_some_and(|bless| bless == "1") {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &text).unwrap();
        }
        assert_eq!(text, std::fs::read_to_string(&path).unwrap(), "{}", path.display());
    }
}

#[test]
fn help_and_version_win_over_problems() {
    for line in ["modrate -H", "modrate -?", "modrate --HELP", "modrate --port x --help"] {
        assert!(matches!(read(line, &World::default()), Ok(Command::Help)), "{line}");
    }
    assert!(matches!(read("addrate -V", &World::default()), Ok(Command::Version)));
}

/// Long options of a text, without their dashes.
fn options(text: &str) -> BTreeSet<String> {
    text.split("--")
        .skip(1)
        .map(|rest| {
            rest.chars().take_while(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect()
        })
        .filter(|name: &String| name.starts_with(|first: char| first.is_ascii_alphabetic()))
        .collect()
}

fn guide() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/rate-tools.md");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_guide_knows_every_option_and_no_other() {
    let guide = options(&guide());
    let helps: Vec<String> = Tool::ALL.into_iter().map(help).collect();
    let all: BTreeSet<String> = helps.iter().flat_map(|text| options(text)).collect();
    let today = helps.iter().map(|text| text.split("Options of other versions").next().unwrap());
    let today: BTreeSet<String> = today.flat_map(options).collect();
    let general = ["help", "version"];
    let untold: Vec<_> = today.difference(&guide).filter(|name| !general.contains(&name.as_str())).collect();
    assert!(untold.is_empty(), "{untold:?}");
    let unknown: Vec<_> = guide.difference(&all).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn examples_can_be_run() {
    let world = || {
        World::default().variable("PASSWORD", "secret").file(
            "addrate.template",
            "branch: dc=a\nsubordinateTemplate: p\n\ntemplate: p\nrdnAttr: uid\nuid: <sequential>\n",
        )
    };
    let texts = Tool::ALL.into_iter().map(help).chain([guide()]).collect::<String>().replace(" \\\n", " ");
    let examples: Vec<&str> = texts.lines().filter_map(|line| line.trim().strip_prefix("loadgen ")).collect();
    assert_eq!(examples.len(), 8);
    for example in examples {
        assert!(matches!(read(example, &world()), Ok(Command::Run { .. })), "{example}");
    }
}
