//! H11: more load than the generator can make.

use crate::case::Case;
use crate::judgement::Judgement;
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;
use loadgen_model::report::{Severity, Status};
use loadgen_model::verdict::MEASUREMENT_INVALID;

pub(crate) const CASE: Case = Case {
    name: "H11",
    question: "does a generator that is asked for too much say so?",
    is_long: false,
    judge,
};

/// Times the greatest rate that generator and target reach together.
const TOO_MUCH: f64 = 5.0;

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let most = "load: { users: 16, duration: 1s }\nworkloads: { w: { steps: [{ task: t }] } }\n\
                tasks: { t: { url: /health } }\n";
    let trial = stand.trial(&Setup { behavior: &[], job: most, seed: 110 })?;
    let rate = trial.report.totals.requests as f64 / trial.report.run.elapsed_s;
    let asked = (rate * TOO_MUCH).round();
    let job = format!(
        "load: {{ rate: {asked}/s, duration: 2s, max_users: 100 }}\nworkloads: {{ w: {{ steps: [{{ task: t }}] }} }}\n\
         tasks: {{ t: {{ url: /health }} }}\n"
    );
    Ok(compare(&stand.trial(&Setup { behavior: &[], job: &job, seed: 111 })?, asked))
}

fn compare(trial: &Trial, asked: f64) -> Vec<Judgement> {
    let report = &trial.report;
    let code = report.verdict.exit_code;
    let void = report.health.findings.iter().filter(|finding| finding.severity == Severity::Invalid).count();
    let reasons = report.verdict.reasons.join("; ");
    let arrivals = report.load.arrivals.clone().unwrap_or_default();
    let told = arrivals.begun + arrivals.never_begun;
    vec![
        Judgement::count(&format!("exit code, asked for {asked}/s"), MEASUREMENT_INVALID.into(), code.into())
            .inexact(),
        Judgement::holds(
            "verdict",
            "invalid, with a reason",
            reasons.split(':').next().unwrap_or_default(),
            report.verdict.status == Status::Invalid && void > 0 && !reasons.is_empty(),
        ),
        Judgement::count("due and told of", arrivals.due, told),
        Judgement::count("requests reported", trial.truth.count("health"), report.totals.requests),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::Verdict;
    use crate::trial::example::Example;

    #[test]
    fn a_generator_that_keeps_quiet_fails() {
        let example = Example::even("t", "health", 10, |_| 0).answered_in("t", 0.1);
        let judged = compare(&example.trial(), 1e6);
        assert_eq!(judged[0].verdict, Verdict::Failed);
        assert_eq!(judged[1].verdict, Verdict::Failed);
        assert_eq!(judged[3].verdict, Verdict::Failed);
    }
}
