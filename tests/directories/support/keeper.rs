//! Keeps a server that all tests of the process share. A static is never dropped, and a test may panic: so a shell
//! stands between, waits for the end of its standard input, which comes with that of the tests' process whatever
//! ended it, and then ends the server and removes its folder.

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server ends in less than this when it is asked to.
const LIMIT: Duration = Duration::from_secs(30);

/// Starts the server and says which process it is, stops it as its operator would, and ends it at once. With the traps
/// a signal to all processes of a terminal does not end the shell first; the server does not inherit them.
const SCRIPT: &str = r#"
trap : INT TERM HUP
folder=$1
shift
while read -r word; do
    case $word in
    start)
        "$@" </dev/null >>"$folder/server.log" 2>&1 &
        server=$!
        echo $server
        ;;
    stop)
        kill -TERM $server
        wait $server
        ;;
    esac
done
kill -KILL $server
wait $server
rm -rf "$folder"
"#;

/// A server process that can be started again; ended, and its folder removed, when this is dropped or the tests'
/// process ends.
pub(crate) struct Keeper {
    shell: Child,
    words: Option<ChildStdin>,
    numbers: BufReader<ChildStdout>,
    server: Option<Pid>,
}

impl Keeper {
    /// For a server whose files are in a folder; there it finds a file `server.log` with what the server says.
    pub(crate) fn new(folder: &Path, server: &Command) -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", SCRIPT, "keeper"]).arg(folder).arg(server.get_program()).args(server.get_args());
        for (name, value) in server.get_envs() {
            shell.env(name, value.expect("nothing is taken out of a server's environment"));
        }
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut shell = shell.spawn().unwrap();
        let words = shell.stdin.take();
        let numbers = BufReader::new(shell.stdout.take().unwrap());
        Self { shell, words, numbers, server: None }
    }

    /// Starts the server.
    pub(crate) fn start(&mut self) {
        self.say("start\n");
        let mut number = String::new();
        self.numbers.read_line(&mut number).unwrap();
        self.server = Pid::from_raw(number.trim().parse().unwrap());
    }

    /// Ends the server as its operator would, and waits for it; its folder stays.
    pub(crate) fn stop(&mut self) {
        self.say("stop\n");
        let server = self.server.take().expect("it was started");
        let begun = Instant::now();
        while test_kill_process(server).is_ok() {
            if begun.elapsed() > LIMIT {
                kill_process(server, Signal::KILL).unwrap();
                panic!("the server does not end when it is asked to");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn say(&mut self, word: &str) {
        self.words.as_mut().expect("taken when this is dropped").write_all(word.as_bytes()).unwrap();
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // The shell sees the end of its input, and does the rest.
        self.words = None;
        let _ = self.shell.wait();
    }
}
