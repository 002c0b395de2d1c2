//! `loadgen doctor`: is this machine fit to generate load, and how much of it?

use super::{Failed, print, say, style};
use crate::arguments::{Color, Doctor};
use loadgen_engine::doctor;
use loadgen_model::report::{Calibration, Examination, Grade};
use loadgen_model::request::{Origin, Protocol};
use loadgen_model::verdict::{MEASUREMENT_INVALID, PASSED, UNEXPECTED, UNREACHABLE, USAGE};
use loadgen_report::doctor as report;
use loadgen_target::{Config, Target};

/// A call that the built-in platform answers at once.
const CALL: &str = "/health";

/// Examines the machine, and the way to a target.
pub(crate) fn doctor(arguments: &Doctor, color: Color) -> Result<u8, Failed> {
    let outputs = arguments.output.iter().map(|spec| report::open(spec));
    let outputs: Vec<_> = outputs.collect::<Result<_, _>>().map_err(|error| Failed::new(USAGE, error))?;
    let mut checks = doctor::examine(arguments.target.as_ref());
    loadgen_engine::raise_descriptor_limit();
    let calibration = calibrate()?;
    checks.extend(doctor::timers(&calibration));
    let examination = Examination { loadgen_doctor: Examination::VERSION, checks, calibration };
    print(&report::text(&examination, &style(color, &std::io::stdout())))?;
    let mut code = code(&examination);
    for path in outputs {
        if let Err(error) = report::write(&examination, &path) {
            say(&format!("error: {error}"));
            code = if code == PASSED { UNEXPECTED } else { code };
        }
    }
    Ok(code)
}

/// Measures this generator against the built-in platform.
fn calibrate() -> Result<Vec<Calibration>, Failed> {
    let target = Target::start(Config::default()).map_err(|error| Failed::new(UNEXPECTED, error))?;
    let address = target.address();
    let origin =
        Origin { protocol: Protocol::Http, tls: false, host: address.ip().to_string(), port: address.port() };
    let calibration = doctor::calibrate(&origin, CALL);
    target.stop();
    Ok(calibration?)
}

fn code(examination: &Examination) -> u8 {
    match examination.worst() {
        Grade::Ok | Grade::Warn => PASSED,
        Grade::Bad if !doctor::is_reachable(&examination.checks) => UNREACHABLE,
        Grade::Bad => MEASUREMENT_INVALID,
    }
}
