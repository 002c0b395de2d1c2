//! `--iterations N` for a mix by counts: N of the smallest rounds that keep the shares of its workloads.

use crate::format::job::{Share, Workload};

/// Makes each user run `rounds` rounds of the mix reduced by the greatest common divisor of its counts: of 50
/// and 10, two rounds are 10 and 2. False when the mix is not by counts, which leaves it as it is.
pub(crate) fn set(workloads: &mut [Workload], rounds: u64) -> bool {
    let divisor = workloads.iter().filter_map(count).fold(0, greatest_common_divisor);
    if divisor == 0 {
        return false;
    }
    for workload in workloads {
        if let Share::Iterations(count, _) = &mut workload.share {
            *count = (*count / divisor).saturating_mul(rounds);
        }
    }
    true
}

fn count(workload: &Workload) -> Option<u64> {
    match &workload.share {
        Share::Iterations(count, _) => Some(*count),
        _ => None,
    }
}

/// Euclid's; that of 0 and n is n.
fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
