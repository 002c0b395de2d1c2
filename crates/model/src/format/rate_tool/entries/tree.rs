//! Which entry has which number: depth first, in the order of the file.

use crate::format::rate_tool::entries::Entries;

/// Entries of one template below each entry of another, or below a branch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Below {
    /// Place of the template.
    pub(super) template: usize,
    /// How many; none without end.
    pub(super) count: Option<u64>,
}

/// One entry on the way from a branch to the entry that was looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) template: usize,
    /// Its own number.
    pub(super) number: u64,
    /// Its place among those of the same template below the same parent, from 0.
    pub(super) sibling: u64,
    /// How many entries of its template come before it in the whole file.
    pub(super) before: u64,
}

/// Without end.
const ENDLESS: u64 = u64::MAX;

/// All entries; none without end.
pub(super) fn count(entries: &Entries) -> Option<u64> {
    let all =
        entries.branches.iter().fold(0_u64, |all, branch| all.saturating_add(group(entries, &branch.below)));
    Some(all).filter(|all| *all != ENDLESS)
}

fn group(entries: &Entries, below: &[Below]) -> u64 {
    below.iter().fold(0, |all, below| all.saturating_add(times(below.count, size(entries, below.template))))
}

/// An entry and all below it.
fn size(entries: &Entries, template: usize) -> u64 {
    entries.templates[template].size
}

/// Entries of `wanted` among an entry of `template` and all below it.
fn occurrences(entries: &Entries, template: usize, wanted: usize) -> u64 {
    entries.templates[template].holds[wanted]
}

/// What a template holds once those below it are known: its size, and how many entries of each template.
pub(super) fn contents(entries: &Entries, template: usize) -> (u64, Vec<u64>) {
    let below = &entries.templates[template].below;
    let holds = (0..entries.templates.len())
        .map(|wanted| among(entries, below, wanted).saturating_add(u64::from(wanted == template)))
        .collect();
    (group(entries, below).saturating_add(1), holds)
}

fn times(count: Option<u64>, each: u64) -> u64 {
    match (count, each) {
        (Some(0), _) | (_, 0) => 0,
        (count, each) => count.unwrap_or(ENDLESS).saturating_mul(each),
    }
}

/// The branch of an entry, and the entries from there to it. None beyond the last one.
pub(super) fn find(entries: &Entries, number: u64) -> Option<(usize, Vec<Step>)> {
    if number == ENDLESS {
        return None;
    }
    let mut first = 0_u64;
    for (place, branch) in entries.branches.iter().enumerate() {
        let size = group(entries, &branch.below);
        if number - first < size {
            let mut path = Vec::new();
            descend(entries, &branch.below, number, first, &mut path);
            for step in &mut path {
                step.before = before(entries, place, step.number, step.template);
            }
            return Some((place, path));
        }
        first += size;
    }
    None
}

/// `first` is the number of the first entry of these groups; `number` is in one of them.
fn descend(entries: &Entries, below: &[Below], number: u64, mut first: u64, path: &mut Vec<Step>) {
    for below in below {
        let each = size(entries, below.template);
        let all = times(below.count, each);
        if number - first >= all {
            first += all;
            continue;
        }
        let sibling = (number - first) / each;
        let own = first + sibling * each;
        path.push(Step { template: below.template, number: own, sibling, before: 0 });
        if own < number {
            descend(entries, &entries.templates[below.template].below, number, own + 1, path);
        }
        return;
    }
}

/// Entries of a template that come before an entry of it.
fn before(entries: &Entries, branch: usize, number: u64, wanted: usize) -> u64 {
    let mut first = 0;
    let mut found = 0;
    for branch in &entries.branches[..branch] {
        first += group(entries, &branch.below);
        found += among(entries, &branch.below, wanted);
    }
    let mut groups: &[Below] = &entries.branches[branch].below;
    'levels: loop {
        for below in groups {
            let each = size(entries, below.template);
            let all = times(below.count, each);
            if number - first >= all {
                first += all;
                found += times(below.count, occurrences(entries, below.template, wanted));
                continue;
            }
            let sibling = (number - first) / each;
            first += sibling * each;
            found += if sibling == 0 { 0 } else { sibling * occurrences(entries, below.template, wanted) };
            if first == number {
                return found;
            }
            first += 1;
            found += u64::from(below.template == wanted);
            groups = &entries.templates[below.template].below;
            continue 'levels;
        }
        return found;
    }
}

fn among(entries: &Entries, below: &[Below], wanted: usize) -> u64 {
    below.iter().fold(0, |all, below| {
        all.saturating_add(times(below.count, occurrences(entries, below.template, wanted)))
    })
}
