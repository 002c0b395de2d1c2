//! File descriptors: each connection takes one.

use rustix::process::{Resource, getrlimit};

/// More are not counted one by one.
const COUNTED: usize = 1 << 20;

/// How many this process may have: now, and after raising its limit as far as it may. None is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) soft: Option<u64>,
    pub(crate) hard: Option<u64>,
}

/// The limits, now.
pub(crate) fn limits() -> Limits {
    let limit = getrlimit(Resource::Nofile);
    Limits { soft: limit.current, hard: limit.maximum }
}

/// Descriptors in use, now.
pub(crate) fn used() -> Option<u64> {
    const FOLDER: &str = "/proc/self/fd";
    // Since Linux 6.2 the folder's size is the number; counting costs a call for some hundred of them.
    match std::fs::metadata(FOLDER).ok()?.len() {
        0 => Some(std::fs::read_dir(FOLDER).ok()?.take(COUNTED).count() as u64),
        known => Some(known),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_file_is_counted() {
        let Some(before) = used() else { return };
        let open: Vec<_> = (0..100).map(|_| std::fs::File::open("/proc/self/stat").unwrap()).collect();
        // Other tests of this process open and close some at the same time.
        assert!(used().unwrap() >= before.saturating_sub(20) + 80, "{before} before, {} open", open.len());
    }

    #[test]
    fn the_soft_limit_is_not_above_the_hard_one() {
        let limits = limits();
        assert!(limits.hard.is_none_or(|hard| limits.soft.is_some_and(|soft| soft <= hard)), "{limits:?}");
    }
}
