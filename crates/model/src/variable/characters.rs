//! Text of characters that are drawn at random.

use rand::Rng;

/// A random number is cut into indices that have at most so many combinations, 2 to this: then a cut is repeated once
/// in 256 times at most.
const CUT_BITS: u32 = 56;

/// Appends so many characters, each of the alphabet as likely in each place. The alphabet is not empty.
///
/// One random number gives several indices, without a division. With B = size^n combinations, r × B ÷ 2⁶⁴ is an even
/// choice of one of them if r is drawn anew whenever the remainder of r × B is below 2⁶⁴ mod B (Lemire, Fast Random
/// Integer Generation in an Interval, 2019, section 4). Multiplying by size n times gives the digits of that choice,
/// from the first on, and in the end the same remainder.
pub(super) fn push_characters(length: usize, alphabet: &[char], random: &mut impl Rng, out: &mut Vec<u8>) {
    let size = alphabet.len() as u64;
    let bits = u64::BITS - (size - 1).leading_zeros();
    let most = CUT_BITS / bits.max(1);
    let mut missing = length;
    out.reserve(length);
    while missing > 0 {
        let count = most.min(u32::try_from(missing).unwrap_or(u32::MAX));
        let before = out.len();
        let mut rest: u64 = random.random();
        for _ in 0..count {
            let product = u128::from(rest) * u128::from(size);
            push_character(alphabet[(product >> u64::BITS) as usize], out);
            rest = product as u64;
        }
        let combinations = size.pow(count);
        if rest < combinations && rest < combinations.wrapping_neg() % combinations {
            out.truncate(before);
        } else {
            missing -= count as usize;
        }
    }
}

fn push_character(character: char, out: &mut Vec<u8>) {
    if character.is_ascii() {
        out.push(character as u8);
    } else {
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rand::{Rng, RngCore};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    /// Gives what it was told to.
    struct Scripted(std::vec::IntoIter<u64>);

    impl RngCore for Scripted {
        fn next_u32(&mut self) -> u32 {
            unreachable!("whole numbers are drawn")
        }

        fn next_u64(&mut self) -> u64 {
            self.0.next().unwrap()
        }

        fn fill_bytes(&mut self, _: &mut [u8]) {
            unreachable!("whole numbers are drawn")
        }
    }

    fn text(length: usize, alphabet: &[char], random: &mut impl Rng) -> String {
        let mut out = Vec::new();
        push_characters(length, alphabet, random, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_draw_that_would_favour_a_character_is_thrown_away() {
        let alphabet = ['a', 'b', 'c'];
        let texts = |drawn: Vec<u64>| text(1, &alphabet, &mut Scripted(drawn.into_iter()));
        // 2^64 mod 3 is 1: of all draws one is too many, that whose product leaves nothing.
        assert_eq!(texts(vec![0, u64::MAX]), "c");
        assert_eq!(texts(vec![1, u64::MAX]), "a");
        // The last ones of a third, and the first of the next.
        assert_eq!(texts(vec![u64::MAX / 3]), "a");
        assert_eq!(texts(vec![u64::MAX / 3 + 1]), "b");
    }

    #[test]
    fn each_character_is_as_likely_in_each_place_and_after_each_other() {
        const TEXTS: usize = 20_000;
        for (size, length) in [(2, 70), (3, 40), (10, 17), (33, 11), (62, 16)] {
            let alphabet: Vec<char> = ('ä'..).take(size).collect();
            let index = |character: char| character as usize - 'ä' as usize;
            let mut random = Xoshiro256PlusPlus::seed_from_u64(size as u64);
            let mut places = vec![vec![0_usize; size]; length];
            let mut pairs = vec![0_usize; size * size];
            for _ in 0..TEXTS {
                let drawn: Vec<usize> = text(length, &alphabet, &mut random).chars().map(index).collect();
                drawn.iter().zip(&mut places).for_each(|(index, place)| place[*index] += 1);
                drawn.windows(2).for_each(|pair| pairs[pair[0] * size + pair[1]] += 1);
            }
            places.push(pairs);
            for counts in places {
                assert_even(&counts);
            }
        }
    }

    /// Pearson's chi-squared is near the number of cells, with a variance of twice that; six deviations are no chance.
    fn assert_even(counts: &[usize]) {
        let cells = counts.len() as f64;
        let expected = counts.iter().sum::<usize>() as f64 / cells;
        let squared: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
        let most = cells + 6.0 * (2.0 * cells).sqrt();
        assert!(squared < most, "{squared} is above {most}: {counts:?}");
    }

    proptest! {
        #[test]
        fn text_is_as_long_as_asked_for_and_of_its_alphabet(
            length in 0..200_usize,
            alphabet in proptest::collection::vec(any::<char>(), 1..300),
            seed: u64,
        ) {
            let drawn = text(length, &alphabet, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
            prop_assert_eq!(drawn.chars().count(), length);
            prop_assert!(drawn.chars().all(|character| alphabet.contains(&character)));
        }
    }
}
