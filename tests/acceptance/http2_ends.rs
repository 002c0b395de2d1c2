//! How requests over HTTP/2 end without an answer, and which of them are sent again.

use crate::support::frames::{Frames, Reply};
use crate::support::{Report, one_task, run_job};

/// RFC 9113 section 7.
const INTERNAL_ERROR: u32 = 2;
const REFUSED_STREAM: u32 = 7;

const POST: &str = "{ method: POST, url: /, http: 2, json: {} }";
const GET: &str = "{ url: /, http: 2 }";

/// Four iterations of a task; the report, and how many requests came.
fn run(task: &str, script: impl FnMut(usize) -> Reply + Send + 'static) -> (Report, usize) {
    let server = Frames::start(script);
    let outcome = run_job(&one_task(&server.url(), 4, task));
    (outcome.report, server.requests())
}

/// Passed, failed, resent, opened.
fn counts(report: &Report) -> [u64; 4] {
    ["/totals/passed", "/totals/failed", "/load/requests_resent", "/load/connections_opened"]
        .map(|pointer| report.count(pointer))
}

#[test]
fn a_refused_stream_is_sent_again_whatever_it_asks_for() {
    let (report, came) = run(POST, |request| match request % 2 {
        0 => Reply::Reset(REFUSED_STREAM),
        _ => Reply::Ok,
    });
    assert_eq!(counts(&report), [4, 0, 4, 1]);
    assert_eq!(came, 8);
}

#[test]
fn a_stream_that_is_refused_for_ever_fails() {
    let (report, came) = run(GET, |_| Reply::Reset(REFUSED_STREAM));
    assert_eq!(counts(&report), [0, 4, 12, 1]);
    let detail = "the target reset the stream (REFUSED_STREAM)".to_owned();
    assert_eq!(report.failure("t"), ("reset".to_owned(), detail, 4));
    assert_eq!(came, 16);
}

#[test]
fn a_stream_that_was_looked_at_is_not_sent_again() {
    let (report, came) = run(GET, |_| Reply::Reset(INTERNAL_ERROR));
    assert_eq!(counts(&report), [0, 4, 0, 1]);
    assert_eq!(came, 4);
}

#[test]
fn a_request_that_a_goaway_leaves_out_is_sent_again() {
    let (report, came) = run(POST, |request| if request == 2 { Reply::GoAwayBefore } else { Reply::Ok });
    assert_eq!(counts(&report), [4, 0, 1, 2]);
    assert_eq!(came, 5);
}

#[test]
fn a_post_that_a_goaway_includes_fails_when_no_answer_comes() {
    let (report, came) = run(POST, |request| if request == 2 { Reply::GoAwayAfter } else { Reply::Ok });
    assert_eq!(counts(&report), [3, 1, 0, 2]);
    assert_eq!(report.failure("t").0, "reset");
    assert_eq!(came, 4);
}

#[test]
fn a_get_whose_idle_connection_was_closed_under_it_is_sent_again() {
    let script = |request| if request == 1 { Reply::Close } else { Reply::Ok };
    let (report, _) = run(GET, script);
    assert_eq!(counts(&report), [4, 0, 3, 4]);
    let (report, came) = run(POST, script);
    assert_eq!(counts(&report), [2, 2, 0, 2]);
    assert_eq!(came, 4);
}

#[test]
fn nonsense_is_a_protocol_failure() {
    let (report, _) = run(GET, |_| Reply::Nonsense);
    assert_eq!(counts(&report), [0, 4, 0, 4]);
    let (kind, detail, _) = report.failure("t");
    assert_eq!(kind, "protocol");
    assert!(detail.contains("PROTOCOL_ERROR"), "{detail}");
}
