//! Quantiles of Student's t against printed tables and closed forms.

use loadgen_model::statistics::student::t_quantile;
use proptest::prelude::*;

#[track_caller]
fn check(probability: f64, degrees: u32, expected: f64, tolerance: f64) {
    let found = t_quantile(probability, degrees);
    assert!((found - expected).abs() <= tolerance, "t({probability}; {degrees}) = {found}, not {expected}");
}

#[test]
fn quantiles_are_those_of_the_tables() {
    for (degrees, expected) in [
        (1, 12.706),
        (2, 4.303),
        (3, 3.182),
        (4, 2.776),
        (5, 2.571),
        (9, 2.262),
        (10, 2.228),
        (19, 2.093),
        (29, 2.045),
        (30, 2.042),
        (60, 2.000),
        (120, 1.980),
    ] {
        check(0.975, degrees, expected, 5e-4);
    }
    for (degrees, expected) in [(1, 31.821), (2, 6.965), (7, 2.998), (29, 2.462)] {
        check(0.99, degrees, expected, 5e-4);
    }
    check(0.95, 29, 1.699, 5e-4);
    check(0.995, 29, 2.756, 5e-4);
}

#[test]
fn with_many_degrees_it_is_the_normal_distribution() {
    check(0.975, u32::MAX, 1.959_964, 4e-4);
}

#[test]
fn with_no_degree_nothing_is_known() {
    assert!(t_quantile(0.975, 0).is_infinite());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn one_and_two_degrees_have_closed_forms(probability in 0.01_f64..0.99) {
        let cauchy = (std::f64::consts::PI * (probability - 0.5)).tan();
        prop_assert!((t_quantile(probability, 1) - cauchy).abs() < 1e-9 * (1.0 + cauchy.abs()));
        let two = (2.0 * probability - 1.0) / (2.0 * probability * (1.0 - probability)).sqrt();
        prop_assert!((t_quantile(probability, 2) - two).abs() < 1e-9 * (1.0 + two.abs()));
    }

    #[test]
    fn it_is_odd_and_rises_with_probability_and_falls_with_degrees(
        probability in 0.51_f64..0.999, degrees in 1_u32..300,
    ) {
        let t = t_quantile(probability, degrees);
        prop_assert!((t + t_quantile(1.0 - probability, degrees)).abs() < 1e-6 * t);
        prop_assert!(t_quantile(probability + 0.0005, degrees) > t);
        prop_assert!(t_quantile(probability, degrees + 1) < t);
    }
}
