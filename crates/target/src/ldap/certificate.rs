//! Who a client's certificate is made out to (RFC 5280, 4.1): the subject, as the name of an entry.

use super::ber::{Malformed, Reader, tag};
use super::dn::escape;

/// Types of attributes as they stand in certificates, without tag and length, and their names (RFC 4514, 3).
const TYPES: &[(&[u8], &str)] = &[
    (&[0x55, 4, 3], COMMON_NAME),
    (&[0x55, 4, 4], "sn"),
    (&[0x55, 4, 6], "c"),
    (&[0x55, 4, 7], "l"),
    (&[0x55, 4, 8], "st"),
    (&[0x55, 4, 10], "o"),
    (&[0x55, 4, 11], "ou"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 1], "uid"),
    (&[0x09, 0x92, 0x26, 0x89, 0x93, 0xf2, 0x2c, 0x64, 1, 25], "dc"),
];

const COMMON_NAME: &str = "cn";

/// What a certificate says of its owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject {
    /// The subject, the leaf first.
    pub(crate) dn: Vec<u8>,
    /// The last common name in it.
    pub(crate) common_name: Option<Vec<u8>>,
}

impl Subject {
    /// Reads the subject of a certificate in DER. Attributes of types without a known name are left out.
    pub(crate) fn of(certificate: &[u8]) -> Option<Self> {
        Self::read(certificate).ok()
    }

    fn read(certificate: &[u8]) -> Result<Self, Malformed> {
        let mut certificate = Reader::new(certificate).inside(tag::SEQUENCE)?;
        let mut parts = certificate.inside(tag::SEQUENCE)?;
        let _version = parts.optional(0xa0)?;
        let _serial_number = parts.expect(tag::INTEGER)?;
        let (_signature, _issuer) = (parts.expect(tag::SEQUENCE)?, parts.expect(tag::SEQUENCE)?);
        let _validity = parts.expect(tag::SEQUENCE)?;
        let mut names = parts.inside(tag::SEQUENCE)?;
        let mut subject = Self { dn: Vec::new(), common_name: None };
        while !names.is_empty() {
            subject.add(names.inside(tag::SET)?)?;
        }
        Ok(subject)
    }

    /// Puts one part of the name before those that are there: certificates have the root first.
    fn add(&mut self, mut pairs: Reader<'_>) -> Result<(), Malformed> {
        let mut part = Vec::new();
        while !pairs.is_empty() {
            let mut pair = pairs.inside(tag::SEQUENCE)?;
            let kind = pair.expect(0x06)?;
            let (_, value) = pair.any()?;
            let Some((_, name)) = TYPES.iter().find(|(known, _)| *known == kind) else { continue };
            if *name == COMMON_NAME {
                self.common_name = Some(value.to_vec());
            }
            if !part.is_empty() {
                part.push(b'+');
            }
            part.extend_from_slice(name.as_bytes());
            part.push(b'=');
            escape(value, &mut part);
        }
        if !part.is_empty() && !self.dn.is_empty() {
            part.push(b',');
        }
        part.append(&mut self.dn);
        self.dn = part;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rcgen::{CertificateParams, DnType, KeyPair};

    use super::*;

    fn certificate(names: &[(DnType, &str)]) -> Vec<u8> {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name = rcgen::DistinguishedName::new();
        for (kind, value) in names {
            params.distinguished_name.push(kind.clone(), *value);
        }
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().to_vec()
    }

    #[test]
    fn subjects_are_read_leaf_first() {
        let uid = DnType::CustomDnType(vec![0, 9, 2342, 19_200_300, 100, 1, 1]);
        let title = DnType::CustomDnType(vec![2, 5, 4, 12]);
        let names =
            [(DnType::OrganizationName, "A, B"), (title, "Dr"), (DnType::CommonName, "user.7"), (uid, "x")];
        let subject = Subject::of(&certificate(&names)).unwrap();
        assert_eq!(String::from_utf8(subject.dn).unwrap(), "uid=x,cn=user.7,o=A\\, B");
        assert_eq!(subject.common_name.unwrap(), b"user.7");
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            Subject::of(&bytes);
        }
    }
}
