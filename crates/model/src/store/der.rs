//! The little of DER (X.690) that protected keys need: elements of definite length with tags of one byte.

pub(super) const INTEGER: u8 = 0x02;
pub(super) const OCTETS: u8 = 0x04;
pub(super) const OBJECT_IDENTIFIER: u8 = 0x06;
pub(super) const SEQUENCE: u8 = 0x30;

/// Elements one after another. What is not as expected gives none.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The content of the next element, which has this tag.
    pub(super) fn take(&mut self, tag: u8) -> Option<&'a [u8]> {
        let (found, rest) = self.0.split_first()?;
        let (first, rest) = rest.split_first()?;
        let (length, rest) = match *first {
            short @ 0..0x80 => (usize::from(short), rest),
            long => {
                let (octets, rest) = rest.split_at_checked(usize::from(long & 0x7f))?;
                if octets.is_empty() || octets.len() > 4 {
                    return None;
                }
                (octets.iter().fold(0, |sum, octet| sum << 8 | usize::from(*octet)), rest)
            }
        };
        let (content, rest) = rest.split_at_checked(length)?;
        if *found != tag {
            return None;
        }
        self.0 = rest;
        Some(content)
    }

    /// The next element as a number of at most 32 bits, not below 0.
    pub(super) fn number(&mut self) -> Option<u32> {
        let content = self.take(INTEGER)?;
        if content.is_empty() || content.len() > 5 || content[0] & 0x80 != 0 {
            return None;
        }
        u32::try_from(content.iter().fold(0_u64, |sum, octet| sum << 8 | u64::from(*octet))).ok()
    }
}
