//! Steps of a native workload, their tasks found.

use crate::format::decode::quantity::Time;
use crate::format::decode::{Either, Spanned};
use crate::format::file::workload::{Sleep, Step as Typed};
use crate::format::job::{Step, TaskStep};
use crate::format::native::library::{Found, Library};
use crate::format::problems::Problems;
use crate::load::ThinkTime;

/// More nested repeats than this are refused.
const DEEPEST: usize = 16;

pub(crate) fn steps(
    typed: &[Spanned<Typed>],
    library: &mut Library<'_>,
    problems: &mut Problems,
) -> Vec<Step> {
    nested(typed, library, problems, 0)
}

fn nested(
    typed: &[Spanned<Typed>],
    library: &mut Library<'_>,
    problems: &mut Problems,
    depth: usize,
) -> Vec<Step> {
    typed.iter().filter_map(|step| one(step, library, problems, depth)).collect()
}

fn one(
    step: &Spanned<Typed>,
    library: &mut Library<'_>,
    problems: &mut Problems,
    depth: usize,
) -> Option<Step> {
    let typed = &step.value;
    if let Some(name) = &typed.task {
        let attributes = typed.attributes.clone();
        return match library.task(name, problems)? {
            Found::Task(task) => {
                let name = name.clone();
                Some(Step::Task(Box::new(TaskStep { name, attributes, task, captures: Vec::new() })))
            }
            Found::Sleep(time) => Some(Step::Sleep(ThinkTime::Fixed(time))),
        };
    }
    if !typed.attributes.is_empty() {
        let what = if typed.sleep.is_some() { "sleep" } else { "repeat" };
        let message = format!("a `{what}` step has none of the attributes of a request");
        problems.error_with_help(&step.at, message, "put them at its tasks, or remove them");
    }
    if let Some(sleep) = &typed.sleep {
        return think_time(sleep, problems).map(Step::Sleep);
    }
    let times = typed.repeat.as_ref()?;
    if times.value.0 == 0 {
        problems.error_with_help(&times.at, "`repeat: 0` does nothing", "use at least 1, or remove the step");
    }
    if depth == DEEPEST {
        problems.error(&step.at, format!("repeats are nested more than {DEEPEST} deep"));
        return None;
    }
    let inside = typed.steps.as_deref().unwrap_or_default();
    if inside.is_empty() && typed.steps.is_some() {
        problems.error_with_help(&step.at, "nothing is repeated", "put steps into `steps`");
    }
    Some(Step::Repeat(times.value.0, nested(inside, library, problems, depth + 1)))
}

fn think_time(sleep: &Sleep, problems: &mut Problems) -> Option<ThinkTime> {
    let drawn = match sleep {
        Either::First(time) => return Some(ThinkTime::Fixed(time.0)),
        Either::Second(drawn) => drawn,
    };
    if let Some(mean) = drawn.value.exponential {
        return Some(ThinkTime::Exponential(mean.0));
    }
    if let Some(times) = &drawn.value.uniform {
        let (low, high) = two(times, "uniform", "[5s, 15s]", problems)?;
        if low > high {
            problems.error_with_help(&times.at, "`uniform` runs backwards", "put the shorter time first");
            return None;
        }
        return Some(ThinkTime::Uniform(low, high));
    }
    let (mean, deviation) = two(drawn.value.normal.as_ref()?, "normal", "[10s, 2s]", problems)?;
    Some(ThinkTime::Normal(mean, deviation))
}

fn two(
    times: &Spanned<Vec<Time>>,
    what: &str,
    example: &str,
    problems: &mut Problems,
) -> Option<(std::time::Duration, std::time::Duration)> {
    match times.value.as_slice() {
        [first, second] => Some((first.0, second.0)),
        _ => {
            let message = format!("`{what}` takes two times");
            problems.error_with_help(&times.at, message, format!("write it like {example}"));
            None
        }
    }
}
