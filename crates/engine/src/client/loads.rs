//! Which of several connections has least under way. Among those with as little, the one that has waited longest: so
//! all are used in turn, and none stays idle until the server closes it.

/// No connection.
const NONE: u32 = u32::MAX;

/// How much each of several connections has under way.
pub(crate) struct Loads {
    /// By number of the connection.
    nodes: Vec<Node>,
    /// By load: the connections that have it.
    lists: Vec<List>,
    /// No list below this holds any.
    least: usize,
}

/// A connection and its neighbours in the list of its load.
struct Node {
    load: u32,
    before: u32,
    after: u32,
}

#[derive(Clone, Copy)]
struct List {
    first: u32,
    last: u32,
}

impl Loads {
    /// So many connections with nothing under way.
    pub(crate) fn new(connections: usize) -> Self {
        let mut loads = Self { nodes: Vec::with_capacity(connections), lists: Vec::new(), least: 0 };
        for number in 0..connections as u32 {
            loads.nodes.push(Node { load: 0, before: NONE, after: NONE });
            loads.append(number);
        }
        loads
    }

    /// One more on the connection that has least: its number. None when there are no connections.
    pub(crate) fn take(&mut self) -> Option<usize> {
        while self.lists.get(self.least)?.first == NONE {
            self.least += 1;
        }
        let number = self.lists[self.least].first;
        self.change(number, |load| load + 1);
        Some(number as usize)
    }

    /// One less on a connection.
    pub(crate) fn give_back(&mut self, number: usize) {
        self.change(number as u32, |load| load.saturating_sub(1));
        self.least = self.least.min(self.nodes[number].load as usize);
    }

    fn change(&mut self, number: u32, change: impl Fn(u32) -> u32) {
        let Node { load, before, after } = self.nodes[number as usize];
        let list = &mut self.lists[load as usize];
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.after = after,
            None => list.first = after,
        }
        match self.nodes.get_mut(after as usize) {
            Some(node) => node.before = before,
            None => list.last = before,
        }
        self.nodes[number as usize].load = change(load);
        self.append(number);
    }

    /// Puts a connection behind all others of its load.
    fn append(&mut self, number: u32) {
        let load = self.nodes[number as usize].load as usize;
        if self.lists.len() <= load {
            self.lists.resize(load + 1, List { first: NONE, last: NONE });
        }
        let list = &mut self.lists[load];
        let before = std::mem::replace(&mut list.last, number);
        match self.nodes.get_mut(before as usize) {
            Some(node) => node.after = number,
            None => list.first = number,
        }
        let node = &mut self.nodes[number as usize];
        (node.before, node.after) = (before, NONE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn connections_with_as_little_take_turns() {
        let mut loads = Loads::new(3);
        for expected in [0, 1, 2, 0] {
            let number = loads.take().unwrap();
            assert_eq!(number, expected);
            loads.give_back(number);
        }
        assert_eq!(Loads::new(0).take(), None);
    }

    proptest! {
        /// Whatever is taken and given back, it is one with least that is taken.
        #[test]
        fn the_least_loaded_is_taken(
            connections in 1..6_usize,
            steps in proptest::collection::vec(prop::option::of(any::<prop::sample::Index>()), 0..200),
        ) {
            let (mut loads, mut known, mut taken) = (Loads::new(connections), vec![0; connections], Vec::new());
            for step in steps {
                match step.filter(|_| !taken.is_empty()) {
                    None => {
                        let number = loads.take().unwrap();
                        prop_assert_eq!(Some(&known[number]), known.iter().min());
                        known[number] += 1;
                        taken.push(number);
                    }
                    Some(which) => {
                        let number = taken.swap_remove(which.index(taken.len()));
                        loads.give_back(number);
                        known[number] -= 1;
                    }
                }
            }
        }
    }
}
