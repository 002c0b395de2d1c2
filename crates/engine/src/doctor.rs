//! Before a run: is this machine fit to generate load, and how much of it?

mod calibration;
mod machine;
mod network;
mod system;
mod target;

pub use calibration::{calibrate, timers};
pub use target::is_reachable;

use loadgen_model::report::{Check, Grade};
use loadgen_model::request::Origin;
use system::System;

/// Looks at the machine and, when there is one, at the way to a target. Blocks for up to some seconds.
pub fn examine(target: Option<&Origin>) -> Vec<Check> {
    let system = System::read();
    let seen = target.map(target::Seen::of);
    let is_here = seen.as_ref().is_some_and(target::Seen::is_here);
    let mut checks = machine::checks(&system);
    checks.extend(network::checks(&system, is_here));
    checks.extend(seen.iter().flat_map(target::Seen::checks));
    checks
}

/// Something that is as it should be.
fn ok(name: &str, found: String) -> Check {
    Check { name: name.to_owned(), grade: Grade::Ok, found, advice: None }
}

/// A figure, graded; the advice is given unless it is ok.
fn graded(grade: Grade, name: &str, found: String, advice: &str) -> Check {
    let advice = (grade != Grade::Ok).then(|| advice.to_owned());
    Check { advice, ..Check { grade, ..ok(name, found) } }
}

/// More is worse: ok up to the first limit, a warning up to the second.
fn at_most(figure: f64, [warn, bad]: [f64; 2]) -> Grade {
    match figure {
        figure if figure > bad => Grade::Bad,
        figure if figure > warn => Grade::Warn,
        _ => Grade::Ok,
    }
}

/// Less is worse: ok from the first limit on, a warning from the second.
fn at_least(figure: f64, [warn, bad]: [f64; 2]) -> Grade {
    at_most(-figure, [-warn, -bad])
}

/// A number with thousands set apart.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_grade_in_both_directions() {
        let grades = [5.0, 50.0, 500.0].map(|figure| at_most(figure, [10.0, 100.0]));
        assert_eq!(grades, [Grade::Ok, Grade::Warn, Grade::Bad]);
        let grades = [5.0, 50.0, 500.0].map(|figure| at_least(figure, [100.0, 10.0]));
        assert_eq!(grades, [Grade::Bad, Grade::Warn, Grade::Ok]);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
