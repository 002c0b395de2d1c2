//! Values and templates: what operations are made of.

use crate::{World, run, run_in};
use loadgen_model::format::rate_tool::RateTool;
use loadgen_model::ldap::{Ask, Filter, Search};
use loadgen_model::template::{Missing, Values};
use loadgen_model::variable::{Order, Slot, Source, in_cycle, push_number};
use loadgen_model::{Plan, Template};
use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// Draws the values of a plan as an engine does; counted ones are those of an operation.
struct Drawn<'a> {
    plan: &'a Plan,
    random: Xoshiro256PlusPlus,
    operation: u64,
}

impl Values for Drawn<'_> {
    fn write(&mut self, slot: Slot, out: &mut Vec<u8>) -> Result<(), Missing> {
        match &self.plan.variable(slot).source {
            Source::Cycle { low, high, shuffled, each_user } => {
                assert!(!each_user);
                push_number(in_cycle(*low, *high, *shuffled, self.operation), out);
            }
            Source::Column { data, column } => {
                let data = &self.plan.data[usize::from(data.0)];
                assert_ne!(data.order, Order::EachUser);
                let row = data.draw(&mut self.random, || self.operation).unwrap();
                out.extend_from_slice(data.field(row, *column));
            }
            source => assert!(source.draw(&mut self.random, out)),
        }
        Ok(())
    }
}

/// The bases of searches whose consecutive numbers start at `first`.
fn bases(run: &RateTool, first: u64, operations: u64) -> Vec<String> {
    let plan = run.plan(7);
    let search = searched(&plan);
    let mut drawn = Drawn { plan: &plan, random: Xoshiro256PlusPlus::seed_from_u64(7), operation: first };
    let mut texts = Vec::new();
    for operation in first..first + operations {
        drawn.operation = operation;
        texts.push(render(&search.base, &mut drawn));
    }
    texts
}

fn searched(plan: &Plan) -> &Search {
    let search = plan.operations.iter().find_map(|operation| match &operation.ask {
        Ask::Search(search) => Some(&**search),
        _ => None,
    });
    search.unwrap()
}

fn render(template: &Template, values: &mut impl Values) -> String {
    let mut out = Vec::new();
    template.render(values, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// How a filter goes to the server, with the values of its first operation.
fn filter(run: &RateTool) -> String {
    let plan = run.plan(7);
    let search = searched(&plan);
    let mut drawn = Drawn { plan: &plan, random: Xoshiro256PlusPlus::seed_from_u64(7), operation: 0 };
    match &search.filter {
        Filter::Compare(comparison, attribute, value) => {
            format!("{comparison:?} {attribute} {}", render(value, &mut drawn))
        }
        Filter::Text(text) => format!("text {}", render(text, &mut drawn)),
        other => format!("{other:?}"),
    }
}

fn search(arguments: &str, base: &str) -> RateTool {
    run(&format!("searchrate -b '{base}' {arguments} '(a=b)'"))
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
    for (base, expected) in cases {
        let run = search(arguments, base);
        assert_eq!(bases(&run, 0, 1), [expected], "{base}");
    }
}

#[test]
fn counted_values_go_through_their_range_over_all_workers() {
    let run = search("-g 'inc(3,5)'", "{}");
    assert_eq!(bases(&run, 0, 5), ["3", "4", "5", "3", "4"]);
    let run = search(&format!("-g 'inc({},{})'", i64::MIN, i64::MAX), "{}");
    assert_eq!(bases(&run, 0, 1), [i64::MIN.to_string()]);
}

#[test]
fn a_random_number_may_be_the_upper_end_but_not_in_classic() {
    let drawn = |options: &str| {
        let mut values = bases(&search(&format!("-g 'rand(1,3)' {options}"), "{}"), 0, 200);
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
    let line = |function: &str| format!("searchrate -b '{{}}' -g '{function}(users, all)' '(a=b)'");
    let (run, _) = run_in(&line("inc"), &world);
    assert_eq!(bases(&run, 0, 4), ["a", "", "c,d", "a"]);
    let (run, _) = run_in(&line("rand"), &world);
    let mut drawn = bases(&run, 0, 100);
    drawn.sort();
    drawn.dedup();
    assert_eq!(drawn, ["", "a", "c,d"]);
}

#[test]
fn random_text_keeps_to_its_characters() {
    let check = |function: &str, length: usize, allowed: &dyn Fn(char) -> bool| {
        for text in bases(&search(&format!("-g '{function}'"), "{}"), 0, 50) {
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
    let run =
        |options: &str| run(&format!("searchrate -b 'cn={{}},o=x' -g 'a*(b)\\,=+ #' {options} '(cn={{}})'"));
    let raw = run("");
    assert_eq!(bases(&raw, 0, 1), ["cn=a*(b)\\,=+ #,o=x"]);
    assert_eq!(filter(&raw), "text (cn=a*(b)\\,=+ #)");
    let escaped = run("--escapeValues");
    assert_eq!(bases(&escaped, 0, 1), ["cn=a*(b)\\\\\\,\\=\\+ \\#,o=x"]);
    assert_eq!(filter(&escaped), "Equal cn a*(b)\\,=+ #", "bytes of a value need no escape");
}

#[test]
fn values_that_are_harmless_are_put_into_the_tree_of_a_filter() {
    let written =
        |arguments: &str, text: &str| filter(&run(&format!("searchrate -b o=x {arguments} '{text}'")));
    assert_eq!(written("-g 'inc(5,9)'", "(uid=user.{})"), "Equal uid user.5");
    assert_eq!(written("-g 'inc(5,9)'", "uid=%04d"), "Equal uid 0005");
    assert_eq!(written("-g 'inc(5,9)' -g b", "(cn=\\2a{2}{1})"), "Equal cn *b5");
    assert_eq!(written("-g cn", "({}=a)"), "text (cn=a)");
    assert_eq!(written("-g 'randstr(3,*)'", "(cn={})"), "text (cn=***)");
    assert_eq!(written("-g 'inc(5,9)'", "(cn=${{}})"), "text (cn=${5})");
}

#[test]
fn what_looks_like_a_misspelt_function_is_said() {
    let (_, warnings) = run_in("searchrate -b dc=a -g 'randst(4)' '(a={})'", &World::default());
    assert_eq!(
        warnings[0].to_string(),
        "warning: the argument `randst(4)` stands as it is, because `randst` is no function; did you mean `randstr`?"
    );
    let (_, warnings) = run_in("searchrate -b dc=a -g 'description(4)' '(a={})'", &World::default());
    assert_eq!(warnings, []);
}

proptest! {
    #[test]
    fn each_number_comes_once_in_a_pass(low in -50..50_i64, size in 1..200_u32, pass in 0..3_u64) {
        let run = search(&format!("-g 'xrand({low},{})'", low + i64::from(size) - 1), "{}");
        let passed = u64::from(size);
        let mut drawn: Vec<i64> = bases(&run, pass * passed, passed)
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
        for text in bases(&run, 0, 20) {
            let number: i64 = text.parse().unwrap();
            prop_assert!((low..=high).contains(&number));
        }
    }
}
