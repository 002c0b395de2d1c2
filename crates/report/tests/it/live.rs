//! What is seen while a run lasts.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use loadgen_model::progress::{Counts, Progress, TaskProgress};
use loadgen_model::sink::Sink;
use loadgen_report::{LiveBlock, LiveLines, Size, Style};

use crate::{golden, sample};

/// A stream that can be read back.
#[derive(Clone, Default)]
struct Tape(Arc<Mutex<Vec<u8>>>);

impl Tape {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Tape {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A reader that went away.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

fn progress(second: u64, tasks: usize) -> Progress {
    let counts =
        Counts { passed: 1204 * second, exceeded: second / 2, failed: second / 3, skipped: second / 3 };
    let task = |index: usize| TaskProgress {
        name: format!("task-{index}"),
        workload: "sso".to_owned(),
        threshold_ms: (index != 1).then_some(200.0),
        counts: if index == 0 { counts } else { Counts { passed: 1204 * second, ..Counts::default() } },
        rate_per_s: 1204.0,
        p50_ms: 12.9,
        p99_ms: 143.2 + 20.0 * index as f64,
        max_ms: 301.0,
    };
    Progress {
        elapsed: Duration::from_secs(second),
        interval: Duration::from_secs(1),
        phase: "steady",
        purge: None,
        done: Some(second as f64 / 20.0),
        users: 30,
        users_planned: 32,
        rate_per_s: 1204.0,
        totals: counts,
        interval_totals: TaskProgress { p99_ms: 140.0 + (second % 5) as f64, ..task(0) },
        tasks: (0..tasks).map(task).collect(),
        cpu_share: 0.341,
        lag_p99_ms: 0.113,
    }
}

fn block(tape: &Tape, columns: usize, rows: usize) -> LiveBlock {
    let style = Style { color: false, unicode: true, width: 100 };
    LiveBlock::new(Box::new(tape.clone()), style, move || Size { columns, rows })
}

#[test]
fn the_block_is_redrawn_in_place_and_clears_itself() {
    let tape = Tape::default();
    let mut live = block(&tape, 100, 24);
    live.progress(&progress(7, 2));
    live.notice("stopping: waiting for 30 requests\x1b[2J");
    live.progress(&Progress { done: None, ..progress(8, 5) });
    live.finish(&sample::passed()).unwrap();
    let text = tape.text();
    golden::check("live-block", &text.replace('\x1b', "<ESC>"));
    assert!(
        text.contains("\x1b[6A\r\x1b[Jstopping: waiting for 30 requests [2J\n"),
        "the block makes way for the notice"
    );
    assert!(text.ends_with("\x1b[9A\r\x1b[J"), "the block clears itself");
}

#[test]
fn the_block_stays_within_the_terminal() {
    for (columns, rows, tasks) in
        [(100, 24, 40), (60, 10, 40), (60, 5, 3), (30, 3, 3), (10, 1, 3), (100, 24, 0)]
    {
        let tape = Tape::default();
        block(&tape, columns, rows).progress(&progress(7, tasks));
        let text = tape.text();
        assert!(
            text.lines().count() <= LiveBlock::MAX_LINES.min(rows.saturating_sub(1)),
            "{rows} rows:\n{text}"
        );
        if columns > 20 {
            for line in text.lines() {
                assert!(line.chars().count() < columns, "{columns} columns: {line}");
            }
        }
        if tasks == 40 && rows == 24 {
            golden::check("live-block-many-tasks", &text);
            assert!(text.contains("… and 33 more"), "{text}");
        }
    }
}

#[test]
fn a_block_that_the_terminal_broke_into_more_lines_is_cleared_whole() {
    let tape = Tape::default();
    let size = Arc::new(Mutex::new(Size { columns: 100, rows: 24 }));
    let now = size.clone();
    let mut live = LiveBlock::new(Box::new(tape.clone()), Style::default(), move || *now.lock().unwrap());
    live.progress(&progress(7, 1));
    let longest = tape.text().lines().filter(|line| line.chars().count() > 50).count();
    size.lock().unwrap().columns = 50;
    live.finish(&sample::passed()).unwrap();
    assert!(longest > 0);
    assert!(tape.text().ends_with(&format!("\x1b[{}A\r\x1b[J", 5 + longest)), "{:?}", tape.text());
}

#[test]
fn lines_come_once_an_interval() {
    let tape = Tape::default();
    let mut live = LiveLines::new(Box::new(tape.clone()), Style::default(), LiveLines::INTERVAL);
    for second in 1..=12 {
        live.progress(&progress(second, 2));
        if second == 6 {
            live.notice("stopping: waiting for 30 requests");
        }
    }
    live.finish(&sample::passed()).unwrap();
    let text = tape.text();
    golden::check("live-lines", &text);
    assert_eq!(text.lines().count(), 1 + 3 + 1, "a head, two whole intervals, the rest, a notice");
    assert!(!text.contains('\x1b'));
    let widths: Vec<usize> =
        text.lines().filter(|line| !line.starts_with("stopping")).map(|line| line.chars().count()).collect();
    assert!(widths.iter().all(|width| *width == widths[0] && *width <= 100), "{widths:?}");
    assert!(text.contains(" 6,020 "), "counts are of the interval: 5 × 1,204");
}

#[test]
fn nobody_reading_ends_no_run() {
    let mut block = LiveBlock::new(Box::new(Gone), Style::default(), Size::default);
    let mut lines = LiveLines::new(Box::new(Gone), Style::default(), Duration::from_secs(1));
    for live in [&mut block as &mut dyn Sink, &mut lines] {
        live.progress(&progress(1, 2));
        live.notice("still there?");
        live.progress(&progress(2, 2));
        live.finish(&sample::passed()).unwrap();
    }
}
