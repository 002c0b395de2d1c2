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
mod stand;
mod table;
mod theory;
mod trial;
mod truth;

pub use case::Case;
pub use judgement::{Judgement, Verdict};
pub use outcome::{Outcome, Outcomes};
pub use stand::Problem;
pub use table::head;

use stand::Stand;
use std::time::{Duration, Instant};

/// How often a case is tried at most.
const ATTEMPTS: u32 = 3;

/// After so long no case of a short suite is tried again.
const PATIENCE: Duration = Duration::from_secs(40);

/// What is to be tested.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Only these cases, by their names (`H5`); all when empty.
    pub only: Vec<String>,
    /// Also the cases that take long, and long runs for criteria that need many samples.
    pub full: bool,
}

/// The cases that the options ask for; the error names one that is not there.
pub fn cases(options: &Options) -> Result<Vec<&'static Case>, String> {
    let all = &cases::ALL;
    if let Some(unknown) = options.only.iter().find(|name| !all.iter().any(|case| case.is_named(name))) {
        let names: Vec<&str> = all.iter().map(|case| case.name).collect();
        return Err(format!("there is no case `{unknown}`; there are {}", names.join(", ")));
    }
    let wanted = |case: &&Case| match options.only.is_empty() {
        true => options.full || !case.is_long,
        false => options.only.iter().any(|name| case.is_named(name)),
    };
    Ok(all.iter().filter(wanted).collect())
}

/// Tries cases one after another; tells of each as soon as it is known.
pub fn run(
    cases: &[&'static Case],
    options: &Options,
    mut told: impl FnMut(&Outcome),
) -> Result<Outcomes, Problem> {
    let stand = Stand::new(options.full);
    let begun = Instant::now();
    let mut outcomes = Vec::new();
    for case in cases {
        let outcome = attempt(case, &stand, || options.full || begun.elapsed() < PATIENCE)?;
        told(&outcome);
        outcomes.push(outcome);
    }
    Ok(Outcomes { outcomes })
}

/// Tries a case: again where nothing could be judged and there is time, and where a figure failed that noise can
/// spoil. Noise spoils a figure now and then, and a lie is one each time.
fn attempt(case: &Case, stand: &Stand, may_repeat: impl Fn() -> bool) -> Result<Outcome, Problem> {
    let begun = Instant::now();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let judgements = (case.judge)(stand)?;
        let verdict = judgement::worst(&judgements);
        let is_final = match verdict {
            Verdict::Passed | Verdict::NotRun => true,
            Verdict::NotJudged => !may_repeat(),
            Verdict::Failed => judgements.iter().any(|one| one.is_exact && one.verdict == Verdict::Failed),
        };
        if is_final || attempts == ATTEMPTS {
            let seconds = begun.elapsed().as_secs_f64();
            return Ok(Outcome {
                name: case.name.to_owned(),
                question: case.question.to_owned(),
                verdict,
                attempts,
                seconds,
                judgements,
            });
        }
    }
}
