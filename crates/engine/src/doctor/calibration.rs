//! What a generator thread can do on this machine, found by doing it.

use super::graded;
use crate::health::{LAG_MS, LAG_SHARE};
use crate::run::{Options, RunError, run};
use loadgen_model::load::{Closed, Load, Ramp, ThinkTime, Until, WarmUp};
use loadgen_model::mix::{Mix, ScenarioId};
use loadgen_model::plan::{Group, Phase, Plan, RequestId, Row, Scenario, Semantics, Step, Task};
use loadgen_model::report::{Calibration, Check, Grade};
use loadgen_model::request::{Connection, Origin, Request, Transport, TransportId, Url};
use loadgen_model::sample::RowId;
use loadgen_model::template::Template;
use std::time::Duration;

/// How long each load lasts.
const LENGTH: Duration = Duration::from_secs(1);
/// Users, and their mean think time: two sizes at full speed, and one that leaves the thread idle most of the
/// time, as in a measured run, to see how late a timer wakes it.
const LOADS: [(u64, Duration); 3] =
    [(10, Duration::ZERO), (100, Duration::ZERO), (20, Duration::from_millis(20))];

/// Runs short loads on one thread against a server that answers `GET path` at once.
pub fn calibrate(origin: &Origin, path: &str) -> Result<Vec<Calibration>, RunError> {
    LOADS.iter().map(|(users, think)| one(plan(origin, path, *users, *think))).collect()
}

/// How late timers wake users, and what of a target that leaves to be measured.
pub fn timers(calibration: &[Calibration]) -> Option<Check> {
    let lag = calibration.iter().find(|one| one.think_ms > 0.0)?;
    let p99 = lag.lag_p99_ms;
    let found = format!("users wake {:.2} ms late, 1% of them more than {p99:.2} ms", lag.lag_p50_ms);
    let (grade, advice) = if p99 > LAG_MS.invalid {
        let least = p99 / LAG_SHARE.invalid;
        (Grade::Warn, format!("a run whose p99 is below {least:.0} ms would be void: end other programs"))
    } else if p99 > LAG_MS.warn {
        let least = p99 / LAG_SHARE.warn;
        (Grade::Warn, format!("a p99 below {least:.0} ms would be doubtful: end other programs"))
    } else {
        (Grade::Ok, String::new())
    };
    Some(graded(grade, "timers", found, &advice))
}

fn one(plan: Plan) -> Result<Calibration, RunError> {
    let users = plan.users();
    let think = plan.scenarios[0].steps.iter().find_map(|step| match step {
        Step::Sleep(think) => Some(think.mean()),
        _ => None,
    });
    let report = run(plan, &Options { threads: Some(1), notes: Vec::new() }, &mut [])?;
    if report.run.interrupted {
        return Err(RunError::Interrupted);
    }
    let cpu_us_per_request = report.health.cpu_us_per_request;
    Ok(Calibration {
        users,
        think_ms: think.unwrap_or_default().as_secs_f64() * 1e3,
        requests_per_s: report.totals.passed as f64 / report.run.elapsed_s.max(1e-9),
        cpu_us_per_request,
        core_requests_per_s: (think.is_none() && cpu_us_per_request > 0.0).then(|| 1e6 / cpu_us_per_request),
        lag_p50_ms: report.health.lag_ms.p50,
        lag_p99_ms: report.health.lag_ms.p99,
    })
}

/// Users that send one request again and again.
fn plan(origin: &Origin, path: &str, users: u64, think: Duration) -> Plan {
    let task = Task { row: RowId(0), request: RequestId::Http(0), threshold: None, joined: false };
    let mut steps = vec![Step::Task(task)];
    if !think.is_zero() {
        steps.push(Step::Sleep(ThinkTime::Exponential(think)));
    }
    let name = "calibration".to_owned();
    let until = Until { iterations: None, duration: Some(LENGTH) };
    let row = Row { task: name.clone(), workload: name.clone(), phase: Phase::Main, threshold: None };
    Plan {
        name: name.clone(),
        target_environment: String::new(),
        generator_environment: String::new(),
        seed: 1,
        semantics: Semantics::Native,
        groups: vec![Group {
            name: name.clone(),
            load: Load::Closed(Closed { users, ramp: Ramp::default(), until, warm_up: WarmUp::default() }),
            mix: Mix::Weights(vec![(ScenarioId(0), 1.0)]),
        }],
        scenarios: vec![Scenario { name, steps }],
        rows: vec![row],
        requests: vec![request(origin, path)],
        operations: Vec::new(),
        variables: Vec::new(),
        data: Vec::new(),
        transports: vec![Transport::default()],
        setup: Vec::new(),
        teardown: Vec::new(),
        objectives: Vec::new(),
        grace: None,
    }
}

fn request(origin: &Origin, path: &str) -> Request {
    Request {
        method: "GET".to_owned(),
        url: Url::Fixed(origin.clone(), Template::text(path)),
        headers: Vec::new(),
        body: None,
        transport: TransportId(0),
        connection: Connection::KeepAlive,
        redirects: 0,
        cookies: false,
        timeout: LENGTH * 10,
        checks: Vec::new(),
        captures: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_timers_bound_what_can_be_measured() {
        let check = |lag_p99_ms| {
            let busy = Calibration { lag_p99_ms: 9.0, ..Calibration::default() };
            timers(&[busy, Calibration { think_ms: 20.0, lag_p99_ms, ..Calibration::default() }]).unwrap()
        };
        assert_eq!((check(0.4).grade, check(0.4).advice), (Grade::Ok, None));
        assert!(check(1.0).advice.unwrap().contains("below 50 ms would be doubtful"));
        assert!(check(3.0).advice.unwrap().contains("below 30 ms would be void"));
        assert_eq!(timers(&[]), None);
    }
}
