//! Files that a template names: in the current folder, in that of `--resourcePath`, or built in.

use crate::format::rate_tool::entries::{Input, names};
use crate::format::rate_tool::generator::Lines;
use std::path::PathBuf;
use std::sync::Arc;

/// The lines of a file. The error says what is wrong.
pub(super) fn lines(name: &str, input: &Input<'_>) -> Result<Arc<Lines>, String> {
    let here = input.outside.current_folder().join(name);
    let there = input.resources.map(|folder| folder.join(name));
    let found: Option<PathBuf> =
        [Some(here.clone()), there].into_iter().flatten().find(|path| input.outside.is_file(path));
    let lines: Vec<String> = match (found, names::built_in(name)) {
        (None, Some(lines)) => lines.iter().map(|line| (*line).to_owned()).collect(),
        (found, _) => {
            let content = input.outside.read(&found.unwrap_or(here));
            let content = content.map_err(|error| format!("the file `{name}` cannot be read: {error}"))?;
            let text = String::from_utf8(content).map_err(|_| format!("the file `{name}` is not UTF-8"))?;
            text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
        }
    };
    if lines.is_empty() {
        return Err(format!("the file `{name}` has no lines"));
    }
    Ok(Arc::new(Lines { lines }))
}
