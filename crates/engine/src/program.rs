//! A scenario laid flat, so that a user walks it with a position instead of a call stack.

use loadgen_model::plan::Task;
use loadgen_model::{Scenario, Step, ThinkTime};

/// A scenario laid flat.
#[derive(Debug)]
pub(crate) struct Program {
    operations: Vec<Operation>,
}

#[derive(Debug, Clone, Copy)]
enum Operation {
    Task(Task),
    Sleep(ThinkTime),
    Repeat(u64),
    /// Back to the operation after the `Repeat` at this place, while it has times left.
    Again(usize),
}

/// What a user is to do next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Next {
    /// Send a request.
    Task(Task),
    /// Think.
    Sleep(ThinkTime),
}

/// A user's place in a program.
#[derive(Debug, Default)]
pub(crate) struct Position {
    at: usize,
    /// Times left of each repeat around the place, innermost last.
    left: Vec<u64>,
}

impl Program {
    /// The program of a scenario.
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let mut operations = Vec::new();
        flatten(&scenario.steps, &mut operations);
        Self { operations }
    }

    /// What comes at the position, which moves on; none at the end.
    pub(crate) fn next(&self, position: &mut Position) -> Option<Next> {
        loop {
            let operation = self.operations.get(position.at)?;
            position.at += 1;
            match *operation {
                Operation::Task(task) => return Some(Next::Task(task)),
                Operation::Sleep(time) => return Some(Next::Sleep(time)),
                Operation::Repeat(times) => position.left.push(times),
                Operation::Again(start) => {
                    let left = position.left.last_mut().expect("each end has its begin");
                    *left -= 1;
                    if *left == 0 {
                        position.left.pop();
                    } else {
                        position.at = start;
                    }
                }
            }
        }
    }
}

impl Position {
    /// Back to the begin, keeping what memory it has.
    pub(crate) fn rewind(&mut self) {
        self.at = 0;
        self.left.clear();
    }
}

fn flatten(steps: &[Step], out: &mut Vec<Operation>) {
    for step in steps {
        match step {
            Step::Task(task) => out.push(Operation::Task(*task)),
            Step::Sleep(time) => out.push(Operation::Sleep(*time)),
            Step::Repeat { times: 0, .. } => {}
            Step::Repeat { times, steps } => {
                out.push(Operation::Repeat(*times));
                let start = out.len();
                flatten(steps, out);
                out.push(Operation::Again(start));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use loadgen_model::plan::RequestId;
    use loadgen_model::sample::RowId;

    fn task(row: u16) -> Step {
        Step::Task(Task { row: RowId(row), request: RequestId::Http(row), threshold: None, joined: false })
    }

    fn repeat(times: u64, steps: Vec<Step>) -> Step {
        Step::Repeat { times, steps }
    }

    fn walk(steps: Vec<Step>) -> Vec<u16> {
        let scenario = Scenario { name: "hammer".to_owned(), steps };
        let program = Program::of(&scenario);
        let mut position = Position::default();
        let rows: Vec<u16> = std::iter::from_fn(|| program.next(&mut position))
            .map(|next| match next {
                Next::Task(task) => task.row.0,
                Next::Sleep(_) => unreachable!("no sleep stands in these"),
            })
            .collect();
        assert_eq!(rows.len() as u64, scenario.requests(), "the plan expects what the user does");
        rows
    }

    #[test]
    fn nested_repeats_are_walked_in_order() {
        let rows = walk(vec![task(9), repeat(2, vec![task(0), repeat(3, vec![task(1), task(2)])]), task(8)]);
        assert_eq!(rows, [9, 0, 1, 2, 1, 2, 1, 2, 0, 1, 2, 1, 2, 1, 2, 8]);
    }

    #[test]
    fn the_hammer_is_as_long_as_its_loops_say() {
        let inner = repeat(100, vec![task(1), task(2)]);
        assert_eq!(walk(vec![repeat(100, vec![task(0), inner])]).len(), 20_100);
    }

    #[test]
    fn a_repeat_of_nothing_is_nothing() {
        assert_eq!(walk(vec![repeat(0, vec![task(1)]), repeat(5, vec![]), task(2)]), [2]);
    }
}
