//! Figures as people read them: three significant digits, thousands apart, units that fit.

/// A count with thousands set apart: `1,234,567`.
pub(crate) fn count(value: u64) -> String {
    group(&value.to_string())
}

/// Three significant digits, all digits before the point: `0.213`, `1.43`, `12.9`, `143`, `1,204`.
pub(crate) fn significant(value: f64) -> String {
    let size = value.abs();
    let decimals = match size {
        _ if !value.is_finite() => return "-".to_owned(),
        _ if size >= 1e15 => return format!("{value:.2e}"),
        _ if size >= 99.95 => return group(&format!("{value:.0}")),
        _ if size >= 9.995 => 1,
        _ if size >= 0.9995 => 2,
        _ if size >= 0.099_95 => 3,
        _ if size >= 0.009_995 => 4,
        _ if size >= 0.000_005 => 5,
        _ => return "0".to_owned(),
    };
    format!("{value:.decimals$}")
}

/// A share of 1 as a percentage: `0 %`, `0.0213 %`, `34.1 %`, `100 %`.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", significant(share * 100.0))
}

/// `part` of `whole` as a percentage that is 0 or 100 only when it is exactly so.
pub(crate) fn percent_of(part: u64, whole: u64) -> String {
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    if part == whole || share < 0.9995 {
        percent(share)
    } else {
        format!("{:.3} %", share.min(0.99999) * 100.0)
    }
}

/// Bytes in decimal units: `512 B`, `1.43 kB`, `12.9 MB`.
pub(crate) fn bytes(value: u64) -> String {
    const UNITS: [&str; 6] = ["B", "kB", "MB", "GB", "TB", "PB"];
    if value < 1000 {
        return format!("{value} B");
    }
    let mut scaled = value as f64;
    let mut unit = 0;
    while scaled >= 999.5 && unit + 1 < UNITS.len() {
        scaled /= 1000.0;
        unit += 1;
    }
    format!("{} {}", significant(scaled), UNITS[unit])
}

/// A length of time in ms.
pub(crate) fn millis(value: f64) -> String {
    format!("{} ms", significant(value))
}

/// A length of time: `0.213 s`, `30.0 s`, `12 min 05 s`, `1 h 36 min`.
pub(crate) fn seconds(value: f64) -> String {
    if !value.is_finite() || value < 99.95 {
        return format!("{} s", significant(value));
    }
    let whole = value.round() as u64;
    match whole {
        0..3600 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", count(whole / 3600), whole % 3600 / 60),
    }
}

fn group(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let mut text = String::from(sign);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn digits_are_sensible() {
        let cases = [
            (0.0, "0"),
            (0.001, "0.00100"),
            (0.213, "0.213"),
            (0.9996, "1.00"),
            (1.43, "1.43"),
            (9.996, "10.0"),
            (12.9, "12.9"),
            (99.96, "100"),
            (143.4, "143"),
            (1204.4, "1,204"),
            (999.9, "1,000"),
            (1_234_567.0, "1,234,567"),
            (-1204.0, "-1,204"),
            (f64::NAN, "-"),
            (f64::INFINITY, "-"),
        ];
        for (value, text) in cases {
            assert_eq!(significant(value), text, "{value}");
        }
    }

    #[test]
    fn units_fit() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1430), "1.43 kB");
        assert_eq!(bytes(999_999), "1.00 MB");
        assert_eq!(seconds(0.213), "0.213 s");
        assert_eq!(seconds(30.0), "30.0 s");
        assert_eq!(seconds(725.0), "12 min 05 s");
        assert_eq!(seconds(5795.471), "1 h 36 min");
    }

    #[test]
    fn a_share_is_whole_only_when_it_is() {
        assert_eq!(percent_of(10, 10), "100 %");
        assert_eq!(percent_of(999_999_999, 1_000_000_000), "99.999 %");
        assert_eq!(percent_of(0, 10), "0 %");
        assert_eq!(percent_of(0, 0), "0 %");
        assert_eq!(percent_of(1, 3), "33.3 %");
    }

    proptest! {
        #[test]
        fn three_digits_survive(value in 0.001..1e12f64) {
            let text = significant(value).replace(',', "");
            let back: f64 = text.parse().unwrap();
            prop_assert!((back - value).abs() <= value * 0.005_001, "{value} became {text}");
            let digits = text.trim_start_matches(['0', '.']).replace('.', "");
            prop_assert!(digits.len() >= 3, "{value} became {text}");
        }

        #[test]
        fn no_figure_panics(value in any::<f64>(), whole in any::<u64>(), part in any::<u64>()) {
            significant(value);
            percent(value);
            seconds(value);
            bytes(whole);
            percent_of(part, whole);
            prop_assert_eq!(count(whole).replace(',', ""), whole.to_string());
        }
    }
}
