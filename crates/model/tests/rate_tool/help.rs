//! The help texts, letter by letter. `BLESS=1` writes them anew.

use crate::{World, read};
use loadgen_model::format::rate_tool::{Command, Tool, help};
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
