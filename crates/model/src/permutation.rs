//! A number for each number of a range, in an order that looks random, without a table.
//!
//! A Feistel network of four rounds over the next even number of bits (Luby and Rackoff, 1988), walked until the
//! result is in the range (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002, section 3).

/// Rounds of the network: three make a pseudorandom permutation, the fourth withstands inversion too.
const ROUNDS: u64 = 4;

/// Where `index` goes in the `pass`-th permutation of 0 to `size` - 1 that belongs to `seed`.
///
/// Each pass is a permutation of its own. `index` must be below `size`.
pub(crate) fn permute(index: u64, size: u64, seed: u64, pass: u64) -> u64 {
    assert!(index < size, "an index of a permutation is in its range");
    let bits = u64::BITS - (size - 1).leading_zeros();
    let half = bits.div_ceil(2).max(1);
    let key = mix(seed ^ mix(pass));
    let mut value = index;
    // The domain is at most four times the range, so that four steps are to be expected.
    loop {
        value = encrypt(value, half, key);
        if value < size {
            return value;
        }
    }
}

fn encrypt(value: u64, half: u32, key: u64) -> u64 {
    let mask = (1 << half) - 1;
    let (mut left, mut right) = (value >> half, value & mask);
    for round in 0..ROUNDS {
        (left, right) = (right, left ^ (mix(right ^ mix(key ^ round)) & mask));
    }
    left << half | right
}

/// The finaliser of `SplitMix64` (Steele, Lea and Flood, 2014).
pub(crate) fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::permute;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_comes_once_in_a_pass(size in 1..600_u64, seed: u64, pass: u64) {
            let mut seen: Vec<u64> = (0..size).map(|index| permute(index, size, seed, pass)).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..size).collect::<Vec<_>>());
        }

        #[test]
        fn great_ranges_are_no_problem(index in 0..u64::MAX, seed: u64) {
            prop_assert!(permute(index, u64::MAX, seed, 0) < u64::MAX);
        }
    }

    #[test]
    fn passes_and_seeds_differ() {
        let order = |seed, pass| (0..100).map(|index| permute(index, 100, seed, pass)).collect::<Vec<_>>();
        assert_ne!(order(1, 0), order(1, 1));
        assert_ne!(order(1, 0), order(2, 0));
        assert_eq!(order(1, 0), order(1, 0));
    }
}
