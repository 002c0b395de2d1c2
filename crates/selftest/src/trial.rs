//! One run of the generator, and what the target knows of it.

#[cfg(test)]
pub(crate) mod example;

use crate::judgement::{Judgement, Pair, Tolerance};
use crate::machine::Machine;
use crate::ordered::Ordered;
use crate::truth::{Record, Truth};
use loadgen_model::arrivals::Share;
use loadgen_model::report::{Quantiles, Severity, Task};
use loadgen_model::verdict::MEASUREMENT_INVALID;
use loadgen_model::{Arrivals, Load, Plan, Report};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// One run of the generator, and what the target knows of it.
pub(crate) struct Trial {
    pub(crate) plan: Plan,
    pub(crate) report: Report,
    pub(crate) truth: Truth,
    /// What the machine made an independent client wait meanwhile, ms.
    pub(crate) machine: Machine,
}

impl Trial {
    /// Why the generator itself says that its figures are none; nothing when it stands by them.
    pub(crate) fn invalid(&self) -> Option<String> {
        if self.report.verdict.exit_code != MEASUREMENT_INVALID {
            return None;
        }
        let findings = self.report.health.findings.iter();
        let reasons: Vec<&str> = findings
            .filter(|finding| finding.severity == Severity::Invalid)
            .map(|finding| finding.message.as_str())
            .collect();
        Some(format!("the run was invalid (111): {}", reasons.join("; ")))
    }

    /// A judgement that needs a run the generator stands by.
    pub(crate) fn if_valid(&self, judgement: Judgement) -> Judgement {
        match self.invalid() {
            None => judgement,
            Some(why) => judgement.withheld(&why),
        }
    }

    /// The task of this name, of the first workload that has it; all zeros when there is none.
    pub(crate) fn task(&self, name: &str) -> Task {
        self.report.tasks.iter().find(|task| task.name == name).cloned().unwrap_or_default()
    }

    /// Quantiles of a task's response times against those of the truth, in ms.
    pub(crate) fn quantiles(&self, task: &str, truth: &Ordered, tolerance: Tolerance) -> Vec<Judgement> {
        let measured = self.task(task).response_ms;
        let levels = levels(&measured, truth.count());
        self.times(task, &levels, truth, tolerance)
    }

    /// Times at some levels against those of the truth, in ms: name, level, and what was measured.
    pub(crate) fn times(
        &self,
        what: &str,
        levels: &[(&str, f64, f64)],
        truth: &Ordered,
        tolerance: Tolerance,
    ) -> Vec<Judgement> {
        let times = self.times_as_they_are(what, levels, truth, tolerance);
        times.into_iter().map(|judgement| self.if_valid(judgement)).collect()
    }

    /// The same of a run that is no measurement, and is not to be one.
    pub(crate) fn times_as_they_are(
        &self,
        what: &str,
        levels: &[(&str, f64, f64)],
        truth: &Ordered,
        tolerance: Tolerance,
    ) -> Vec<Judgement> {
        let one = |&(name, quantile, measured): &(&str, f64, f64)| {
            let pair = Pair { quantile, truth: truth.quantile(quantile), measured };
            let figure = format!("{what} {name}");
            Judgement::time(&figure, pair, tolerance, &self.machine)
        };
        levels.iter().map(one).collect()
    }

    /// When the iterations of an open workload were due, in seconds from the start of the run. A workload without
    /// a load of its own has that of the job.
    pub(crate) fn intended_s(&self, workload: &str) -> Vec<f64> {
        let groups = self.plan.groups.iter().enumerate();
        let found =
            groups.clone().find(|(_, group)| group.name == workload).or_else(|| groups.clone().next());
        let Some((index, group)) = found else { return Vec::new() };
        let Load::Open(open) = &group.load else { return Vec::new() };
        let random = Xoshiro256PlusPlus::seed_from_u64(self.plan.seed.wrapping_add(index as u64));
        Arrivals::new(open, Share::WHOLE, random).map(|arrival| arrival.at.as_secs_f64()).collect()
    }

    /// How long somebody waited who wanted an answer to each request of an operation when it was due: from there to
    /// when the target answered, ms. Lateness of the generator and of the target are in it.
    ///
    /// Requests arrive in the order in which they are due, so the i-th that was due is the i-th that arrived. Where
    /// the run began on the target's clock is where the request that came through soonest arrived: so that the ways
    /// to the target and back are left out.
    pub(crate) fn experienced(&self, workload: &str, operation: &str) -> Ordered {
        self.experienced_by(workload, operation, |_| true)
    }

    /// The same of some of its requests.
    pub(crate) fn experienced_by(
        &self,
        workload: &str,
        operation: &str,
        wanted: impl Fn(&Record) -> bool,
    ) -> Ordered {
        let intended = self.intended_s(workload);
        let pairs = || self.truth.of(operation).zip(&intended);
        let begin =
            pairs().map(|(record, due)| record.arrival_us as f64 - due * 1e6).fold(f64::MAX, f64::min);
        let answered = pairs()
            .filter(|(record, _)| wanted(record))
            .filter_map(|(record, due)| Some((record.replied_us? as f64, due)));
        Ordered::new(answered.map(|(replied, due)| (replied - begin - due * 1e6) / 1e3).collect())
    }
}

/// Fewer samples than this beyond a quantile make it a single request's affair.
const SAMPLES_BEYOND: f64 = 5.0;

/// Name, level and value of the quantiles of a report that so many samples give, and the maximum.
fn levels(times: &Quantiles, samples: usize) -> Vec<(&'static str, f64, f64)> {
    let all = [
        ("p50", 0.5, times.p50),
        ("p90", 0.9, times.p90),
        ("p99", 0.99, times.p99),
        ("p99.9", 0.999, times.p99_9),
    ];
    let known = all.into_iter().filter(|(_, level, _)| samples as f64 * (1.0 - level) >= SAMPLES_BEYOND);
    known.chain([("max", 1.0, times.max)]).collect()
}
