//! Values and templates: what operations are made of.

use crate::{World, run, run_in};
use loadgen_model::format::rate_tool::{Escape, Operation, RateTool, Row};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The filters of operations whose consecutive numbers start at `first`.
fn filters(run: &RateTool, first: u64, operations: u64, escape: Escape) -> Vec<String> {
    let Operation::Search(search) = &run.operation else { panic!() };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut row = Row::default();
    (first..first + operations)
        .map(|operation| {
            run.arguments.draw(&mut random, |_| operation, 7, &mut row);
            let mut out = Vec::new();
            search.filter.render(&row, escape, &mut out);
            String::from_utf8(out).unwrap()
        })
        .collect()
}

fn search(arguments: &str, filter: &str) -> RateTool {
    run(&format!("searchrate -b dc=example {arguments} '{filter}'"))
}

#[test]
fn placeholders_of_both_kinds_take_arguments() {
    let arguments = "-g 'inc(7,9)' -g text -g -5 -g 'xrand(42,42)'";
    let cases = [
        ("a{}b{}c{}d{}", "a7btextc-5d42"),
        ("{2}{1}{2}", "text7text"),
        ("{}{1}{}", "77text"),
        ("%d %s %d %d", "7 text -5 42"),
        ("%2$s %d %1$05d", "text 7 00007"),
        ("100% of {1}", "100% of 7"),
        ("100%% of %d", "100% of 7"),
        ("100%% or 5% of nothing", "100%% or 5% of nothing"),
        ("{a} {1b} { 1}", "{a} {1b} { 1}"),
        ("%3$+d %3$06d %4$x %4$+05d", "-5 -00005 2a +0042"),
        ("<%1$3d><%1$-3d><%2$6s><%2$-6s><%2$S>", "<  7><7  ><  text><text  ><TEXT>"),
    ];
    for (filter, expected) in cases {
        let run = search(arguments, filter);
        assert_eq!(filters(&run, 0, 1, Escape::None), [expected], "{filter}");
    }
}

#[test]
fn counted_values_go_through_their_range_over_all_workers() {
    let run = search("-g 'inc(3,5)'", "{}");
    assert_eq!(filters(&run, 0, 5, Escape::None), ["3", "4", "5", "3", "4"]);
    let run = search(&format!("-g 'inc({},{})'", i64::MIN, i64::MAX), "{}");
    assert_eq!(filters(&run, 0, 1, Escape::None), [i64::MIN.to_string()]);
}

#[test]
fn a_random_number_may_be_the_upper_end_but_not_in_classic() {
    let drawn = |options: &str| {
        let mut values = filters(&search(&format!("-g 'rand(1,3)' {options}"), "{}"), 0, 200, Escape::None);
        values.sort();
        values.dedup();
        values
    };
    assert_eq!(drawn(""), ["1", "2", "3"]);
    assert_eq!(drawn("--classic"), ["1", "2"]);
}

#[test]
fn files_give_their_lines_in_order_or_at_random() {
    let world = World::default().file("users, all", "a\n\nc,d\n");
    let line = |function: &str| format!("searchrate -b dc=example -g '{function}(users, all)' '{{}}'");
    let (run, _) = run_in(&line("inc"), &world);
    assert_eq!(filters(&run, 0, 4, Escape::None), ["a", "", "c,d", "a"]);
    let (run, _) = run_in(&line("rand"), &world);
    let mut drawn = filters(&run, 0, 100, Escape::None);
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn, ["", "a", "c,d"]);
}

#[test]
fn random_text_keeps_to_its_characters() {
    let check = |function: &str, length: usize, allowed: &dyn Fn(char) -> bool| {
        for text in filters(&search(&format!("-g '{function}'"), "{}"), 0, 50, Escape::None) {
            assert_eq!(text.chars().count(), length, "{function}");
            assert!(text.chars().all(allowed), "{function}: {text}");
        }
    };
    check("randstr(16)", 16, &|letter| letter.is_ascii_alphanumeric());
    check("randstr(8,[a-f][0-9]_)", 8, &|letter| matches!(letter, 'a'..='f' | '0'..='9' | '_'));
    check("randstr(4,()[-,)", 4, &|letter| "()[-,".contains(letter));
    check("randstr(9,[a-cX-Z]_)", 9, &|letter| "abcXYZ_".contains(letter));
    check("randstr(9,[ab]])", 9, &|letter| "[ab]".contains(letter));
    check("randstr(4,[α-γ])", 4, &|letter| ('α'..='γ').contains(&letter));
    check("randstr(0)", 0, &|_| false);
}

#[test]
fn values_are_escaped_when_asked_for() {
    let run = search("-g 'a*(b)\\,=+ #'", "(cn={})");
    assert_eq!(filters(&run, 0, 1, Escape::None), ["(cn=a*(b)\\,=+ #)"]);
    assert_eq!(filters(&run, 0, 1, Escape::Filter), ["(cn=a\\2a\\28b\\29\\5c,=+ #)"]);
    assert_eq!(filters(&run, 0, 1, Escape::Name), ["(cn=a*(b)\\5c\\2c\\3d\\2b #)"]);
}

#[test]
fn what_looks_like_a_misspelt_function_is_said() {
    let (_, warnings) = run_in("searchrate -b dc=a -g 'randst(4)' '{}'", &World::default());
    assert_eq!(
        warnings[0].to_string(),
        "warning: the argument `randst(4)` stands as it is, because `randst` is no function; did you mean `randstr`?"
    );
    let (_, warnings) = run_in("searchrate -b dc=a -g 'description(4)' '{}'", &World::default());
    assert_eq!(warnings, []);
}

proptest! {
    #[test]
    fn each_number_comes_once_in_a_pass(low in -50..50_i64, size in 1..200_u32, pass in 0..3_u64) {
        let run = search(&format!("-g 'xrand({low},{})'", low + i64::from(size) - 1), "{}");
        let passed = u64::from(size);
        let mut drawn: Vec<i64> = filters(&run, pass * passed, passed, Escape::None)
            .iter()
            .map(|text| text.parse().unwrap())
            .collect();
        drawn.sort_unstable();
        prop_assert_eq!(drawn, (low..low + i64::from(size)).collect::<Vec<_>>());
    }

    #[test]
    fn random_numbers_stay_in_their_range(low: i64, high: i64) {
        let (low, high) = (low.min(high), low.max(high));
        let run = search(&format!("-g 'rand({low},{high})'"), "%d");
        for text in filters(&run, 0, 20, Escape::None) {
            let number: i64 = text.parse().unwrap();
            prop_assert!((low..=high).contains(&number));
        }
    }

    #[test]
    fn an_escaped_value_has_no_character_of_a_filter(value in "[ -~]{1,20}") {
        prop_assume!(!value.contains('\'') && !value.starts_with('-'));
        let run = search(&format!("'-g{value}'"), "{1}");
        let filter = &filters(&run, 0, 1, Escape::Filter)[0];
        prop_assert!(!filter.contains(['*', '(', ')']), "{}", filter);
    }
}
