//! Trends of known series.

use loadgen_model::statistics::trend::{mann_kendall_z, theil_sen_slope};
use proptest::prelude::*;

#[test]
fn a_rise_of_twelve_is_as_significant_as_can_be() {
    let values: Vec<f64> = (0..12).map(f64::from).collect();
    // S = 66, variance 12·11·29/18.
    assert!((mann_kendall_z(&values) - 65.0 / (12.0_f64 * 11.0 * 29.0 / 18.0).sqrt()).abs() < 1e-12);
    assert!((theil_sen_slope(&values) - 1.0).abs() < 1e-12);
}

#[test]
fn equal_values_take_part_of_the_variance() {
    // S = 12 of 15 pairs; variance (6·5·17 − 3 · 2·1·9)/18 = 25.33…
    let z = mann_kendall_z(&[1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
    assert!((z - 11.0 / (456.0_f64 / 18.0).sqrt()).abs() < 1e-12, "{z}");
}

#[test]
fn what_cannot_be_compared_has_no_trend() {
    for values in [&[][..], &[1.0], &[2.0, 2.0, 2.0]] {
        assert!(mann_kendall_z(values).abs() < 1e-12, "{values:?}");
        assert!(theil_sen_slope(values).abs() < 1e-12, "{values:?}");
    }
}

#[test]
fn wild_values_do_not_move_the_slope() {
    let mut values: Vec<f64> = (0..12).map(|step| 5.0 + 2.0 * f64::from(step)).collect();
    values[3] = 1e9;
    values[8] = -1e9;
    assert!((theil_sen_slope(&values) - 2.0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn backwards_is_the_opposite(values in prop::collection::vec(-1e3_f64..1e3, 2..40)) {
        let backwards: Vec<f64> = values.iter().rev().copied().collect();
        prop_assert!((mann_kendall_z(&values) + mann_kendall_z(&backwards)).abs() < 1e-9);
        prop_assert!((theil_sen_slope(&values) + theil_sen_slope(&backwards)).abs() < 1e-9);
    }

    #[test]
    fn scale_and_offset_do_not_matter(
        values in prop::collection::vec(-1e3_f64..1e3, 2..40), scale in 0.1_f64..10.0, offset in -1e3_f64..1e3,
    ) {
        let moved: Vec<f64> = values.iter().map(|value| value * scale + offset).collect();
        prop_assert!((theil_sen_slope(&moved) - theil_sen_slope(&values) * scale).abs() < 1e-6);
    }
}
