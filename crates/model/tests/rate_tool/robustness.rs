//! No command line, however odd, does harm.

use crate::World;
use loadgen_model::format::rate_tool::{Command, Operation, Tool, parse};
use proptest::prelude::*;

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "-[a-zA-Z?]{1,3}",
        "-[wTW]:(env|file|prompt|x)",
        "-[bgeoD]",
        "--(argument|port|bindPassword|percentile|saslOption)(:file)?(=.{0,4})?",
        "(rand|inc|xrand|randstr)\\([0-9a-z,\\[\\]-]{0,8}\\)",
        "[{}%$0-9dsx+-]{0,8}",
        ".{0,8}",
        "[0-9]{1,20}",
    ]
}

proptest! {
    #[test]
    fn odd_command_lines_are_read_or_refused(words in proptest::collection::vec(word(), 0..8), tool in 0..4_usize) {
        let world = World::default().file("t", "x\n");
        match parse(Tool::ALL[tool], &words, &world) {
            Ok(_) => {}
            Err(refused) => prop_assert!(!refused.problems.is_empty()),
        }
    }

    #[test]
    fn odd_template_files_are_read_or_refused(
        lines in proptest::collection::vec(
            "(branch: dc=a|template: [ab]|subordinateTemplate: [ab](:[0-9]{1,20})?|rdnAttr: (a|b|a\\+b)|extends: [ab]|\
             define [ab]=.{0,6}|[ab]: .{0,10}|a: <(dn|rdn|list|random:(alpha|numeric)|presence|ifabsent|sequential)(:[0-9a-b;]{1,3}){0,2}>|b: \\{a(:[0-9])?\\}||.{0,12})",
            0..14,
        ),
        number: u64,
        seed: u64,
    ) {
        let world = World::default().file("t", lines.join("\n"));
        if let Ok(Command::Run { run, .. }) = parse(Tool::AddRate, &["t".to_owned()], &world) {
            let Operation::Add(add) = run.operation else { panic!() };
            for number in [0, 1, 2, number] {
                let entry = add.entries.entry(number, seed);
                prop_assert_eq!(entry.is_some(), add.entries.count().is_none_or(|count| number < count));
            }
        }
    }

    #[test]
    fn odd_properties_are_read_or_refused(content in "([a-zA-Z.]{0,8}[=: \\\\]{0,3}[a-z0-9\\\\]{0,8}\n){0,6}") {
        let world = World::default().file("p", &content);
        let words = ["--propertiesFilePath", "p", "-b", "dc=example", "(uid=a)"].map(str::to_owned);
        let _ = parse(Tool::SearchRate, &words, &world);
    }
}
