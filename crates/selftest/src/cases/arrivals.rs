//! H6: whether load by the clock arrives as it was asked for, by the target's own clock.

use crate::case::Case;
use crate::judgement::{Judgement, Verdict, number};
use crate::ordered::Ordered;
use crate::randomness::{KOLMOGOROV, autocorrelation, dispersion, gaps, kolmogorov};
use crate::stand::{Problem, Setup, Stand};
use crate::trial::Trial;

pub(crate) const CASE: Case =
    Case { name: "H6", question: "does load by the clock arrive as asked?", is_long: false, judge };

/// Arrivals a second of each of the two loads.
const RATE: f64 = 200.0;

/// Widths of the stretches in which arrivals are counted, s.
const WIDTHS_S: [f64; 4] = [0.001, 0.01, 0.1, 1.0];

/// The index of dispersion may be so far from 1, beside three standard deviations of so many stretches.
const DISPERSION: f64 = 0.1;

/// Lags of the autocorrelation.
const LAGS: usize = 10;

/// How much gaps of an even load may scatter: the larger of the two.
const SCATTER_MS: f64 = 0.05;
const SCATTER_SHARE: f64 = 0.02;

/// Share of the gaps that a machine may spoil now and then.
const RARE: f64 = 0.01;

fn judge(stand: &Stand) -> Result<Vec<Judgement>, Problem> {
    let seconds = stand.seconds(4, 60);
    let load = |arrivals: &str| {
        format!("{{ rate: {RATE}/s, arrivals: {arrivals}, duration: {seconds}s, max_users: 500 }}")
    };
    let job = format!(
        "workloads:
  poisson: {{ load: {}, steps: [{{ task: poisson }}] }}
  even: {{ load: {}, steps: [{{ task: even }}] }}
tasks: {{ poisson: {{ url: /users/user.7 }}, even: {{ url: /echo }} }}
",
        load("poisson"),
        load("even")
    );
    let behavior = ["read=fixed:1ms", "echo=fixed:1ms"];
    let trial = stand.trial(&Setup { behavior: &behavior, job: &job, seed: 61 })?;
    let seconds = f64::from(seconds);
    let mut all = poisson(&trial.truth.arrivals_s("read"), seconds);
    all.extend(even(&trial, &trial.truth.arrivals_s("echo"), seconds));
    Ok(all.into_iter().map(|judgement| trial.if_valid(judgement)).collect())
}

/// A Poisson process of [`RATE`].
fn poisson(times_s: &[f64], seconds: f64) -> Vec<Judgement> {
    let gaps = gaps(times_s);
    let count = times_s.len() as f64;
    let expected = RATE * seconds;
    let off = 0.001 * expected + 3.0 * expected.sqrt();
    let within = Judgement::within;
    let mut all = vec![
        within("poisson: arrivals", (expected - off, expected + off), count),
        within("poisson: gaps, Kolmogorov distance × √n", (0.0, KOLMOGOROV), kolmogorov(&gaps, 1.0 / RATE)),
        within("poisson: gaps, autocorrelation", (0.0, 3.0 / count.sqrt()), autocorrelation(&gaps, LAGS)),
    ];
    for width in WIDTHS_S {
        let (index, stretches) = dispersion(times_s, width, seconds);
        let allowed = DISPERSION + 3.0 * (2.0 / (stretches as f64 - 1.0).max(1.0)).sqrt();
        let figure = format!("poisson: dispersion at {} ms", number(width * 1e3));
        all.push(within(&figure, ((1.0 - allowed).max(0.0), 1.0 + allowed), index));
    }
    all
}

/// An even pace of [`RATE`]. What the machine scatters its own threads by is no fault of the pace.
fn even(trial: &Trial, times_s: &[f64], seconds: f64) -> Vec<Judgement> {
    let gaps = Ordered::new(gaps(times_s));
    let scatter = gaps.deviation() * 1e3;
    let limit = SCATTER_MS.max(SCATTER_SHARE * 1e3 / RATE);
    let machine = trial.machine.wake_ups.deviation().hypot(trial.machine.round_trips.deviation());
    let mut judged = Judgement::within("even: gaps, standard deviation in ms", (0.0, limit), scatter);
    // Each gap has two ends, and a thread of either side may be late at both; a few long stalls do not make a pace
    // that scatters.
    let usual = Ordered::new(gaps.central(RARE).to_vec()).deviation() * 1e3;
    if judged.verdict == Verdict::Failed && usual <= limit + 4.0 * machine {
        let (usual, machine) = (number(usual), number(machine));
        judged = judged.withheld(&format!(
            "without the rarest {} % it is {usual}, and the machine's own threads scatter by {machine}",
            number(RARE * 100.0)
        ));
    }
    let due = (RATE * seconds).round() as u64;
    vec![
        Judgement::count("even: arrivals", due, times_s.len() as u64),
        Judgement::within(
            "even: gaps, median in ms",
            (1e3 / RATE - limit, 1e3 / RATE + limit),
            gaps.quantile(0.5) * 1e3,
        ),
        judged,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::example::Example;

    fn failed(judgements: &[Judgement]) -> usize {
        judgements.iter().filter(|judgement| judgement.verdict == Verdict::Failed).count()
    }

    #[test]
    fn an_even_load_is_no_poisson_process() {
        let times: Vec<f64> = (0..1_000).map(|index| f64::from(index) / RATE).collect();
        assert!(failed(&poisson(&times, 5.0)) >= 4);
    }

    #[test]
    fn a_pace_that_slows_down_or_scatters_fails() {
        let trial = Example::even("even", "echo", 1, |_| 1_000).trial();
        let at = |scatter: f64, rate: f64| -> Vec<f64> {
            (0..1_000).map(|index| f64::from(index) / rate + f64::from(index % 2) * scatter).collect()
        };
        assert_eq!(failed(&even(&trial, &at(0.0, RATE), 5.0)), 0);
        assert_eq!(failed(&even(&trial, &at(0.001, RATE), 5.0)), 2);
        assert_eq!(failed(&even(&trial, &at(0.0, RATE * 0.97), 5.0)), 1);
    }
}
