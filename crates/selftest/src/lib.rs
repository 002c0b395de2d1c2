//! Does the generator tell the truth? Runs jobs against the built-in target, which knows what was true of every
//! request, and compares.
//!
//! A case is a job, a target's behaviour, and judgements on the two accounts of the run. Nothing here measures:
//! times come from the generator's report and from the target's log.

mod case;
mod cases;
mod judgement;
mod machine;
mod ordered;
mod outcome;
mod randomness;
mod stand;
mod table;
mod theory;
mod trial;
mod truth;
mod wire;

pub use case::Case;
pub use judgement::{Judgement, Verdict};
pub use outcome::{Outcome, Outcomes};
pub use stand::Problem;
pub use table::head;
pub use wire::Wire;

use stand::Stand;
use std::time::Instant;

/// How often a case is tried at most.
const ATTEMPTS: u32 = 3;

/// So long a short suite may take beside the first attempts, for cases that could not be judged.
const PATIENCE_S: f64 = 16.0;

/// What is to be tested.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only these cases, by their names (`H5`); all when empty.
    pub only: Vec<String>,
    /// Also the cases that take long, and long runs for criteria that need many samples.
    pub full: bool,
    /// What both sides speak.
    pub wire: Wire,
}

/// The cases that the options ask for; the error names one that is not there.
pub fn cases(options: &Options) -> Result<Vec<&'static Case>, String> {
    let all = &cases::ALL;
    if let Some(unknown) = options.only.iter().find(|name| !all.iter().any(|case| case.is_named(name))) {
        let names: Vec<&str> = all.iter().map(|case| case.name).collect();
        return Err(format!("there is no case `{unknown}`; there are {}", names.join(", ")));
    }
    let named = |case: &&Case| options.only.iter().any(|name| case.is_named(name));
    let usual = |case: &&Case| options.only.is_empty() && (options.full || !case.is_long);
    Ok(all.iter().filter(|case| named(case) || usual(case)).collect())
}

/// Tries cases one after another; tells of each as soon as it is known.
pub fn run(
    cases: &[&'static Case],
    options: &Options,
    mut told: impl FnMut(&Outcome),
) -> Result<Outcomes, Problem> {
    let stand = Stand::new(options.full, options.wire);
    let mut patience_s = if options.full { f64::INFINITY } else { PATIENCE_S };
    let mut outcomes = Vec::new();
    for case in cases {
        let outcome = attempt(case, &stand, &mut patience_s)?;
        told(&outcome);
        outcomes.push(outcome);
    }
    Ok(Outcomes { loadgen_selftest: outcome::VERSION, outcomes })
}

/// Tries a case: again where nothing could be judged and there is time, and where a figure failed that noise can
/// spoil. Noise spoils a figure now and then, and a lie is one each time: the best verdict on a figure counts.
fn attempt(case: &Case, stand: &Stand, patience_s: &mut f64) -> Result<Outcome, Problem> {
    let begun = Instant::now();
    let mut judgements = (case.judge)(stand)?;
    let once_s = begun.elapsed().as_secs_f64();
    let mut attempts = 1;
    while attempts < ATTEMPTS && is_open(&judgements, once_s <= *patience_s) {
        judgements = better((case.judge)(stand)?, judgements);
        *patience_s -= once_s;
        attempts += 1;
    }
    Ok(Outcome {
        name: case.name.to_owned(),
        question: case.question.to_owned(),
        verdict: judgement::worst(&judgements),
        attempts,
        seconds: begun.elapsed().as_secs_f64(),
        judgements,
    })
}

/// Whether another attempt can change the verdict, and is worth its time.
fn is_open(judgements: &[Judgement], has_time: bool) -> bool {
    match judgement::worst(judgements) {
        Verdict::Passed | Verdict::NotRun => false,
        Verdict::NotJudged => has_time,
        Verdict::Failed => !judgements.iter().any(Judgement::is_final_failure),
    }
}

/// The judgements of a new attempt, save those that an older one of the same figure beats. What no noise can spoil
/// counts as it is now.
fn better(new: Vec<Judgement>, old: Vec<Judgement>) -> Vec<Judgement> {
    let mut old = old.into_iter();
    new.into_iter()
        .map(|new| match old.next() {
            Some(old) if old.figure == new.figure && old.verdict < new.verdict && !new.is_final_failure() => {
                old
            }
            _ => new,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_good_attempt_counts_but_for_counts() {
        let of = |verdict| Judgement::new("p50", String::new(), String::new(), verdict);
        let verdict = |new, old| better(vec![new], vec![old])[0].verdict;
        assert_eq!(verdict(of(Verdict::Failed), of(Verdict::Passed)), Verdict::Passed);
        assert_eq!(verdict(of(Verdict::NotJudged), of(Verdict::Failed)), Verdict::NotJudged);
        assert_eq!(verdict(of(Verdict::Failed).exact(), of(Verdict::Passed)), Verdict::Failed);
        assert!(is_open(&[of(Verdict::Failed)], false));
        assert!(!is_open(&[of(Verdict::Failed), of(Verdict::Failed).exact()], true));
        assert!(!is_open(&[of(Verdict::NotJudged)], false));
    }

    #[test]
    fn a_case_that_is_not_there_is_an_error() {
        let only = |name: &str| cases(&Options { only: vec![name.to_owned()], ..Options::default() });
        assert_eq!(only("h5").unwrap()[0].name, "H5");
        assert!(only("H99").err().unwrap().contains("H1, H2"));
    }
}
