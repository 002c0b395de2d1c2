//! What an examination looks like, and where it is written.

use loadgen_model::report::{Calibration, Check, Examination, Grade};
use loadgen_report::{Style, doctor};

use crate::golden;

fn check(name: &str, grade: Grade, found: &str, advice: Option<&str>) -> Check {
    Check { name: name.to_owned(), grade, found: found.to_owned(), advice: advice.map(str::to_owned) }
}

fn examination() -> Examination {
    Examination {
        loadgen_doctor: Examination::VERSION,
        checks: vec![
            check("CPUs", Grade::Ok, "4, all of which may be used", None),
            check("CPU governor", Grade::Warn, "powersave", Some("set it to `performance`")),
            check(
                "local ports",
                Grade::Ok,
                "28,232 (32768-60999): as many connections to one address of a target, and 471 new ones a second",
                None,
            ),
            check("target connects", Grade::Bad, "am\x1b[31m: refused", Some("is it running?")),
        ],
        calibration: vec![
            Calibration {
                users: 10,
                requests_per_s: 51_234.0,
                cpu_us_per_request: 9.12,
                core_requests_per_s: Some(109_649.0),
                ..Calibration::default()
            },
            Calibration {
                users: 20,
                think_ms: 20.0,
                requests_per_s: 998.0,
                cpu_us_per_request: 42.5,
                core_requests_per_s: None,
                lag_p50_ms: 0.031,
                lag_p99_ms: 0.112,
            },
        ],
    }
}

#[test]
fn an_examination_reads_line_by_line() {
    let narrow = Style { color: false, unicode: true, width: 72 };
    let text = doctor::text(&examination(), &narrow);
    golden::check("doctor", &text);
    assert!(text.lines().all(|line| line.chars().count() <= 72), "{text}");
    assert!(!text.contains('\u{1b}'), "a target's name cannot steer the terminal");
}

#[test]
fn colours_go_to_the_marks_alone() {
    let text = doctor::text(&examination(), &Style { color: true, ..Style::default() });
    assert!(text.contains("\u{1b}[32m✓\u{1b}[0m ok   CPUs"), "{text}");
    assert!(text.contains("\u{1b}[31m✗\u{1b}[0m bad  target connects"), "{text}");
}

#[test]
fn a_healthy_machine_is_said_to_be_one() {
    let examination = Examination { checks: examination().checks[..1].to_vec(), ..Examination::default() };
    let text = doctor::text(&examination, &Style::default());
    assert!(text.starts_with("1 checks, 0 warn, 0 bad: this machine is fit"), "{text}");
}

#[test]
fn json_holds_what_was_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("doctor.json");
    let path = doctor::open(&format!("json={}", file.display())).unwrap();
    doctor::write(&examination(), &path).unwrap();
    let read: Examination = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    assert_eq!(read, examination());
}

#[test]
fn other_outputs_are_refused() {
    for (spec, words) in
        [("csv=x", "not one of an examination"), ("json=", "names no place"), ("json=/no/x", "")]
    {
        let error = doctor::open(spec).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}
