//! Whole messages out of a stream of bytes.

use crate::client::ldap::ber::message_length;
use crate::client::ldap::reader::malformed;
use loadgen_model::Failure;

/// A buffer that grew beyond this for a large message is given back to the system.
const KEPT: usize = 64 * 1024;

/// A message that has not come whole. It grows to what a message may be at most, and no further.
#[derive(Default)]
pub(crate) struct Frames {
    partial: Vec<u8>,
}

impl Frames {
    /// Gives each message that is whole to `take`. An error of it, or of what is no message, ends the stream.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        mut take: impl FnMut(&[u8]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        while !self.partial.is_empty() && !bytes.is_empty() {
            let length = message_length(&self.partial).map_err(malformed)?;
            // Byte by byte until its length is known.
            let missing = length.map_or(1, |length| length - self.partial.len()).min(bytes.len());
            let (more, rest) = bytes.split_at(missing);
            self.partial.extend_from_slice(more);
            bytes = rest;
            if message_length(&self.partial).map_err(malformed)? == Some(self.partial.len()) {
                take(&self.partial)?;
                self.partial.clear();
            }
        }
        while let Some(length) = message_length(bytes).map_err(malformed)? {
            let Some((message, rest)) = bytes.split_at_checked(length) else { break };
            take(message)?;
            bytes = rest;
        }
        self.partial.extend_from_slice(bytes);
        if self.partial.is_empty() && self.partial.capacity() > KEPT {
            self.partial = Vec::new();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn messages_are_the_same_in_whatever_pieces_they_come(
            lengths in proptest::collection::vec(prop_oneof![0..5_usize, 120..140_usize, 250..300_usize], 0..6),
            cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12),
        ) {
            let mut all = Vec::new();
            let mut expected = Vec::new();
            for length in lengths {
                let mut message = Vec::new();
                super::super::ber::write(super::super::ber::SEQUENCE, &vec![7; length], &mut message);
                all.extend_from_slice(&message);
                expected.push(message);
            }
            let mut cuts: Vec<_> = cuts.iter().map(|cut| cut.index(all.len() + 1)).collect();
            cuts.sort_unstable();
            cuts.push(all.len());
            let (mut frames, mut got, mut from) = (Frames::default(), Vec::new(), 0);
            for cut in cuts {
                let fed = frames.feed(&all[from..cut], |message| {
                    got.push(message.to_vec());
                    Ok(())
                });
                prop_assert!(fed.is_ok());
                from = cut;
            }
            prop_assert_eq!(got, expected);
            prop_assert!(frames.partial.is_empty());
        }
    }
}
