//! What the target wrote down of each request, read back.

use serde::Deserialize;

/// One request as the target saw it; times in µs of the machine's monotonic clock.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Record {
    /// In order of arrival.
    pub(crate) id: u64,
    pub(crate) operation: String,
    pub(crate) path: String,
    pub(crate) connection: u64,
    /// When its last byte had been read.
    pub(crate) arrival_us: u64,
    /// Its time in service, without waiting for a server.
    pub(crate) service_us: u64,
    /// When its answer was due.
    pub(crate) due_us: u64,
    /// When the answer was handed over; none when the client had gone, or nothing was to be answered.
    pub(crate) replied_us: Option<u64>,
    pub(crate) status: Option<u16>,
}

/// All requests of a run, in order of arrival.
#[derive(Debug, Clone, Default)]
pub(crate) struct Truth(Vec<Record>);

impl Truth {
    /// Reads a log of one JSON object a line.
    pub(crate) fn read(log: &str) -> Result<Self, serde_json::Error> {
        let records: Result<Vec<Record>, _> = log.lines().map(serde_json::from_str).collect();
        records.map(Self::new)
    }

    pub(crate) fn new(mut records: Vec<Record>) -> Self {
        records.sort_by_key(|record| record.id);
        Self(records)
    }

    pub(crate) fn all(&self) -> &[Record] {
        &self.0
    }

    /// The requests of one operation.
    pub(crate) fn of<'a>(&'a self, operation: &'a str) -> impl Iterator<Item = &'a Record> + Clone {
        self.0.iter().filter(move |record| record.operation == operation)
    }

    pub(crate) fn count(&self, operation: &str) -> u64 {
        self.of(operation).count() as u64
    }

    /// When requests of an operation arrived, in seconds from the first of them.
    pub(crate) fn arrivals_s(&self, operation: &str) -> Vec<f64> {
        let first = self.of(operation).next().map_or(0, |record| record.arrival_us);
        self.of(operation).map(|record| record.arrival_us.saturating_sub(first) as f64 / 1e6).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_in_order_of_arrival() {
        let line = |id: u64, operation: &str| {
            format!(
                "{{\"id\":{id},\"operation\":\"{operation}\",\"method\":\"GET\",\"path\":\"/a\",\"arrival_us\":{id}000000,\
                 \"service_us\":1,\"due_us\":2,\"replied_us\":null,\"status\":null,\"connection\":1}}\n"
            )
        };
        let truth = Truth::read(&[line(3, "read"), line(1, "read"), line(2, "echo")].concat()).unwrap();
        assert_eq!(truth.all().iter().map(|record| record.id).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(truth.count("read"), 2);
        assert_eq!(truth.arrivals_s("read"), [0.0, 2.0]);
        assert!(Truth::read("{}").is_err());
    }
}
