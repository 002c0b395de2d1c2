//! Runs the command in a folder of its own, with a time limit.

use super::report::Report;
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A command that takes longer is killed, and its test fails.
const LIMIT: Duration = Duration::from_secs(60);

/// A folder that is removed with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with a job in `job.yaml`.
    pub(crate) fn with_job(job: &str) -> Self {
        let folder = Self::new();
        folder.write("job.yaml", job);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file, with the folders above it.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// The command, to be run in this folder.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Loadgen {
        let mut loadgen = command(arguments);
        loadgen.command.current_dir(self.path());
        loadgen
    }

    /// Runs `job.yaml` without progress, its report in `report.json`.
    pub(crate) fn run(&self) -> Outcome {
        self.run_with(&[])
    }

    /// The same with more arguments.
    pub(crate) fn run_with(&self, more: &[&str]) -> Outcome {
        let arguments = ["run", "job.yaml", "--quiet", "-o", "json=report.json"];
        let done = self.command(arguments.iter().chain(more)).run();
        let text = std::fs::read_to_string(self.path().join("report.json"));
        let text = text.unwrap_or_else(|error| panic!("no report ({error}): {done:?}"));
        Outcome { report: Report::parse(&text), done }
    }
}

/// Runs a job of one file.
pub(crate) fn run_job(job: &str) -> Outcome {
    Folder::with_job(job).run()
}

/// A run that wrote a report.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) done: Done,
    pub(crate) report: Report,
}

impl Outcome {
    /// The run passed, or the machine was too busy to measure and the report says so.
    pub(crate) fn assert_valid_or_noise(&self) -> &Self {
        let noise = self.done.code == 111 && self.report.has_invalid_finding();
        assert!(self.done.code == 0 || noise, "exit code {}: {self:?}", self.done.code);
        self
    }

    /// The exit code is exactly this, in the report as well.
    pub(crate) fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.done.code, code, "{self:?}");
        assert_eq!(self.report.count("/verdict/exit_code"), u64::try_from(code).unwrap());
        self
    }
}

/// The command with these arguments.
pub(crate) fn command<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Loadgen {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loadgen"));
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["NO_COLOR", "FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "LOADGEN_HOME", "COLUMNS"] {
        command.env_remove(name);
    }
    // No terminal, and words that do not change with the machine's language.
    command.env("TERM", "dumb").env("LC_ALL", "C.UTF-8");
    Loadgen { command }
}

/// The command before it is run.
pub(crate) struct Loadgen {
    command: Command,
}

impl Loadgen {
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Done {
        self.start().wait()
    }

    /// Starts it and goes on.
    pub(crate) fn start(mut self) -> Running {
        let mut child = self.command.spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let (out, err) = (Arc::default(), Arc::default());
        let readers = vec![follow(stdout, Arc::clone(&out)), follow(stderr, Arc::clone(&err))];
        Running { child, stdout: out, stderr: err, readers }
    }
}

/// Collects what a stream says, line by line.
fn follow(stream: impl Read + Send + 'static, into: Arc<Mutex<Vec<u8>>>) -> JoinHandle<()> {
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream.read_until(b'\n', &mut line).unwrap() > 0 {
            into.lock().unwrap().append(&mut line);
        }
    })
}

/// The command while it runs; killed when the test gives it up.
pub(crate) struct Running {
    child: Child,
    stdout: Arc<Mutex<Vec<u8>>>,
    stderr: Arc<Mutex<Vec<u8>>>,
    readers: Vec<JoinHandle<()>>,
}

impl Running {
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        kill_process(pid, signal).unwrap();
    }

    /// Waits until standard error holds a text.
    pub(crate) fn wait_for_stderr(&mut self, wanted: &str) {
        self.wait_until(wanted, |running| text(&running.stderr).contains(wanted));
    }

    /// Waits until standard output holds a text.
    pub(crate) fn wait_for_stdout(&mut self, wanted: &str) -> String {
        self.wait_until(wanted, |running| text(&running.stdout).contains(wanted));
        text(&self.stdout)
    }

    fn wait_until(&mut self, what: &str, is_there: impl Fn(&Self) -> bool) {
        let begun = Instant::now();
        while !is_there(self) {
            let said = text(&self.stderr);
            assert!(begun.elapsed() < LIMIT, "waited in vain for `{what}`: {said}");
            assert!(self.child.try_wait().unwrap().is_none(), "ended without `{what}`: {said}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Done {
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed() > LIMIT {
                let _ = self.child.kill();
                panic!("took longer than {LIMIT:?}: {}{}", text(&self.stdout), text(&self.stderr));
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        for reader in self.readers.drain(..) {
            reader.join().unwrap();
        }
        let code = status.code().unwrap_or_else(|| panic!("killed by a signal: {}", text(&self.stderr)));
        Done { code, stdout: text(&self.stdout), stderr: text(&self.stderr) }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn text(bytes: &Mutex<Vec<u8>>) -> String {
    String::from_utf8(bytes.lock().unwrap().clone()).unwrap()
}

/// A command that has ended.
#[derive(Debug)]
pub(crate) struct Done {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Done {
    /// Code and streams as they stand in a golden file.
    pub(crate) fn golden(&self) -> String {
        format!("exit code {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}
