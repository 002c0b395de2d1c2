//! The built-in platform in the test's own process, with its log.

use super::command::Folder;
use loadgen_target::{Behavior, Config, Counts, Target};
use serde_json::Value;

/// A platform with a log.
pub(crate) struct Platform {
    target: Target,
    folder: Folder,
}

/// A line of the log.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) operation: String,
    pub(crate) path: String,
    pub(crate) connection: u64,
    pub(crate) arrival_us: u64,
    pub(crate) status: Option<u64>,
}

impl Platform {
    /// A platform with these settings.
    pub(crate) fn start(settings: &[&str]) -> Self {
        let folder = Folder::new();
        let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let behavior = Behavior::parse(&settings).unwrap();
        let log = Some(folder.path().join("log"));
        let config = Config::default();
        let ldap = Some(config.listen);
        let target = Target::start(Config { behavior, log, ldap, ..config }).unwrap();
        Self { target, folder }
    }

    pub(crate) fn url(&self) -> String {
        self.target.url()
    }

    /// Its LDAP side.
    pub(crate) fn directory(&self) -> String {
        format!("ldap://{}", self.target.ldap_address().unwrap())
    }

    pub(crate) fn counts(&self) -> Counts {
        self.target.counts()
    }

    /// Stops it; what it received, in order of arrival.
    pub(crate) fn stop(self) -> Vec<Line> {
        self.target.stop();
        let log = self.folder.read("log");
        let mut lines: Vec<(u64, Line)> = log.lines().map(line).collect();
        lines.sort_by_key(|(id, _)| *id);
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

fn line(text: &str) -> (u64, Line) {
    let value: Value = serde_json::from_str(text).unwrap();
    let number = |name: &str| value[name].as_u64().unwrap();
    let word = |name: &str| value[name].as_str().unwrap().to_owned();
    let line = Line {
        operation: word("operation"),
        path: value["path"].as_str().or(value["dn"].as_str()).unwrap_or_default().to_owned(),
        connection: number("connection"),
        arrival_us: number("arrival_us"),
        status: value["status"].as_u64(),
    };
    (number("id"), line)
}
