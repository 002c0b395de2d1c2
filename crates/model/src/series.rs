//! Values in time order, in bounded memory: when there are too many, two neighbours become one.

/// What can become one with its successor in time.
pub(crate) trait Join {
    /// Both as one.
    fn join(self, later: Self) -> Self;
}

/// Values in time order, each of the same number of ticks but for the last.
#[derive(Clone)]
pub(crate) struct Series<T> {
    values: Vec<T>,
    /// Values kept at most.
    most: usize,
    /// Ticks that make one value; doubles when there are too many.
    width: u32,
    pending: Option<(T, u32)>,
}

impl<T: Join> Series<T> {
    /// None yet, and at most so many.
    pub(crate) fn new(most: usize) -> Self {
        Self { values: Vec::new(), most, width: 1, pending: None }
    }

    /// Adds the next tick.
    pub(crate) fn push(&mut self, value: T) {
        let (value, ticks) = match self.pending.take() {
            Some((pending, ticks)) => (pending.join(value), ticks + 1),
            None => (value, 1),
        };
        if ticks < self.width {
            self.pending = Some((value, ticks));
            return;
        }
        self.values.push(value);
        if self.values.len() == self.most {
            let mut pairs = std::mem::take(&mut self.values).into_iter();
            while let (Some(first), second) = (pairs.next(), pairs.next()) {
                self.values.push(match second {
                    Some(second) => first.join(second),
                    None => first,
                });
            }
            self.width *= 2;
        }
    }

    /// All of them, the unfinished one last.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.values.iter().chain(self.pending.as_ref().map(|(value, _)| value))
    }
}
