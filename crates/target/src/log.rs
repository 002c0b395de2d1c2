//! The log of requests: what the platform knows to be true of each, one JSON object a line.
//!
//! The platform's thread collects records in batches; a thread of its own formats and writes them.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

use hyper::Method;

use crate::operation::Operation;

/// Records handed over at once.
const BATCH: usize = 512;

/// Batches that wait for the writer; at this many the platform waits, so that the log stays whole.
const BATCHES_LIMIT: usize = 256;

/// One request. Times are those of `CLOCK_MONOTONIC`.
pub(crate) struct Record {
    pub(crate) id: u64,
    pub(crate) connection: u64,
    pub(crate) operation: Operation,
    pub(crate) subject: Subject,
    pub(crate) arrival: Duration,
    pub(crate) service: Duration,
    pub(crate) due: Duration,
    /// When the answer was handed to the connection, and its status; `None` when there was none.
    pub(crate) reply: Option<(Duration, u16)>,
}

/// What was asked for, in the terms of its protocol.
pub(crate) enum Subject {
    Http {
        method: Method,
        path: String,
    },
    /// The client's number for the message, and the entry or extended operation that it names, as sent.
    Ldap {
        message: u32,
        dn: String,
    },
}

/// Where the platform's thread leaves its records.
pub(crate) struct Log {
    batch: Vec<Record>,
    batches: SyncSender<Vec<Record>>,
    writer: Option<JoinHandle<()>>,
}

impl Log {
    /// Creates the file, replacing one that is there.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = File::create(path)?;
        let (batches, received) = sync_channel(BATCHES_LIMIT);
        let writer = std::thread::Builder::new()
            .name("target-log".to_owned())
            .spawn(move || write_all(file, &received))?;
        Ok(Self { batch: Vec::with_capacity(BATCH), batches, writer: Some(writer) })
    }

    /// Adds a record.
    pub(crate) fn add(&mut self, record: Record) {
        self.batch.push(record);
        if self.batch.len() >= BATCH {
            self.flush();
        }
    }

    /// Hands what was collected to the writer.
    pub(crate) fn flush(&mut self) {
        if !self.batch.is_empty() {
            let full = std::mem::replace(&mut self.batch, Vec::with_capacity(BATCH));
            // The writer only goes away when the disk refuses: the platform then runs on without a log.
            let _ = self.batches.send(full);
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.flush();
        let (closed, _) = sync_channel(0);
        self.batches = closed;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn write_all(file: File, batches: &Receiver<Vec<Record>>) {
    let mut out = BufWriter::with_capacity(1 << 16, file);
    while let Ok(batch) = batches.recv() {
        for record in &batch {
            if record.write(&mut out).is_err() {
                return;
            }
        }
        if out.flush().is_err() {
            return;
        }
    }
}

impl Record {
    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        write!(out, "{{\"id\":{},\"operation\":\"{}\",", self.id, self.operation.name())?;
        match &self.subject {
            Subject::Http { method, path } => {
                write!(out, "\"method\":\"{method}\",\"path\":{},", serde_json::to_string(path)?)?;
            }
            Subject::Ldap { message, dn } => {
                write!(out, "\"message\":{message},\"dn\":{},", serde_json::to_string(dn)?)?;
            }
        }
        write!(
            out,
            "\"arrival_us\":{},\"service_us\":{},\"due_us\":{},",
            self.arrival.as_micros(),
            self.service.as_micros(),
            self.due.as_micros(),
        )?;
        match self.reply {
            Some((replied, status)) => {
                write!(out, "\"replied_us\":{},\"status\":{status},", replied.as_micros())?;
            }
            None => write!(out, "\"replied_us\":null,\"status\":null,")?,
        }
        writeln!(out, "\"connection\":{}}}", self.connection)
    }
}
