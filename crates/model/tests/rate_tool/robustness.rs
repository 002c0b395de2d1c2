//! No command line, however odd, does harm.

use crate::World;
use loadgen_model::format::rate_tool::{Tool, parse};
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
    fn odd_properties_are_read_or_refused(content in "([a-zA-Z.]{0,8}[=: \\\\]{0,3}[a-z0-9\\\\]{0,8}\n){0,6}") {
        let world = World::default().file("p", &content);
        let words = ["--propertiesFilePath", "p", "-b", "dc=example", "(uid=a)"].map(str::to_owned);
        let _ = parse(Tool::SearchRate, &words, &world);
    }
}
