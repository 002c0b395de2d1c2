//! How a task is called where tasks of several workloads stand together.

use crate::prose;

/// The task's name, with its workload before it when another workload has a task of that name.
pub(crate) fn of<'a>(
    name: &str,
    workload: &str,
    mut tasks: impl Iterator<Item = (&'a str, &'a str)>,
) -> String {
    let is_shared = tasks.any(|(other, its_workload)| other == name && its_workload != workload);
    prose::harmless(&if is_shared { format!("{workload}/{name}") } else { name.to_owned() })
}
