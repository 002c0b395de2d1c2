//! Attributes that the original's author wanted at all three levels: task over workload over job.

use crate::format::decode::quantity::{Limit, Time};
use crate::format::decode::text::Text;
use crate::format::decode::{Decode, Spanned};
use crate::format::file::attributes::{Attributes, Connection};
use crate::format::original::keys::{Keys, Number};
use crate::format::original::{literal, map};
use std::time::Duration;

/// What one file says.
#[derive(Clone, Default)]
pub(crate) struct Level {
    pub(crate) attributes: Attributes,
    location: Option<Text>,
    port: Option<Text>,
}

impl Level {
    /// Reads the attributes of a file that stands inside of `outer`.
    pub(crate) fn read(keys: &mut Keys<'_>, outer: Option<&Level>) -> Self {
        let whole = keys.text("service-location-port");
        let (location, port) = (keys.text("service-location"), keys.text("service-port"));
        let changed = location.is_some() || port.is_some();
        let location = location.or_else(|| outer.and_then(|outer| outer.location.clone()));
        let port = port.or_else(|| outer.and_then(|outer| outer.port.clone()));
        let target =
            whole.or_else(|| location.as_ref().filter(|_| changed).map(|text| joined(text, port.as_ref())));
        let mut variables = Vec::new();
        for (key, name, secret) in
            [("adminuserid", "ADMINUSERID", false), ("adminuserpassword", "ADMINUSERPASSWORD", true)]
        {
            if let Some(value) = keys.text(key) {
                variables.push((Text::new(name, &value.at), literal(value, secret)));
            }
        }
        let attributes = Attributes {
            target,
            timeout: keys.number("timeout").map(|number| millis(&number)),
            connection: connection(keys),
            variables: map(variables),
            ..Attributes::default()
        };
        Self { attributes, location, port }
    }
}

/// Older files write `"http://192.168.1.90:"` and `"8080"` apart.
fn joined(location: &Text, port: Option<&Text>) -> Text {
    let colon = location.text.ends_with(':');
    let text = match port {
        None => location.text.trim_end_matches(':').to_owned(),
        Some(port) if colon || port.text.starts_with(':') => format!("{}{}", location.text, port.text),
        Some(port) => format!("{}:{}", location.text, port.text),
    };
    Text::new(text, &location.at)
}

fn connection(keys: &mut Keys<'_>) -> Option<Spanned<Connection>> {
    let (_, node) = keys.take("connection")?;
    Spanned::<Connection>::decode(node, keys.problems)
}

/// The threshold of a task.
pub(crate) fn threshold(number: &Number) -> Spanned<Limit> {
    Spanned { value: Limit(Duration::from_millis(number.value)), at: number.at.clone() }
}

/// The original writes every time in milliseconds.
pub(crate) fn millis(number: &Number) -> Spanned<Time> {
    Spanned { value: Time(Duration::from_millis(number.value)), at: number.at.clone() }
}
