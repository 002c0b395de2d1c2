//! A task of the original: a request, or a sleep.

use crate::format::decode::Any;
use crate::format::decode::text::Text;
use crate::format::file::task::Task;
use crate::format::job::Work;
use crate::format::native::library::Found;
use crate::format::node::{Node, Value};
use crate::format::original::keys::{Keys, find};
use crate::format::original::level::Level;
use crate::format::original::map;
use crate::format::problems::Problems;
use std::rc::Rc;
use std::time::Duration;

/// Where the older spelling of the token stands.
const TOKEN_HEADER: &str = "iplanetdirectorypro";

/// Whether a file is a task of the original.
pub(crate) fn is_task(node: &Node) -> bool {
    find(node, "url-endpoint").is_some() || find(node, "request").is_some()
}

/// Reads a task that stands outside of an original job.
pub(crate) fn read(node: &Node, problems: &mut Problems) -> Option<Found> {
    read_inside(node, &Level::default(), problems)
}

/// Reads a task of a workload.
pub(crate) fn read_inside(node: &Node, outer: &Level, problems: &mut Problems) -> Option<Found> {
    let mut keys = Keys::new(node, problems)?;
    let endpoint = keys.text("url-endpoint").unwrap_or_default();
    let payload = keys.text("url-payload").unwrap_or_default();
    if endpoint.text.contains("$SLEEP") {
        let millis = keys.number("url-payload");
        keys.known_of_tasks();
        keys.finish();
        return Some(Found::Sleep(Duration::from_millis(millis.map_or(0, |number| number.value))));
    }
    let level = Level::read(&mut keys, Some(outer));
    keys.missing("request", "a method such as GET");
    let at = if endpoint.text.is_empty() { &payload.at } else { &endpoint.at };
    let mut task = Task {
        name: keys.text("name"),
        method: keys.text("request").map(|method| Text::new(method.text.trim().to_uppercase(), &method.at)),
        url: Text::new(format!("{}{}", endpoint.text, payload.text), at),
        attributes: level.attributes,
        ..Task::default()
    };
    if task.url.text.is_empty() && task.attributes.target.is_none() {
        keys.missing("url-endpoint", "the path of the URL");
    }
    task.attributes.headers = map(headers(&mut keys));
    match keys.take("data-payload").map(|(_, node)| node) {
        Some(Node { value: Value::Scalar(scalar), at }) => {
            task.body = Some(Text::new(scalar.text.clone(), at));
        }
        Some(node) => task.json = Some(Any(node.clone())),
        None => {}
    }
    keys.known_of_tasks();
    keys.finish();
    Some(Found::Task(Work::Http(Rc::new(task))))
}

/// `header`, with the literal `tokenId` of older files made the variable that it stands for.
fn headers(keys: &mut Keys<'_>) -> Vec<(Text, Text)> {
    let node = keys.take("header").or_else(|| keys.take("headers")).map(|(_, node)| node);
    let Some(entries) = node.and_then(Node::map) else { return Vec::new() };
    entries
        .iter()
        .filter_map(|(key, value)| {
            let text = &value.scalar()?.text;
            let old = key.text.to_ascii_lowercase().contains(TOKEN_HEADER);
            let text = if old { text.replace("tokenId", "$TOKENID") } else { text.clone() };
            Some((Text::new(key.text.clone(), &key.at), Text::new(text, &value.at)))
        })
        .collect()
}

impl Keys<'_> {
    /// Keys of tasks that say nothing here.
    fn known_of_tasks(&mut self) {
        for key in
            ["name", "request", "header", "data-payload", "service-location-port", "comment", "description"]
        {
            self.take(key);
        }
    }
}
