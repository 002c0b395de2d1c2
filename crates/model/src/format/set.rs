//! `--set a.b=value`: values from the command line, put into the tree before it is read.

use crate::diagnostic::Diagnostic;
use crate::format::compile::levels::SET;
use crate::format::node::{At, Key, Kind, Node, Value, kind_of};
use crate::format::problems::Problems;
use crate::format::yaml;
use std::sync::Arc;

/// A path with more parts than this is refused: no value of a job stands so deep.
const MOST_PARTS: usize = 64;

/// Applies all settings in order.
pub(crate) fn apply(settings: &[String], root: &mut Node, problems: &mut Problems) {
    for setting in settings {
        let Some((path, value)) = setting.split_once('=') else {
            let problem = Diagnostic::error(None, format!("`--set {setting}` has no `=`"));
            problems.add(problem.help("write it like --set load.users=10"));
            continue;
        };
        if path.split('.').count() > MOST_PARTS {
            let shown = crate::format::decode::shortened(path);
            let message = format!("the path of `{SET} {shown}` has more than {MOST_PARTS} parts");
            problems.add(Diagnostic::error(None, message).help("write it like --set load.users=10"));
            continue;
        }
        let file: Arc<str> = format!("{SET} {path}").into();
        let at = At::file(file.clone());
        if path.is_empty() || path.split('.').any(str::is_empty) {
            problems.error_with_help(&at, "the path has an empty part", "write it like --set load.users=10");
            continue;
        }
        let mut node = match kind_of(value) {
            Kind::Null => Node::null(at.clone()),
            _ => match yaml::parse(&file, value, problems) {
                Some(node) => node,
                None => continue,
            },
        };
        relocate(&mut node, &at);
        let parts: Vec<_> = path.split('.').collect();
        if let Err(problem) = put(root, &parts, node, &at) {
            problems.add(problem);
        }
    }
}

/// A value from the command line has no lines.
fn relocate(node: &mut Node, at: &At) {
    node.at = at.clone();
    match &mut node.value {
        Value::Scalar(_) => {}
        Value::List(nodes) => nodes.iter_mut().for_each(|node| relocate(node, at)),
        Value::Map(entries) => {
            for (key, node) in entries {
                key.at = at.clone();
                relocate(node, at);
            }
        }
    }
}

fn put(node: &mut Node, path: &[&str], value: Node, at: &At) -> Result<(), Diagnostic> {
    let Some(first) = path.first() else {
        *node = value;
        return Ok(());
    };
    if node.is_null() {
        node.value = Value::Map(Vec::new());
    }
    match &mut node.value {
        Value::Map(entries) => {
            // A name may hold dots itself: the longest that is there is meant.
            let longest = (1..=path.len()).rev().find_map(|length| {
                let name = path[..length].join(".");
                entries.iter().position(|(key, _)| key.text == name).map(|index| (index, length))
            });
            if let Some((index, length)) = longest {
                return put(&mut entries[index].1, &path[length..], value, at);
            }
            let key = Key { text: (*first).to_owned(), at: at.clone() };
            let mut inner = Node::null(at.clone());
            put(&mut inner, &path[1..], value, at)?;
            entries.push((key, inner));
            Ok(())
        }
        Value::List(nodes) => {
            let count = nodes.len();
            match first.parse::<usize>().ok().and_then(|index| nodes.get_mut(index)) {
                Some(node) => put(node, &path[1..], value, at),
                None => Err(Diagnostic::error(at.place(), format!("the list has no element `{first}`"))
                    .help(format!("its {count} elements are counted from 0"))),
            }
        }
        Value::Scalar(_) => {
            let message = format!("there is nothing below the value before `{first}`");
            Err(Diagnostic::error(at.place(), message).help("shorten the path"))
        }
    }
}
