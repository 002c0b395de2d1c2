//! Lines between rows. Scripts do not get them.

use std::time::Duration;

/// Said before what was added is deleted.
pub const PURGE: &str = "Purge phase...\n";

/// Said before a warm-up.
pub fn warming_up(length: Duration) -> String {
    format!("Warming up for {} seconds...\n", length.as_secs())
}

/// How far deleting is. `per_s` are entries a second; without them the end cannot be foretold.
pub fn purging(deleted: u64, of: u64, per_s: f64) -> String {
    let mut text = format!("Purge in progress:  {deleted}/{of} entries deleted ({per_s:.1} ops/sec).");
    if per_s > 0.0 {
        let left = (of.saturating_sub(deleted) as f64 / per_s) as u64;
        text.push_str(&format!(" ETA {:02}:{:02}:{:02}", left / 3600, left / 60 % 60, left % 60));
    }
    text + "\n"
}

/// Said when everything is deleted.
pub fn purged(entries: u64) -> String {
    format!("{entries} entries have been successfully purged\n")
}
